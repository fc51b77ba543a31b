"""One case, once: whatever goes wrong with it is its result, and costs nobody else anything."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.fakes.agents import FakeTarget, agent_raises
from tests.fakes.examining import attempt_once, case_of
from tests.fakes.surroundings import write_files

import vivavoce
from vivavoce.engine.attempt.attempt import contained
from vivavoce.engine.wiring import RunSettings
from vivavoce.errors import CallFailed, UsageError
from vivavoce.model.events import AttemptFinished, AttemptStarted, Event, TurnFinished
from vivavoce.model.result import Attempt, Status

SCRIPTS = """
def before(case):
    return {"WHO": "Ann"}

def refuses(case):
    raise AssertionError("no database")

def after(case, result):
    open("tidied", "w").write(result["status"])

def breaks(case, result):
    raise ValueError("cannot tidy up")
"""


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return write_files(tmp_path, {"scripts/hooks.py": SCRIPTS})


async def test_a_conversation_is_held_and_judged():
    agent = FakeTarget(["Hello Ann."])
    attempt = await attempt_once(case_of(input="hi", **{"assert": {"type": "contains", "value": "Ann"}}), agent)
    assert (attempt.status, attempt.output, attempt.run) == (Status.PASSED, "Hello Ann.", 1)
    assert (agent.heard, agent.closed_sessions) == (["hi"], 1)


async def test_a_skipped_case_calls_nobody():
    agent = FakeTarget()
    attempt = await attempt_once(case_of(input="hi", skip="later"), agent)
    assert (attempt.status, attempt.error, agent.heard) == (Status.SKIPPED, "later", [])


async def test_an_agent_that_fails_is_an_error_and_its_session_is_closed():
    agent = FakeTarget([agent_raises("no stock")])
    attempt = await attempt_once(case_of(input="hi"), agent)
    assert (attempt.status, attempt.fault, agent.closed_sessions) == (Status.ERROR, "agent", 1)
    assert "no stock" in (attempt.error or "")


async def test_events_are_told_in_order_with_the_attempt_last():
    events: list[Event] = []
    attempt = await attempt_once(
        case_of(turns=[{"input": "a"}, {"input": "b"}]), FakeTarget(["x?", "y"]), events=events
    )
    assert [type(event) for event in events] == [AttemptStarted, TurnFinished, TurnFinished, AttemptFinished]
    assert events[-1] == AttemptFinished(events[-1].case, attempt)


async def test_the_time_of_the_agent_is_counted_apart_from_everything_around_it():
    attempt = await attempt_once(case_of(input="hi"), FakeTarget([0.05]))
    [turn] = attempt.transcript.turns
    assert attempt.duration_ms == turn.duration_ms
    assert attempt.overhead_ms >= 0


# ── hooks ──


async def hooked(agent: Callable[[str], str], said: str = "hi", **hooks: str) -> Attempt:
    case = {"id": "T", "input": said, **{name: f"scripts:hooks.{hook}" for name, hook in hooks.items()}}
    report = await vivavoce.arun([case], agent=agent, history=False)
    [attempt] = report.results[0].attempts
    return attempt


def fails(text: str) -> str:
    raise ValueError("no stock")


async def test_what_before_returns_can_be_said_and_after_sees_the_result(root: Path):
    attempt = await hooked(lambda text: text.upper(), "I am ${WHO}", before="before", after="after")
    assert (attempt.status, attempt.output) == (Status.PASSED, "I AM ANN")
    assert Path("tidied").read_text() == "passed"


async def test_a_before_that_refuses_is_an_error_of_the_hook_and_nobody_is_called(root: Path):
    attempt = await hooked(lambda text: Path("called").write_text(text) and text, before="refuses")
    assert (attempt.status, attempt.fault, Path("called").exists()) == (Status.ERROR, "hook", False)
    assert "no database" in (attempt.error or "")


async def test_after_runs_when_the_agent_failed_and_cannot_hide_it(root: Path):
    attempt = await hooked(fails, after="after")
    assert (attempt.fault, Path("tidied").read_text()) == ("agent", "error")
    broken = await hooked(fails, after="breaks")
    assert (broken.fault, "no stock" in (broken.error or "")) == ("agent", True)
    assert "cannot tidy up" in broken.warnings[-1]


# ── every error is a result ──


@pytest.mark.parametrize(
    ("raised", "fault", "said"),
    [
        (CallFailed("gone", fault="judge"), "judge", "gone"),
        (UsageError("no such file", at="a.jsonl:1"), "test", "a.jsonl:1: no such file"),
        (KeyError("x"), "test", "viva broke on this case: KeyError: 'x'"),
    ],
)
async def test_an_error_becomes_the_result_with_its_blame(raised: Exception, fault: str, said: str):
    async def work() -> Attempt:
        raise raised

    attempt = await contained(work())
    assert (attempt.status, attempt.fault, attempt.error) == (Status.ERROR, fault, said)


async def test_a_secret_never_leaves_the_attempt(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("SHOP_API_KEY", "sk-abcdef-0123456789")
    attempt = await attempt_once(case_of(input="hi ${ENV.SHOP_API_KEY}"), FakeTarget(["key: sk-abcdef-0123456789"]))
    assert "sk-abcdef" not in str(attempt)


@pytest.mark.parametrize(
    ("fields", "judged"),
    [
        ({}, False),
        ({"expected": "x"}, True),
        ({"assert": {"type": "contains", "value": "x"}}, True),
        ({"turns": [{"input": "a", "assertions": [{"type": "contains", "value": "x"}]}]}, False),
    ],
    ids=["nothing", "expected", "assertions", "a turn's checks"],
)
async def test_an_agent_is_told_whether_its_answers_as_a_whole_are_judged(fields: dict[str, Any], judged: bool):
    agent = FakeTarget()
    await attempt_once(case_of(**{**({} if "turns" in fields else {"input": "hi"}), **fields}), agent)
    assert agent.contexts[0].judged is judged


async def test_its_limit_is_the_cases_else_the_runs():
    slow = FakeTarget([60.0])
    for case, settings in (
        (case_of(input="hi", timeout="10ms"), RunSettings()),
        (case_of(input="hi"), RunSettings(timeout_s=0.01)),
    ):
        attempt = await attempt_once(case, slow, settings=settings)
        assert (attempt.status, attempt.fault) == (Status.TIMEOUT, "agent")
