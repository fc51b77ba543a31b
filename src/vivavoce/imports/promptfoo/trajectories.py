"""promptfoo's checks of tool calls → viva's."""

from vivavoce.imports.case_pieces import finite_number
from vivavoce.imports.promptfoo.foreign_assertion import ForeignAssertion, Taken
from vivavoce.model.json_value import JsonObject, JsonValue, is_array, is_object, text_of


def tool_used(theirs: ForeignAssertion) -> Taken:
    """Tools that must be called, with limits on how often."""
    value = theirs.value
    names = value.get("tools") or value.get("name") or value.get("tool") if is_object(value) else value
    listed = list(map(text_of, names)) if is_array(names) else [text_of(names)] if names else []
    if not listed:
        return "it names no tool"
    limits = {
        key: value[key] for key in ("min", "max") if is_object(value) and finite_number(value.get(key)) is not None
    }
    if limits.get("max") == 0:
        return [{"type": "forbid", "name": name} for name in listed], ""
    if limits:
        return [{"type": "require", "name": name, "count": limits} for name in listed], ""
    differs = "every tool must be called, whatever the threshold" if theirs.threshold is not None else ""
    return [{"type": "tool_called", "name": name} for name in listed], differs


def tool_sequence(theirs: ForeignAssertion) -> Taken:
    """Tools in this order."""
    value = theirs.value
    steps = value.get("steps") or value.get("tools") if is_object(value) else value
    if not is_array(steps) or not steps:
        return "it names no tools"
    mode = text_of(value.get("mode") or "in_order") if is_object(value) else "in_order"
    return {"type": "sequence", "calls": list(map(text_of, steps)), "match": "exact" if mode == "exact" else "in_order"}


def tool_arguments(theirs: ForeignAssertion) -> Taken:
    """A call with these arguments."""
    value = theirs.value
    name = (value.get("name") or value.get("tool")) if is_object(value) else None
    args: JsonValue = value.get("args") or value.get("arguments") if is_object(value) else None
    if not name or not is_object(args):
        return "it names no tool with arguments"
    if is_object(value) and value.get("mode") == "exact":
        step: JsonObject = {"name": text_of(name), "args": args}
        return {"type": "sequence", "calls": [step], "match": "any_order"}
    return {"type": "tool_called", "name": text_of(name), "arguments": args}


def step_count(theirs: ForeignAssertion) -> Taken:
    """At most this number of calls."""
    value = theirs.value
    highest = finite_number(value.get("max") if is_object(value) else value)
    return {"type": "max_calls", "value": int(highest)} if highest is not None else "it has no `max`"
