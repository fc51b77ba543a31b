"""The snapshots of a project: which are approved, which are missing, and which belong to nothing any more."""

import os
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Literal, TypeAlias

from msgspec import UNSET, Struct

from vivavoce.app.opening import sources_of
from vivavoce.containment.working_folder import path_from_here
from vivavoce.errors import UsageError
from vivavoce.project.project import Project
from vivavoce.snapshots.places import FOLDER, SUFFIX, case_file_of, snap_of, snapshots_of
from vivavoce.snapshots.snap_file import SnapFile

State: TypeAlias = Literal["approved", "missing", "obsolete", "unknown"]


class Entry(Struct, frozen=True):
    """One snapshot: its case, what it is of, and its state."""

    file: str
    """The case file, as seen from here."""
    case: str
    name: str
    state: State
    why: str = ""


class Survey(Struct, frozen=True):
    entries: list[Entry]
    problems: list[UsageError]
    """Files that cannot be read: what belongs to them is `unknown`, never `obsolete`."""


def survey(project: Project, paths: Sequence[str]) -> Survey:
    """Every snapshot of the case files, folders or snapshot files named; without any, of the project's tests."""
    entries: list[Entry] = []
    problems: list[UsageError] = []
    for file in sorted(_case_files(project, paths, problems)):
        try:
            entries += _entries(file, project, problems)
        except UsageError as problem:
            problems += problem.each()
    return Survey(entries, list({str(problem): problem for problem in problems}.values()))


def delete_obsolete(entries: Iterable[Entry]) -> int:
    """Removes the obsolete entries from their files, each under its lock. Returns how many were removed."""
    by_file: dict[str, list[Entry]] = {}
    for entry in entries:
        if entry.state == "obsolete":
            by_file.setdefault(entry.file, []).append(entry)
    removed = 0
    for file, gone in by_file.items():
        snap = SnapFile(snap_of(Path(file)))
        with snap.locked():
            changes: dict[str, dict[str, object]] = {}
            for entry in gone:
                if snap.value(entry.case, entry.name) is not UNSET:
                    changes.setdefault(entry.case, {})[entry.name] = UNSET
                    removed += 1
            snap.write(changes)
        if not any(snap.path.parent.iterdir()):
            snap.path.parent.rmdir()
    return removed


def _case_files(project: Project, paths: Sequence[str], problems: list[UsageError]) -> set[Path]:
    """The case files that have snapshots, or checks that want some; they need not exist any more."""
    found: set[Path] = set()
    named = list(paths) or _own_tests(project)
    for path in map(Path, named):
        if path.name.endswith(SUFFIX):
            found.add(case_file_of(_from_here(path)))
            continue
        snaps = list(_snaps_below(path)) if path.is_dir() else []
        found.update(map(case_file_of, snaps))
        if path.is_file() and snap_of(_from_here(path)).is_file():
            found.add(_from_here(path))
        try:
            sources = sources_of(project, [str(path)])
        except UsageError as problem:
            if not snaps:  # a folder may hold nothing but snapshots of files that are gone
                problems += problem.each()
            continue
        for source in sources:
            for item in source.read():
                if isinstance(item, UsageError):
                    problems.append(item)
                elif any(snapshots_of(item)):
                    found.add(_from_here(Path(item.origin.path)))
    return found


def _own_tests(project: Project) -> list[str]:
    tests = project.config.tests
    named = [tests] if isinstance(tests, str) else list(tests or ())
    return [str(project.root / entry.partition("::")[0]) for entry in named] or [str(project.root)]


def _snaps_below(folder: Path) -> Iterator[Path]:
    for root, folders, _ in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith(".") and name != "node_modules")
        if FOLDER in folders:
            yield from sorted(_from_here(Path(root, FOLDER)).glob(f"*{SUFFIX}"))


def _from_here(path: Path) -> Path:
    return Path(os.path.abspath(path))


def _entries(file: Path, project: Project, problems: list[UsageError]) -> Iterator[Entry]:
    shown, approved = path_from_here(file), SnapFile(snap_of(file)).approved()
    wanted: dict[str, list[str]] = {}
    unread = False
    for source in sources_of(project, [str(file)]) if file.is_file() else ():
        for item in source.read():
            if isinstance(item, UsageError):
                unread = True
                problems.append(item)
            else:
                wanted[item.id] = [name for name, _ in snapshots_of(item)]
    for case_id in sorted({*approved, *wanted}):
        names, kept = wanted.get(case_id), approved.get(case_id, {})
        for name in sorted({*(names or ()), *kept}):
            if name not in kept:
                if "${" not in name:
                    yield Entry(shown, case_id, name, "missing", "the next run that passes writes it")
            elif names is not None and (name in names or any("${" in one for one in names)):
                # A name with a variable in it is known only when the case runs.
                yield Entry(shown, case_id, name, "approved")
            elif names is None and unread:
                yield Entry(shown, case_id, name, "unknown", "not all cases of the file can be read")
            else:
                yield Entry(shown, case_id, name, "obsolete", _why(file, case_id, case_is_there=names is not None))


def _why(file: Path, case_id: str, *, case_is_there: bool) -> str:
    if case_is_there:
        return "the case has no such check"
    return f"there is no case {case_id}" if file.is_file() else "the case file is gone"
