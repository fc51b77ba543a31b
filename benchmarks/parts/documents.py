"""Documents that copy the journal's lines, beside the same documents with every line made again."""

import sys

from benchmarks.cases import PARALLEL, Bench, python_agent, viva_test, write_cases
from benchmarks.measure import ROOT, cost_of
from benchmarks.tables import Table


def documents(bench: Bench) -> Table:
    count = 1_000 if bench.quick else 10_000
    folder = bench.folder
    cases = write_cases(folder / f"c{count}.jsonl", count)
    cost_of(viva_test(cases, python_agent(folder), folder, "-j", str(PARALLEL)), cwd=folder)
    found = folder / "documents.txt"
    cost_of([sys.executable, "-m", "benchmarks.documents", str(folder / "out.jsonl")], cwd=ROOT, output=found)
    title = f"Documents of {count:,} cases: the journal's lines copied or made again"
    table = Table(title, "document", "copied, CPU ms", "made again, CPU ms", "ratio")
    for line in found.read_text().splitlines():
        kind, copied, made_again = line.split()
        ratio = float(made_again) / float(copied)
        table.add(f".{kind}", 1e3 * float(copied), 1e3 * float(made_again), ratio)
        if kind == "html":
            table.promise("HTML beside decoding, restoring and encoding every line", ratio, "×", at_least=4)
    return table
