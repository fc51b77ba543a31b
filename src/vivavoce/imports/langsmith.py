"""LangSmith: datasets exported as JSON lines or JSON, with `inputs` and `outputs`."""

from collections.abc import Iterator
from pathlib import Path

from vivavoce.imports.case_pieces import call_check, same_meaning_check, user_input
from vivavoce.imports.foreign_files import list_in, read_lines, read_list
from vivavoce.imports.found import Checks, FoundCase, ImportOptions, Refused
from vivavoce.model.case import Origin
from vivavoce.model.json_value import JsonObject, JsonValue, is_array, is_object, object_in, text_of

_ROLES = {"human": "user", "ai": "assistant", "system": "system", "tool": "tool", "function": "tool"}
"""LangChain's kinds of messages."""
_KNOWN = frozenset(
    {"inputs", "outputs", "metadata", "id", "name", "split", "created_at", "modified_at", "dataset_id"}
    | {"source_run_id", "attachments", "attachment_urls", "runs"}
)


def read(path: Path, options: ImportOptions) -> Iterator[FoundCase | Refused]:
    """A case for each example."""
    for line, example in _examples(path):
        at = Origin(str(path), line)
        inputs = object_in(example, "inputs")
        asked = _asked(inputs, options)
        if asked is None:
            hint = f"say which of {', '.join(inputs)} it is: --input NAME" if inputs else "no inputs"
            yield Refused(what=f"it is unclear what the user says ({hint})", at=at)
            continue
        checks = Checks()
        checks.leave_out_unknown(example, _KNOWN)
        if example.get("outputs") and not is_object(example["outputs"]):
            checks.leave_out(f"the outputs must be an object: {text_of(example['outputs'])}")
        _take_outputs(object_in(example, "outputs"), checks)
        case: JsonObject = user_input(asked)
        metadata = object_in(example, "metadata")
        if len(inputs) > 1:
            metadata = {**metadata, "inputs": inputs}
        if metadata:
            case["metadata"] = metadata
        case["assert"] = checks.assertions
        yield FoundCase(case=case, at=at, remarks=tuple(checks.remarks))


def _examples(path: Path) -> Iterator[tuple[int, JsonObject]]:
    return read_lines(path) if path.suffix.lower() == ".jsonl" else read_list(path, "examples")


def _asked(inputs: JsonObject, options: ImportOptions) -> JsonValue:
    for name in options.columns.get("input", ()):
        if inputs.get(name):
            return inputs[name]
    if inputs.get("messages"):
        messages: JsonValue = inputs["messages"]
        return [_message(one) for one in messages] if is_array(messages) else messages
    return next(iter(inputs.values())) if len(inputs) == 1 else None


def _take_outputs(outputs: JsonObject, checks: Checks) -> None:
    messages = [_message(message) for message in list_in(outputs, "messages") if is_object(message)]
    for message in messages:
        for call in list_in(message, "tool_calls"):
            made = object_in(call, "function") or call if is_object(call) else {}
            if made.get("name"):
                checks.take(call_check(text_of(made["name"]), made.get("arguments") or made.get("args")))
    if messages:
        last: JsonValue = messages[-1].get("content")
        if isinstance(last, str) and last and messages[-1].get("role") == "assistant":
            checks.take(same_meaning_check(last))
        return
    for name, value in outputs.items():
        if isinstance(value, str) and value:
            checks.take(same_meaning_check(value))
        elif value is not None and value != "":
            checks.take({"type": "json_path", "path": f"$.{name}", "value": value})


def _message(message: JsonValue) -> JsonValue:
    """A message with its role, also one that LangChain wrote: `type` with `data`, or a constructor with `kwargs`."""
    if not is_object(message):
        return message
    inner = object_in(message, "data") or object_in(message, "kwargs")
    named = message.get("role") or (
        text_of(list_in(message, "id")[-1]) if message.get("kwargs") else message.get("type")
    )
    kind = text_of(named).removesuffix("Message").lower()
    role = _ROLES.get(kind, kind)
    if message.get("role") == role:
        return message
    fields = {**message, **inner}
    kept = {key: fields[key] for key in ("content", "tool_calls", "tool_call_id") if fields.get(key)}
    return {"role": role, "content": "", **kept}
