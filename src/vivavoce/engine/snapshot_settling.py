"""Writes snapshots at the end of an attempt, in the process that reports: the attempt itself may run elsewhere."""

from collections.abc import Callable

from msgspec import Struct, structs

from vivavoce.assertions.snapshot import Snapshot
from vivavoce.containment.working_folder import path_from_here
from vivavoce.engine.attempt.outcome import rule
from vivavoce.errors import VivaError
from vivavoce.model.case import Case
from vivavoce.model.json_value import JsonValue
from vivavoce.model.result import Attempt, Status
from vivavoce.model.transcript import Transcript
from vivavoce.model.verdict import Outcome, Verdict, broken, passed
from vivavoce.plugins.assertion_building import build_check
from vivavoce.snapshots.book import SettledValue, SnapshotBook, SnapshotValue
from vivavoce.snapshots.places import TYPE, snap_path
from vivavoce.wording.plurals import counted

Change = Callable[[Verdict], Verdict]


class SnapshotSettling:
    """Called with the attempts that nothing but an unwritten snapshot keeps from passing; counts what it wrote."""

    def __init__(self, book: SnapshotBook) -> None:
        self._book = book
        self._written = 0
        self._updated = 0

    def __call__(self, case: Case, attempt: Attempt) -> Attempt:
        """Returns the attempt as it came, or with its snapshots written, or compared with what was written since."""
        if not any(map(_is_waiting, attempt.all_verdicts())):
            return attempt
        if _ruled(case, _changed(attempt, lambda _: passed())).status is not Status.PASSED:
            return attempt
        if any(not verdict.passed and not _is_waiting(verdict) for verdict in attempt.all_verdicts()):
            return attempt  # it passes by its `min_score` only
        settled = iter(self._settled(case, attempt))
        return _ruled(case, _changed(attempt, lambda _: next(settled)))

    def warnings(self) -> tuple[str, ...]:
        """What a person should do about the snapshots that this run wrote."""
        told: list[str] = []
        if self._written:
            them = "it" if self._written == 1 else "them"
            told.append(f"{counted(self._written, 'snapshot')} written, not checked: look at {them} and commit {them}")
        if self._updated:
            told.append(f"{counted(self._updated, 'snapshot')} updated: look at what changed before you commit it")
        return tuple(told)

    def _settled(self, case: Case, attempt: Attempt) -> list[Verdict]:
        """The verdicts of the waiting ones, in the order of `Attempt.all_verdicts`."""
        waiting = [_Waiting.of(verdict) for verdict in attempt.all_verdicts() if _is_waiting(verdict)]
        for turn in attempt.transcript.turns:
            for piece in (piece for piece in turn.reply.unread if not piece.is_name):
                why = f"is not written: part of the answer could not be read: {piece}"
                return [broken(f"{one.words} {why}", fault="agent", unread=str(piece)) for one in waiting]
        try:
            settled = self._book.settle(case, [SnapshotValue(one.name, one.value, one.same) for one in waiting])
        except VivaError as problem:
            return [broken(f"{one.words} cannot be written: {problem}") for one in waiting]
        except OSError as problem:
            why = f"cannot be written: {path_from_here(snap_path(case))}: {problem.strerror}"
            return [broken(f"{one.words} {why}") for one in waiting]
        return [self._verdict(one, became) for one, became in zip(waiting, settled, strict=True)]

    def _verdict(self, one: "_Waiting", became: SettledValue) -> Verdict:
        where = path_from_here(became.path)
        match became.decision:
            case "written":
                self._written += 1
                return passed(f"{one.plainly} written to {where}, not checked", snapshot="written", name=one.name)
            case "updated":
                self._updated += 1
                return passed(f"{one.plainly} updated in {where}", snapshot="updated", name=one.name)
            case _:
                return one.check.compared(became.approved, one.value, one.name)


class _Waiting(Struct, frozen=True):
    """A snapshot that is to be written."""

    check: Snapshot
    name: str
    value: JsonValue

    @classmethod
    def of(cls, verdict: Verdict) -> "_Waiting":
        assert verdict.spec is not None
        check = build_check(verdict.spec)
        assert isinstance(check, Snapshot)
        return cls(check, str(verdict.details["name"]), verdict.actual)

    @property
    def plainly(self) -> str:
        return f"snapshot of {self.name}"

    @property
    def words(self) -> str:
        return f"the {self.plainly}"

    def same(self, approved: JsonValue) -> bool:
        return self.check.same(approved, self.value)


def _is_waiting(verdict: Verdict) -> bool:
    """Whether it is a snapshot that is to be written once everything else has passed."""
    return verdict.outcome is Outcome.SKIPPED and verdict.spec is not None and verdict.spec.type == TYPE


def _changed(attempt: Attempt, change: Change) -> Attempt:
    """Returns the attempt with its waiting verdicts changed; each keeps its spec."""

    def each(verdicts: tuple[Verdict, ...]) -> tuple[Verdict, ...]:
        return tuple(structs.replace(change(one), spec=one.spec) if _is_waiting(one) else one for one in verdicts)

    turns = tuple(structs.replace(turn, verdicts=each(turn.verdicts)) for turn in attempt.transcript.turns)
    transcript: Transcript = structs.replace(attempt.transcript, turns=turns)
    verdicts, final = each(attempt.verdicts), each(attempt.final_verdicts)
    return structs.replace(attempt, transcript=transcript, verdicts=verdicts, final_verdicts=final)


def _ruled(case: Case, attempt: Attempt) -> Attempt:
    """Returns the attempt with the status that its verdicts give it, and what was written as warnings."""
    verdicts = list(attempt.all_verdicts())
    ruling = rule(case, attempt.transcript, verdicts, attempt.checkpoints, 0.0)
    told = [verdict.reason for verdict in verdicts if verdict.only_written]
    more = told if ruling.warning is None else [ruling.warning, *told]
    return structs.replace(
        attempt,
        status=ruling.status,
        fault=ruling.fault,
        error=ruling.error,
        warnings=(*attempt.warnings, *more),
    )
