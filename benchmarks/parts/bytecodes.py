"""How much Python is executed for a case: to be compared between two versions on a busy machine."""

import subprocess
import sys

from benchmarks.cases import Bench
from benchmarks.measure import ROOT, mock_server
from benchmarks.tables import Table

PAIRS = {"an OpenAI endpoint": ("bare", "chat"), "an AG-UI app, 100 events": ("reader", "agui")}


def bytecodes(bench: Bench) -> Table:
    table = Table("Python bytecodes executed for a case", "agent", "bare", "viva", "× the bare loop")
    with mock_server() as url:
        for agent, pair in PAIRS.items():
            bare, viva = (_per_case(url, what) for what in pair)
            table.add(agent, f"{bare:,.0f}", f"{viva:,.0f}", viva / bare)
    table.note("A count, not a time: what C code does inside one bytecode (JSON, sockets, compression) is not in it.")
    return table


def _per_case(url: str, what: str) -> float:
    command = [sys.executable, "-m", "benchmarks.bytecodes", url, what]
    return float(
        subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True).stdout
    )
