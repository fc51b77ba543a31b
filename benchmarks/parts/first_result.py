"""How soon a result is on disk, after the first reply left the server."""

import subprocess
import time
from pathlib import Path

from benchmarks.cases import Bench, viva_chat, write_cases
from benchmarks.measure import server_process, url_of
from benchmarks.tables import Table

LATENCIES_MS = (0, 50)


def first_result(bench: Bench) -> Table:
    columns = ("the endpoint takes", "first reply to first result on disk, ms", "worst, ms")
    table = Table("First result on disk, 1,000 cases", *columns)
    cases = write_cases(bench.folder / "c1000.jsonl", 1_000)
    worst = 0.0
    for latency in LATENCIES_MS:
        waits = sorted(_wait(cases, bench.folder, latency) for _ in range(bench.repeats))
        table.add(f"{latency} ms", waits[len(waits) // 2] * 1000, waits[-1] * 1000)
        worst = max(worst, waits[len(waits) // 2])
    table.promise("first result on disk after the first reply", worst, " s", at_most=0.1)
    return table


def _wait(cases: Path, folder: Path, latency_ms: float) -> float:
    """Both clocks are the machine's monotonic one."""
    out = folder / "out.jsonl"
    out.unlink(missing_ok=True)
    with server_process(latency_ms) as server:
        command = viva_chat(cases, url_of(server), folder)
        run = subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        while not _has_result(out):
            if run.poll() is not None:
                raise SystemExit(f"{' '.join(command)} ended with {run.returncode} before any result was seen")
            time.sleep(0.002)
        seen = time.monotonic()
        code = run.wait()
        assert server.stdout is not None
        replied = float(server.stdout.readline())
    if code != 0:
        raise SystemExit(f"{' '.join(command)} ended with {code}")
    return seen - replied


def _has_result(out: Path) -> bool:
    try:
        with out.open("rb") as file:
            return b'{"type":"result"' in file.read(65_536)
    except FileNotFoundError:
        return False
