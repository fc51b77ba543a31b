"""An agent that is a Python function: what viva itself costs, with no network at all."""

from benchmarks.cases import PARALLEL, Bench, python_agent, viva_test, write_cases
from benchmarks.measure import interleaved
from benchmarks.tables import Table

SIZES = (1_000, 10_000)
AGENTS = ("def", "async def")


def in_process(bench: Bench) -> Table:
    columns = ("agent", "cases", "wall s", "CPU s", "CPU µs per case, start-up included", "peak MB")
    table = Table(f"A Python function as the agent, --parallel {PARALLEL}", *columns)
    commands = {}
    for size in SIZES:
        cases = write_cases(bench.folder / f"c{size}.jsonl", size)
        for kind in AGENTS:
            agent = python_agent(bench.folder, kind)
            commands[kind, size] = viva_test(cases, agent, bench.folder, "-j", str(PARALLEL))
    found = interleaved(commands, 1 if bench.quick else 5, cwd=bench.folder)
    further: dict[str, float] = {}
    for kind in AGENTS:
        small, large = (found[kind, size] for size in SIZES)
        for size, cost in zip(SIZES, (small, large), strict=True):
            table.add(kind, f"{size:,}", cost.wall_s, cost.cpu_s, f"{1e6 * cost.cpu_s / size:.0f}", cost.peak_mb)
        further[kind] = 1e6 * (large.cpu_s - small.cpu_s) / (SIZES[1] - SIZES[0])
    blocking, plain = (further[kind] for kind in AGENTS)
    table.note(f"Each further case costs {blocking:.0f} µs of CPU, that of an `async def` {plain:.0f} µs.")
    # Issue 15: 0.7 times what it cost before, which was 1.75 times the `async def` or more.
    what = "a further case of a blocking function beside that of an `async def`: CPU"
    table.promise(what, blocking / plain, "×", at_most=1.25)
    return table
