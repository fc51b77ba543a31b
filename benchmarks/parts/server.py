"""Is the server the bottleneck? A load tool's rate beside what the bare loop takes from it."""

import json
import re
import shutil
import subprocess

from benchmarks.cases import PARALLEL, Bench, bare_chat, write_cases
from benchmarks.measure import cost_of, mock_server
from benchmarks.tables import Table

BODY = json.dumps({"model": "m", "messages": [{"role": "user", "content": "ping 0"}]})
SCRIPT = f"""
wrk.method = "POST"
wrk.headers["Content-Type"] = "application/json"
wrk.body = '{BODY}'
"""
TOOL = "wrk, kept connections"


def server(bench: Bench) -> Table:
    table = Table("The mock server itself", "client", "requests/s")
    with mock_server() as url:
        few, many = (write_cases(bench.folder / f"c{size}.jsonl", size) for size in (1, 5_000))
        start, whole = (cost_of(bare_chat(cases, url), cwd=bench.folder).wall_s for cases in (few, many))
        taken = 4_999 / (whole - start)
        table.add("bare aiohttp loop, net of start-up", f"{taken:,.0f}")
        if not (wrk := shutil.which("wrk")):
            table.add(TOOL, "not installed: `apt-get install wrk`")
            table.unmeasured("requests/s the server can answer, beside the bare loop's", "no wrk", "×", at_least=2)
            return table
        given = _rate(wrk, f"{url}/v1/chat/completions", bench)
    table.add(TOOL, f"{given:,.0f}")
    table.promise("requests/s the server can answer, beside the bare loop's", given / taken, "×", at_least=2)
    return table


def _rate(wrk: str, url: str, bench: Bench) -> float:
    script = bench.folder / "post.lua"
    script.write_text(SCRIPT)
    seconds = 1 if bench.quick else 4
    command = [wrk, "-t1", f"-c{PARALLEL}", f"-d{seconds}s", "-s", str(script), url]
    said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    rate = re.search(r"Requests/sec:\s+([\d.]+)", said)
    if rate is None or "Non-2xx" in said or "Socket errors" in said:
        raise SystemExit(f"wrk was not answered as it should be:\n{said}")
    return float(rate[1])
