"""The events of a run. Producers do not know who reads them."""

from msgspec import Struct

from vivavoce.model.case import Case
from vivavoce.model.result import Attempt, CaseResult, RunInfo, Summary
from vivavoce.model.transcript import Turn


class RunStarted(Struct, frozen=True):
    info: RunInfo


class AttemptStarted(Struct, frozen=True):
    case: Case
    run: int


class TurnFinished(Struct, frozen=True):
    case: Case
    run: int
    turn: Turn


class AttemptFinished(Struct, frozen=True):
    case: Case
    attempt: Attempt


class CaseFinished(Struct, frozen=True, gc=False):
    result: CaseResult
    line: bytes = b""
    """The result as a line of the result file, if it exists already: the journal and the history then reuse it."""


class CaseKept(CaseFinished, frozen=True):
    """The result comes from an earlier, unfinished run that this one continues."""


class RunFinished(Struct, frozen=True):
    info: RunInfo
    summary: Summary


Event = RunStarted | AttemptStarted | TurnFinished | AttemptFinished | CaseFinished | RunFinished
