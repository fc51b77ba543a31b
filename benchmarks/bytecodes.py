"""Bytecodes that Python executes for a case: a count that no other process on the machine can change.

`bytecodes.py URL WHAT` runs a few cases twice in this process and prints the count per case of the second run. The
server is another process; `WHAT` is `bare`, `chat`, `reader` or `agui`.
"""

import asyncio
import os
import sys
import tempfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

from benchmarks import bare_loop, streams
from benchmarks.cases import PARALLEL, write_cases

CASES = 300


class BytecodeCount:
    """Counts by function while `with` it; functions that run less than once for two cases are not of a case."""

    def __init__(self) -> None:
        self._executed: Counter[CodeType] = Counter()
        self._calls: Counter[CodeType] = Counter()

    def __enter__(self) -> "BytecodeCount":
        sys.settrace(self._trace)
        return self

    def __exit__(self, *_: object) -> None:
        sys.settrace(None)

    def per_case(self) -> float:
        counted = [count for code, count in self._executed.items() if self._calls[code] >= CASES / 2]
        return sum(counted) / CASES

    def _trace(self, frame: FrameType, event: str, _: Any) -> Any:
        if event == "call":
            frame.f_trace_opcodes, frame.f_trace_lines = True, False
            self._calls[frame.f_code] += 1
        elif event == "opcode":
            self._executed[frame.f_code] += 1
        return self._trace


def viva(cases: Path, agent: str) -> Callable[[], None]:
    from vivavoce.cli.main import main

    def run() -> None:
        sys.argv = ["viva", "test", "-i", str(cases), "-n", agent, "-o", "out.jsonl", "-j", str(PARALLEL)]
        try:
            main()
        except SystemExit as end:
            if end.code != 0:
                raise RuntimeError(f"viva ended with {end.code}") from end

    return run


def work(url: str, what: str) -> Callable[[], None]:
    cases = write_cases(Path("cases.jsonl"), CASES, says="word 91" if what == "agui" else "pong")
    if what == "bare":
        return lambda: asyncio.run(bare_loop.main(f"{url}/v1/chat/completions", str(cases), PARALLEL))
    if what == "reader":
        return lambda: asyncio.run(streams.read_many(f"{url}/agui", CASES, PARALLEL))
    return viva(cases, f"openai:{url}/v1?model=m" if what == "chat" else f"agui:{url}/agui")


def main(url: str, what: str) -> None:
    shown, sys.stdout = sys.stdout, sys.stderr
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        run = work(url, what)
        run()  # imports, caches, the history's first file
        with BytecodeCount() as count:
            run()
        os.chdir("/")
    print(count.per_case(), file=shown)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
