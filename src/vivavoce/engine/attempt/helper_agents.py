"""Asking the agents that help testing: judges, simulators, generators, reporters."""

import uuid
from collections.abc import Callable, Sequence

from vivavoce.metering.expenses import Expenses, current_expenses
from vivavoce.model.case import CallOptions, Identity
from vivavoce.model.message import AgentReply, Message
from vivavoce.model.transcript import Line, Transcript
from vivavoce.plugins.declarations import TargetKind
from vivavoce.protocols import CallContext, Target

_OPTIONS = CallOptions(skip={"history": True})
_IDENTITY = Identity(referer="agent-test")


class HelperAgents:
    """protocols.AgentCaller. A helper never sees the test's own conversation state."""

    def __init__(
        self,
        target_of: Callable[[str], Target],
        kind_of: Callable[[str], TargetKind],
        connector: str | None,
        expenses: Expenses,
    ) -> None:
        self._target_of = target_of
        self._kind_of = kind_of
        self._connector = connector
        self._expenses = expenses
        """Costs of calls outside any attempt."""

    async def ask(
        self,
        ref: str,
        messages: Sequence[Message],
        options: CallOptions,
        *,
        test_id: str = "",
        identity: Identity | None = None,
    ) -> AgentReply:
        target = self._target_of(ref)
        context = CallContext(session_id=uuid.uuid4().hex, case_id=test_id, identity=identity or _IDENTITY)
        session = await target.open(context)
        try:
            *earlier, last = messages
            line = Line(content=last.content, options=self._options(ref, target, options))
            reply = await session.send(line, Transcript(history=tuple(earlier)))
        finally:
            await session.close()
        (current_expenses() or self._expenses).pay(reply.usage)
        return reply

    def _options(self, ref: str, target: Target, options: CallOptions) -> CallOptions:
        """`-c` is for the agent under test. Only a helper without a connector of its own (as viva's) gets it."""
        if self._connector and target.card.connector is None and self._kind_of(ref).connector == "used":
            options = CallOptions(connector=self._connector).overridden_by(options)
        return _OPTIONS.overridden_by(options)
