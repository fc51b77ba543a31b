"""`--resume` as a person asks for it: which file is meant, what is taken from it, and what they should know."""

import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

from vivavoce.errors import UsageError
from vivavoce.model.result import RunInfo
from vivavoce.project import Project
from vivavoce.reporters.formats import format_of, unused
from vivavoce.reporters.journal_file import is_being_written
from vivavoce.run.plan import Plan
from vivavoce.run.resume import Earlier, begins_a_run, find_unfinished, read_earlier, refuse_another


def earlier_results(
    named: str,
    plan: Plan,
    info: RunInfo,
    project: Project,
    *,
    outputs: Sequence[str],
    default: Path | None,
    early_stop: bool,
) -> Earlier | None:
    """What there is to go on with; None when the run died before its first line."""
    path = _file_meant(named, info, project, outputs, default)
    if path is None or not begins_a_run(path):
        _say("nothing to go on with: all cases are run")
        return None
    if is_being_written(path):
        raise UsageError("another viva is writing it", at=str(path))
    refuse_another(path, info)
    earlier = read_earlier(path, plan, early_stop=early_stop)
    _say(f"going on with {project.shown(path)}: {len(earlier):,} of {plan.selected:,} cases have their result")
    if earlier.stale:
        _say(f"{earlier.stale:,} cases read differently now and are run again")
    if earlier.dropped:
        _say(f"{earlier.dropped:,} results belong to no selected case and are left out")
    if earlier.stale or earlier.dropped:
        kept = unused(path.with_name(f"{path.stem}.before-resume.jsonl"))
        shutil.copyfile(path, kept)
        _say(f"the file as it was is kept as {project.shown(kept)}")
    return earlier


def _file_meant(
    named: str, info: RunInfo, project: Project, outputs: Sequence[str], default: Path | None
) -> Path | None:
    """The file that is named, the one that `-o` would write, or the newest unfinished one of the same inputs."""
    if named:
        if not Path(named).is_file():
            raise UsageError(f"no such result file: {named}", at="--resume")
        return Path(named).resolve()
    if journals := [Path(path) for path in outputs if format_of(path) == "jsonl"]:
        return journals[0].resolve() if journals[0].is_file() else None
    return find_unfinished(info, [*([default.parent] if default else []), project.state_dir])


def _say(text: str) -> None:
    print(f"viva: {text}", file=sys.stderr)
