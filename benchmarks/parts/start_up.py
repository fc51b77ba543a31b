"""The price of starting at all."""

import sys

from benchmarks.cases import VIVA, Bench, python_agent, viva_test, write_cases
from benchmarks.measure import interleaved
from benchmarks.tables import Table

LIMITS = {"viva --version": 5.5, "viva --help": 5.5, "viva test, one case, Python agent": 18}
"""In bare starts of Python, so that a slow machine changes nothing: 60, 60 and 200 ms where that takes 11 ms."""


def start_up(bench: Bench) -> Table:
    table = Table("Start-up", "command", "wall ms", "CPU ms", "CPU over bare Python")
    one_case = write_cases(bench.folder / "c1.jsonl", 1)
    found = interleaved(
        {
            "python -c pass": [sys.executable, "-c", "pass"],
            "viva --version": [VIVA, "--version"],
            "viva --help": [VIVA, "--help"],
            "viva test, one case, Python agent": viva_test(one_case, python_agent(bench.folder), bench.folder),
        },
        bench.repeats * 3,
        cwd=bench.folder,
    )
    bare = found["python -c pass"].cpu_s
    for name, cost in found.items():
        table.add(name, cost.wall_s * 1000, cost.cpu_s * 1000, f"+{(cost.cpu_s - bare) * 1000:.0f} ms")
    for name, limit in LIMITS.items():
        over = (found[name].cpu_s - bare) / bare
        table.promise(f"`{name}`, CPU over bare Python, in starts of bare Python", over, "×", at_most=limit)
    return table
