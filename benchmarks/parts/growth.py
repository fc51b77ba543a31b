"""Time and memory as the file grows: linear and flat."""

from benchmarks.cases import Bench, bare_chat, viva_chat, write_cases
from benchmarks.measure import Cost, cost_of, interleaved, mock_server
from benchmarks.tables import Table

SMALL, MIDDLE, LARGE = 1_000, 10_000, 100_000
COLUMNS = ("what", "cases", "wall s", "CPU s", "peak MB", "output MB")


def growth(bench: Bench) -> Table:
    table = Table("Growth", *COLUMNS)
    folder = bench.folder
    out = folder / "out.jsonl"
    files = {size: write_cases(folder / f"c{size}.jsonl", size) for size in (SMALL, MIDDLE)}
    with mock_server() as url:
        empty = write_cases(folder / "c1.jsonl", 1)
        commands = {
            "bare 1": bare_chat(empty, url),
            "viva 1": viva_chat(empty, url, folder),
            f"bare {SMALL}": bare_chat(files[SMALL], url),
            f"viva {SMALL}": viva_chat(files[SMALL], url, folder),
            f"bare {MIDDLE}": bare_chat(files[MIDDLE], url),
            f"viva {MIDDLE}": viva_chat(files[MIDDLE], url, folder),
        }
        found = interleaved(commands, 1 if bench.quick else 3, cwd=folder)
        for name, cost in found.items():
            who, size = name.split()
            written = f"{out.stat().st_size / 1e6:.1f}" if name == f"viva {MIDDLE}" else ""
            table.add(_full(who), f"{int(size):,}", cost.wall_s, cost.cpu_s, cost.peak_mb, written)
        if not bench.quick:
            cost = cost_of(viva_chat(write_cases(folder / "large.jsonl", LARGE), url, folder), cwd=folder)
            table.add("viva", f"{LARGE:,}", cost.wall_s, cost.cpu_s, cost.peak_mb, f"{out.stat().st_size / 1e6:.1f}")
            found[f"viva {LARGE}"] = cost
    _judge(table, found)
    return table


def _judge(table: Table, found: dict[str, Cost]) -> None:
    viva, bare = (_marginal_us(found, who) for who in ("viva", "bare"))
    table.note(
        f"Marginal CPU per case, from {SMALL:,} to {MIDDLE:,} cases: "
        f"viva {viva:.0f} µs, bare loop {bare:.0f} µs; at full speed "
        f"{_rate(found, 'viva'):,.0f} and {_rate(found, 'bare'):,.0f} cases/s. Start-up is the run of one case."
    )
    table.promise("marginal CPU per case beside the bare loop's", viva / bare, "×", at_most=1.5)
    large = found.get(f"viva {LARGE}")
    if large is None:
        return
    start, small = found["viva 1"], found[f"viva {SMALL}"]
    times = LARGE / SMALL
    wall = (large.wall_s - start.wall_s) / (times * (small.wall_s - start.wall_s))
    cpu = (large.cpu_s - start.cpu_s) / (times * (small.cpu_s - start.cpu_s))
    linear = f"{LARGE:,} cases beside {times:.0f} times {SMALL:,}, net of start-up"
    table.promise(f"{linear}: wall time", wall, "×", at_most=1.2)
    table.promise(f"{linear}: CPU", cpu, "×", at_most=1.2)
    memory = large.peak_mb / small.peak_mb
    table.promise(f"peak memory of {LARGE:,} cases beside {SMALL:,}", memory, "×", at_most=1.25)


def _marginal_us(found: dict[str, Cost], who: str) -> float:
    return 1e6 * (found[f"{who} {MIDDLE}"].cpu_s - found[f"{who} {SMALL}"].cpu_s) / (MIDDLE - SMALL)


def _rate(found: dict[str, Cost], who: str) -> float:
    return (MIDDLE - SMALL) / (found[f"{who} {MIDDLE}"].wall_s - found[f"{who} {SMALL}"].wall_s)


def _full(who: str) -> str:
    return {"bare": "bare aiohttp loop"}.get(who, who)
