"""`viva view` over 500 runs × 1,000 cases: what each page costs the server, and how much memory it has by then."""

import os
import re
import signal
import subprocess
import urllib.request
from pathlib import Path

from benchmarks.cases import VIVA, Bench
from benchmarks.many_runs import CASES, RUNS, write_many_runs
from benchmarks.tables import Table

MOST_CPU_S = 1.0
MOST_MB = 150
LAST, BEFORE = f"run-{RUNS - 1:04}", f"run-{RUNS - 2:04}"
KEY = "tests/shop.jsonl::T0025"
PAGES = {
    "runs": ["", "api/runs", "api/numbers?skip=0"],
    "older runs": ["api/numbers?skip=240"],
    "cases × runs": ["cases", "api/cases?skip=0"],
    "one case": ["case", f"api/case?key={KEY}", f"api/case/row?run={LAST}&key={KEY}"],
    "one run": [f"runs/{LAST}", f"api/runs/{LAST}", f"api/runs/{LAST}/heads", f"api/runs/{LAST}/rows/7"],
    "two runs": ["compare", f"api/compare?before={BEFORE}&after={LAST}"],
}
"""Page → what a browser asks for to show it, its scripts and styles aside."""


def viewer(bench: Bench) -> Table:
    folder = bench.folder / "viewer"
    folder.mkdir()
    (folder / "viva.yaml").write_text("agents: {}\n")
    write_many_runs(folder / ".viva" / "history.db")
    table = Table(f"viva view over {RUNS} runs × {CASES:,} cases", "page", "server CPU s", "memory MB")
    command = [VIVA, "view", "--no-browser"]
    with subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout is not None
            found = re.search(r"http://\S+", server.stdout.readline())
            assert found is not None, "viva view printed no address"
            for name, paths in PAGES.items():
                before = _cpu_s(server.pid)
                for path in paths:
                    with urllib.request.urlopen(found[0] + path) as answer:
                        answer.read()
                spent = _cpu_s(server.pid) - before
                table.add(name, spent, _peak_mb(server.pid))
                table.promise(f"server CPU of the page “{name}”", spent, "s", at_most=MOST_CPU_S)
            table.promise("memory of viva view after every page", _peak_mb(server.pid), "MB", at_most=MOST_MB)
        finally:
            server.send_signal(signal.SIGINT)
    return table


def _cpu_s(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _peak_mb(pid: int) -> float:
    lines = Path(f"/proc/{pid}/status").read_text()
    found = re.search(r"VmHWM:\s+(\d+) kB", lines)
    return 0.0 if found is None else int(found[1]) / 1024
