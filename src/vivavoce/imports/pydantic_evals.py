"""pydantic-evals: datasets in YAML or JSON, with evaluators by name."""

from collections.abc import Iterator
from pathlib import Path

from vivavoce.errors import UsageError
from vivavoce.imports.case_pieces import call_check, finite_number, judge_check, texts, user_input
from vivavoce.imports.foreign_files import list_in, read_json, read_yaml_1_1
from vivavoce.imports.found import Checks, FoundCase, ImportOptions, Refused
from vivavoce.model.case import Origin
from vivavoce.model.json_value import (
    JsonArray,
    JsonObject,
    JsonValue,
    is_array,
    is_number,
    is_object,
    object_in,
    text_of,
)

_TYPES = {"str": "string", "int": "number", "float": "number", "bool": "boolean", "dict": "object", "list": "array"}
_KNOWN = frozenset({"name", "inputs", "metadata", "expected_output", "evaluators"})
_OF_A_JUDGE = frozenset(
    {
        *("rubric", "criteria", "value", "model", "include_input", "include_expected_output", "model_settings"),
        *("score", "assertion", "evaluation_steps", "threshold", "name", "max_retries"),
    }
)
_KNOWN_OF_ALL = frozenset({"name", "cases", "evaluators", "report_evaluators"})
_ORDERS = {
    "exact": "exact",
    "in_order": "in_order",
    "any_order": "any_order",
    "strict": "exact",
    "unordered": "any_order",
}


def read(path: Path, options: ImportOptions) -> Iterator[FoundCase | Refused]:
    """The cases of a dataset."""
    dataset = read_json(path).value if path.suffix.lower() == ".json" else read_yaml_1_1(path)
    if not is_object(dataset) or not is_array(dataset.get("cases")):
        raise UsageError("no `cases` in it: this is not a dataset of pydantic-evals", at=str(path))
    shared = list_in(dataset, "evaluators")
    if dataset.get("report_evaluators"):
        yield Refused(what="report_evaluators judge the whole run: viva has no counterpart", at=Origin(str(path), 0))
    unknown = Checks()
    unknown.leave_out_unknown(dataset, _KNOWN_OF_ALL)
    for remark in unknown.remarks:
        yield Refused(what=remark.what, at=Origin(str(path), 0))
    for number, entry in enumerate(list_in(dataset, "cases"), 1):
        at = Origin(str(path), 0)
        if is_object(entry) and "inputs" in entry:
            yield _case(entry, shared, number, at)
        else:
            yield Refused(what=f"case {number} has no `inputs`", at=at)


def _case(entry: JsonObject, shared: JsonArray, number: int, at: Origin) -> FoundCase:
    checks = Checks()
    checks.leave_out_unknown(entry, _KNOWN)
    for evaluator in (*list_in(entry, "evaluators"), *shared):
        name, arguments = _named(evaluator)
        _take(name, arguments, entry, checks)
    inputs: JsonValue = entry["inputs"]
    case: JsonObject = {"id": text_of(entry.get("name") or f"case-{number}"), **user_input(inputs)}
    metadata = {**object_in(entry, "metadata"), **({"inputs": inputs} if is_object(inputs) else {})}
    if metadata:
        case["metadata"] = metadata
    case["assert"] = checks.assertions
    return FoundCase(case=case, at=at, remarks=tuple(checks.remarks))


def _named(evaluator: JsonValue) -> tuple[str, JsonValue]:
    """An evaluator is a name, or an object with the name as its only key."""
    if is_object(evaluator) and len(evaluator) == 1:
        return next(iter(evaluator.items()))
    return text_of(evaluator), None


def _take(name: str, arguments: JsonValue, entry: JsonObject, checks: Checks) -> None:
    fields = arguments if is_object(arguments) else {}
    value: JsonValue = fields.get("value", None if is_object(arguments) else arguments)
    expected: JsonValue = entry.get("expected_output")
    if name == "EqualsExpected":
        if expected is not None:
            checks.take({"type": "equals", "value": expected})
    elif name == "Equals":
        checks.take({"type": "equals", "value": value})
    elif name == "Contains":
        folded = {"ignore_case": True} if fields.get("case_sensitive") is False else {}
        checks.take({"type": "contains", "value": value, **folded})
    elif name == "IsInstance":
        wanted = _TYPES.get(text_of(fields.get("type_name", value)))
        _or_left_out(None if wanted is None else {"type": "type", "value": wanted}, name, checks)
    elif name == "MaxDuration":
        seconds: JsonValue = fields.get("seconds", value)
        _or_left_out({"type": "latency", "max": f"{seconds}s"} if is_number(seconds) else None, name, checks)
    elif name in ("LLMJudge", "GEval"):
        checks.leave_out_unknown(fields, _OF_A_JUDGE)
        words = fields.get("rubric") or fields.get("criteria") or value
        differs = "LLMJudge: its model was not taken over: name a judge with `use`" if fields.get("model") else ""
        if words:
            checks.take(judge_check(text_of(words)), differs=differs)
        else:
            checks.leave_out(f"{name} without a rubric")
    else:
        _take_calls(name, fields, value, checks)


def _take_calls(name: str, fields: JsonObject, value: JsonValue, checks: Checks) -> None:
    listed = texts(fields.get("expected") or fields.get("tools") or fields.get("trajectory") or value)
    most = finite_number(fields.get("max_calls", fields.get("limit", value)))
    if name == "TrajectoryMatch" and listed:
        order = _ORDERS.get(text_of(fields.get("order") or fields.get("mode") or "exact"), "exact")
        checks.take({"type": "sequence", "calls": listed, "match": order})
    elif name == "ToolCorrectness" and listed and not fields.keys() - {"expected", "tools", "value"}:
        checks.take(*map(call_check, listed))
    elif (
        name == "MaxToolCalls"
        and (most := finite_number(fields.get("max_calls", fields.get("limit", value)))) is not None
    ):
        checks.take({"type": "max_calls", "value": int(most)})
    elif name == "HasMatchingSpan":
        query = object_in(fields, "query")
        tool = object_in(query, "has_attributes").get("gen_ai.tool.name")
        # Other conditions on the span have no counterpart.
        whole = query.keys() == {"has_attributes"} and len(object_in(query, "has_attributes")) == 1
        _or_left_out(call_check(text_of(tool)) if tool and whole else None, name, checks)
    else:
        checks.leave_out(f"the evaluator {name} is a class of its own: write it as a script")


def _or_left_out(assertion: JsonObject | None, name: str, checks: Checks) -> None:
    if assertion is None:
        checks.leave_out(f"{name}: no counterpart for this value")
    else:
        checks.take(assertion)
