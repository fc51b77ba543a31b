"""Answers of any agent kept on disk, for `-n replay:DIR`. AG-UI apps keep their streams instead (ag_ui/recording)."""

import time
from pathlib import Path

import msgspec
from msgspec import Struct, structs

from vivavoce.errors import CallFailed, Fault
from vivavoce.model.agent_card import AgentCard
from vivavoce.model.json_value import JsonValue
from vivavoce.model.message import AgentReply
from vivavoce.model.transcript import Line, Transcript
from vivavoce.project.redaction import Secrets
from vivavoce.protocols import CallContext, Partial, Session, Target
from vivavoce.targets.ag_ui.recording import STRUCK_OUT
from vivavoce.targets.recording_folder import RecordingFolder

SUFFIX = ".answer.json"


class RecordedAnswer(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One turn: what was said, and the reply or the failure that came back."""

    case_id: str
    asked: JsonValue
    reply: AgentReply | None = None
    failed: str | None = None
    fault: Fault = "target"
    duration_ms: float = 0.0


class RecordedTarget:
    """Passes everything on and keeps each answer."""

    def __init__(self, target: Target, root: Path, secrets: Secrets, *, shows_calls: bool | None) -> None:
        """`shows_calls`: whether this agent's answers show its tool calls; None: each answer says it itself."""
        self._target = target
        self._root = root
        self._secrets = secrets
        self._shows_calls = shows_calls

    @property
    def card(self) -> AgentCard:
        return self._target.card

    async def open(self, context: CallContext) -> "RecordedSession":
        folder = RecordingFolder(self._root, context.case_id)
        opened = await self._target.open(context)
        return RecordedSession(opened, folder, context.case_id, self._secrets, shows_calls=self._shows_calls)

    async def close(self) -> None:
        await self._target.close()


class RecordedSession:
    def __init__(
        self, session: Session, folder: RecordingFolder, case_id: str, secrets: Secrets, *, shows_calls: bool | None
    ) -> None:
        self._session = session
        self._folder = folder
        self._case_id = case_id
        self._secrets = secrets
        self._shows_calls = shows_calls
        self._answers: list[RecordedAnswer] = []

    async def send(self, line: Line, transcript: Transcript) -> AgentReply:
        started = time.perf_counter()
        try:
            reply = await self._session.send(line, transcript)
        except CallFailed as failure:
            self._keep(line, started, failed=failure.what, fault=failure.fault)
            raise
        shown = reply.shows_calls if self._shows_calls is None else self._shows_calls
        self._keep(line, started, reply=structs.replace(reply, shows_calls=shown))
        return reply

    def so_far(self) -> AgentReply:
        """What was seen of a turn that broke."""
        return self._session.so_far() if isinstance(self._session, Partial) else AgentReply()

    async def close(self) -> None:
        """The newest recording of a case replaces the last one."""
        try:
            self._write()
        finally:
            await self._session.close()

    def _keep(
        self,
        line: Line,
        started: float,
        *,
        reply: AgentReply | None = None,
        failed: str | None = None,
        fault: Fault = "target",
    ) -> None:
        took = round((time.perf_counter() - started) * 1000, 2)
        asked = msgspec.to_builtins(line.content)
        answer = RecordedAnswer(
            case_id=self._case_id, asked=asked, reply=reply, failed=failed, fault=fault, duration_ms=took
        )
        self._answers.append(answer)

    def _write(self) -> None:
        if not self._answers:
            return
        for number, answer in enumerate(self._answers, start=1):
            written = msgspec.json.format(msgspec.json.encode(self._without_secrets(answer)), indent=1)
            self._folder.write(f"{number:02}{SUFFIX}", written + b"\n")
        self._folder.close()

    def _without_secrets(self, answer: RecordedAnswer) -> RecordedAnswer:
        """The answer as it is written. Where a secret was said, later checks that it could fail are in doubt."""
        masked = self._secrets.masked(answer)
        if masked.reply is None or masked.reply == answer.reply:
            return masked
        return structs.replace(masked, reply=structs.replace(masked.reply, unread=(*masked.reply.unread, STRUCK_OUT)))
