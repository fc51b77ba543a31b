"""AG-UI streams of 100 events: whole runs beside a bare reader, then the reading alone."""

import sys

from benchmarks.cases import PARALLEL, Bench, viva_test, write_cases
from benchmarks.measure import ROOT, interleaved, mock_server
from benchmarks.streams import stream_costs
from benchmarks.tables import Table

READER = ROOT / "benchmarks/streams.py"


def streams(bench: Bench) -> Table:
    title = f"AG-UI: 1,000 cases, streams of 100 events, --parallel {PARALLEL}"
    table = Table(title, "what", "wall s", "CPU s", "× the bare reader, wall", "× CPU", "peak MB")
    cases = write_cases(bench.folder / "agui.jsonl", 1_000, says="word 91")
    with mock_server() as url:
        found = interleaved(
            {
                "bare reader": [sys.executable, str(READER), f"{url}/agui", "1000", str(PARALLEL)],
                "viva": viva_test(cases, f"agui:{url}/agui", bench.folder, "-j", str(PARALLEL)),
            },
            bench.repeats,
            cwd=bench.folder,
        )
        alone = stream_costs(f"{url}/agui", bench.repeats)
    limit = found["bare reader"]
    for name, cost in found.items():
        ratios = (cost.wall_s / limit.wall_s, cost.cpu_s / limit.cpu_s)
        table.add(name, cost.wall_s, cost.cpu_s, *ratios, cost.peak_mb)
    ratio = found["viva"].cpu_s / limit.cpu_s
    table.promise("AG-UI streams of 100 events: CPU beside the bare reader's", ratio, "×", at_most=1.5)
    viva, bare = alone["viva"], alone["bare reader"]
    table.note(f"One stream, one at a time, start-up aside: viva {viva:.2f} ms of CPU, bare reader {bare:.2f} ms.")
    return table
