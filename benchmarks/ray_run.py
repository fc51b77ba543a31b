"""Many cases on a Ray cluster of this machine, with a worker killed in the middle, beside the same cases without Ray.

`python -m benchmarks.ray_run [CASES] [PARALLEL] [LATENCY_MS]`, by default 5,000, 64 and 50.
"""

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.cases import viva_test, write_cases
from benchmarks.measure import mock_server
from benchmarks.tables import Table

RUNS: dict[str, tuple[str, bool]] = {
    "local": ("local", False),
    "ray": ("ray", False),
    "ray, a worker killed": ("ray", True),
}


@dataclass(frozen=True)
class Outcome:
    wall_s: float
    first_s: float
    """Until the first result was on disk."""
    rows: list[dict[str, Any]]

    @property
    def per_second(self) -> float:
        return len(self.rows) / (self.wall_s - self.first_s)

    @property
    def worked_again(self) -> int:
        return sum(bool(row.get("retries")) for row in self.rows)


def run(command: list[str], out: Path, in_the_middle: Callable[[int], None] | None, cases: int) -> Outcome:
    """One run from start to end; `in_the_middle` is told the process when half of the results are there."""
    out.unlink(missing_ok=True)
    began = time.perf_counter()
    process = subprocess.Popen(command, cwd=out.parent, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    first: float | None = None
    while process.poll() is None:
        done = out.read_bytes().count(b'{"type":"result"') if out.exists() else 0
        if done and first is None:
            first = time.perf_counter() - began
        if in_the_middle is not None and done >= cases // 2:
            in_the_middle(process.pid)
            in_the_middle = None
        time.sleep(0.05)
    wall = time.perf_counter() - began
    complaint = process.stderr.read().decode() if process.stderr else ""
    if process.returncode != 0 or in_the_middle is not None:
        raise SystemExit(f"{' '.join(command)} ended with {process.returncode}:\n{complaint}")
    rows = [json.loads(line) for line in out.read_text().splitlines()]
    return Outcome(wall, first or wall, [row for row in rows if row["type"] == "result"])


def kill_a_worker(viva: int) -> None:
    """The first worker of the cluster that this process started."""
    os.kill(next(pid for pid in descendants(viva) if name_of(pid).startswith("ray::Workbench")), signal.SIGKILL)


def descendants(of: int) -> list[int]:
    parents: dict[int, int] = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            parents[int(stat.parent.name)] = int(stat.read_text().rpartition(")")[2].split()[1])
        except OSError:
            continue
    found = [of]
    for pid in found:
        found += [child for child, parent in parents.items() if parent == pid]
    return found[1:]


def name_of(pid: int) -> str:
    return Path(f"/proc/{pid}/cmdline").read_text()


def main(cases: int = 5_000, parallel: int = 64, latency_ms: int = 50) -> None:
    title = f"{cases:,} cases, --parallel {parallel}, an endpoint that takes {latency_ms} ms"
    columns = ("executor", "wall s", "first result after s", "cases/s from then on", "reported once", "worked again")
    table = Table(title, *columns)
    with tempfile.TemporaryDirectory() as scratch, mock_server(latency_ms) as url:
        folder = Path(scratch)
        file = write_cases(folder / "cases.jsonl", cases)
        for name, (executor, kill) in RUNS.items():
            flags = ("-j", str(parallel), "--executor", executor, "--no-history")
            command = viva_test(file, f"openai:{url}/v1?model=m", folder, *flags)
            outcome = run(command, folder / "out.jsonl", kill_a_worker if kill else None, cases)
            reported = Counter(row["id"] for row in outcome.rows if row["status"] == "passed")
            once = sum(times == 1 for times in reported.values())
            table.add(
                name,
                outcome.wall_s,
                outcome.first_s,
                outcome.per_second,
                f"{once:,} of {cases:,}",
                outcome.worked_again,
            )
            if once != cases or len(outcome.rows) != cases:
                raise SystemExit(f"{cases - once} cases were not reported exactly once")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
