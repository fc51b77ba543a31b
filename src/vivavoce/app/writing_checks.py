"""`viva mutate --write`: suggested checks put into their case files, or the text to paste where that is not safe."""

import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec
from msgspec import Struct, structs

from vivavoce.errors import UsageError, VivaError
from vivavoce.insight.mutants.score import CaseScore
from vivavoce.insight.mutants.suggesting import place_of, with_check
from vivavoce.insight.mutants.words import by_suggestion, check_text
from vivavoce.model.case import AssertionSpec, Case, Origin
from vivavoce.model.json_value import JsonObject
from vivavoce.project.whole_files import whole_file
from vivavoce.sources.discover import file_source
from vivavoce.sources.editing.added_check import AddedCheck, CannotInsert
from vivavoce.sources.editing.json_insertion import add_to_json
from vivavoce.sources.editing.yaml_insertion import add_to_yaml

_JSON = (".json", ".jsonl")


class WrittenChecks(Struct, frozen=True):
    """What became of the suggestions of a case."""

    key: str
    added: int
    refused: tuple[str, ...] = ()
    """Checks that could not be put into the file, as text to paste."""


def write_checks(scores: Sequence[CaseScore], root: Path) -> Iterator[WrittenChecks]:
    """Adds what was suggested for counted survivors to the case files. Each file is replaced as a whole."""
    for score in scores:
        wanted = [(one[0].turn, check) for check, one in by_suggestion(score.survivors) if check is not None]
        if not wanted:
            continue
        path = next((found for found in (Path(score.file), root / score.file) if found.is_file()), None)
        added, refused = 0, list[str]()
        for turn, check in wanted:
            if path is not None and _added(path, score.id, turn, check):
                added += 1
            else:
                refused.append(f"turn {turn}: {check_text(check)}")
        yield WrittenChecks(score.key, added, tuple(refused))


def _added(path: Path, case_id: str, turn: int, check: JsonObject) -> bool:
    """Whether the check is in the file now. The file stays as it is unless only this case would change."""
    try:
        text = path.read_bytes().decode("utf-8")
        before = _cases(path)
        now = next((case for case in before if case.id == case_id), None)
        if now is None:
            return False
        where = place_of(now, turn)
        addition = AddedCheck(
            check,
            turn if where == "turn" else None,
            "final_assertions" if where == "final_assertions" else "assertions",
        )
        insert = add_to_json if path.suffix in _JSON else add_to_yaml
        changed = insert(text, now.origin.line, addition)
        wanted = [with_check(case, turn, check) if case is now else case for case in before]
        with tempfile.TemporaryDirectory(prefix="viva-") as folder:
            trial = Path(folder) / path.name
            trial.write_bytes(changed.encode("utf-8"))
            if [*map(_compared, _cases(trial))] != [*map(_compared, wanted)]:
                return False
        with whole_file(path.resolve()) as out:
            out.write(changed)
    except (CannotInsert, UsageError, UnicodeDecodeError):
        return False
    except OSError as error:
        raise VivaError(f"cannot write {path}: {error.strerror}", at="--write") from None
    return True


def _cases(path: Path) -> list[Case]:
    """Raises UsageError for a file with a case that cannot be read."""
    found: list[Case] = []
    for one in file_source(path, path.name).read():
        if isinstance(one, UsageError):
            raise one
        found.append(one)
    return found


def _compared(case: Case) -> Case:
    """The case in a form to compare: without its line numbers, its checks in a fixed order."""
    turns = tuple(structs.replace(turn, line=0, assertions=_sorted(turn.assertions)) for turn in case.turns)
    return structs.replace(
        case,
        origin=Origin(),
        turns=turns,
        assertions=_sorted(case.assertions),
        final_assertions=_sorted(case.final_assertions),
    )


def _sorted(specs: tuple[AssertionSpec, ...]) -> tuple[AssertionSpec, ...]:
    return tuple(sorted(specs, key=msgspec.json.encode))
