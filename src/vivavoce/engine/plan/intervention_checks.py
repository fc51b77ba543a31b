"""Faults and mocks that can never come to pass are refused before anything runs."""

from collections.abc import Sequence

from vivavoce.errors import UsageError, did_you_mean
from vivavoce.model.agent_card import AgentCard
from vivavoce.model.case import Case
from vivavoce.model.message import ToolCall
from vivavoce.model.planned_fault import PlannedFault
from vivavoce.plugins.declarations import TargetKind
from vivavoce.protocols import TargetSpec


def refuse_interventions(
    case: Case, faults: Sequence[PlannedFault], spec: TargetSpec, kind: TargetKind, card: AgentCard
) -> None:
    """Raises UsageError for a fault or mock that viva cannot put in this agent's way."""
    places = struck_at(spec, kind)
    own = f"agent {spec.id!r} ({spec.kind})"
    for fault in (*case.faults, *faults):
        if fault.at not in places:
            what = f"fault {fault} can never strike: viva does not stand between {own} and its {fault.at}s"
            raise UsageError(what, at=case.origin, hint=_where(fault, places))
        if fault.at == "tool":
            _refuse_unknown(f"fault {fault}", fault.name, case, card)
    for mock in case.mocks:
        if "tool" not in kind.struck_at:
            raise UsageError(f"{own} runs its tools itself: they cannot be mocked", at=case.origin)
        _refuse_unknown("mock", mock.name, case, card)


def struck_at(spec: TargetSpec, kind: TargetKind) -> tuple[str, ...]:
    """Where viva stands between this agent and its world: what its kind says, and its models behind the proxy."""
    is_proxied = spec.config.get("model_proxy") not in (None, False)
    return (*kind.struck_at, "model") if is_proxied and "model" not in kind.struck_at else kind.struck_at


def _where(fault: PlannedFault, places: Sequence[str]) -> str:
    if fault.at == "model":
        return "give the agent `model_proxy: true`: then its model calls pass through viva"
    return f"it can strike at: {', '.join(places)}" if places else "use it with another agent"


def _refuse_unknown(what: str, name: str, case: Case, card: AgentCard) -> None:
    known = [*(tool.name for tool in card.tools), *(tool.name for tool in case.frontend_tools)]
    if card.has_more_tools or any(ToolCall(name=tool).is_named(name) for tool in known):
        return
    hint = did_you_mean(name, known) or f"its tools: {', '.join(known) or 'none'}"
    raise UsageError(f"{what}: agent {card.id!r} has no tool {name!r}", at=case.origin, hint=hint)
