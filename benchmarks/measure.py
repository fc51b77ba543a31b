"""Whole processes, measured from outside: wall time, CPU time, peak memory."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Cost:
    wall_s: float
    cpu_s: float
    peak_mb: float


def cost_of(
    command: Sequence[str], *, cwd: Path, env: dict[str, str] | None = None, ok: tuple[int, ...] = (0,)
) -> Cost:
    """Runs a command to its end and says what it took. A wrong exit code stops the benchmark."""
    began = time.perf_counter()
    process = subprocess.Popen(
        command, cwd=cwd, env={**os.environ, **(env or {})}, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
    )
    _, status, usage = os.wait4(process.pid, 0)
    wall = time.perf_counter() - began
    code = os.waitstatus_to_exitcode(status)
    complaint = process.stderr.read().decode() if process.stderr else ""
    if code not in ok:
        raise SystemExit(f"{' '.join(command)} ended with {code}:\n{complaint}")
    return Cost(wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024)


def median(costs: Sequence[Cost]) -> Cost:
    def middle(values: list[float]) -> float:
        return sorted(values)[len(values) // 2]

    return Cost(middle([c.wall_s for c in costs]), middle([c.cpu_s for c in costs]), middle([c.peak_mb for c in costs]))


def interleaved(commands: dict[str, Sequence[str]], repeats: int, *, cwd: Path) -> dict[str, Cost]:
    """Medians of several rounds, each round running every command once: drift hits all alike."""
    costs: dict[str, list[Cost]] = {name: [] for name in commands}
    for _ in range(repeats):
        for name, command in commands.items():
            costs[name].append(cost_of(command, cwd=cwd))
    return {name: median(found) for name, found in costs.items()}


@contextmanager
def mock_server(latency_ms: float = 0.0) -> Iterator[str]:
    """The canned server in a process of its own; yields its base URL."""
    root = Path(__file__).parents[1]
    process = subprocess.Popen(
        [sys.executable, "-m", "benchmarks.mock_server", str(latency_ms)], stdout=subprocess.PIPE, text=True, cwd=root
    )
    try:
        assert process.stdout is not None
        yield f"http://127.0.0.1:{int(process.stdout.readline())}"
    finally:
        process.kill()
        process.wait()
