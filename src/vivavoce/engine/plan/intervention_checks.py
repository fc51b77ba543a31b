"""Refuses faults and mocks that can never take effect, before anything runs."""

from collections.abc import Sequence

from vivavoce.errors import UsageError, did_you_mean
from vivavoce.model.agent_card import AgentCard
from vivavoce.model.case import Case
from vivavoce.model.message import ToolCall
from vivavoce.model.planned_fault import PlannedFault
from vivavoce.plugins.declarations import TargetKind
from vivavoce.protocols import TargetSpec

_MCP = "tools of an MCP server can be: start it with `viva mcp-mock`, and give the agent `mcp_mock: true`"


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
        if fault.at == "tool" and not _is_set(spec, "mcp_mock"):
            _refuse_unknown(f"fault {fault}", fault.name, case, card)
    for mock in case.mocks:
        if "tool" not in places:
            what = f"{own} runs its tools itself: they cannot be mocked"
            raise UsageError(what, at=case.origin, hint=_MCP)
        if not _is_set(spec, "mcp_mock"):
            _refuse_unknown("mock", mock.name, case, card)


def struck_at(spec: TargetSpec, kind: TargetKind) -> tuple[str, ...]:
    """The places where viva can change what this agent gets, by its kind and its fields."""
    more = {"model": "model_proxy", "tool": "mcp_mock"}
    added = (place for place, field in more.items() if place not in kind.struck_at and _is_set(spec, field))
    return (*kind.struck_at, *added)


def _is_set(spec: TargetSpec, field: str) -> bool:
    return spec.config.get(field) not in (None, False)


def _where(fault: PlannedFault, places: Sequence[str]) -> str:
    if fault.at == "model":
        return "give the agent `model_proxy: true`: then its model calls pass through viva"
    if fault.at == "tool":
        return _MCP
    return f"it can strike at: {', '.join(places)}" if places else "use it with another agent"


def _refuse_unknown(what: str, name: str, case: Case, card: AgentCard) -> None:
    known = [*(tool.name for tool in card.tools), *(tool.name for tool in case.frontend_tools)]
    if card.has_more_tools or any(ToolCall(name=tool).is_named(name) for tool in known):
        return
    hint = did_you_mean(name, known) or f"its tools: {', '.join(known) or 'none'}"
    raise UsageError(f"{what}: agent {card.id!r} has no tool {name!r}", at=case.origin, hint=hint)
