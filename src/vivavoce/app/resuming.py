"""`--resume`: which file is meant, what is taken from it, and what the user should know."""

import re
import shlex
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TextIO

from vivavoce.engine.plan.plan import Plan, runs_of
from vivavoce.engine.repeats import is_final
from vivavoce.engine.wiring import RunResources
from vivavoce.errors import UsageError
from vivavoce.model.result import RunInfo
from vivavoce.plugins.catalog import JOURNAL
from vivavoce.project.private_files import private_opener
from vivavoce.project.project import Project
from vivavoce.reporters.formats import format_of, unused
from vivavoce.results.exam import ExamChange
from vivavoce.results.journal_file import is_being_written
from vivavoce.results.result_file import info_at_start
from vivavoce.results.resume import Earlier, begins_a_run, find_run, find_unfinished, read_earlier, refuse_another
from vivavoce.snapshots.places import SnapshotsSince
from vivavoce.targets.recorded_folders import RecordingsThere
from vivavoce.wording.plurals import counted
from vivavoce.wording.terminal_text import neutral

_RUN_ID = re.compile(r"[0-9a-f]{3,12}")
_GOES_ON = ("test", "record", "compare")
_NOT_THE_SAME_AGAIN = ("-", "agents:", "scripts:")
"""How inputs begin that are gone, or are made anew each time."""


def earlier_results(
    named: str,
    plan: Plan,
    info: RunInfo,
    resources: RunResources,
    *,
    outputs: Sequence[str],
    default: Path | None,
    early_stop: bool,
) -> Earlier | None:
    """What there is to go on with; None when the run died before its first line."""
    project = resources.project
    path = _file_meant(named, info, project, outputs, default)
    if path is None or not begins_a_run(path):
        file = "there is no earlier result file" if path is None else f"{project.shown(path)} holds no result"
        _say(f"{file}: the run begins anew with {counted(plan.selected, 'case')}")
        return None
    if is_being_written(path):
        raise UsageError("another viva is writing it", at=str(path))
    change = ExamChange(refuse_another(path, info).exam, info.exam)
    approvals = SnapshotsSince(path)
    recordings = RecordingsThere(resources.settings.record_to)
    earlier = read_earlier(
        path,
        # The file holds the cases without secrets.
        ((resources.secrets.masked(case), runs_of(case, plan.runs)) for case in plan.cases()),
        counts=lambda case: (
            not change.concerns(resources.secrets.mask(resources.agent_name(case)))
            and approvals.hold_for(case)
            and recordings.hold(case)
        ),
        is_final=lambda case, runs, ended: is_final(case, runs, ended, early_stop=early_stop),
        contest=bool(plan.contenders),
    )
    _say(f"going on with {project.shown(path)}: {len(earlier):,} of {counted(plan.selected, 'case')} done")
    if earlier.stale:
        _say(f"{counted(earlier.stale, 'case reads', 'cases read')} differently now: run again")
    if earlier.dropped:
        _say(f"{counted(earlier.dropped, 'result belongs', 'results belong')} to no selected case: left out")
    if earlier.outdated:
        for words in (*change.words(), *approvals.words(), *recordings.words()):
            _say(words)
        _say(f"{counted(earlier.outdated, 'case runs', 'cases run')} again for that reason")
    if earlier.stale or earlier.dropped or earlier.outdated:
        kept = unused(path.with_name(f"{path.stem}.before-resume.jsonl"))
        with path.open("rb") as old, open(kept, "wb", opener=private_opener) as copy:
            shutil.copyfileobj(old, copy)
        _say(f"the file as it was is kept as {project.shown(kept)}")
    return earlier


def _file_meant(
    named: str, info: RunInfo, project: Project, outputs: Sequence[str], default: Path | None
) -> Path | None:
    """The file that is named, the one that `-o` would write, or the newest unfinished one of the same inputs."""
    folders = [*([default.parent] if default else []), *_places(project)]
    if named:
        return _named_file(named, folders)
    if journals := [Path(path) for path in outputs if format_of(path) == JOURNAL]:
        return journals[0].resolve() if journals[0].is_file() else None
    return find_unfinished(info, folders)


def _named_file(named: str, folders: Sequence[Path]) -> Path:
    """A path, or the id of a run as `viva history` shows it."""
    if Path(named).is_file():
        return Path(named).resolve()
    if _RUN_ID.fullmatch(named):
        if (found := find_run(named, folders)) is not None:
            return found
        looked = ", ".join(dict.fromkeys(str(folder) for folder in folders))
        raise UsageError(f"no result file of run {named}", at="--resume", hint=f"looked in {looked}; name the file")
    hint = "it takes the word behind it as its file: put inputs before it" if Path(named).exists() else None
    raise UsageError(f"no such result file: {named}", at="--resume", hint=hint)


def _places(project: Project) -> list[Path]:
    """Where result files lie, besides the folder of the cases."""
    return [project.state_dir, Path.cwd(), project.root]


def require_inputs(named: str, project: Project) -> None:
    """Without inputs it is unknown which cases are meant: names the command that began the run, and does not run it."""
    path = _named_file(named, _places(project))
    info = info_at_start(path)
    begun = _words(info.command) if info is not None else None
    if begun is None:
        return
    raise UsageError(
        "the inputs of the run must be given again",
        at="--resume",
        hint=f"run: {_with_resume(begun, project.shown(path))}",
    )


def say_how_to_resume(
    command: str, inputs: Sequence[str], path: str, screen: TextIO, *, spent_budget: str | None = None
) -> None:
    """What to type to go on with a run that ended early; nothing when that would not run the same cases.

    With the budget that was spent nothing would run: what the kept results cost counts.
    """
    words = _words(command)
    if words is None or any(text.startswith(_NOT_THE_SAME_AGAIN) for text in inputs):
        return
    how = "To go on with it:"
    if spent_budget is not None:
        how = "To go on with it, raise the budget (what was spent so far counts), for example:"
        words = [*_without(words, "--budget"), "--budget", _doubled(spent_budget)]
    print(f"\n{how}\n  {_with_resume(words, path)}", file=screen)


def _doubled(budget: str) -> str:
    return re.sub(r"\d+(?:\.\d+)?", lambda number: f"{2 * float(number[0]):.15g}", budget, count=1)


def _words(command: str) -> list[str] | None:
    """The words of a viva command; None for any other command. It may come from a stranger's file."""
    try:
        words = shlex.split(command)
    except ValueError:
        return None
    return words if words[:1] == ["viva"] and words[1:2] and words[1] in _GOES_ON else None


def _with_resume(words: list[str], path: str) -> str:
    return neutral(shlex.join([*_without(words, "--resume"), "--resume", path]), keep_newlines=False)


def _without(words: list[str], flag: str) -> list[str]:
    """The words of a command without a flag and its value, which may stand behind it or be left out."""
    kept: list[str] = []
    after_flag = False
    for word in words:
        value_of_it, after_flag = after_flag and not word.startswith("-"), word == flag
        if not value_of_it and not after_flag and not word.startswith(f"{flag}="):
            kept.append(word)
    return kept


def _say(text: str) -> None:
    print(f"viva: {text}", file=sys.stderr)
