"""An agent that is a Python function: what viva itself costs, with no network at all."""

from benchmarks.cases import PARALLEL, Bench, python_agent, viva_test, write_cases
from benchmarks.measure import interleaved
from benchmarks.tables import Table

SIZES = (1_000, 10_000)


def in_process(bench: Bench) -> Table:
    columns = ("cases", "wall s", "CPU s", "CPU µs per case, start-up included", "peak MB")
    table = Table(f"A Python function as the agent, --parallel {PARALLEL}", *columns)
    agent = python_agent(bench.folder)
    commands = {}
    for size in SIZES:
        cases = write_cases(bench.folder / f"c{size}.jsonl", size)
        commands[f"{size}"] = viva_test(cases, agent, bench.folder, "-j", str(PARALLEL))
    found = interleaved(commands, 1 if bench.quick else 5, cwd=bench.folder)
    for size in SIZES:
        cost = found[f"{size}"]
        table.add(f"{size:,}", cost.wall_s, cost.cpu_s, f"{1e6 * cost.cpu_s / size:.0f}", cost.peak_mb)
    small, large = (found[f"{size}"] for size in SIZES)
    marginal = 1e6 * (large.cpu_s - small.cpu_s) / (SIZES[1] - SIZES[0])
    table.note(f"Each further case costs {marginal:.0f} µs of CPU.")
    return table
