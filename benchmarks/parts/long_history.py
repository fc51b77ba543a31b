"""Questions to a history of 100,000 case results."""

from benchmarks.cases import VIVA, Bench
from benchmarks.long_history import CASES, RUNS, write_long_history
from benchmarks.measure import interleaved
from benchmarks.tables import Table

MOST_CPU_S = 1.0


def long_history(bench: Bench) -> Table:
    folder = bench.folder / "long-history"
    folder.mkdir()
    (folder / "viva.yaml").write_text("agents: {}\n")
    write_long_history(folder / ".viva" / "history.db")
    commands = {
        "viva flaky": [VIVA, "flaky"],
        "viva history --case": [VIVA, "history", "--case", "T010"],
    }
    table = Table(f"A history of {RUNS * CASES:,} case results", "command", "CPU s", "peak MB")
    for name, cost in interleaved(commands, bench.repeats, cwd=folder).items():
        table.add(name, cost.cpu_s, cost.peak_mb)
        table.promise(f"CPU of {name} over {RUNS * CASES:,} case results", cost.cpu_s, "s", at_most=MOST_CPU_S)
    return table
