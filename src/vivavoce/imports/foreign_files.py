"""Reading foreign files: JSON, JSON lines, YAML in both dialects, tables. Each with the line of every entry."""

import csv
import io
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from vivavoce.errors import UsageError
from vivavoce.model.case import Origin
from vivavoce.model.json_value import JsonArray, JsonObject, JsonValue, is_array, is_object
from vivavoce.notation.jsonc import explained
from vivavoce.notation.yaml_reader import YamlDocument, read_yaml_documents
from vivavoce.wording.quoting import shorten

FILE_PREFIX = "file://"


def list_in(value: JsonObject, key: str) -> JsonArray:
    """Returns the list under a key. A single value becomes a list of one, a missing one an empty list."""
    found: JsonValue = value.get(key)
    return list(found) if is_array(found) else [] if found is None else [found]


def inside(folder: Path, name: str) -> Path:
    """Returns the path of a file that an imported file names. Raises UsageError for one outside its folder."""
    file = folder / name
    try:
        is_inside = file.resolve().is_relative_to(folder.resolve())
    except (OSError, ValueError):
        raise UsageError(f"{shorten(name, 80)!r} is not a file name", at=str(folder)) from None
    if not is_inside:
        raise UsageError(f"{name} lies outside the folder of the imported file", at=str(folder))
    return file


def is_there(file: Path) -> bool:
    """Whether a file exists; False also for a name that no file can have."""
    try:
        return file.is_file()
    except (OSError, ValueError):
        return False


def is_pattern(name: str) -> bool:
    """Whether a name of a file has wildcards."""
    return any(sign in name for sign in "*?[")


def matching(folder: Path, pattern: str) -> list[Path]:
    """Returns the files that match a name or a pattern. Raises UsageError as `inside` does, and for a bad pattern."""
    if not is_pattern(pattern):
        return [inside(folder, pattern)]
    named = Path(pattern)
    if named.is_absolute() or ".." in named.parts:
        raise UsageError(f"{pattern} lies outside the folder of the imported file", at=str(folder))
    try:
        found = sorted(folder.glob(pattern))
    except ValueError as error:
        raise UsageError(f"{pattern}: {error}", at=str(folder)) from None
    return [inside(folder, str(file.relative_to(folder))) for file in found]


def read_text(path: Path) -> str:
    """The text of a file. Raises UsageError when it cannot be read."""
    try:
        return path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise UsageError(f"cannot be read: {error.strerror}", at=str(path)) from None
    except UnicodeDecodeError:
        raise UsageError("is not UTF-8 text", at=str(path)) from None


def read_json(path: Path) -> YamlDocument:
    """Reads a JSON document with the lines of its values: JSON is also YAML."""
    text = read_text(path)
    try:
        value: JsonValue = msgspec.json.decode(text)
    except ValueError as error:
        what, line = explained(error, text)
        raise UsageError(what, at=Origin(str(path), line)) from None
    except RecursionError:
        raise UsageError("nested too deeply", at=str(path)) from None
    # JSON may be indented with tabs, YAML may not.
    documents = list(read_yaml_documents(text.replace("\t", " "), str(path)))
    return YamlDocument(value, 1, documents[0].lines if documents else {})


def read_yaml(path: Path) -> YamlDocument:
    """The first document of a YAML 1.2 file. Raises UsageError for an empty file."""
    for document in read_yaml_documents(read_text(path), str(path), finite=False):
        return document
    raise UsageError("is empty", at=str(path))


def read_yaml_1_1(path: Path) -> JsonValue:
    """Reads a file written for PyYAML (YAML 1.1), where `yes` is true and `12:30` a number."""
    import yaml

    text = read_text(path)
    # Raises UsageError for too deep nesting and for aliases that unfold into too much.
    for _ in read_yaml_documents(text, str(path), finite=False):
        pass
    try:
        return _plain(yaml.safe_load(text))
    except yaml.YAMLError as error:
        mark: Any = getattr(error, "problem_mark", None)
        line = mark.line + 1 if mark else 0
        raise UsageError(f"bad YAML: {getattr(error, 'problem', error)}", at=Origin(str(path), line)) from None


def read_list(path: Path, what: str, key: str = "") -> Iterator[tuple[int, JsonObject]]:
    """The objects of a list in JSON, each with its line. The list is the document, or stands in it under `key`."""
    document = read_json(path)
    value, steps = document.value, tuple[str, ...]()
    if key and is_object(value):
        value, steps = value.get(key), (key,)
    if not is_array(value):
        raise UsageError(f"no list of {what} in it", at=str(path))
    for number, entry in enumerate(value):
        line = document.line_of((*steps, number))
        if not is_object(entry):
            raise UsageError(f"each of the {what} must be an object", at=Origin(str(path), line))
        yield line, entry


def read_lines(path: Path) -> Iterator[tuple[int, JsonObject]]:
    """The objects of a JSON-lines file, each with its line."""
    for number, line in enumerate(read_text(path).splitlines(), 1):
        if not line.strip():
            continue
        try:
            value: JsonValue = msgspec.json.decode(line)
        except ValueError as error:
            what, _ = explained(error, line)
            raise UsageError(what, at=Origin(str(path), number)) from None
        if not is_object(value):
            raise UsageError("each line must be a JSON object", at=Origin(str(path), number))
        yield number, value


def read_table(path: Path) -> Iterator[tuple[int, dict[str, str]]]:
    """The rows of a CSV or TSV file by the names of its columns, each with its line."""
    dialect = csv.excel_tab if path.suffix.lower() == ".tsv" else csv.excel
    reader = csv.reader(io.StringIO(read_text(path), newline=""), dialect, strict=True)
    try:
        names = next(reader, None)
        if not names:
            raise UsageError("is empty", at=str(path))
        begins = reader.line_num + 1
        for row in reader:
            if row:
                yield begins, _row(names, row, Origin(str(path), begins))
            begins = reader.line_num + 1
    except csv.Error as error:
        raise UsageError(f"bad table: {error}", at=Origin(str(path), reader.line_num)) from None


def _row(names: list[str], row: list[str], at: Origin) -> dict[str, str]:
    if len(row) > len(names):
        raise UsageError(f"the row has {len(row)} fields, the first line names {len(names)} columns", at=at)
    return dict(zip(names, row, strict=False))


def _plain(value: JsonValue) -> JsonValue:
    """Turns dates and other values that only YAML has into texts."""
    if is_object(value):
        return {str(key): _plain(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_plain(inner) for inner in value]  # pyright: ignore[reportUnknownVariableType]
    return value if value is None or isinstance(value, str | int | float | bool) else str(value)
