"""Whole processes, measured from outside: wall time, CPU time, peak memory."""

import os
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Hashable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

K = TypeVar("K", bound=Hashable)
ROOT = Path(__file__).parents[1]
LAUNCHER = Path(__file__).with_name("launch.py")


@dataclass(frozen=True)
class Cost:
    wall_s: float
    cpu_s: float
    peak_mb: float
    """Of the largest process, where a command is several."""


class CommandFailed(SystemExit):
    """A command that did not end as it should stops the benchmark, unless someone can do without it."""

    def __init__(self, command: Sequence[str], exit_code: int, said: str) -> None:
        super().__init__(f"{' '.join(command)} ended with {exit_code}:\n{said[-2000:]}")
        self.exit_code = exit_code


def cost_of(
    command: Sequence[str],
    *,
    cwd: Path,
    env: dict[str, str] | None = None,
    ok: tuple[int, ...] = (0,),
    limit_s: float = 600,
    output: Path | None = None,
) -> Cost:
    """Runs a command to its end and says what it took; all it prints goes to `output`."""
    read_fd, write_fd = os.pipe()
    with os.fdopen(read_fd) as report, tempfile.TemporaryFile("w+b") if output is None else output.open("w+b") as said:
        process = subprocess.Popen(
            [sys.executable, "-IS", str(LAUNCHER), str(write_fd), *command],
            cwd=cwd,
            env={**os.environ, **(env or {})},
            stdin=subprocess.DEVNULL,
            stdout=said,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            pass_fds=(write_fd,),
        )
        os.close(write_fd)
        alarm = threading.Timer(limit_s, os.killpg, (process.pid, signal.SIGKILL))
        alarm.start()
        code = process.wait()
        alarm.cancel()
        if code not in ok:
            said.seek(0)
            raise CommandFailed(command, code, said.read().decode(errors="replace"))
        return Cost(*map(float, report.read().split()))


def median(costs: Sequence[Cost]) -> Cost:
    """Of an even number, the lower: no one is judged by a single bad run."""

    def middle(values: list[float]) -> float:
        return sorted(values)[(len(values) - 1) // 2]

    return Cost(middle([c.wall_s for c in costs]), middle([c.cpu_s for c in costs]), middle([c.peak_mb for c in costs]))


def interleaved(commands: Mapping[K, Sequence[str]], repeats: int, *, cwd: Path) -> dict[K, Cost]:
    """Medians of several rounds, each round running every command once: drift hits all alike."""
    costs: dict[K, list[Cost]] = {name: [] for name in commands}
    for _ in range(repeats):
        for name, command in commands.items():
            costs[name].append(cost_of(command, cwd=cwd))
    return {name: median(found) for name, found in costs.items()}


@contextmanager
def server_process(latency_ms: float = 0.0) -> Iterator[subprocess.Popen[str]]:
    """The canned server in a process of its own; its first line is its port, its second the time of its first reply."""
    process = subprocess.Popen(
        [sys.executable, "-m", "benchmarks.mock_server", str(latency_ms)], stdout=subprocess.PIPE, text=True, cwd=ROOT
    )
    try:
        yield process
    finally:
        process.kill()
        process.wait()
        assert process.stdout is not None
        process.stdout.close()


@contextmanager
def mock_server(latency_ms: float = 0.0) -> Iterator[str]:
    """The canned server; yields its base URL."""
    with server_process(latency_ms) as process:
        yield url_of(process)


def url_of(server: subprocess.Popen[str]) -> str:
    assert server.stdout is not None
    return f"http://127.0.0.1:{int(server.stdout.readline())}"
