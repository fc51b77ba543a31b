"""OpenAI Evals: a registry entry names the class and the samples. A file of samples can also be imported alone."""

import re
from collections.abc import Iterator
from pathlib import Path

from vivavoce.errors import UsageError
from vivavoce.imports.case_pieces import judge_check, texts, user_input, with_choices
from vivavoce.imports.foreign_files import is_there, read_lines, read_yaml_1_1
from vivavoce.imports.found import Checks, FoundCase, ImportOptions, Refused
from vivavoce.model.case import Origin
from vivavoce.model.json_value import JsonObject, is_array, is_object, object_in, text_of
from vivavoce.notation.json_text import json_or_text


def read(path: Path, options: ImportOptions) -> Iterator[FoundCase | Refused]:
    """The samples of every eval of a registry file, or of a file of samples (compared as `--check` says)."""
    if path.suffix.lower() == ".jsonl":
        yield from _samples(path, (options.check or "match").lower(), "")
        return
    registry = read_yaml_1_1(path)
    if not is_object(registry):
        raise UsageError("no registry of evals in it", at=str(path))
    evals = {name: entry for name, entry in registry.items() if is_object(entry) and entry.get("class")}
    if not evals:
        raise UsageError("no eval with a `class` in it", at=str(path))
    for name, entry in evals.items():
        yield from _eval(name, entry, path)


def _eval(name: str, entry: JsonObject, path: Path) -> Iterator[FoundCase | Refused]:
    kind = text_of(entry["class"]).rpartition(":")[2].lower()
    samples = object_in(entry, "args").get("samples_jsonl")
    at = Origin(str(path), 0)
    if not isinstance(samples, str):
        yield Refused(what=f"{name}: {entry['class']} has no samples in a file", at=at)
        return
    for start in (
        path.parent,
        path.parent / "data",
        path.parent.parent / "data",
        path.parent / Path(samples).parent.name,
    ):
        for file in (start / samples, start / Path(samples).name):
            # The samples of a registry lie in a folder beside its own.
            if is_there(file) and file.resolve().is_relative_to(path.absolute().parent.parent.resolve()):
                yield from _samples(file, kind, name)
                return
    yield Refused(what=f"{name}: its samples {samples} are not there", at=at)


def _samples(path: Path, kind: str, name: str) -> Iterator[FoundCase | Refused]:
    for line, sample in read_lines(path):
        at = Origin(str(path), line)
        if "input" not in sample:
            yield Refused(what="a sample without `input`", at=at)
            continue
        checks = Checks()
        _take(kind, sample, checks)
        case: JsonObject = user_input(with_choices(sample["input"], texts(sample.get("choices"))))
        case["assert"] = checks.assertions
        if name:
            case["tags"] = [name]
        yield FoundCase(case=case, at=at, remarks=tuple(checks.remarks))


def _take(kind: str, sample: JsonObject, checks: Checks) -> None:
    # Every answer contains an empty text: the check would always pass.
    ideals = [ideal for ideal in texts(sample.get("ideal")) if ideal.strip()]
    if not ideals:
        checks.leave_out("a sample without `ideal`")
    elif kind == "match":
        checks.take({"type": "regex", "value": f"^(?:{'|'.join(map(re.escape, ideals))})"})
    elif kind == "includes":
        checks.take({"type": "contains", "value": ideals, "any": True})
    elif kind == "fuzzymatch":
        differs = "fuzzy match: the answer must contain the ideal; an answer that is a part of the ideal fails"
        checks.take({"type": "contains", "value": ideals, "any": True, "ignore_case": True}, differs=differs)
    elif kind == "multiplechoice":
        checks.take({"type": "regex", "value": rf"^\W*(?:{'|'.join(map(re.escape, ideals))})\b"})
    elif kind == "modelbasedclassify":
        words = f"The answer agrees with: {' or '.join(ideals)}"
        checks.take(judge_check(words), differs="viva's judge instead of the eval's own prompt")
    elif kind == "jsonmatch":
        values = [json_or_text(ideal) for ideal in ideals]
        if all(is_object(value) or is_array(value) for value in values):
            differs = "JsonMatch: viva also reads JSON in a code fence"
            checks.take({"type": "equals", "value": values, "any": True}, differs=differs)
        else:
            checks.leave_out("JsonMatch: its `ideal` is no JSON object or list")
    else:
        checks.leave_out(f"the class {kind}: its check is Python; write it as a script")
