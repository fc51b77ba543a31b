"""What recorded runs saw instead of the approved values: for a person to accept or not."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from msgspec import UNSET, Struct, structs

from vivavoce.app.opening import sources_of
from vivavoce.app.rejudging import case_file_now
from vivavoce.assertions.snapshot import Snapshot
from vivavoce.errors import UsageError
from vivavoce.model.case import AssertionSpec, Case
from vivavoce.model.json_value import JsonValue, json_equal
from vivavoce.model.result import Attempt, CaseResult
from vivavoce.model.verdict import Verdict, failed
from vivavoce.plugins.assertion_building import build_check
from vivavoce.project.project import Project
from vivavoce.results.recorded_runs import recorded_runs
from vivavoce.snapshots.places import TYPE, snap_path, snapshots_of
from vivavoce.snapshots.snap_file import SnapFile

_OPEN = ("changed", "missing", "new")
"""The words for a value that is not the approved one, in the field `snapshot` of a verdict's details."""


class SeenValue(Struct, frozen=True):
    """A value that a run saw, and what a person should know before accepting it."""

    value: JsonValue
    notes: tuple[str, ...] = ()


class Pending(Struct, frozen=True):
    """A snapshot that is not as approved, or not approved yet."""

    case: Case
    """As it reads now."""
    name: str
    spec: AssertionSpec
    seen: tuple[SeenValue, ...]
    """The different values, in the order in which they were seen."""

    def verdict(self, seen: SeenValue) -> Verdict | None:
        """How the value differs from what is approved by now; None when it does not."""
        check = _built(self.spec)
        approved = SnapFile(snap_path(self.case)).value(self.case.id, self.name)
        if approved is UNSET:
            verdict = failed("nothing is approved yet", actual=seen.value)
        elif check.same(approved, seen.value):
            return None
        else:
            verdict = check.compared(approved, seen.value, self.name)
        return structs.replace(verdict, spec=self.spec)

    def accept(self, seen: SeenValue) -> Path:
        """Makes it the approved value, under the lock of the file. Raises OSError."""
        file = SnapFile(snap_path(self.case))
        with file.locked():
            file.write({self.case.id: {self.name: seen.value}})
        return file.path


class Review(Struct, frozen=True):
    pending: list[Pending]
    left_out: list[str]
    """Differences that cannot be accepted, with the reason."""


def review(project: Project, runs: Sequence[str], paths: Sequence[str] = ()) -> Review:
    """What the runs saw instead of the approved values, and what is not accepted since. Without runs: the newest.

    `paths` are the files and folders that the cases must come from; without any, all of them.
    """
    pending: list[Pending] = []
    left_out: list[str] = []
    cases = _CasesNow(project)
    for (file, case_id, name), (spec, seen) in _differences(project, runs).items():
        where = f"{file}::{case_id} {name}"
        if paths and not cases.lies_in(file, paths):
            continue
        case = cases.find(file, case_id)
        now = None if case is None else dict(snapshots_of(case)).get(name)
        if case is None:
            left_out.append(f"{where}: the case is gone")
        elif now is None:
            left_out.append(f"{where}: the case has no such check any more")
        elif (now.fields, now.path) != (spec.fields, spec.path) and "${" not in str(now.fields):
            left_out.append(f"{where}: the check reads differently now; run viva test again")
        else:
            found = Pending(case, name, spec, tuple(seen))
            if any(found.verdict(one) is not None for one in seen):
                pending.append(found)
    return Review(pending, left_out)


_Key = tuple[str, str, str]


def _differences(project: Project, runs: Sequence[str]) -> dict[_Key, tuple[AssertionSpec, list[SeenValue]]]:
    found: dict[_Key, tuple[AssertionSpec, list[SeenValue]]] = {}
    for result in recorded_runs(runs, project).results():
        for attempt in result.attempts:
            for verdict in _open_in(attempt):
                assert verdict.spec is not None
                name = str(verdict.details["name"])
                key = (result.case.origin.path, result.case.id, name)
                seen = found.setdefault(key, (verdict.spec, []))[1]
                if not any(json_equal(one.value, verdict.actual) for one in seen):
                    seen.append(SeenValue(verdict.actual, tuple(_notes(result, attempt))))
    return found


def _open_in(attempt: Attempt) -> Iterator[Verdict]:
    for verdict in attempt.all_verdicts():
        is_snapshot = verdict.spec is not None and verdict.spec.type == TYPE
        has_value = verdict.actual is not UNSET and "name" in verdict.details
        if is_snapshot and has_value and verdict.details.get("snapshot") in _OPEN:
            yield verdict


def _notes(result: CaseResult, attempt: Attempt) -> Iterator[str]:
    """What a person should know before accepting: other checks that failed, answers that were not read."""
    if len(result.attempts) > 1:
        yield f"seen in run {attempt.run} of {len(result.attempts)}"
    for verdict in attempt.all_verdicts():
        if verdict.unsuccessful and verdict.spec is not None and verdict.spec.type != TYPE:
            yield f"another check did not pass: {verdict.reason}"
    for turn in attempt.transcript.turns:
        for piece in turn.reply.unread:
            if not piece.is_name:
                yield f"part of the answer could not be read: {piece}"


def _built(spec: AssertionSpec) -> Snapshot:
    check = build_check(spec)
    assert isinstance(check, Snapshot)
    return check


class _CasesNow:
    """The cases of files as they read now, each file read once."""

    def __init__(self, project: Project) -> None:
        self._project = project
        self._files: dict[str, dict[str, Case]] = {}

    def find(self, file: str, case_id: str) -> Case | None:
        if file not in self._files:
            self._files[file] = dict(self._read(file))
        return self._files[file].get(case_id)

    def lies_in(self, file: str, paths: Sequence[str]) -> bool:
        places = [Path(file).resolve(), (self._project.root / file).resolve()]
        return any(place.is_relative_to(Path(path).resolve()) for place in places for path in paths)

    def _read(self, file: str) -> Iterator[tuple[str, Case]]:
        try:
            path = case_file_now(file, self._project)
        except UsageError:
            return
        for source in sources_of(self._project, [path]):
            for item in source.read():
                if not isinstance(item, UsageError):
                    yield item.id, item
