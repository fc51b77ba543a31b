"""Simulated conversations of ten turns: what the loop itself costs."""

from benchmarks.cases import Bench
from benchmarks.conversations import loop_cost
from benchmarks.tables import Table


def conversations(bench: Bench) -> Table:
    table = Table("Simulated conversations, in process", "conversations", "turns", "CPU µs per turn", "peak MB")
    for count in (50, 500):
        cost = loop_cost(count, bench.folder)
        table.add(count, cost.turns, cost.per_turn_us, cost.peak_mb)
    return table
