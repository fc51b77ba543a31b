"""`make bench`: what viva costs, beside the limit and its peers, in one run on one machine."""

import argparse
import os
import tempfile
from collections.abc import Callable
from pathlib import Path

from benchmarks.as_installed import as_installed
from benchmarks.cases import Bench
from benchmarks.parts.bytecodes import bytecodes
from benchmarks.parts.compare import compare
from benchmarks.parts.conversations import conversations
from benchmarks.parts.documents import documents
from benchmarks.parts.endpoint import endpoint, peers
from benchmarks.parts.first_request import first_request
from benchmarks.parts.first_result import first_result
from benchmarks.parts.growth import growth
from benchmarks.parts.in_process import in_process
from benchmarks.parts.long_history import long_history
from benchmarks.parts.order import order
from benchmarks.parts.proxy import proxy
from benchmarks.parts.rejudging import rejudging
from benchmarks.parts.reports import reports
from benchmarks.parts.server import server
from benchmarks.parts.start_up import start_up
from benchmarks.parts.streams import streams
from benchmarks.parts.viewer import viewer
from benchmarks.results import write_results
from benchmarks.tables import Table, promises_of

PARTS: dict[str, Callable[[Bench], Table]] = {
    "server": server,
    "start-up": start_up,
    "first-request": first_request,
    "endpoint": endpoint,
    "peers": peers,
    "first-result": first_result,
    "growth": growth,
    "in-process": in_process,
    "rejudging": rejudging,
    "conversations": conversations,
    "streams": streams,
    "bytecodes": bytecodes,
    "reports": reports,
    "documents": documents,
    "order": order,
    "long-history": long_history,
    "viewer": viewer,
    "proxy": proxy,
    "compare": compare,
}
QUICK = [name for name in PARTS if name != "peers"]
WHOLE = [name for name in PARTS if name != "endpoint"]  # the peers' table has viva and the limit too


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks")
    parser.add_argument("--quick", action="store_true", help="fewer repeats, smaller files, no peers")
    parser.add_argument("--only", action="append", choices=PARTS, help="just this part; repeatable")
    flags = parser.parse_args()
    as_installed()
    os.environ.setdefault("VIVA_LOOP", "asyncio")  # what the limit and the peers run in
    names: list[str] = flags.only or (QUICK if flags.quick else WHOLE)
    with tempfile.TemporaryDirectory() as scratch:
        tables = [PARTS[name](Bench(Path(scratch), flags.quick)) for name in names]
    tables.append(promises_of(tables))
    if names == WHOLE and not flags.quick:
        print(f"\nwritten to {write_results(tables)}")


if __name__ == "__main__":
    main()
