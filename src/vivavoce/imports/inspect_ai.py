"""Inspect: samples in JSON, JSON lines or CSV. Their scorer is Python code, so `--check` names it."""

import re
from collections.abc import Iterator
from pathlib import Path

from vivavoce.errors import UsageError
from vivavoce.imports.case_pieces import same_meaning_check, texts, user_input, with_choices
from vivavoce.imports.foreign_files import read_lines, read_list, read_table
from vivavoce.imports.found import Checks, FoundCase, ImportOptions, Refused
from vivavoce.model.case import Origin
from vivavoce.model.json_value import JsonObject, object_in, text_of
from vivavoce.notation.json_text import json_or_text

CHECKS = ("includes", "match", "exact", "pattern", "choice", "judge")
_ELSEWHERE = ("sandbox", "setup", "files")
_OF_A_SAMPLE = frozenset({"id", "input", "target", "choices", "metadata", *_ELSEWHERE})


def read(path: Path, options: ImportOptions) -> Iterator[FoundCase | Refused]:
    """A case for each sample."""
    check = (options.check or "includes").lower()
    if check not in CHECKS:
        raise UsageError(f"no check {check!r}", at="--check", hint=f"known: {', '.join(CHECKS)}")
    for line, sample in _samples(path):
        at = Origin(str(path), line)
        if sample.get("input"):
            yield _case(sample, check, at)
        else:
            yield Refused(what="a sample without `input`", at=at)


def _samples(path: Path) -> Iterator[tuple[int, JsonObject]]:
    if path.suffix.lower() == ".jsonl":
        yield from read_lines(path)
    elif path.suffix.lower() == ".csv":
        for line, row in read_table(path):
            yield line, {name: json_or_text(text) if text.startswith("[") else text for name, text in row.items()}
    else:
        yield from read_list(path, "samples")


def _case(sample: JsonObject, check: str, at: Origin) -> FoundCase:
    checks = Checks()
    checks.leave_out_unknown(sample, _OF_A_SAMPLE)
    choices = texts(sample.get("choices"))
    targets = [target for target in texts(sample.get("target")) if target]
    if targets:
        checks.take(_assertion("choice" if choices else check, targets))
    for key in _ELSEWHERE:
        if sample.get(key):
            checks.leave_out(f"`{key}`: prepare it with `before`, or attach the file")
    case: JsonObject = {"id": text_of(sample["id"])} if sample.get("id") else {}
    case |= user_input(with_choices(sample["input"], choices))
    if metadata := object_in(sample, "metadata"):
        case["metadata"] = metadata
    case["assert"] = checks.assertions
    return FoundCase(case=case, at=at, remarks=tuple(checks.remarks))


def _assertion(check: str, targets: list[str]) -> JsonObject:
    either = "|".join(map(re.escape, targets))
    if check == "match":
        return {"type": "regex", "value": rf"(?i)(?:{either})\W*$"}
    if check == "exact":
        return {"type": "regex", "value": rf"(?i)^\s*(?:{either})\s*$"}
    if check == "pattern":
        return {"type": "regex", "value": "|".join(targets)}
    if check == "choice":
        return {"type": "regex", "value": rf"^\W*(?:{either})\b"}
    if check == "judge":
        return same_meaning_check(" or ".join(targets))
    return {"type": "contains", "value": targets, "any": True, "ignore_case": True}
