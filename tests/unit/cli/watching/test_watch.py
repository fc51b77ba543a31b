"""What runs next: saved files and keys come in, rounds go out."""

import asyncio
import signal
from pathlib import Path
from typing import Any

import pytest

from vivavoce.cli.watching.rounds import Ended, RoundOutcome
from vivavoce.cli.watching.watch import Event, Watch
from vivavoce.reporters.terminal.style import Look

CASES, PROMPT = "/p/cases.jsonl", "/p/prompt.md"
KNOWN = {"case_files": (CASES,), "known_files": (CASES, PROMPT)}


class FakeRunner:
    """Keeps what it was asked to run; each round waits until the test ends it."""

    def __init__(self) -> None:
        self.asked: list[dict[str, Any]] = []
        self.signals: list[str] = []
        self._ends = asyncio.Queue[Ended]()

    async def run(self, **asked: Any) -> Ended:
        self.asked.append(asked)
        return await self._ends.get()

    def end(self, code: int = 0, **outcome: Any) -> None:
        self._ends.put_nowait(Ended(code, RoundOutcome(**{**KNOWN, **outcome})))

    def stop(self) -> None:
        self.signals.append("stop")
        self.end(130)

    def kill(self) -> None:
        self.signals.append("kill")


class Session:
    def __init__(self) -> None:
        self.runner = FakeRunner()
        runner: Any = self.runner
        self.said: list[str] = []
        self.watch = Watch(runner, Look(width=80), self.said.append, keys="afuq")
        self.loop = asyncio.create_task(self.watch.loop())

    async def settled(self) -> None:
        for _ in range(10):
            await asyncio.sleep(0)

    async def ended(self, code: int = 0, **outcome: Any) -> None:
        await self.settled()
        self.runner.end(code, **outcome)
        await self.settled()

    async def put(self, *events: Event) -> None:
        for event in events:
            self.watch.events.put_nowait(event)
        await self.settled()


@pytest.fixture
async def session():
    made = Session()
    yield made
    made.loop.cancel()


async def test_everything_runs_first_and_then_what_was_saved(session: Session):
    await session.ended(ran=("a", "b"))
    await session.put({Path(PROMPT)})
    assert [asked["changed"] for asked in session.runner.asked] == [None, (PROMPT,)]
    assert "saved prompt.md" in "".join(session.said)


async def test_newest_failures_come_first_and_passed_ones_are_forgotten(session: Session):
    await session.ended(1, ran=("a", "b", "c"), failed=("a", "b"))
    await session.put({Path(PROMPT)})
    assert session.runner.asked[-1]["first"] == ("a", "b")
    await session.ended(1, ran=("a", "c"), failed=("c",))
    await session.put({Path(PROMPT)})
    assert session.runner.asked[-1]["first"] == ("c", "b")


async def test_what_is_saved_meanwhile_runs_next_and_what_the_agent_writes_does_not(session: Session):
    await session.ended(ran=("a",))
    await session.put({Path(PROMPT)}, {Path("/p/log.json")}, {Path(CASES)})
    assert len(session.runner.asked) == 2
    await session.ended(ran=("a",))
    assert session.runner.asked[-1]["changed"] == (PROMPT,)  # cases.jsonl does not exist: it was removed


async def test_a_removed_case_file_needs_no_round(session: Session):
    await session.ended(ran=("a",))
    await session.put({Path(CASES)})
    assert len(session.runner.asked) == 1


async def test_changes_that_could_not_be_tested_are_owed(session: Session):
    await session.ended(ran=("a",))
    await session.put({Path(PROMPT)})
    await session.ended(2, case_files=(), known_files=())
    assert "nothing was tested" in session.said[-1]
    await session.put({Path("/p/other.md")})
    assert session.runner.asked[-1]["changed"] == ("/p/other.md", PROMPT)


async def test_the_keys_ask_for_rounds(session: Session):
    await session.ended(1, ran=("a", "b"), failed=("b",))
    await session.put("f")
    assert session.runner.asked[-1]["only"] == ("b",)
    await session.ended(1, ran=("b",), failed=("b",))
    await session.put("u")
    assert (session.runner.asked[-1]["only"], session.runner.asked[-1]["update_snapshots"]) == (("b",), True)
    await session.ended(0, ran=("b",))
    await session.put("f")
    assert "nothing fails" in session.said[-1]
    await session.put("x", "A")
    assert session.runner.asked[-1] == {"only": None, "changed": None, "first": (), "update_snapshots": False}


async def test_q_ends_with_the_exit_code_of_the_last_round(session: Session):
    await session.ended(1, ran=("a",), failed=("a",))
    await session.put("q")
    assert await session.loop == 1


async def test_ctrl_c_stops_the_round_and_ends_in_130(session: Session):
    await session.settled()
    await session.put(signal.SIGINT)
    assert session.runner.signals == ["stop"]
    assert await session.loop == 130


async def test_a_second_ctrl_c_does_not_wait(session: Session):
    session.runner.stop = lambda: session.runner.signals.append("stop")
    await session.settled()
    await session.put(signal.SIGINT, signal.SIGINT)
    assert session.runner.signals == ["stop", "kill"]
