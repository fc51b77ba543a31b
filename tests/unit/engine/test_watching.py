"""Who watches a conversation: gives the agent things, adds to its replies, and is no time of the agent."""

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from msgspec import structs
from tests.fakes.examining import case_of

from vivavoce.engine import watching
from vivavoce.engine.attempt import conversation
from vivavoce.engine.attempt.attempt import Examination
from vivavoce.engine.wiring import RunResources, RunSettings
from vivavoce.errors import VivaError
from vivavoce.model.case import Case
from vivavoce.model.message import AgentReply, ToolCall
from vivavoce.model.result import Attempt, Status
from vivavoce.project.project import Project
from vivavoce.project.settings import AgentConfig, Config
from vivavoce.protocols import Job, Provisions, Surroundings, TargetSpec, WatchEnd

SAYS_WHAT_IT_WAS_GIVEN = "import os; print(os.environ.get('SEEN_FROM', 'nowhere'), os.environ.get('TURN'))"


class FakeWatcher:
    """Gives each turn its number, and adds one call to each reply."""

    def __init__(self, spec: TargetSpec, surroundings: Surroundings) -> None:
        self.spec = spec
        self.turns: list[tuple[int, str]] = []
        self.closed = 0
        self.end = WatchEnd()
        self.problem: VivaError | None = None
        MADE.append(self)

    async def start(self) -> Mapping[str, str]:
        if self.spec.config["description"] == "deaf":
            raise VivaError("the port is taken")
        return {"SEEN_FROM": "the server's side"}

    def watch(self, case: Case, run: int, provisions: Provisions) -> "FakeWatcher | None":
        if case.id == "unwatched":
            return None
        provisions.environment["SEEN_FROM"] = f"{case.id}#{run}"
        return self

    def begin_turn(self, number: int, provisions: Provisions) -> None:
        provisions.environment["TURN"] = str(number)

    async def end_turn(self, number: int, reply: AgentReply, started_ms: float, ended_ms: float) -> AgentReply:
        self.turns.append((number, reply.text))
        assert started_ms <= ended_ms
        conversation.now_ms = lambda: started_ms + 60_000  # type: ignore[assignment]
        return structs.replace(reply, calls=(ToolCall(name="seen"),), shows_calls=True)

    async def close(self) -> Any:
        self.closed += 1
        return self.end


MADE: list[FakeWatcher] = []


@pytest.fixture(autouse=True)
def _watched(monkeypatch: pytest.MonkeyPatch):
    MADE.clear()
    monkeypatch.setitem(watching.WATCHERS, "description", f"{__name__}:FakeWatcher")
    monkeypatch.setattr(conversation, "now_ms", conversation.now_ms)


async def examined(case: Case, description: str | None, *, end: WatchEnd | None = None) -> Attempt:
    fields = {"cmd": [sys.executable, "-c", SAYS_WHAT_IT_WAS_GIVEN], "description": description}
    config = Config(agents={"it": AgentConfig(kind="cmd", fields=fields)})
    resources = RunResources(Project(root=Path.cwd(), config=config), RunSettings())
    try:
        resources.target("it")
        for watcher in MADE:
            watcher.end = end or watcher.end
        return await Examination(resources, lambda _: None).attempt(Job(case=case, index=1, run=2))
    finally:
        await resources.close()


async def test_the_agent_gets_what_its_watcher_gives_and_the_reply_what_it_saw():
    attempt = await examined(case_of(turns=[{"user": "a"}, {"user": "b"}]), "watched")
    assert [turn.reply.text for turn in attempt.transcript.turns] == ["T#2 1", "T#2 2"]
    assert [call.name for turn in attempt.transcript.turns for call in turn.reply.calls] == ["seen", "seen"]
    assert MADE[0].turns == [(1, "T#2 1"), (2, "T#2 2")]
    assert MADE[0].closed == 2, "once as the watch, once as the watcher"


async def test_the_time_that_a_watch_waits_is_not_the_agents():
    attempt = await examined(case_of(input="a"), "watched")
    assert attempt.duration_ms < 60_000


async def test_nobody_watches_an_agent_without_the_field_and_a_watcher_may_leave_a_case_alone():
    assert (await examined(case_of(input="a"), None)).transcript.turns[0].reply.text == "nowhere None"
    assert (await examined(case_of(id="unwatched", input="a"), "watched")).transcript.turns[0].reply.calls == ()


async def test_a_problem_of_a_watch_is_an_error_of_the_case_whatever_its_checks_say():
    attempt = await examined(
        case_of(input="a"), "watched", end=WatchEnd(problem="it never fired", warnings=("look here",))
    )
    assert (attempt.status, attempt.fault, attempt.error) == (Status.ERROR, "test", "it never fired")
    assert attempt.warnings[-1] == "look here"
    failing = case_of(input="a", **{"assert": {"type": "contains", "value": "zebra"}})
    attempt = await examined(failing, "watched", end=WatchEnd(problem="it never fired"))
    assert attempt.status is Status.ERROR
    assert str(attempt.error).startswith("it never fired; besides: ")


async def test_beside_a_problem_of_a_watch_the_end_of_a_long_error_is_kept():
    """The last line of a traceback says what happened."""
    failing = case_of(
        input="a", **{"assert": {"type": "contains", "value": "zebra" * 100, "message": "x" * 500 + " end"}}
    )
    attempt = await examined(failing, "watched", end=WatchEnd(problem="it never fired"))
    assert str(attempt.error).endswith("xxx end")


async def test_a_watcher_that_cannot_listen_costs_the_case_and_nothing_else():
    attempt = await examined(case_of(input="a"), "deaf")
    assert attempt.status is Status.ERROR
    assert (attempt.fault, attempt.error) == ("target", "the port is taken")
