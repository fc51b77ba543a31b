"""Which agents can work in a folder that viva copies for them."""

from vivavoce.engine.served_agents import per_attempt
from vivavoce.errors import UsageError
from vivavoce.model.agent_card import AgentCard
from vivavoce.model.case import Origin
from vivavoce.plugins.catalog import TARGETS
from vivavoce.protocols import TargetSpec


def refuse_workspace(spec: TargetSpec, card: AgentCard, place: Origin) -> None:
    """Raises UsageError for an agent that would never see the folder."""
    if (serve := spec.config.get("serve")) is not None:
        if per_attempt(serve):
            return
        what = f"agent {spec.id!r} has `serve:`, and its server is started once for the whole run"
        hint = "write `per: attempt` under `serve`, and ${PORT} in the agent's address"
        raise UsageError(f"{what}: it cannot be given a workspace for each attempt", at=place, hint=hint)
    if not TARGETS.load(spec.kind).takes_workspace(spec.config):
        what = f"agent {spec.id!r} ({spec.kind}) does not run as part of a case: it cannot be given a workspace"
        able = sorted({kind.name for kind in map(TARGETS.load, TARGETS.built_in) if kind.takes_workspace({})})
        hint = f"agents of these kinds can be given one: {', '.join(able)}; so can any with `serve: {{per: attempt}}`"
        raise UsageError(what, at=place, hint=hint)
    if card.no_workspace:
        raise UsageError(f"agent {spec.id!r} cannot be given a workspace: {card.no_workspace}", at=place)
