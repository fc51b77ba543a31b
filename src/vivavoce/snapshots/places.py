"""Where a snapshot lies, and what it is called: one file beside each case file, one name per check of a case."""

from collections.abc import Iterator
from pathlib import Path

from vivavoce.containment.working_folder import here
from vivavoce.errors import UsageError
from vivavoce.model.case import AssertionSpec, Case

FOLDER, SUFFIX = "__snapshots__", ".snap.yaml"
TYPE = "snapshot"
"""The assertion's name."""
NO_FILE = "a snapshot lies beside the file of its case, and this case comes from no file"


def snap_path(case: Case) -> Path:
    """`tests/__snapshots__/pay.jsonl.snap.yaml` for a case of `tests/pay.jsonl`. Raises UsageError without a file."""
    path = here() / case.origin.path
    if not path.is_file():
        hint = "write the case into a file, or say what is expected with other assertions"
        raise UsageError(NO_FILE, at=case.origin, hint=hint)
    return snap_of(path)


def snap_of(case_file: Path) -> Path:
    """The snapshot file of a case file, whether either of them exists or not."""
    return case_file.parent / FOLDER / f"{case_file.name}{SUFFIX}"


def case_file_of(snap: Path) -> Path:
    """The case file that a snapshot file belongs to."""
    return snap.parent.parent / snap.name.removesuffix(SUFFIX)


def name_in_case(of: str, path: str | None, name: str | None, *, place: str) -> str:
    """`turn 2: output $.status`. `place` is `turn 2`, `final` or nothing; a `name` of its own replaces the rest."""
    what = name or (f"{of} {path}" if path else of)
    return f"{place}: {what}" if place else what


def place_of_turn(case: Case, number: int) -> str:
    """`turn 2`; nothing for a case with a single scripted line, even when a simulator goes on after it."""
    return f"turn {number}" if case.rules.multi_turn or len(case.turns) > 1 else ""


def snapshots_of(case: Case) -> Iterator[tuple[str, AssertionSpec]]:
    """Yields every snapshot check of a case with its name."""
    for number, turn in enumerate(case.turns, start=1):
        yield from _named(turn.assertions, place_of_turn(case, number))
    yield from _named(case.assertions, "")
    yield from _named(case.final_assertions, "final")


def _named(specs: tuple[AssertionSpec, ...], place: str) -> Iterator[tuple[str, AssertionSpec]]:
    for spec in specs:
        if spec.type == TYPE:
            fields = spec.fields
            of = str(fields.get("of", "output"))
            yield name_in_case(of, fields.get("path"), fields.get("name"), place=place), spec


class SnapshotsSince:
    """Whether approved values are those that a run was compared with: their files are no newer than its results.

    A run writes snapshots before the results that name them. What it wrote is no sign of a change.
    """

    def __init__(self, results: Path) -> None:
        self._made_at = results.stat().st_mtime_ns
        self._newer: dict[str, bool] = {}

    def hold_for(self, case: Case) -> bool:
        """False when the snapshots of the case were changed after the run."""
        if not any(snapshots_of(case)):
            return True
        path = case.origin.path
        if path not in self._newer:
            self._newer[path] = self._is_newer(case)
        return not self._newer[path]

    def words(self) -> Iterator[str]:
        changed = [path for path, newer in self._newer.items() if newer]
        yield from (f"the approved snapshots of {path} changed or are gone" for path in changed)

    def _is_newer(self, case: Case) -> bool:
        """A file that is gone, or cannot be looked at, is another one."""
        try:
            return snap_path(case).stat().st_mtime_ns > self._made_at
        except (OSError, UsageError):
            return True
