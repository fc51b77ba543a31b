"""`make bench`: what viva costs, beside the limit, in one run on one machine. Writes benchmarks/RESULTS.md."""

import argparse
import json
import platform
import sys
import tempfile
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path

from benchmarks.measure import Cost, cost_of, interleaved, mock_server

ROOT = Path(__file__).parents[1]
VIVA = str(Path(sys.executable).parent / "viva")


class Table:
    """Rows of one Markdown table, printed as they are found."""

    def __init__(self, title: str, *columns: str) -> None:
        self.lines = [f"## {title}", "", f"| {' | '.join(columns)} |", f"|{'---|' * len(columns)}"]
        print(f"\n{title}")

    def add(self, *cells: object) -> None:
        texts = [f"{cell:.2f}" if isinstance(cell, float) else str(cell) for cell in cells]
        self.lines.append(f"| {' | '.join(texts)} |")
        print("  " + "  ".join(texts))


def write_cases(path: Path, count: int) -> Path:
    with path.open("w") as out:
        for n in range(count):
            check = {"type": "contains", "value": "pong"}
            out.write(json.dumps({"id": f"T{n:06}", "input": f"ping {n}", "assert": check}) + "\n")
    return path


def viva_test(cases: Path, agent: str, folder: Path, *flags: str) -> list[str]:
    return [VIVA, "test", "-i", str(cases), "-n", agent, "-o", str(folder / "out.jsonl"), *flags]


def start_up(folder: Path, repeats: int) -> Table:
    """The price of starting at all."""
    table = Table("Start-up", "command", "CPU ms", "over bare Python")
    found = interleaved(
        {
            "python -c pass": [sys.executable, "-c", "pass"],
            "viva --version": [VIVA, "--version"],
            "viva --help": [VIVA, "--help"],
        },
        repeats * 3,
        cwd=folder,
    )
    bare = found["python -c pass"].cpu_s
    for name, cost in found.items():
        table.add(name, cost.cpu_s * 1000, f"+{(cost.cpu_s - bare) * 1000:.0f} ms")
    return table


def one_endpoint(folder: Path, repeats: int) -> Table:
    """1,000 one-message cases against an endpoint that answers at once."""
    table = Table("1,000 cases, --parallel 32, loopback endpoint", "what", "wall s", "CPU s", "× the bare loop")
    cases = write_cases(folder / "c1000.jsonl", 1000)
    with mock_server() as url:
        found = interleaved(
            {
                "bare aiohttp loop": [
                    sys.executable,
                    str(ROOT / "benchmarks/bare_loop.py"),
                    f"{url}/v1/chat/completions",
                    str(cases),
                ],
                "viva": viva_test(cases, f"openai:{url}/v1?model=m", folder, "-j", "32"),
            },
            repeats,
            cwd=folder,
        )
    limit = found["bare aiohttp loop"]
    for name, cost in found.items():
        table.add(name, cost.wall_s, cost.cpu_s, cost.wall_s / limit.wall_s)
    return table


def growth(folder: Path, sizes: tuple[int, ...]) -> Table:
    """Time and memory as the file grows: linear and flat."""
    table = Table("Growth", "cases", "wall s", "CPU s", "peak MB", "× memory of the smallest", "output MB")
    first: Cost | None = None
    with mock_server() as url:
        for size in sizes:
            cases = write_cases(folder / f"c{size}.jsonl", size)
            cost = cost_of(viva_test(cases, f"openai:{url}/v1?model=m", folder, "-j", "32"), cwd=folder)
            first = first or cost
            written = (folder / "out.jsonl").stat().st_size / 1e6
            table.add(f"{size:,}", cost.wall_s, cost.cpu_s, cost.peak_mb, cost.peak_mb / first.peak_mb, written)
    return table


def conversations(folder: Path) -> Table:
    """500 simulated conversations of ten turns: what the loop itself costs."""
    from benchmarks.conversations import loop_cost

    table = Table("Conversations, in process", "conversations", "turns", "µs per turn", "peak MB")
    for count in (50, 500):
        cost = loop_cost(count, folder)
        table.add(count, cost.turns, cost.per_turn_us, cost.peak_mb)
    return table


def streams(folder: Path, repeats: int) -> Table:
    """100-event AG-UI streams, read by viva's target and by a bare reader."""
    from benchmarks.streams import stream_costs

    table = Table("AG-UI: 100-event streams, in process", "reader", "ms per stream", "× the bare reader")
    with mock_server() as url:
        found = stream_costs(f"{url}/agui", repeats)
    for name, cost_ms in found.items():
        table.add(name, cost_ms, cost_ms / found["bare reader"])
    return table


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks")
    parser.add_argument("--quick", action="store_true", help="fewer repeats, smaller files, no results file")
    quick = parser.parse_args().quick
    repeats = 3 if quick else 7
    sizes = (1_000, 10_000) if quick else (1_000, 10_000, 100_000)
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        parts: list[Callable[[], Table]] = [
            lambda: start_up(folder, repeats),
            lambda: one_endpoint(folder, repeats),
            lambda: growth(folder, sizes),
            lambda: conversations(folder),
            lambda: streams(folder, repeats),
        ]
        tables = [part() for part in parts]
    if not quick:
        head = [
            "# Results",
            "",
            "Written by `make bench`. Medians of interleaved repeats, taken in one run; compare ratios, not seconds.",
            "",
            f"Python {platform.python_version()}, {platform.system()} {platform.machine()}, "
            f"aiohttp {version('aiohttp')}, msgspec {version('msgspec')}, viva {version('vivavoce')}.",
            "",
        ]
        body = [line for table in tables for line in (*table.lines, "")]
        (ROOT / "benchmarks" / "RESULTS.md").write_text("\n".join([*head, *body]))
        print("\nwritten to benchmarks/RESULTS.md")


if __name__ == "__main__":
    main()
