"""The OpenAI eval API: `eval.json` with its criteria; beside it the run's prompt (`run.json`) and rows (`*.jsonl`)."""

from collections.abc import Iterator
from pathlib import Path

from vivavoce.errors import UsageError
from vivavoce.imports.case_pieces import judge_check, user_input
from vivavoce.imports.foreign_files import list_in, read_json, read_lines, read_text
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
from vivavoce.notation.json_text import json_or_text
from vivavoce.notation.templates import TemplateProblem, fill_value

_ANSWER = "the answer"
_OF_A_CRITERION = frozenset(
    {
        *("type", "name", "input", "reference", "operation", "evaluation_metric", "pass_threshold", "model", "range"),
        *("labels", "passing_labels", "sampling_params", "source", "image_tag", "graders", "calculate_output", "id"),
    }
)
_FUZZY = {"fuzzy_match": "ratio", "rouge_1": "rouge", "levenshtein": "levenshtein"}


def read(path: Path, options: ImportOptions) -> Iterator[FoundCase | Refused]:
    """A case for each row of the files beside it."""
    document = read_json(path)
    config = document.value
    if not is_object(config) or not is_array(config.get("testing_criteria")):
        raise UsageError("no `testing_criteria` in it", at=str(path))
    template, inline = _run(path.parent / "run.json")
    rows = [(Origin(str(path.parent / "run.json"), 1), row) for row in inline]
    for file in sorted(path.parent.glob("*.jsonl")):
        if _holds_rows(file):
            rows += [(Origin(str(file), line), row) for line, row in read_lines(file) if "item" in row]
    if not rows:
        source = object_in(config, "data_source_config").get("type")
        yield Refused(what=f"no rows beside it (data source {text_of(source)})", at=Origin(str(path), 1))
    seen: JsonArray = []
    for at, row in rows:
        item = object_in(row, "item")
        if item in seen:
            continue
        seen.append(item)
        yield _case(item, template, list_in(config, "testing_criteria"), at)


def _holds_rows(file: Path) -> bool:
    """Whether a file beside `eval.json` holds its rows; files of other tools may lie there too."""
    first = next((line for line in read_text(file).splitlines() if line.strip()), "")
    row = json_or_text(first)
    return is_object(row) and "item" in row


def _run(path: Path) -> tuple[JsonValue, list[JsonObject]]:
    """The prompt's template and the rows that a run brings along."""
    value = read_json(path).value if path.is_file() else None
    source = object_in(value, "data_source") if is_object(value) else {}
    rows = [row for row in list_in(object_in(source, "source"), "content") if is_object(row)]
    return object_in(source, "input_messages").get("template"), rows


def _case(item: JsonObject, template: JsonValue, criteria: JsonArray, at: Origin) -> FoundCase | Refused:
    known: JsonObject = {"item": item, "sample": {"output_text": _ANSWER}}
    checks = Checks()
    try:
        said = fill_value(template, known) if template else next(iter(item.values()), "")
        for criterion in criteria:
            if is_object(criterion):
                checks.leave_out_unknown(criterion, _OF_A_CRITERION)
                _take({**criterion, **fill_value(_texts_of(criterion), known)}, criterion, checks)
            else:
                checks.leave_out(f"a criterion must be an object: {text_of(criterion)}")
    except TemplateProblem as problem:
        return Refused(what=f"a template that cannot be filled in: {problem}", at=at)
    case = {**user_input(said), "metadata": {"item": item}, "assert": checks.assertions}
    return FoundCase(case=case, at=at, remarks=tuple(checks.remarks))


def _texts_of(criterion: JsonObject) -> JsonObject:
    return {key: criterion[key] for key in ("reference", "input") if key in criterion}


def _take(criterion: JsonObject, written: JsonObject, checks: Checks) -> None:
    kind, name = text_of(criterion.get("type")), text_of(criterion.get("name") or criterion.get("type"))
    reference = text_of(criterion.get("reference") or "")
    whole = text_of(written.get("input")).replace(" ", "") == "{{sample.output_text}}"
    if kind in ("string_check", "text_similarity") and not whole:
        checks.leave_out(f"{name}: it does not compare the whole answer")
    elif kind == "string_check":
        _take_string(text_of(criterion.get("operation")), reference, name, checks)
    elif kind == "text_similarity":
        metric = text_of(criterion.get("evaluation_metric"))
        if metric not in _FUZZY:
            checks.leave_out(f"{name}: the metric {metric} has no counterpart")
            return
        same: JsonObject = {"type": "similar", "value": reference, "threshold": criterion.get("pass_threshold", 0.8)}
        checks.take({**same, "method": _FUZZY[metric]} if _FUZZY[metric] != "ratio" else same)
    elif kind in ("label_model", "score_model"):
        _take_model(kind, criterion, checks)
    else:
        checks.leave_out(f"{name}: {kind} has no counterpart; write it as a script")


def _take_string(operation: str, reference: str, name: str, checks: Checks) -> None:
    if operation in ("eq", "ne"):
        checks.take({"type": "equals", "value": reference, **({"negate": True} if operation == "ne" else {})})
    elif operation in ("like", "ilike"):
        checks.take({"type": "contains", "value": reference, **({"ignore_case": True} if operation == "ilike" else {})})
    else:
        checks.leave_out(f"{name}: unknown operation {operation}")


def _take_model(kind: str, criterion: JsonObject, checks: Checks) -> None:
    messages = [message for message in list_in(criterion, "input") if is_object(message)]
    words = "\n".join(text_of(message["content"]) for message in messages if message.get("content"))
    if not words:
        checks.leave_out(f"{text_of(criterion.get('name') or kind)}: its `input` says nothing")
        return
    if kind == "label_model":
        passing = [text_of(label) for label in list_in(criterion, "passing_labels")]
        others = [text_of(label) for label in list_in(criterion, "labels") if text_of(label) not in passing]
        checks.take(judge_check(f"{words} Passing: {', '.join(passing)}. Other labels: {', '.join(others)}."))
        return
    low, high = (*list_in(criterion, "range"), 0, 1)[:2] if list_in(criterion, "range") else (0, 1)
    limit: JsonValue = criterion.get("pass_threshold")
    share = (
        (limit - low) / (high - low) if is_number(limit) and is_number(low) and is_number(high) and high > low else None
    )
    checks.take(judge_check(words, None if share is None else round(min(1.0, max(0.0, share)), 3)))
