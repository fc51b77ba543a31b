"""DeepEval: goldens in JSON or CSV, single questions and whole conversations."""

from collections.abc import Iterator
from pathlib import Path

from vivavoce.imports.case_pieces import call_check, judge_check, same_meaning_check, simulator, texts
from vivavoce.imports.foreign_files import list_in, read_list, read_table
from vivavoce.imports.found import Checks, FoundCase, ImportOptions, Refused
from vivavoce.model.case import Origin
from vivavoce.model.json_value import JsonObject, JsonValue, is_array, is_object, text_of
from vivavoce.notation.json_text import json_or_text

_LISTS = ("context", "retrieval_context")
_TOOLS = ("expected_tools", "tools_called")
_METADATA = ("comments", "source_file", "retrieval_context", "custom_column_key_values")
_KNOWN = frozenset(
    {*_LISTS, *_TOOLS, *_METADATA, "name", "input", "expected_output", "actual_output", "additional_metadata"}
    | {"scenario", "turns", "expected_outcome", "expectations", "user_description", "persona", "multimodal"}
    | {"images_mapping"}
)
_OF_A_TOOL = frozenset({"name", "description", "type", "reasoning", "output", "input_parameters"})
METRICS = {"faithfulness": "grounded", "answer_relevancy": "relevant", "hallucination": "grounded", "toxicity": "safe"}
"""Metrics of DeepEval's Python tests, and the criterion of viva that replaces each."""


def read(path: Path, options: ImportOptions) -> Iterator[FoundCase | Refused]:
    """A case for each golden."""
    for line, golden in _goldens(path, options):
        at = Origin(str(path), line)
        if golden.get("scenario") or golden.get("turns"):
            yield _conversation(golden, at)
        elif golden.get("input"):
            yield _question(golden, options, at)
        else:
            yield Refused(what="a golden without `input` or `scenario`", at=at)


def _goldens(path: Path, options: ImportOptions) -> Iterator[tuple[int, JsonObject]]:
    if path.suffix.lower() == ".csv":
        for line, row in read_table(path):
            yield line, _read_row(row, options)
        return
    yield from read_list(path, "goldens", "goldens")


def _read_row(row: dict[str, str], options: ImportOptions) -> JsonObject:
    """Lists in a table are JSON, or texts between delimiters: a bar for contexts, a semicolon for tools."""
    golden: JsonObject = {name: text for name, text in row.items() if text != ""}
    for names, usual in ((_LISTS, "|"), (_TOOLS, ";")):
        for name in names:
            written: JsonValue = golden.get(name)
            if isinstance(written, str):
                value = json_or_text(written) if written.lstrip().startswith("[") else written
                split = written.split(options.delimiter or usual)
                golden[name] = value if is_array(value) else [text.strip() for text in split if text.strip()]
    return golden


def _question(golden: JsonObject, options: ImportOptions, at: Origin) -> FoundCase:
    checks = Checks()
    checks.leave_out_unknown(golden, _KNOWN)
    context = texts(golden.get("context")) or texts(golden.get("retrieval_context"))
    if golden.get("expected_output"):
        expected = same_meaning_check(text_of(golden["expected_output"]))
        checks.take({**expected, "context": context} if context else expected)
    for tool in list_in(golden, "expected_tools"):
        if is_object(tool) and tool.get("name"):
            checks.leave_out_unknown(tool, _OF_A_TOOL)
            checks.take(call_check(text_of(tool["name"]), tool.get("input_parameters")))
        elif isinstance(tool, str) and tool:
            checks.take(call_check(tool))
        else:
            checks.leave_out(f"an expected tool without a name: {text_of(tool)}")
    for metric in options.metrics:
        _take_metric(metric, context, checks)
    case: JsonObject = {**_named(golden), "input": text_of(golden["input"])}
    metadata = _metadata(golden, context)
    if metadata:
        case["metadata"] = metadata
    case["assert"] = checks.assertions
    return FoundCase(case=case, at=at, remarks=tuple(checks.remarks))


def _take_metric(metric: str, context: list[str], checks: Checks) -> None:
    criterion = METRICS.get(metric)
    if criterion is None:
        checks.leave_out(f"the metric {metric} (known: {', '.join(METRICS)})")
    elif criterion != "grounded":
        checks.take({"type": "agent", "criteria": criterion})
    elif context:
        checks.take({"type": "agent", "criteria": criterion, "context": context})
    else:
        checks.leave_out(f"the metric {metric} needs a context, and this golden has none")


def _conversation(golden: JsonObject, at: Origin) -> FoundCase:
    checks = Checks()
    checks.leave_out_unknown(golden, _KNOWN)
    for words in [*texts(golden.get("expected_outcome")), *texts(golden.get("expectations"))]:
        checks.take(judge_check(words))
    case: JsonObject = _named(golden)
    said = [turn for turn in list_in(golden, "turns") if is_object(turn) and turn.get("role") and turn.get("content")]
    if said:
        case["messages"] = [{"role": turn["role"], "content": turn["content"]} for turn in said]
    persona: JsonValue = golden.get("user_description") or golden.get("persona") or ""
    case |= {"type": "multi_turn", "simulator": simulator(text_of(golden.get("scenario") or ""), text_of(persona))}
    metadata = _metadata(golden, texts(golden.get("context")))
    if metadata:
        case["metadata"] = metadata
    case["final_assertions"] = checks.assertions
    return FoundCase(case=case, at=at, remarks=tuple(checks.remarks))


def _named(golden: JsonObject) -> JsonObject:
    name: JsonValue = golden.get("name")
    return {"id": text_of(name)} if name else {}


def _metadata(golden: JsonObject, context: list[str]) -> JsonObject:
    more: JsonValue = golden.get("additional_metadata")
    kept = {key: golden[key] for key in _METADATA if golden.get(key)}
    return {**(more if is_object(more) else {}), **({"context": context} if context else {}), **kept}
