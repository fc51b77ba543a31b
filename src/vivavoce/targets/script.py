"""A script as an agent: mostly simulators and generators, but it may be examined like any other."""

from typing import Annotated

from msgspec import Meta

from vivavoce.containment.captured_output import OutputLog
from vivavoce.errors import CallFailed
from vivavoce.model.message import AgentReply
from vivavoce.model.transcript import Line, Transcript
from vivavoce.notation.json_text import object_or_text
from vivavoce.plugins.declarations import AgentFields, TargetKind, always
from vivavoce.protocols import AgentCard, CallContext, ScriptCaller, Session, Surroundings, TargetSpec
from vivavoce.scripts.finder import require_file
from vivavoce.scripts.script_runner import ScriptRunner
from vivavoce.targets.call_payload import CallPayload
from vivavoce.targets.printed import with_logs
from vivavoce.targets.reply_reading import read_reply


class ScriptFields(AgentFields, frozen=True, kw_only=True):
    """A function of the scripts folder."""

    script: Annotated[str, Meta(description="The script's id, as in `scripts:ID`.")]


class ScriptTarget:
    """`scripts:ID`, called with the last user message: the object when it is JSON, else the text."""

    def __init__(self, spec: TargetSpec, surroundings: Surroundings) -> None:
        self._ref = f"scripts:{str(spec.config['script']).removeprefix('scripts:')}"
        require_file(self._ref, surroundings.project)
        self._scripts = ScriptRunner(surroundings.project)
        self.card = AgentCard(
            id=spec.id, kind="script", description=spec.config.get("description") or "", where=self._ref
        )

    async def open(self, context: CallContext) -> Session:
        return ScriptSession(self._ref, self._scripts, context)

    async def close(self) -> None:
        await self._scripts.close()


class ScriptSession:
    def __init__(self, ref: str, scripts: ScriptCaller, context: CallContext) -> None:
        self._ref = ref
        self._scripts = scripts
        self._payload = CallPayload(context)

    async def send(self, line: Line, transcript: Transcript) -> AgentReply:
        ctx = {
            **self._payload.context(line, transcript),
            "messages": self._payload.messages(line, transcript),
        }
        with OutputLog() as log:
            try:
                result = await self._scripts.call(self._ref, object_or_text(line.text), ctx=ctx)
            except AssertionError as refused:
                raise CallFailed(f"script {self._ref!r}: {refused}", fault="agent") from None
            except CallFailed as failure:
                # Here the script is the agent, so the agent broke.
                raise CallFailed(failure.what, fault="agent", hint=failure.hint) from None
            return with_logs(read_reply(result, line.text), log)

    async def close(self) -> None: ...


SCRIPT = TargetKind(name="script", target=ScriptTarget, fields=ScriptFields, may_repeat=True, takes_workspace=always)
