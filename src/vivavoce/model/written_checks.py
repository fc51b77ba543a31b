"""How many checks a case has, and whether a result was checked at all."""

from msgspec import UNSET

from vivavoce.model.case import Case
from vivavoce.model.result import CaseResult, Status

_DIRECT_MESSAGE = "<message"
_PASSED = Status.PASSED


def written_checks(case: Case) -> int:
    """Returns how many checks a case has, judged or not. `expected` is one when there are no others."""
    own = len(case.assertions) or int(case.expected is not UNSET)
    of_turns = sum([len(turn.assertions) for turn in case.turns])
    elsewhere = 0 if case.not_reached is None else case.not_reached.checks
    return own + of_turns + len(case.final_assertions) + elsewhere


def checks_nothing(result: CaseResult) -> bool:
    """Whether a case passed though nothing of the agent's answer was checked. A direct message is only looked at."""
    case = result.case
    if case.assertions or result.status is not _PASSED or case.checkpoints:
        return False
    if written_checks(case) or case.origin.path.startswith(_DIRECT_MESSAGE):
        return False
    return not any(True for attempt in result.attempts for _ in attempt.all_verdicts())
