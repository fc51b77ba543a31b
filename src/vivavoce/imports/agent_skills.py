"""Agent Skills: `evals.json` with prompts and expectations."""

from collections.abc import Iterator
from pathlib import Path

from vivavoce.errors import UsageError
from vivavoce.imports.case_pieces import judge_check
from vivavoce.imports.foreign_files import is_there, list_in, read_json
from vivavoce.imports.found import Checks, FoundCase, ImportOptions, Note, Refused
from vivavoce.model.case import Origin
from vivavoce.model.json_value import JsonObject, JsonValue, is_array, is_object, text_of

_READ = {"id", "name", "prompt", "expected_output", "files", "expectations", "assertions"}


def read(path: Path, options: ImportOptions) -> Iterator[FoundCase | Refused | Note]:
    """The evals of one skill."""
    document = read_json(path)
    value = document.value
    evals = value.get("evals") if is_object(value) else None
    if not is_object(value) or not is_array(evals):
        raise UsageError("no `evals` in it: this is not the evals.json of a skill", at=str(path))
    skill = text_of(value.get("skill_name") or path.parent.name)
    for number, entry in enumerate(evals):
        at = Origin(str(path), document.line_of(("evals", number)))
        if not is_object(entry) or not isinstance(entry.get("prompt"), str):
            yield Refused(what="the eval has no `prompt`", at=at)
        else:
            yield from _missing_files(entry, at)
            yield _case(entry, skill, number, at, options)


def _case(entry: JsonObject, skill: str, number: int, at: Origin, options: ImportOptions) -> FoundCase:
    checks = Checks()
    if entry.get("expected_output"):
        checks.take(judge_check(text_of(entry["expected_output"])))
    for expectation in [*list_in(entry, "expectations"), *list_in(entry, "assertions")]:
        _take(expectation, checks)
    case: JsonObject = {
        "id": entry.get("name") or f"{skill}-{entry.get('id', number + 1)}",
        "tags": [skill],
    }
    files = [text_of(file) for file in list_in(entry, "files")]
    found = {file: _beside(file, at) for file in files}
    for file in files:
        if found[file] is None:
            checks.leave_out(f"{file} lies outside the skill's folder: attach it by hand")
    attached = [
        {"type": "file", "source": f"file://{options.named(path)}"} for path in found.values() if path is not None
    ]
    if attached:
        case["turns"] = [{"input": entry["prompt"], "attachments": attached}]
    else:
        case["input"] = entry["prompt"]
    rest = {key: value for key, value in entry.items() if key not in _READ}
    if rest:
        case["metadata"] = rest
        # Checks are lists: an unknown one may be such a list under another name.
        checks.leave_out_unknown({key: value for key, value in rest.items() if is_array(value)}, frozenset({"tags"}))
    case["assert"] = checks.assertions
    return FoundCase(case=case, at=at, remarks=tuple(checks.remarks))


def _take(expectation: JsonValue, checks: Checks) -> None:
    if isinstance(expectation, str) and expectation:
        checks.take(judge_check(expectation))
    elif is_object(expectation) and (words := expectation.get("text") or expectation.get("description")):
        name: JsonValue = expectation.get("name")
        checks.take({**judge_check(text_of(words)), **({"message": name} if isinstance(name, str) and name else {})})
    else:
        checks.leave_out(f"an expectation without words: {text_of(expectation)}")


def _beside(file: str, at: Origin) -> Path | None:
    """The path of a file that the skill names; None for a file outside the skill's folder.

    `evals.json` lies in the skill's folder or one folder below.
    """
    folder = Path(at.path).absolute().parent
    for start in (folder, folder.parent):
        if is_there(start / file):
            return start / file if _is_below(start / file, folder.parent) else None
    return folder / file if _is_below(folder / file, folder.parent) else None


def _is_below(file: Path, folder: Path) -> bool:
    try:
        return file.resolve().is_relative_to(folder.resolve())
    except (OSError, ValueError):
        return False


def _missing_files(entry: JsonObject, at: Origin) -> Iterator[Note]:
    for file in map(text_of, list_in(entry, "files")):
        path = _beside(file, at)
        if path is not None and not is_there(path):
            yield Note(what=f"{at}: {file} is missing: put it beside the skill before you run the case")
