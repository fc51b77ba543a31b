"""How many checks a case has, and whether a result was checked at all."""

from msgspec import UNSET

from vivavoce.model.case import Case
from vivavoce.model.json_value import is_object
from vivavoce.model.result import Attempt, CaseResult, Status

_DIRECT_MESSAGE = "<message"
_SCRIPT_TEST = "script_test"
"""The one check of a function of a script test, which makes checks of its own."""
_PASSED = Status.PASSED


def written_checks(case: Case) -> int:
    """Returns how many checks a case has, judged or not. `expected` is one when there are no others."""
    own = len(case.assertions) or int(case.expected is not UNSET)
    of_turns = sum([len(turn.assertions) for turn in case.turns])
    elsewhere = 0 if case.not_reached is None else case.not_reached.checks
    return own + of_turns + len(case.final_assertions) + elsewhere


def checks_nothing(result: CaseResult) -> bool:
    """Whether a case passed without any check of the agent's reply. False for direct messages, which have no checks."""
    case = result.case
    checks = case.assertions
    if result.status is not _PASSED or case.checkpoints or (checks and checks[0].type != _SCRIPT_TEST):
        return False
    if written_checks(case) > len(checks) or case.origin.path.startswith(_DIRECT_MESSAGE):
        return False
    return not any(map(_is_checked, result.attempts))


def _is_checked(attempt: Attempt) -> bool:
    """Whether anything was judged. A script test must have made at least one check itself."""
    for verdict in attempt.all_verdicts():
        record = attempt.output
        if verdict.spec is None or verdict.spec.type != _SCRIPT_TEST or not is_object(record) or record.get("checks"):
            return True
    return False
