"""A script test run by itself, with a fake agent behind `process` and `t.assert_.Agent`."""

from collections.abc import Callable, Sequence
from typing import Any

from tests.fakes.evidence import FakeScripts

from vivavoce.containment.user_functions import UserFunction
from vivavoce.model.case import CallOptions, Identity
from vivavoce.model.message import AgentReply, Message
from vivavoce.protocols import Helpers
from vivavoce.script_testing.engine import CallTerms
from vivavoce.script_testing.record import ScriptTestRecord
from vivavoce.script_testing.testing import run_test


class FakeAgents:
    """Answers every call the same way, and remembers what it was asked."""

    def __init__(self, reply: str | AgentReply | Exception = "ok") -> None:
        self._reply = reply
        self.asked: list[tuple[str, list[Message], CallOptions, Identity | None]] = []

    async def ask(
        self,
        ref: str,
        messages: Sequence[Message],
        options: CallOptions,
        *,
        test_id: str = "",
        identity: Identity | None = None,
    ) -> AgentReply:
        self.asked.append((ref, list(messages), options, identity))
        if isinstance(self._reply, Exception):
            raise self._reply
        return AgentReply(text=self._reply) if isinstance(self._reply, str) else self._reply


def terms(agents: FakeAgents | None = None, **fields: Any) -> CallTerms:
    helpers = Helpers(agents=agents or FakeAgents(), scripts=FakeScripts(lambda *_: None), judge_timeout_s=5.0)
    return CallTerms(helpers=helpers, case_id="T", **fields)


async def run_alone(
    function: Callable[..., Any], agents: FakeAgents | None = None, ctx: Any = None, **fields: Any
) -> ScriptTestRecord:
    record, _ = await run_test(UserFunction(function), function.__name__, ctx or {}, terms(agents, **fields))
    return record
