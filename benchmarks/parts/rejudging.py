"""Recorded conversations judged again: beside the run that recorded them."""

from benchmarks.cases import PARALLEL, VIVA, Bench, python_agent, viva_test, write_cases
from benchmarks.measure import cost_of, interleaved
from benchmarks.tables import Table

SIZES = (1_000, 10_000)


def rejudging(bench: Bench) -> Table:
    table = Table("`viva rejudge` beside the run that recorded", "command", "cases", "wall s", "CPU s", "peak MB")
    agent = python_agent(bench.folder)
    commands = {}
    for size in SIZES:
        cases = write_cases(bench.folder / f"r{size}.jsonl", size)
        folder = bench.folder / f"recorded{size}"
        folder.mkdir(exist_ok=True)
        test = viva_test(cases, agent, folder, "-j", str(PARALLEL))
        cost_of(test, cwd=bench.folder)
        commands["test", size] = test
        recorded = str(folder / "recorded.jsonl")
        (folder / "out.jsonl").rename(recorded)
        again = str(folder / "again.jsonl")
        commands["rejudge", size] = [VIVA, "rejudge", recorded, "-i", str(cases), "-o", again, "-j", str(PARALLEL)]
    found = interleaved(commands, 1 if bench.quick else 5, cwd=bench.folder)
    for (command, size), cost in found.items():
        table.add(command, f"{size:,}", cost.wall_s, cost.cpu_s, cost.peak_mb)
    small, large = SIZES
    again, first = found["rejudge", large], found["test", large]
    table.promise(f"rejudge of {large:,} cases beside their run: CPU", again.cpu_s / first.cpu_s, "×", at_most=0.5)
    grown = again.peak_mb - found["rejudge", small].peak_mb
    table.promise(f"memory for {large - small:,} cases more", grown, "MB", at_most=10)
    return table
