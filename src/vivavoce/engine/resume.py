"""`--resume`: what an unfinished run left behind, and which of its results still hold."""

import hashlib
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec
from msgspec import Struct, structs

from vivavoce.engine.plan.plan import Plan, runs_of
from vivavoce.engine.repeats import is_decided
from vivavoce.errors import UsageError
from vivavoce.model.case import Case, Identity, Origin
from vivavoce.model.result import CaseResult, RunInfo
from vivavoce.protocols import Job
from vivavoce.results.both_ends import info_at_start, summary_at_end
from vivavoce.results.encoding import encoded
from vivavoce.results.journal_file import is_being_written
from vivavoce.results.result_file import results_in
from vivavoce.wording.plurals import counted

_decoder = msgspec.json.Decoder(Case)
_BEGINNING = b'{"type":"start",'


class Earlier:
    """Results that need not be had again: run.EarlierResults. They are read from their file, one by one."""

    def __init__(self, path: Path, places: dict[str, tuple[int, int]], stale: int, dropped: int) -> None:
        self.path = path
        self.stale = stale
        """Results of cases that read differently now."""
        self.dropped = dropped
        """Results of cases that are not (any more) selected."""
        self._places = places
        """Key → which result of the file it is, and which case of the run it belongs to."""

    @property
    def started_at(self) -> str:
        info = info_at_start(self.path)
        assert info is not None
        return info.started_at

    def __contains__(self, key: str) -> bool:
        return key in self._places

    def __len__(self) -> int:
        return len(self._places)

    def results(self) -> Iterator[CaseResult]:
        for number, result in enumerate(results_in(self.path)):
            place = self._places.get(result.case.key)
            if place is not None and place[0] == number:
                yield structs.replace(result, index=place[1])


def read_earlier(path: Path, plan: Plan, *, early_stop: bool = False) -> Earlier:
    """Which results of the file are final for the cases as they are now. A file of other cases is a usage error."""
    selected = {case.key: _Selected.of(case, index, plan.runs) for index, case in enumerate(plan.cases(), 1)}
    places: dict[str, tuple[int, int]] = {}
    strangers: set[str] = set()
    stale: set[str] = set()
    for number, result in enumerate(results_in(path)):
        key = result.case.key
        wanted = selected.get(key)
        if wanted is None:
            strangers.add(key)
        elif fingerprint(result.case) != wanted.fingerprint:
            stale.add(key)
        elif is_final(result, wanted.runs, early_stop=early_stop):
            stale.discard(key)
            places[key] = (number, wanted.index)
    if strangers and not places and not stale:
        raise UsageError(
            f"none of its {counted(len(strangers), 'result')} belongs to a case that is selected now",
            at=str(path),
            hint=f"it was made with: {_command_of(path)}",
        )
    return Earlier(path, places, len(stale), len(strangers))


def is_final(result: CaseResult, runs: int, *, early_stop: bool) -> bool:
    """Whether all runs of the case are there, or no more are needed."""
    if len(result.attempts) == runs:
        return True
    job = Job(case=result.case, index=0, runs=runs)
    return early_stop and len(result.attempts) < runs and is_decided(job, result.attempts)


def fingerprint(case: Case) -> bytes:
    """The same for cases that say the same, wherever in their file they stand."""
    turns = tuple(structs.replace(turn, line=0) if turn.line else turn for turn in case.turns)
    # Once through JSON, as the case of a result was; and then in full, as defaults may be left out or not.
    plain = _decoder.decode(encoded(structs.replace(case, origin=Origin(), turns=turns)))
    return hashlib.blake2b(repr(plain).encode(errors="backslashreplace"), digest_size=16).digest()


def refuse_another(path: Path, wanted: RunInfo) -> None:
    """What one agent achieved is nothing to another's credit."""
    was = info_at_start(path)
    assert was is not None
    for what, then, now in (
        ("agent", was.agent_id, wanted.agent_id),
        ("connector", was.connector, wanted.connector),
        ("user, team or locale", _told(was.identity), _told(wanted.identity)),
    ):
        if then != now:
            raise UsageError(
                f"its results are of another {what}: {then or 'none'}, not {now or 'none'}",
                at=str(path),
                hint=f"it was made with: {_command_of(path)}",
            )


def _told(identity: Identity) -> str:
    return f"{identity.user_id}, {identity.team_id}, {identity.locale}"


def find_unfinished(wanted: RunInfo, folders: Sequence[Path]) -> Path:
    """The newest result file of the same inputs and agent that did not come to its end, and that nobody writes."""
    for path in sorted(_result_files(folders), key=lambda path: path.stat().st_mtime_ns, reverse=True):
        info = info_at_start(path)
        same = info is not None and (info.inputs, info.agent_id) == (wanted.inputs, wanted.agent_id)
        if same and not is_finished(path) and not is_being_written(path):
            return path
    raise UsageError(
        "there is no unfinished run of these inputs to go on with",
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
    with path.open("rb") as file:
        head = file.readline(1 << 16)
    if head.endswith(b"\n") or head[: len(_BEGINNING)] != _BEGINNING[: len(head)]:
        raise UsageError("this is no result file: it is not touched", at=str(path))
    return False


class _Selected(Struct, frozen=True):
    index: int
    runs: int
    fingerprint: bytes

    @classmethod
    def of(cls, case: Case, index: int, default_runs: int) -> "_Selected":
        return cls(index, runs_of(case, default_runs), fingerprint(case))


def _command_of(path: Path) -> str:
    info = info_at_start(path)
    return info.command if info is not None and info.command else "another command"
