"""`replay:DIR`: what `viva record` kept, played back: streams of AG-UI apps, answers of all other agents."""

import asyncio
from pathlib import Path
from typing import Annotated

import msgspec
from msgspec import Meta, structs

from vivavoce.errors import CallFailed
from vivavoce.model.json_value import JsonObject, JsonValue, compact_json, is_array, is_object, json_equal, object_in
from vivavoce.model.message import AgentReply, ToolCall
from vivavoce.model.transcript import Line, Transcript
from vivavoce.notation.json_text import repeats_a_key
from vivavoce.notation.references import parse_params
from vivavoce.notation.tool_stubs import read_frontend_tools
from vivavoce.plugins.declarations import TargetKind
from vivavoce.protocols import AgentCard, CallContext, Session, Surroundings, TargetSpec
from vivavoce.targets.ag_ui.kind import AG_UI_REPLAY, AgentRunFields
from vivavoce.targets.answer_recording import SUFFIX, RecordedAnswer
from vivavoce.targets.recording_folder import folder_of
from vivavoce.wording.plurals import counted


class ReplayFields(AgentRunFields, frozen=True, kw_only=True):
    """Recorded answers of an agent."""

    replay: Annotated[str, Meta(description="The folder of a recording, `?timing=none` plays it at once.")]


class ReplayTarget:
    """Each case from its own folder, whatever kind of agent it was recorded from."""

    def __init__(self, spec: TargetSpec, surroundings: Surroundings) -> None:
        """Raises UsageError when there is no such folder."""
        from vivavoce.targets.ag_ui.replay import AgUiReplayTarget

        given = str(spec.config.get("replay") or "")
        streams = structs.replace(spec, kind=AG_UI_REPLAY.name, config={**spec.config, AG_UI_REPLAY.name: given})
        self._streams = AgUiReplayTarget(streams, surroundings)
        folder, _, query = given.partition("?")
        self._folder = next(path for path in (Path(folder), surroundings.project.root / folder) if path.is_dir())
        self._in_real_time = parse_params(query).get("timing", "real") == "real"
        self.card = AgentCard(
            id=spec.id,
            kind=spec.kind,
            description=str(spec.config.get("description") or ""),
            tools=self._streams.card.tools,
            where=str(self._folder),
        )

    async def open(self, context: CallContext) -> Session:
        answers = sorted((self._folder / folder_of(context.case_id)).glob(f"*{SUFFIX}"))
        if not answers:
            return await self._streams.open(context)
        return ReplaySession(answers, in_real_time=self._in_real_time)

    async def close(self) -> None:
        await self._streams.close()


class ReplaySession:
    """Answers the first line with the first recorded answer, and so on."""

    def __init__(self, answers: list[Path], *, in_real_time: bool) -> None:
        self._answers = answers
        self._in_real_time = in_real_time
        self._next = 0

    async def send(self, line: Line, transcript: Transcript) -> AgentReply:
        if self._next >= len(self._answers):
            there = counted(len(self._answers), "answer")
            what = f"the recording {self._answers[0].parent} ends after {there}, but one more was asked for"
            raise CallFailed(what, fault="test", hint="record it again")
        path = self._answers[self._next]
        self._next += 1
        recorded = _read(path)
        asked = msgspec.to_builtins(line.content)
        if not json_equal(recorded.asked, asked):
            what = (
                f"the recording {path.parent.name} was made for {compact_json(recorded.asked)}, "
                f"but the test now says {compact_json(asked)}"
            )
            raise CallFailed(what, fault="test", hint="record it again")
        if self._in_real_time:
            await asyncio.sleep(recorded.duration_ms / 1000)
        if recorded.reply is None:
            raise CallFailed(recorded.failed or "the recorded call failed", fault=recorded.fault)
        return recorded.reply

    async def close(self) -> None:
        """Nothing is held open."""


def _read(path: Path) -> RecordedAnswer:
    try:
        content = path.read_bytes()
        recorded = msgspec.json.decode(content, type=RecordedAnswer)
        _refuse_unknown(msgspec.json.decode(content, type=JsonObject), content)
        return recorded
    except (OSError, msgspec.DecodeError) as error:
        raise CallFailed(
            f"the recording {path} cannot be read: {error}", fault="test", hint="record it again"
        ) from None


def _refuse_unknown(told: JsonObject, content: bytes) -> None:
    """Raises DecodeError for fields that nobody would read, as a recording has them that was edited badly."""
    reply = object_in(told, "reply")
    listed: list[JsonValue] = [reply.get("calls"), reply.get("late_results")]
    calls = [call for each in listed if is_array(each) for call in each if is_object(call)]
    for each, kind in ((told, RecordedAnswer), (reply, AgentReply), *((call, ToolCall) for call in calls)):
        if unknown := each.keys() - {field.encode_name for field in structs.fields(kind)}:
            raise msgspec.DecodeError(f"an unknown field {min(unknown)!r}")
    if repeats_a_key(content.decode()):
        raise msgspec.DecodeError("an object with a key written twice")


REPLAY = TargetKind(
    name="replay",
    target=ReplayTarget,
    fields=ReplayFields,
    example="replay:DIR",
    check_fields={"tools": read_frontend_tools},
    # Each recorded answer says whether it shows its calls.
    shows_calls="when_it_has_some",
    may_repeat=True,
    replays=True,
)
