"""Reports made from the journal of a finished run."""

from benchmarks.cases import PARALLEL, VIVA, Bench, python_agent, viva_test, write_cases
from benchmarks.measure import cost_of, interleaved
from benchmarks.tables import Table


def reports(bench: Bench) -> Table:
    count = 1_000 if bench.quick else 10_000
    folder = bench.folder
    cases = write_cases(folder / f"c{count}.jsonl", count)
    cost_of(viva_test(cases, python_agent(folder), folder, "-j", str(PARALLEL)), cwd=folder)
    journal = folder / "journal.jsonl"
    (folder / "out.jsonl").rename(journal)
    size = journal.stat().st_size / 1e6
    title = f"Reports of {count:,} cases, from a journal of {size:.1f} MB"
    table = Table(title, "report", "wall s", "CPU s", "peak MB", "written MB")
    outputs = {kind: folder / f"report.{kind}" for kind in ("json", "md", "html", "xml")}
    commands = {kind: [VIVA, "report", str(journal), "-o", str(path)] for kind, path in outputs.items()}
    for kind, cost in interleaved(commands, 1 if bench.quick else 3, cwd=folder).items():
        table.add(f".{kind}", cost.wall_s, cost.cpu_s, cost.peak_mb, outputs[kind].stat().st_size / 1e6)
    return table
