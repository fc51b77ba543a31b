"""How early each order of `--order` finds failures, on a simulated history."""

from benchmarks.cases import Bench
from benchmarks.simulated_history import Found, compare_orders
from benchmarks.tables import Table

SEEDS = range(12)


def order(_bench: Bench) -> Table:
    table = Table(
        "Order of cases, simulated history of 200 cases and 40 revisions",
        "order",
        "APFD",
        "until 90 % of the failures, s",
    )
    runs = [compare_orders(seed) for seed in SEEDS]
    means = {name: _mean([found[name] for found in runs]) for name in runs[0]}
    for name, found in means.items():
        table.add(name, f"{found.apfd:.3f}", f"{found.seconds:.0f}")
    best_other = max(found.apfd for name, found in means.items() if name != "risk")
    table.promise("APFD of risk, ahead of the next best order", means["risk"].apfd - best_other, "", at_least=0.01)
    share = means["risk"].seconds / means["file"].seconds
    table.promise("time of risk until 90 % of the failures, of that of file order", share, "", at_most=0.5)
    return table


def _mean(found: list[Found]) -> Found:
    return Found(sum(one.apfd for one in found) / len(found), sum(one.seconds for one in found) / len(found))
