"""`defaults:` of a project, a folder or a file: the fields that its cases share."""

from msgspec import UNSET, structs

from vivavoce.model.case import AssertionSpec, Case, ConversationRules, FrontendTool
from vivavoce.model.json_value import JsonValue, is_object
from vivavoce.notation.place import Place
from vivavoce.sources.decoding.assertion_decoder import decode_assertions
from vivavoce.sources.decoding.case_decoder import decode_at

DEFAULTS = "defaults"
ADDED = ("assert", "assertions", "final_assertions", "tags", "hooks", "tools")
"""Added to the values of the case."""
MERGED = ("metadata", "options")
"""Merged key by key; the values of the case win."""
REPLACED = (
    *("agent", "user", "team", "locale", "timeout", "max_turns", "skip", "before", "after", "state"),
    *("runs", "min_pass"),
)
"""Used when the case does not set them."""
FIELDS = (*ADDED, *MERGED, *REPLACED)


def decode_defaults(value: JsonValue, place: Place) -> Case:
    """Returns the shared fields as a case without lines. Raises UsageError with all problems."""
    if not is_object(value):
        raise place.wanted("fields of a case", value)
    unknown = next((key for key in value if key not in FIELDS), None)
    if unknown is not None:
        raise place.unknown(unknown, FIELDS)
    return decode_at({**value, "id": DEFAULTS}, place)


def with_defaults(case: Case, shared: Case) -> Case:
    """The case with its defaults filled in."""
    own = _own_assertions(case) if shared.assertions else case.assertions
    return structs.replace(
        case,
        tags=tuple(dict.fromkeys((*shared.tags, *case.tags))),
        metadata={**shared.metadata, **case.metadata},
        skip=case.skip or shared.skip,
        agent=case.agent or shared.agent,
        user=case.user or shared.user,
        team=case.team or shared.team,
        locale=case.locale or shared.locale,
        options=shared.options.overridden_by(case.options),
        assertions=_together(own, shared.assertions),
        final_assertions=_together(case.final_assertions, shared.final_assertions),
        expected=UNSET if own is not case.assertions else case.expected,
        rules=_rules(case.rules, shared.rules),
        hooks=(*shared.hooks, *case.hooks) if shared.hooks else case.hooks,
        before=case.before or shared.before,
        after=case.after or shared.after,
        frontend_tools=_tools(case, shared),
        state=shared.state if case.state is None else case.state,
        runs=case.runs or shared.runs,
        min_pass=case.min_pass or shared.min_pass,
    )


def _own_assertions(case: Case) -> tuple[AssertionSpec, ...]:
    """The case's assertions. `expected` becomes one: it counts only without assertions, and the defaults add some."""
    if case.assertions or case.expected is UNSET:
        return case.assertions
    return decode_assertions({"type": "equals", "value": case.expected}, case.origin)


def _together(own: tuple[AssertionSpec, ...], shared: tuple[AssertionSpec, ...]) -> tuple[AssertionSpec, ...]:
    """Each assertion once: a case that was saved together with its defaults is not checked twice."""
    return (*own, *(spec for spec in shared if spec not in own)) if shared else own


def _rules(own: ConversationRules, shared: ConversationRules) -> ConversationRules:
    if shared.timeout_s is None and shared.max_turns is None:
        return own
    return structs.replace(
        own,
        timeout_s=shared.timeout_s if own.timeout_s is None else own.timeout_s,
        max_turns=shared.max_turns if own.max_turns is None else own.max_turns,
    )


def _tools(case: Case, shared: Case) -> tuple[FrontendTool, ...]:
    if not shared.frontend_tools:
        return case.frontend_tools
    named = {tool.name: tool for tool in (*shared.frontend_tools, *case.frontend_tools)}
    return tuple(named.values())
