"""Simulated conversations against in-process agents: the loop's own cost, measured in a process of its own."""

import asyncio
import json
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from benchmarks.measure import ROOT, cost_of

TURNS = 10


@dataclass(frozen=True)
class LoopCost:
    turns: int
    per_turn_us: float
    peak_mb: float


def loop_cost(conversations: int, folder: Path) -> LoopCost:
    said = folder / "conversations.txt"
    command = [sys.executable, "-m", "benchmarks.conversations", str(conversations), str(folder)]
    whole = cost_of(command, cwd=ROOT, output=said)
    turns, spent = json.loads(said.read_text().splitlines()[-1])
    return LoopCost(turns, 1e6 * spent / turns, whole.peak_mb)


async def agent(messages: list[dict[str, object]]) -> str:
    return f"I heard you {len(messages)} times. What else?"


async def simulator(messages: list[dict[str, str]]) -> dict[str, object]:
    request = json.loads(messages[-1]["content"])
    return {"data": {"input": f"line {request['turn_number']}", "goal_achieved": False}}


async def measure(conversations: int, folder: Path) -> tuple[int, float]:
    """Turns taken, and the CPU they took."""
    from vivavoce.engine.attempt.attempt import Examination
    from vivavoce.engine.plan.plan import Selection, make_plan
    from vivavoce.engine.run import Run
    from vivavoce.engine.wiring import RunResources, RunSettings
    from vivavoce.executors.local import LocalExecutor
    from vivavoce.model.case import Case, Origin
    from vivavoce.model.result import RunInfo
    from vivavoce.project.project import Project
    from vivavoce.sources.decoding.case_decoder import decode_case

    class Cases:
        label = "bench"

        def read(self):  # type: ignore[no-untyped-def]
            for n in range(conversations):
                raw = {
                    "id": f"C{n}",
                    "input": "hello",
                    "simulator": {"use": "python:benchmarks.conversations:simulator"},
                }
                case: Case = decode_case({**raw, "max_turns": TURNS, "checkpoints": [NEVER]}, Origin("bench", n))
                yield case

    turns = 0

    def emit(event: object) -> None:
        nonlocal turns
        result = getattr(event, "result", None)
        if result is not None:
            turns += sum(len(a.transcript.turns) for a in result.attempts)

    resources = RunResources(Project(root=folder), RunSettings(agent="python:benchmarks.conversations:agent"))
    plan, problems = make_plan([Cases()], Selection(), runs=1)
    assert not problems
    info = RunInfo(run_id="b", started_at="", agent_id="b")
    began = time.process_time()
    await Run(plan, info, emit, max_failures=None).execute(LocalExecutor(500), Examination(resources, emit).attempt)
    spent = time.process_time() - began
    await resources.close()
    assert turns == conversations * TURNS, turns
    return turns, spent


NEVER = {"id": "never", "assertion": {"type": "contains", "value": "no agent says this"}}

if __name__ == "__main__":
    print(json.dumps(asyncio.run(measure(int(sys.argv[1]), Path(sys.argv[2])))))
