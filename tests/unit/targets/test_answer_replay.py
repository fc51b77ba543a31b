"""Answers kept of any agent, and played back."""

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.fakes.bending import every_bend
from tests.fakes.planting import ARGS, NAME, TEXT, outcome_of
from tests.fakes.random_values import at_most

from vivavoce.errors import CallFailed, UsageError
from vivavoce.model.message import AgentReply, ExchangeStatus, ToolCall
from vivavoce.model.transcript import Line, Transcript
from vivavoce.model.verdict import Outcome
from vivavoce.net.http_client import HttpClient
from vivavoce.project.project import Project
from vivavoce.project.redaction import Secrets
from vivavoce.protocols import AgentCard, CallContext, Session, Surroundings, TargetSpec
from vivavoce.targets.answer_recording import SUFFIX, RecordedAnswer, RecordedTarget
from vivavoce.targets.answer_replay import ReplayTarget

CONTEXT = CallContext(session_id="s", case_id="a::b c")
REPLY = AgentReply(text="my key is sk-secret-1", calls=(ToolCall(id="1", name="refund", args={"amount": 3}),))


class Agent:
    """Answers the first line and fails at the second."""

    card = AgentCard(id="agent", kind="python")

    async def open(self, context: CallContext) -> Session:
        return self

    async def send(self, line: Line, transcript: Transcript) -> AgentReply:
        if line.content == "fail":
            raise CallFailed("no answer", fault="target")
        return REPLY

    async def close(self) -> None: ...


async def record(
    folder: Path, *lines: str, shows_calls: bool | None = None, knows: tuple[str, ...] = ("sk-secret-1",)
) -> None:
    secrets = Secrets()
    secrets.add_all(knows)
    session = await RecordedTarget(Agent(), folder, secrets, shows_calls=shows_calls).open(CONTEXT)
    for line in lines:
        try:
            await session.send(Line(content=line), Transcript())
        except CallFailed:
            continue
    await session.close()


def replaying(folder: Path) -> ReplayTarget:
    spec = TargetSpec(id="replay", kind="replay", config={"replay": f"{folder}?timing=none"})
    return ReplayTarget(spec, Surroundings(project=Project(root=folder), http=HttpClient(), secrets=Secrets()))


async def test_a_recorded_conversation_plays_back_without_its_secrets(tmp_path: Path):
    await record(tmp_path, "hi", "fail")
    session = await replaying(tmp_path).open(CONTEXT)
    reply = await session.send(Line(content="hi"), Transcript())
    assert reply.calls == REPLY.calls
    assert reply.text.startswith("my key is ")
    assert "sk-secret-1" not in reply.text
    # `not_contains` of the secret failed when it was recorded: it must not pass now.
    [piece] = reply.unread
    assert piece.may("words")
    with pytest.raises(CallFailed, match="no answer"):
        await session.send(Line(content="fail"), Transcript())
    with pytest.raises(CallFailed, match="ends after 2 answers"):
        await session.send(Line(content="more"), Transcript())


async def test_an_answer_without_secrets_plays_back_without_doubt(tmp_path: Path):
    await record(tmp_path, "hi", knows=())
    session = await replaying(tmp_path).open(CONTEXT)
    assert await session.send(Line(content="hi"), Transcript()) == REPLY


async def test_another_line_is_never_answered_with_an_old_reply(tmp_path: Path):
    await record(tmp_path, "hi")
    session = await replaying(tmp_path).open(CONTEXT)
    with pytest.raises(CallFailed, match='made for "hi", but the test now says "hello"') as raised:
        await session.send(Line(content="hello"), Transcript())
    assert raised.value.fault == "test"


async def test_answers_that_showed_no_calls_do_not_show_them_later(tmp_path: Path):
    await record(tmp_path, "hi", shows_calls=False)
    session = await replaying(tmp_path).open(CONTEXT)
    assert not (await session.send(Line(content="hi"), Transcript())).shows_calls


async def test_a_case_that_was_not_recorded_is_told(tmp_path: Path):
    await record(tmp_path, "hi")
    with pytest.raises(CallFailed, match="no recording of case 'other'"):
        await replaying(tmp_path).open(CallContext(session_id="s", case_id="other"))


def test_a_folder_that_is_not_there_is_told(tmp_path: Path):
    with pytest.raises(UsageError, match="no folder of recordings"):
        replaying(tmp_path / "nowhere")


def planted() -> dict[str, Any]:
    reply = AgentReply(text=TEXT, calls=(ToolCall(id="1", name=NAME, args=ARGS, result="ok"),))
    return msgspec.to_builtins(RecordedAnswer(case_id="a::b c", asked="hi", reply=reply))


async def is_green_when_it_is(folder: Path, recorded: Any) -> bool:
    file = next(folder.rglob(f"*{SUFFIX}"))
    file.write_text(recorded if isinstance(recorded, str) else json.dumps(recorded))
    session = await replaying(folder).open(CONTEXT)
    try:
        reply = await session.send(Line(content="hi"), Transcript())
    except CallFailed:
        return False
    return reply.status is ExchangeStatus.SUCCESS and await outcome_of(reply) is Outcome.PASSED


@settings(
    deadline=None,
    max_examples=at_most(150),
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(bent=st.sampled_from([bent.value for bent in every_bend(planted(), NAME)]))
async def test_a_recording_that_was_edited_badly_is_never_green(tmp_path: Path, bent: Any):
    await record(tmp_path, "hi")
    if not isinstance(bent, dict) or "data" not in (bent.get("reply") or {}):  # structured output is no place for calls
        assert not await is_green_when_it_is(tmp_path, bent), bent


async def test_a_recording_with_a_key_written_twice_is_never_green(tmp_path: Path):
    await record(tmp_path, "hi")
    text = json.dumps(planted())
    assert not await is_green_when_it_is(tmp_path, text.replace('"calls": ', '"calls": [], "calls": '))
    assert not await is_green_when_it_is(tmp_path, text.replace(f'"name": "{NAME}"', f'"name": "{NAME}", "name": "x"'))
