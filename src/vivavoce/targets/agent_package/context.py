"""What an agent's own code is told about the call it serves."""

from typing import Any

import msgspec

from vivavoce.model.case import CallOptions
from vivavoce.protocols import CallContext


class AgentContext(dict[str, Any]):
    """The `ctx` of hooks and tools; `ctx.locale` and `ctx["locale"]` are the same."""

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except KeyError:
            raise AttributeError(f"ctx has no {name!r}; it has {', '.join(self)}") from None


def agent_context(agent_id: str, context: CallContext, options: CallOptions) -> AgentContext:
    """Identity, conversation and options of one call."""
    who = context.identity
    return AgentContext(
        assistant_id=agent_id,
        chat_id=context.session_id,
        session_id=context.session_id,
        test_id=context.case_id,
        user_id=who.user_id,
        team_id=who.team_id,
        locale=who.locale,
        client={"type": who.client_type, "ip": who.client_ip},
        referer=who.referer,
        accept=who.accept,
        metadata=dict(options.metadata),
        options=msgspec.to_builtins(options),
        variables=dict(context.variables),
    )
