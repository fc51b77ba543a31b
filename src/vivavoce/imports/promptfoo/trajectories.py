"""promptfoo's checks of tool calls → viva's."""

from vivavoce.imports.case_pieces import finite_number
from vivavoce.imports.promptfoo.foreign_assertion import ForeignAssertion, Taken
from vivavoce.model.json_value import JsonObject, JsonValue, is_array, is_object, text_of


def tool_used(theirs: ForeignAssertion) -> Taken:
    """Tools that must be called, with limits on how often."""
    value = theirs.value
    names, problem = _tools(value if is_array(value) else [value])
    if problem:
        return problem
    if limits := _limits(value):
        return _limited(names[0], limits)
    differs = "every tool must be called, whatever the threshold" if theirs.threshold is not None else ""
    return [{"type": "tool_called", "name": name} for name in names], differs


def tool_sequence(theirs: ForeignAssertion) -> Taken:
    """Tools in this order."""
    value = theirs.value
    steps, mode = (value.get("steps"), value.get("mode")) if is_object(value) else (value, None)
    names, problem = _tools(steps if is_array(steps) else [])
    return problem or {"type": "sequence", "calls": [*names], "match": "exact" if mode == "exact" else "in_order"}


def tool_arguments(theirs: ForeignAssertion) -> Taken:
    """A call with these arguments."""
    value = theirs.value
    if not is_object(value):
        return "it names no tool with arguments"
    names, problem = _tools([value])
    if problem:
        return problem
    args = value.get("args", value.get("arguments"))
    if not is_object(args):
        return "it names no tool with arguments"
    for tolerant in ("ignore", "defaults"):
        if value.get(tolerant):
            return f"viva cannot leave out arguments as its `{tolerant}` does; a script can"
    if value.get("mode") == "exact":
        step: JsonObject = {"name": names[0], "args": args}
        return {"type": "sequence", "calls": [step], "match": "any_order"}
    return {"type": "tool_called", "name": names[0], "arguments": args}


def step_count(theirs: ForeignAssertion) -> Taken:
    """How many calls of one tool, or at most how many of all."""
    value = theirs.value if is_object(theirs.value) else {"max": theirs.value}
    limits = _limits(value)
    if not limits:
        return "it has neither `min` nor `max`"
    if value.get("pattern") or value.get("name"):
        names, problem = _tools([value])
        return problem or _limited(names[0], {"min": 0, **limits})
    if problem := _other_steps(value):
        return problem
    if limits.get("min") or "max" not in limits:
        return "viva has no least number of calls of all tools; a script can check it"
    differs = "" if value.get("type") else "promptfoo counts all steps of a trace, viva the tool calls"
    return [{"type": "max_calls", "value": limits["max"]}], differs


def _tools(matchers: list[JsonValue]) -> tuple[list[str], str]:
    """The names of the tools that steps must match; and why there are none."""
    names: list[str] = []
    for matcher in matchers:
        told: JsonObject = matcher if is_object(matcher) else {"name": matcher}
        name = text_of(told.get("pattern") or told.get("name") or "")
        if not name:
            return [], "it names no tool"
        if problem := _other_steps(told):
            return [], problem
        if "*" in name or "?" in name:
            return [], f"{name!r} is a pattern, and a rule of viva names its tool; a script can check it"
        names.append(name)
    return names, "" if names else "it names no tool"


def _other_steps(matcher: JsonObject) -> str:
    """Why the steps a matcher is about are no calls of tools; empty when they are."""
    kind = matcher.get("type") or "tool"
    return "" if kind in ("tool", ["tool"]) else f"it is about steps of the type {text_of(kind)}, not tool calls"


def _limits(value: JsonValue) -> dict[str, int]:
    found = {key: finite_number(value.get(key)) for key in ("min", "max")} if is_object(value) else {}
    return {key: int(limit) for key, limit in found.items() if limit is not None}


def _limited(name: str, limits: dict[str, int]) -> Taken:
    if limits.get("max") == 0:
        return {"type": "forbid", "name": name}
    return {"type": "require", "name": name, "count": {**limits}}
