"""`--resume`: what an unfinished run left behind, and which of its results are still valid."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

from msgspec import Struct, structs

from vivavoce.errors import UsageError
from vivavoce.model.case import Case, Identity
from vivavoce.model.events import CaseKept
from vivavoce.model.result import RunInfo, Status
from vivavoce.results.fingerprint import fingerprint
from vivavoce.results.journal_file import is_being_written
from vivavoce.results.line_index import with_index
from vivavoce.results.restore import attempts_in, case_of, restored
from vivavoce.results.result_file import info_at_start, is_cut_at_start, result_lines, summary_at_end
from vivavoce.wording.plurals import counted

CasePlace = tuple[str, str | None]
"""The key of a result in a file: the key of the case and, in a comparison, the agent."""


class Earlier:
    """Results that need not be made again. They are read from their file, one by one."""

    def __init__(
        self,
        path: Path,
        places: dict[CasePlace, tuple[int, int]],
        stale: int,
        dropped: int,
        outdated: int = 0,
        *,
        contest: bool = False,
    ) -> None:
        self.path = path
        self.stale = stale
        """Results of cases that read differently now."""
        self.dropped = dropped
        """Results of cases that are not selected now."""
        self.outdated = outdated
        """Results of another exam: other agent configuration, variables, options."""
        self._contest = contest
        self._places = places
        """Case → which result of the file it is, and the index of its case in this run."""

    @property
    def started_at(self) -> str:
        info = info_at_start(self.path)
        assert info is not None
        return info.started_at

    def __contains__(self, case: Case) -> bool:
        return _place(case, contest=self._contest) in self._places

    def __len__(self) -> int:
        return len(self._places)

    def results(self) -> Iterator[CaseKept]:
        """Each with its line, in which only the index may differ from the file's."""
        for number, (line, row) in enumerate(result_lines(self.path)):
            found, index = self._places.get((row.key, case_of(row).agent if self._contest else None), (-1, 0))
            if found == number:
                result = structs.replace(restored(row), index=index)
                yield CaseKept(result, line if row.index == index else with_index(line, index))


IsFinal = Callable[[Case, int, Sequence[Status]], bool]
"""Whether a case that is to run so many times needs no further attempt after these."""


def read_earlier(
    path: Path,
    cases: Iterable[tuple[Case, int]],
    *,
    is_final: IsFinal,
    counts: Callable[[Case], bool] = lambda _case: True,
    contest: bool = False,
) -> Earlier:
    """Which results of the file are valid for the cases as they are now, each given with its number of attempts.

    `counts` says whether results of a case are of the same exam. In a `contest` each case has a result for each of
    the agents compared.

    Raises UsageError for a file that has results of other cases only.
    """
    selected = {
        _place(case, contest=contest): _Selected(n, runs, fingerprint(case)) for n, (case, runs) in enumerate(cases, 1)
    }
    places: dict[CasePlace, tuple[int, int]] = {}
    strangers: set[CasePlace] = set()
    stale: set[CasePlace] = set()
    outdated: set[CasePlace] = set()
    for number, (_, row) in enumerate(result_lines(path)):
        case = case_of(row)
        key = _place(case, contest=contest)
        wanted = selected.get(key)
        if wanted is None:
            strangers.add(key)
        elif fingerprint(case) != wanted.fingerprint:
            stale.add(key)
        elif not counts(case):
            outdated.add(key)
        elif is_final(case, wanted.runs, [attempt.status for attempt in attempts_in(row)]):
            stale.discard(key)
            places[key] = (number, wanted.index)
    if strangers and not places and not stale and not outdated:
        raise UsageError(
            f"none of its {counted(len(strangers), 'result')} belongs to a case that is selected now",
            at=str(path),
            hint=f"it was made with: {_command_of(path)}",
        )
    return Earlier(path, places, len(stale), len(strangers), len(outdated), contest=contest)


def _place(case: Case, *, contest: bool) -> CasePlace:
    return case.key, case.agent if contest else None


def refuse_another(path: Path, wanted: RunInfo) -> RunInfo:
    """What the file says about its run. Raises UsageError when it is of another agent, connector or user."""
    was = info_at_start(path)
    assert was is not None
    for what, then, now in (
        ("agent", was.agent_id, wanted.agent_id),
        ("connector", was.connector, wanted.connector),
        ("user, team or locale", _named(was.identity), _named(wanted.identity)),
    ):
        if then != now:
            raise UsageError(
                f"its results are of another {what}: {then or 'none'}, not {now or 'none'}",
                at=str(path),
                hint=f"it was made with: {_command_of(path)}",
            )
    return was


def _named(identity: Identity) -> str:
    return f"{identity.user_id}, {identity.team_id}, {identity.locale}"


def find_unfinished(wanted: RunInfo, folders: Sequence[Path]) -> Path:
    """The newest result file of the same inputs and agent that did not come to its end, and that nobody writes."""
    for path in sorted(_result_files(folders), key=lambda path: path.stat().st_mtime_ns, reverse=True):
        info = info_at_start(path)
        same = info is not None and (info.inputs, info.agent_id) == (wanted.inputs, wanted.agent_id)
        if same and not is_finished(path) and not is_being_written(path):
            return path
    raise UsageError(
        "there is no unfinished run of these inputs to continue",
        at="--resume",
        hint="name its result file: --resume FILE.jsonl",
    )


def find_run(run_id: str, folders: Sequence[Path]) -> Path | None:
    """The result file of a run, by its id or the beginning of it. Two such files are a usage error."""
    infos = ((path, info_at_start(path)) for path in sorted(_result_files(folders)))
    found = [path for path, info in infos if info is not None and info.run_id.startswith(run_id)]
    if len(found) > 1:
        raise UsageError(
            f"several runs begin with {run_id!r}: {', '.join(map(str, found))}", at="--resume", hint="name the file"
        )
    return found[0] if found else None


def _result_files(folders: Sequence[Path]) -> set[Path]:
    """What may be one: nothing is read yet, and a pipe never."""
    return {
        path.resolve() for folder in folders if folder.is_dir() for path in folder.glob("*.jsonl") if path.is_file()
    }


def is_finished(path: Path) -> bool:
    summary = summary_at_end(path)
    return summary is not None and summary.not_run == 0 and summary.interrupted is None


def begins_a_run(path: Path) -> bool:
    """Whether there is a start line. False when its run was killed at once; what is no result file is refused."""
    if info_at_start(path) is not None:
        return True
    if not is_cut_at_start(path):
        raise UsageError("this is no result file: it is not touched", at=str(path))
    return False


class _Selected(Struct, frozen=True):
    index: int
    runs: int
    fingerprint: bytes


def _command_of(path: Path) -> str:
    info = info_at_start(path)
    return info.command if info is not None and info.command else "another command"
