"""Writing imported cases: readable JSON lines, with a comment where a person must look."""

import math
import re
import secrets
from collections.abc import Sequence
from pathlib import Path

from vivavoce.errors import UsageError
from vivavoce.imports.found import CodeFile, FoundCase
from vivavoce.model.json_value import JsonObject, JsonValue, compact_json, is_array, is_object, map_texts
from vivavoce.project.locked_files import change_file

_FIRST_LINE = "// viva import"
_FIRST_CODE_LINE = "# viva import"
_WIDE = 110
_VARIABLE = f"viva-variable-{secrets.token_hex(16)}-"
"""Marks the name of an environment variable until every other `${` is escaped. It is random: no foreign text has it."""


def case_to_write(found: FoundCase, case_id: str, *, partial: bool) -> JsonObject:
    """Returns the case to write: with its id and origin, and skipped when one of its checks was left out."""
    case: JsonObject = {"id": case_id, **{key: value for key, value in found.case.items() if key != "id"}}
    if found.left_out and not partial:
        case["skip"] = f"import: {'; '.join(found.left_out)}"
    origin = f"{Path(found.at.path).name}:{found.at.line}" if found.at.line else Path(found.at.path).name
    case["metadata"] = {**(found.case.get("metadata") or {}), "source": origin}
    if not case.get("assert"):
        case.pop("assert", None)
    if "turns" in case and "simulator" not in case:
        # Other tools end a conversation after its last turn; viva would skip a case in which the agent then asks.
        case.setdefault("on_missing_input", "end")
    return map_texts(case, _literal)


def environment_variable(name: str) -> str:
    """Returns the placeholder that a reader writes for an environment variable."""
    return f"{_VARIABLE}{name}-"


def _literal(text: str) -> str:
    """Escapes `${`, which viva would read as a variable, and writes the readers' placeholders as variables."""
    return re.sub(rf"{_VARIABLE}(\w+)-", r"${ENV.\1}", text.replace("${", "$${"))


def unique_ids(wanted: Sequence[str]) -> list[str]:
    """Ids that are all different and stay the same when the import is made again."""
    taken: dict[str, int] = {}
    ids: list[str] = []
    for name in wanted:
        taken[name] = taken.get(name, 0) + 1
        ids.append(name if taken[name] == 1 else f"{name}-{taken[name]}")
    return ids


def id_of(text: str) -> str:
    """`Refunds the order!` → `refunds-the-order`"""
    words = re.findall(r"[^\W_]+(?:[._-][^\W_]+)*", text.lower())
    return "-".join(words)[:60].rstrip("-._") or "case"


def write_cases(path: Path, heading: str, cases: Sequence[tuple[JsonObject, FoundCase]]) -> None:
    """Writes a file of cases. Raises UsageError when the file exists and was not written by the same import."""
    lines = ["// Importing again replaces this file: put cases of your own into another."]
    for case, found in cases:
        remarks = dict.fromkeys(remark.what for remark in found.remarks if remark.what)  # each said once
        lines += ["", *(f"// {_on_one_line(what)}" for what in remarks), _formatted(case)]
    _write(path, f"{_FIRST_LINE} {_on_one_line(heading)}", "\n".join(lines) + "\n")


def write_code(code: CodeFile, heading: str) -> None:
    """Writes the Python that cases run. Raises UsageError as write_cases does."""
    _write(code.path, f"{_FIRST_CODE_LINE} {_on_one_line(heading)}", code.text)


def _write(path: Path, first: str, text: str) -> None:
    if path.exists() and path.read_text(encoding="utf-8", errors="replace").split("\n", 1)[0] != first:
        what = f"{path} exists already, and was not written by an import of this file"
        raise UsageError(what, at="-o", hint="give another folder, or remove it first")
    change_file(path, lambda _: f"{first}\n{text}")


def _on_one_line(text: str) -> str:
    """Removes line breaks from a comment: the text after one would be read as a case."""
    return " ".join(text.split())


def _formatted(case: JsonObject) -> str:
    """The case on one line, or with a line for each turn and assertion where it is long."""
    whole = _json(case)
    if len(whole) <= _WIDE:
        return whole
    fields = [f"{_json(key)}: {_field(value)}" for key, value in case.items()]
    lines, line = list[str](), "{"
    for number, field in enumerate(fields):
        piece = field + ("," if number < len(fields) - 1 else "}")
        if line not in ("{", " ") and len(line) + len(piece) > _WIDE:
            lines.append(line)
            line = " "
        line += piece if line in ("{", " ") else f" {piece}"
    return "\n".join([*lines, line])


def _field(value: JsonValue) -> str:
    inline = _json(value)
    if len(inline) <= _WIDE - 30 or not is_array(value) or not all(is_object(entry) for entry in value):
        return inline
    return "[\n" + ",\n".join(f"  {_json(entry)}" for entry in value) + "]"


def _json(value: JsonValue) -> str:
    if is_object(value):
        return "{" + ", ".join(f"{compact_json(key)}: {_json(inner)}" for key, inner in value.items()) + "}"
    if is_array(value):
        return "[" + ", ".join(map(_json, value)) + "]"
    # `.inf` and `.nan` become texts: JSON has no such numbers, and null would lose them.
    return compact_json(str(value) if isinstance(value, float) and not math.isfinite(value) else value)
