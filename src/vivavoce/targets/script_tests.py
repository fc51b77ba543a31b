"""A file of script tests as what is examined: a line names a test, the reply is the record of what it did."""

import msgspec

from vivavoce.containment.captured_output import current_log
from vivavoce.containment.user_functions import UserFunction
from vivavoce.errors import CallFailed, UsageError
from vivavoce.model.message import AgentReply
from vivavoce.model.transcript import Line, Transcript
from vivavoce.plugins.declarations import TargetKind
from vivavoce.protocols import AgentCard, CallContext, Helpers, Session, Surroundings, TargetSpec
from vivavoce.script_testing.discovery import find_test_file
from vivavoce.script_testing.engine import CallTerms
from vivavoce.script_testing.record import ScriptTestRecord
from vivavoce.script_testing.testing import run_test
from vivavoce.scripts.finder import load_module
from vivavoce.targets.call_payload import CallPayload
from vivavoce.wording.terminal_text import one_line


class ScriptTestsTarget:
    """`script_tests:AGENT.MODULE`. Its file is imported at once, so that its errors are found before the run."""

    def __init__(self, spec: TargetSpec, surroundings: Surroundings) -> None:
        ref = str(spec.config["script_tests"])
        path = find_test_file(ref, surroundings.project)
        self.module = load_module(path, surroundings.project)
        self.helpers = surroundings.helpers
        self.card = AgentCard(id=f"scripts.{ref}", kind="script_tests", where=surroundings.project.shown(path))

    async def open(self, context: CallContext) -> Session:
        if self.helpers is None:
            raise CallFailed("script tests run only in viva test", fault="test")
        return ScriptTestsSession(self, self.helpers, context)

    async def close(self) -> None: ...


class ScriptTestsSession:
    def __init__(self, target: ScriptTestsTarget, helpers: Helpers, context: CallContext) -> None:
        self._target = target
        self._helpers = helpers
        self._context = context

    async def send(self, line: Line, transcript: Transcript) -> AgentReply:
        name = line.text
        function = getattr(self._target.module, name, None)
        if not callable(function):
            raise UsageError(f"{self._target.card.where} has no test {name!r}")
        terms = CallTerms(
            helpers=self._helpers,
            case_id=self._context.case_id,
            identity=self._context.identity,
            connector=self._context.connector,
        )
        ctx = CallPayload(self._context).context(line, transcript)
        record, traceback = await run_test(UserFunction(function), name, ctx, terms)
        if traceback and (log := current_log()) is not None:
            log.write(f"{traceback}\n")
        return AgentReply(text=_described(record), data=msgspec.to_builtins(record), awaiting=False)

    async def close(self) -> None: ...


def _described(record: ScriptTestRecord) -> str:
    """The record as a person reads it, a line for each check and each line of the log."""
    checks = [f"{check.outcome.value}: {check if check.reason else check.check}" for check in record.checks]
    logs = [f"log: {one_line(text)}" for text in record.logs]
    return "\n".join([*checks, *logs])


SCRIPT_TESTS = TargetKind(
    name="script_tests", target=ScriptTestsTarget, fields=None, shows_calls="always", may_repeat=True
)
