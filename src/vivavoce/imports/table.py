"""Tables of any origin: CSV, TSV or JSON lines, with a column for the question and some for what is expected."""

import re
from collections.abc import Iterator
from pathlib import Path

from vivavoce.errors import UsageError, did_you_mean
from vivavoce.imports.case_pieces import judge_check, same_meaning_check
from vivavoce.imports.foreign_files import read_lines, read_list, read_table
from vivavoce.imports.found import Checks, FoundCase, ImportOptions, Note, Refused
from vivavoce.model.case import Origin
from vivavoce.model.json_value import JsonObject, JsonValue, is_array, is_object, text_of
from vivavoce.notation.json_text import json_or_text

MEANINGS = {
    "id": "the id of the case",
    "input": "what the user says",
    "judge": "what a judge compares with: the wanted answer, or a criterion",
    "equals": "the exact answer",
    "contains": "texts that the answer must have",
    "not-contains": "texts that the answer must not have",
    "tools": "tools that must be called",
    "forbid": "tools that must never be called",
    "tag": "tags",
    "name": "the name of the case",
}
"""What a column may hold, by the name of the option that says so."""
CHECKING = ("judge", "equals", "contains", "not-contains", "tools", "forbid")
OWN_CHECKS = frozenset({"assert", "assertions"})
"""Columns that hold viva's own assertions: such a file is a case file, not a table."""
USUAL_NAMES: dict[str, tuple[str, ...]] = {
    "id": ("id", "case_id", "test_id", "question_id"),
    "input": ("input", "question", "query", "prompt", "user_input", "message", "ticket", "entry"),
    "judge": (
        "reference_answer",
        "gold_answer",
        "golden_output",
        "ground_truth",
        "expected_output",
        "expected_answer",
        "ideal",
        "answer",
        "expected",
        "rubric",
        "expected_facts",
    ),
    "contains": ("must_contain", "expected_contains", "expected_keywords", "contains"),
    "not-contains": ("must_not_contain", "not_contains", "forbidden_words"),
    "tools": ("required_tools", "expected_tools", "expected_tool", "golden_tool_calls", "tools_called"),
    "forbid": ("forbidden_tools",),
    "tag": ("tags", "tag", "category"),
    "name": ("name", "title", "description"),
}
"""The usual names of columns. The summary lists those that were found; options can name others."""
_RUBRICS = frozenset({"rubric", "criteria", "criterion", "expected_facts"})
"""Columns whose text is a criterion rather than the answer itself."""


def read(path: Path, options: ImportOptions) -> Iterator[FoundCase | Refused | Note]:
    """A case for each row, after a note that says how the columns were read."""
    rows = list(_rows(path))
    if not rows:
        raise UsageError("has no rows", at=str(path))
    names = list(dict.fromkeys(name for _, row in rows for name in row))
    columns = columns_of(names, options, path)
    yield Note(what=f"columns: {_described(columns, names)}")
    if not any(columns[meaning] for meaning in CHECKING):
        named = ", ".join(f"--{meaning}" for meaning in CHECKING)
        yield Note(what=f"no column is taken for a check, so these cases check nothing: name one with {named}")
    for line, row in rows:
        at = Origin(str(path), line)
        words = next((text for name in columns["input"] if (text := row.get(name))), None)
        if words is None:
            yield Refused(what=f"nothing in the column {' or '.join(columns['input'])}", at=at)
        else:
            yield _case(row, words, columns, options, at)


def columns_of(names: list[str], options: ImportOptions, path: Path) -> dict[str, tuple[str, ...]]:
    """Which columns hold what: as the options say, else by usual names. Raises UsageError without one for `input`."""
    columns: dict[str, tuple[str, ...]] = {}
    for meaning in MEANINGS:
        said = options.columns.get(meaning)
        if said is None:
            columns[meaning] = tuple(name for name in names if name.lower() in USUAL_NAMES.get(meaning, ()))
            continue
        for name in said:
            if name not in names:
                hint = did_you_mean(name, names) or f"columns: {', '.join(names)}"
                raise UsageError(f"no column {name!r}", at=str(path), hint=hint)
        columns[meaning] = said
    if not columns["input"]:
        hint = f"name it: --input COLUMN (columns: {', '.join(names)})"
        raise UsageError("no column is known to hold what the user says", at=str(path), hint=hint)
    if own := OWN_CHECKS.intersection(names).difference(*columns.values()):
        hint = f"run it as it is: viva test -i {path}"
        raise UsageError(
            f"the column {min(own)!r} holds viva's own checks: this is a case file", at=str(path), hint=hint
        )
    # Two columns that could both be what the user says: only the first is.
    columns["input"] = columns["input"] if "input" in options.columns else columns["input"][:1]
    return columns


def _described(columns: dict[str, tuple[str, ...]], names: list[str]) -> str:
    """`input: question, judge: rubric; metadata: notes`"""
    used = {name for found in columns.values() for name in found}
    rest = [name for name in names if name not in used]
    known = ", ".join(f"{meaning}: {' + '.join(found)}" for meaning, found in columns.items() if found)
    return known + (f"; metadata: {', '.join(rest)}" if rest else "")


def _rows(path: Path) -> Iterator[tuple[int, JsonObject]]:
    if path.suffix.lower() == ".jsonl":
        yield from read_lines(path)
    elif path.suffix.lower() == ".json":
        yield from read_list(path, "rows")
    else:
        yield from read_table(path)


def _case(
    row: JsonObject, words: JsonValue, columns: dict[str, tuple[str, ...]], options: ImportOptions, at: Origin
) -> FoundCase:
    checks = Checks()
    _take_texts(row, columns, options, checks)
    used = {name for found in columns.values() for name in found}
    case: JsonObject = {}
    for field in ("id", "name"):
        if (found := next((row[name] for name in columns[field] if row.get(name) not in (None, "")), None)) is not None:
            case[field] = text_of(found)
    case["input" if not is_array(words) else "messages"] = words if is_array(words) else text_of(words)
    tags = [tag for name in columns["tag"] for tag in _texts(row.get(name), options)]
    if tags:
        case["tags"] = tags
    rest: JsonObject = {}
    for name, value in row.items():
        if value not in (None, "") and (name not in used or (name.lower() == "expected" and is_object(value))):
            if name.lower() == "expected" and is_object(value):
                for field, wanted in value.items():
                    checks.take({"type": "json_path", "path": f"$.{field}", "value": wanted})
            else:
                rest[name] = value
    if rest:
        case["metadata"] = rest
    case["assert"] = checks.assertions
    return FoundCase(case=case, at=at, remarks=tuple(checks.remarks))


def _take_texts(row: JsonObject, columns: dict[str, tuple[str, ...]], options: ImportOptions, checks: Checks) -> None:
    for name in columns["equals"]:
        if row.get(name) not in (None, ""):
            checks.take({"type": "equals", "value": row[name]})
    for name in columns["judge"]:
        for text in [row[name]] if row.get(name) else []:
            if not is_object(text):
                checks.take((judge_check if name.lower() in _RUBRICS else same_meaning_check)(text_of(text)))
    for meaning, kind in (("contains", "contains"), ("not-contains", "not_contains")):
        for text in [text for name in columns[meaning] for text in _texts(row.get(name), options)]:
            checks.take({"type": kind, "value": text})
    for name in columns["tools"]:
        for tool in _tools(row.get(name), options):
            checks.take({"type": "tool_called", **tool})
    for name in columns["forbid"]:
        for tool in _tools(row.get(name), options):
            checks.take({"type": "forbid", "name": tool["name"]})


def _tools(value: JsonValue, options: ImportOptions) -> list[JsonObject]:
    tools: list[JsonObject] = []
    for entry in _values(value, options, names=True):
        if is_object(entry) and (name := entry.get("name") or entry.get("tool")):
            args: JsonValue = entry.get("args") or entry.get("arguments") or entry.get("input_parameters")
            tools.append({"name": text_of(name), **({"arguments": args} if is_object(args) and args else {})})
        elif text := text_of(entry).strip():
            tools.append({"name": text})
    return tools


def _texts(value: JsonValue, options: ImportOptions) -> list[str]:
    return [text for entry in _values(value, options) if (text := text_of(entry).strip())]


def _values(value: JsonValue, options: ImportOptions, *, names: bool = False) -> list[JsonValue]:
    """The entries of a field: a list, a list as JSON text, or texts between delimiters.

    A name (`names`) has no comma, semicolon or bar: these separate names also when no delimiter was given.
    """
    if value is None or value == "":
        return []
    if isinstance(value, str):
        if value.lstrip().startswith(("[", "{")):
            value = json_or_text(value)
        elif options.delimiter:
            value = value.split(options.delimiter)
        elif names:
            value = re.split(r"[,;|]", value)
    return list(value) if is_array(value) else [value]
