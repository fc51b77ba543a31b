"""What an agent's own code is told about the call it serves."""

import msgspec

from vivavoce.model.case import CallOptions
from vivavoce.protocols import CallContext
from vivavoce.targets.call_payload import Context


def agent_context(agent_id: str, context: CallContext, options: CallOptions) -> Context:
    """Identity, conversation and options of one call."""
    who = context.identity
    told = Context(
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
    if context.workspace is not None:
        told["workspace"] = context.workspace
    return told
