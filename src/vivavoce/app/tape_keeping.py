"""What `viva tape` does: checks tapes, compares them, finds and records again the cases that changed."""

import shlex
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path

import msgspec
from msgspec import Struct

from vivavoce.app.examine import carry_out
from vivavoce.app.executing import executor_for
from vivavoce.app.listening import Listener
from vivavoce.app.opening import open_sources
from vivavoce.app.planning import planned
from vivavoce.app.request import RunRequest
from vivavoce.app.run_frame import RunFrame
from vivavoce.engine.agent_files import environment_named_in, remember_secrets
from vivavoce.engine.attempt.attempt import Examination
from vivavoce.errors import UsageError
from vivavoce.model.case import Case
from vivavoce.model.result import CaseResult
from vivavoce.project.project import Project
from vivavoce.project.redaction import Secrets
from vivavoce.results.result_file import result_in
from vivavoce.results.stored_runs import open_run
from vivavoce.sight.tapes.checking import problems_in, read_or_problem
from vivavoce.sight.tapes.drift import DRIFT
from vivavoce.sight.tapes.explaining import MISS
from vivavoce.sight.tapes.masking import Censor
from vivavoce.sight.tapes.run_tapes import RUN, tape_of
from vivavoce.sight.tapes.tape_changes import tape_changes
from vivavoce.sight.tapes.tape_reading import Tape, read_tape, tapes_below


class CheckedTapes(Struct, frozen=True):
    """Returns the problems of the tapes in a folder."""

    tapes: int
    calls: int
    problems: list[UsageError]


def checked_tapes(folder: Path, project: Project, request: RunRequest) -> CheckedTapes:
    """Whether every tape can be read, has no secret, and every recorded case still exists."""
    paths = _tapes_in(folder)
    used = _used_cases(folder, project, request)
    censor = Censor(Secrets())
    problems: list[UsageError] = []
    calls = 0
    for path in paths:
        tape, problem = read_or_problem(path)
        if tape is None:
            problems += [] if problem is None else [problem]
            continue
        calls += len(tape.entries())
        problems += problems_in(tape, censor)
        if used is not None:
            problems += _unused(tape, used)
    return CheckedTapes(len(paths), calls, problems)


def compared_tapes(old: Path, new: Path) -> Iterator[str]:
    """The differences between two tapes, or between the tapes of two folders. Raises UsageError."""
    if old.is_file() and new.is_file():
        yield from tape_changes(read_tape(old), read_tape(new))
        return
    before = {path.relative_to(old): path for path in _tapes_in(old)}
    after = {path.relative_to(new): path for path in _tapes_in(new)}
    for name in sorted(before.keys() | after.keys()):
        if name not in before or name not in after:
            yield f"{name}: only in {new if name in after else old}"
            continue
        yield from (f"{name}: {line}" for line in tape_changes(read_tape(before[name]), read_tape(after[name])))


def last_drift(tapes: Path, project: Project) -> list[str]:
    """What the newest run found to differ from these tapes, case by case. Raises UsageError when it replayed others."""
    paths = {path.resolve() for path in _tapes_in(tapes)}
    folder = tapes.parent if tapes.is_file() else tapes
    run = open_run("last", project)
    again = f"viva test --replay {folder} comes first"
    other = _replayed_folder(run.kept().info.command)
    if other is not None and other.is_dir() and other.resolve() != folder.resolve():
        raise UsageError(f"the last run replayed {other}, not {folder}", hint=again)
    found: list[str] = []
    replayed = False
    for result in map(result_in, run.rows()):
        if tape_of(result.case.origin.path, folder, project).resolve() in paths:
            lines = list(_drift_of(result))
            found += lines
            replayed |= bool(lines) or any(attempt.replayed for attempt in result.attempts)
    if not replayed:
        raise UsageError(f"the last run replayed nothing from {tapes}", hint=again)
    return found


def _drift_of(result: CaseResult) -> Iterator[str]:
    for attempt in result.attempts:
        name = f"{result.case.key} (run {attempt.run})" if len(result.attempts) > 1 else result.case.key
        missed = [attempt.error] if attempt.error and ("tape" in attempt.error or MISS in attempt.error) else []
        found = [*missed, *(told for told in attempt.warnings if told.startswith(DRIFT))]
        yield from (f"{name}: {line.removeprefix(DRIFT)}" for line in found)


def _replayed_folder(command: str) -> Path | None:
    """The folder that a command of viva names with --replay; None when it names none."""
    try:
        words = shlex.split(command)
    except ValueError:
        return None
    for word, following in pairwise([*words, ""]):
        if word == "--replay" and following:
            return Path(following)
        if word.startswith("--replay="):
            return Path(word.removeprefix("--replay="))
    return None


async def stale_cases(request: RunRequest, listeners: Sequence[Listener] = ()) -> frozenset[str]:
    """The keys of cases whose recording does not fit any more: replays everything, asks no model."""
    async with planned(request) as ready:
        executor = executor_for("local", ready.request.parallel, ready.resources)
        frame = RunFrame(ready, listeners)
        await carry_out(ready, frame, executor, Examination(ready.resources, frame.emit, live=False).attempt)
        tapes = ready.resources.tapes
        return frozenset() if tapes is None else frozenset(tapes.drift.stale)


def require_tapes(place: Path) -> None:
    """Raises UsageError where there is no tape."""
    if not place.is_file():
        _tapes_in(place)


def _tapes_in(folder: Path) -> list[Path]:
    found = tapes_below(folder)
    if not found:
        raise UsageError(f"no tapes in {folder}", hint=f"make them with viva test --record {folder}")
    return found


def _used_cases(folder: Path, project: Project, request: RunRequest) -> set[tuple[Path, str]] | None:
    """(tape, case) of every case there is; None where no tests are named."""
    if not (request.inputs or project.config.tests):
        return None
    cases = [case for source in open_sources(project, request) for case in source.read() if isinstance(case, Case)]
    root = folder.parent if folder.is_file() else folder
    secrets = Secrets()
    remember_secrets(project.config, secrets)
    named = environment_named_in([msgspec.to_builtins(case) for case in cases])
    secrets.add_all(str(value) for value in named.values() if value)
    return {(tape_of(case.origin.path, root, project).resolve(), secrets.mask(case.id)) for case in cases}


def _unused(tape: Tape, used: set[tuple[Path, str]]) -> Iterator[UsageError]:
    for case in sorted({case for case, _ in tape.attempts}):
        if case != RUN and (tape.path.resolve(), case) not in used:
            yield UsageError(
                f"case {case!r} is recorded, and there is no such case",
                at=str(tape.path),
                hint="record the file anew, or delete the tape",
            )
