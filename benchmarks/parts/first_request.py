"""From the start of the process to its first request: viva beside the bare loop."""

import sys
from statistics import median

from benchmarks.cases import Bench, bare_chat, viva_test, write_cases
from benchmarks.first_request import cpu_to_first_request, listening
from benchmarks.tables import Table

BARE, CHAT, AG_UI = "bare aiohttp loop", "viva, OpenAI endpoint", "viva, AG-UI app"


def first_request(bench: Bench) -> Table:
    table = Table("CPU until the first request arrives", "what", "CPU ms", "× the bare loop")
    what = "`viva test`'s CPU until its first request, beside the bare loop's"
    if not sys.platform.startswith("linux"):
        table.unmeasured(what, "needs /proc", "×", at_most=1.5)
        return table
    one_case = write_cases(bench.folder / "c1.jsonl", 1)
    with listening() as (server, url):
        commands = {
            BARE: bare_chat(one_case, url),
            CHAT: viva_test(one_case, f"openai:{url}/v1?model=m", bench.folder),
            AG_UI: viva_test(one_case, f"agui:{url}/agui", bench.folder),
        }
        found: dict[str, list[float]] = {name: [] for name in commands}
        for _ in range(bench.repeats * 3):
            for name, command in commands.items():
                found[name].append(cpu_to_first_request(command, server, bench.folder))
    bare = median(found[BARE])
    for name, seconds in found.items():
        table.add(name, 1000 * median(seconds), median(seconds) / bare)
    table.promise(what, max(median(found[CHAT]), median(found[AG_UI])) / bare, "×", at_most=1.5)
    return table
