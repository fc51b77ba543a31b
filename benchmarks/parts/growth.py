"""Time and memory as the file grows: linear and flat."""

from pathlib import Path

from benchmarks.as_installed import with_uvloop
from benchmarks.cases import Bench, bare_chat, viva_chat, write_cases
from benchmarks.measure import Cost, cost_of, interleaved, mock_server
from benchmarks.tables import Table

SMALL, MIDDLE, LARGE = 1_000, 10_000, 100_000
COLUMNS = ("what", "cases", "wall s", "CPU s", "peak MB", "output MB")


def growth(bench: Bench) -> Table:
    table = Table("Growth", *COLUMNS)
    sizes = (1, SMALL, MIDDLE)
    with mock_server() as url:
        commands: dict[str, list[str]] = {}
        for size in sizes:
            commands[f"bare {size}"] = bare_chat(_cases(bench, size), url)
            commands[f"viva {size}"] = viva_chat(_cases(bench, size), url, _room(bench, size))
            if faster := with_uvloop(commands[f"viva {size}"]):
                commands[f"viva[uvloop] {size}"] = faster
        found = interleaved(commands, 1 if bench.quick else 5, cwd=bench.folder)
        if not bench.quick:
            large = viva_chat(_cases(bench, LARGE), url, _room(bench, LARGE))
            found[f"viva {LARGE}"] = cost_of(large, cwd=bench.folder)
    for name, cost in found.items():
        who, size = name.split()
        label, written = ("bare aiohttp loop", "") if who == "bare" else (who, _written_mb(bench, int(size)))
        table.add(label, f"{int(size):,}", cost.wall_s, cost.cpu_s, cost.peak_mb, written)
    _judge(table, found)
    return table


def _cases(bench: Bench, size: int) -> Path:
    return write_cases(bench.folder / f"c{size}.jsonl", size)


def _room(bench: Bench, size: int) -> Path:
    """Each size has its output to itself, to be weighed afterwards."""
    room = bench.folder / f"growth-{size}"
    room.mkdir(exist_ok=True)
    return room


def _written_mb(bench: Bench, size: int) -> str:
    return f"{(_room(bench, size) / 'out.jsonl').stat().st_size / 1e6:.2f}"


def _judge(table: Table, found: dict[str, Cost]) -> None:
    viva, bare = (_marginal_us(found, who) for who in ("viva", "bare"))
    table.note(
        f"Marginal CPU per case, from {SMALL:,} to {MIDDLE:,} cases: "
        f"viva {viva:.0f} µs, bare loop {bare:.0f} µs; at full speed "
        f"{_rate(found, 'viva'):,.0f} and {_rate(found, 'bare'):,.0f} cases/s. Start-up is the run of one case."
    )
    if f"viva[uvloop] {SMALL}" in found:
        faster = _marginal_us(found, "viva[uvloop]")
        table.note(f"With the `uvloop` extra: {faster:.0f} µs, {faster / bare:.2f}× the bare loop without uvloop.")
    table.promise("marginal CPU per case beside the bare loop's", viva / bare, "×", at_most=1.3)
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
