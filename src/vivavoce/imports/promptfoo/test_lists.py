"""promptfoo's tests: in the configuration, in other files, in tables."""

from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct

from vivavoce.imports.foreign_files import (
    FILE_PREFIX,
    inside,
    is_there,
    matching,
    read_json,
    read_lines,
    read_table,
    read_yaml,
)
from vivavoce.imports.found import Refused
from vivavoce.imports.promptfoo.expected_column import number_in, read_expected
from vivavoce.imports.promptfoo.running import SCRIPTS, answer_of
from vivavoce.model.case import Origin
from vivavoce.model.json_value import JsonObject, JsonValue, is_array, is_object, text_of
from vivavoce.notation.templates import TemplateProblem
from vivavoce.notation.yaml_reader import YamlDocument


class FoundTest(Struct, frozen=True):
    """One test as promptfoo reads it."""

    test: JsonObject
    at: Origin
    scenario: str = ""
    """Which scenario it belongs to: the tests of one share their conversation."""


def tests_in(
    value: JsonValue, where: tuple[str | int, ...], document: YamlDocument, path: Path, *, run_code: bool
) -> Iterator[FoundTest | Refused]:
    """All tests of a field: a list, a file, or a list with files in it."""
    for number, entry in enumerate(value) if is_array(value) else [(None, value)]:
        steps = where if number is None else (*where, number)
        at = Origin(str(path), document.line_of(steps))
        if is_object(entry) and "path" in entry and "vars" not in entry:
            args = (entry["config"],) if "config" in entry else ()
            yield from _made(text_of(entry["path"]), args, path.parent, at, run_code=run_code)
        elif is_object(entry):
            yield FoundTest(entry, at)
        elif isinstance(entry, str):
            yield from _from_files(entry, path.parent, at, run_code=run_code)
        elif entry is not None:
            yield Refused(what=f"a test must be an object: {text_of(entry)}", at=at)


def _made(
    script: str, args: tuple[JsonValue, ...], folder: Path, at: Origin, *, run_code: bool
) -> Iterator[FoundTest | Refused]:
    """The tests that a script makes."""
    name = script.removeprefix(FILE_PREFIX)
    inside(folder, name.partition(":")[0])
    try:
        made = answer_of(name, "generate_tests", *args, folder=folder, allowed=run_code)
    except TemplateProblem as problem:
        yield Refused(what=f"tests: {problem}; or let promptfoo write them as YAML first", at=at)
        return
    for entry in made if is_array(made) else [made]:
        good = is_object(entry)
        yield FoundTest(entry, at) if good else Refused(what=f"a test must be an object: {text_of(entry)}", at=at)


def _from_files(name: str, folder: Path, at: Origin, *, run_code: bool) -> Iterator[FoundTest | Refused]:
    if "://" in name and not name.startswith(FILE_PREFIX):
        yield Refused(what=f"tests at an address: {name}; download them first", at=at)
        return
    pattern = name.removeprefix(FILE_PREFIX)
    bare = pattern.partition("#")[0]
    if Path(bare).suffix.lower() == ".xlsx":
        yield Refused(what=f"{pattern} is a spreadsheet; save it as CSV", at=at)
        return
    if Path(bare.partition(":")[0]).suffix in SCRIPTS:
        yield from _made(pattern, (), folder, at, run_code=run_code)
        return
    files = matching(folder, bare)
    if not files:
        yield Refused(what=f"no file matches {pattern}", at=at)
    for file in files:
        yield from _from_file(file, at, run_code=run_code)


def _from_file(file: Path, at: Origin, *, run_code: bool) -> Iterator[FoundTest | Refused]:
    if not is_there(file):
        yield Refused(what=f"{file} does not exist", at=at)
    elif file.suffix.lower() in (".csv", ".tsv"):
        for line, row in read_table(file):
            try:
                yield FoundTest(_from_row(row), Origin(str(file), line))
            except ValueError as problem:
                yield Refused(what=f"a row of the table: {problem}", at=Origin(str(file), line))
    elif file.suffix.lower() == ".jsonl":
        for line, row in read_lines(file):
            yield FoundTest(row, Origin(str(file), line))
    else:
        document = read_json(file) if file.suffix.lower() == ".json" else read_yaml(file)
        yield from tests_in(document.value, (), document, file, run_code=run_code)


def _from_row(row: dict[str, str]) -> JsonObject:
    """The test of a row: columns are variables, but for those with `__`. Raises ValueError for a bad number."""
    variables: JsonObject = {}
    test: JsonObject = {"vars": variables, "assert": []}
    metadata: JsonObject = {}
    options: JsonObject = {}
    limits: dict[str, float] = {}
    assertions: dict[str, JsonObject] = {}
    for name, text in row.items():
        if name.startswith("__expected"):
            if (entry := read_expected(text)) is not None:
                assertions[name] = entry
        elif name.startswith("__metadata:") and text:
            key = name.removeprefix("__metadata:")
            metadata[key.removesuffix("[]")] = text.split(",") if key.endswith("[]") else text
        elif name.startswith("__config:") and text:
            _, column, _ = (*name.split(":"), "", "")[:3]
            limits[column] = number_in(name, text)
        elif name == "__description":
            test["description"] = text
        elif name in ("__prefix", "__suffix"):
            options[name.removeprefix("__")] = text
        elif name == "__threshold" and text:
            test["threshold"] = number_in(name, text)
        elif name == "__metric" and text:
            test["metric"] = text
        elif not name.startswith("__"):
            variables[name] = text
    for column, entry in assertions.items():
        test["assert"].append({**entry, **({"threshold": limits[column]} if column in limits else {})})
    return {**test, **({"metadata": metadata} if metadata else {}), **({"options": options} if options else {})}
