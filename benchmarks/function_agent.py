"""A Python function as the agent, beside an earlier version of viva: what the agent's own part of a case costs.

`python -m benchmarks.function_agent OLD/src` compares this tree with a checkout of an older one (say
`git worktree add /tmp/old 28537ed0`, the version before the rooms). What is measured is a conversation of one line:
opened, asked, closed. What viva then judges, writes and remembers is in `make bench --only in-process`.
"""

import asyncio
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from benchmarks.measure import ROOT

KINDS = ("async def", "def")
PARALLEL = 32
CONVERSATIONS = 6_400
ROUNDS = 15


async def waits(messages: Any) -> str:
    return "pong: all is well"


def blocks(messages: Any) -> str:
    return "pong: all is well"


async def conversations(function: Any) -> float:
    """CPU µs of each conversation, of which many are held at once."""
    from vivavoce.model.transcript import Line, Transcript
    from vivavoce.protocols import CallContext, TargetSpec
    from vivavoce.targets.python_callable import PythonCallableTarget

    project: Any = SimpleNamespace(project=None)
    target = PythonCallableTarget(TargetSpec(id="python:x:y", kind="python", config={"python": function}), project)
    context, line, nothing_said = CallContext(session_id="s"), Line(content="ping"), Transcript()

    async def some() -> None:
        for _ in range(CONVERSATIONS // PARALLEL):
            session = await target.open(context)
            await session.send(line, nothing_said)
            await session.close()

    began = time.process_time()
    await asyncio.gather(*[some() for _ in range(PARALLEL)])
    return (time.process_time() - began) / CONVERSATIONS * 1e6


def measured_in(source: Path) -> list[float]:
    """The least CPU of all rounds for each kind of function, with the viva of a source folder."""
    code = "from benchmarks.function_agent import *; print(*[min(asyncio.run(conversations(f)) for _ in range(ROUNDS)) "
    command = [sys.executable, "-c", f"{code}for f in (waits, blocks)])"]
    path = f"{source}:{ROOT}"
    found = subprocess.run(command, env={"PYTHONPATH": path}, cwd=ROOT, check=True, capture_output=True, text=True)
    return [float(number) for number in found.stdout.split()]


def main(old: Path) -> None:
    pairs = [(measured_in(old), measured_in(ROOT / "src")) for _ in range(3)]
    for at, kind in enumerate(KINDS):
        before, now = (min(pair[which][at] for pair in pairs) for which in (0, 1))
        print(f"{kind}: {before:.1f} µs before, {now:.1f} µs now: {now / before:.2f}×")


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve())
