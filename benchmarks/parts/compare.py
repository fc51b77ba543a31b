"""`viva compare` beside two runs of `viva test` with the same cases."""

from benchmarks.cases import VIVA, Bench, python_agent, viva_test, write_cases
from benchmarks.measure import interleaved
from benchmarks.tables import Table

MOST_TIMES = 1.1
CASES, RUNS = 500, 3


def compare(bench: Bench) -> Table:
    """CPU of one comparison of two agents against the CPU of examining them one after the other."""
    folder = bench.folder
    cases = write_cases(folder / f"compared{CASES}.jsonl", CASES)
    agents = [python_agent(folder, kind) for kind in ("def", "async def")]
    flags = ("--runs", str(RUNS))
    named = [word for agent in agents for word in ("-n", agent)]
    commands = {
        "viva test, first agent": viva_test(cases, agents[0], folder, *flags),
        "viva test, second agent": viva_test(cases, agents[1], folder, *flags),
        "viva compare, both": [VIVA, "compare", "-i", str(cases), *named, "-o", str(folder / "out.jsonl"), *flags],
    }
    table = Table(
        f"Two agents × {CASES} cases × {RUNS} runs", "command", "CPU s", "CPU µs per case and agent", "peak MB"
    )
    costs = interleaved(commands, bench.repeats, cwd=folder)
    for name, cost in costs.items():
        times = 2 * CASES if "both" in name else CASES
        table.add(name, cost.cpu_s, 1e6 * cost.cpu_s / times, cost.peak_mb)
    *one_by_one, together = (cost.cpu_s for cost in costs.values())
    table.promise("CPU of viva compare against two separate runs", together / sum(one_by_one), "×", at_most=MOST_TIMES)
    return table
