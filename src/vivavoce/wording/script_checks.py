"""A script test as a list of checks: it has no conversation to show."""

from collections.abc import Iterator

from msgspec import structs

from vivavoce.model.case import AssertionSpec
from vivavoce.model.json_value import JsonObject, is_array, is_object
from vivavoce.model.result import Attempt
from vivavoce.model.verdict import Outcome, Verdict

_THE_TEST = AssertionSpec(type="test")
"""What the verdict on the whole is called."""
_OUTCOMES = {outcome.value: outcome for outcome in Outcome}


def ran_as_script(attempt: Attempt) -> bool:
    """Whether the attempt is one of a script test: its one verdict says so."""
    return any(verdict.spec is not None and verdict.spec.type == "script_test" for verdict in attempt.verdicts)


def shown_verdicts(attempt: Attempt) -> tuple[Verdict, ...]:
    """The case's own verdicts; the one of a script test is replaced by the checks that the test made."""
    if not ran_as_script(attempt):
        return attempt.verdicts
    checks = tuple(_checks(attempt))
    if any(check.unsuccessful for check in checks):
        return checks
    # A test that raised or was skipped has the verdict on the whole; one that passed without a check has none to show.
    whole = (verdict for verdict in attempt.verdicts if not verdict.passed)
    return (*checks, *(structs.replace(verdict, spec=_THE_TEST) for verdict in whole))


def script_logs(attempt: Attempt) -> list[str]:
    """What the test logged with `t.log`."""
    logs = _record(attempt).get("logs")
    return [str(line) for line in logs] if is_array(logs) else []


def _checks(attempt: Attempt) -> Iterator[Verdict]:
    made = _record(attempt).get("checks")
    for check in filter(is_object, made if is_array(made) else []):
        outcome = _OUTCOMES.get(str(check.get("outcome")))
        if outcome is None:
            continue
        place = f" (line {line})" if (line := check.get("line")) else ""
        reason = str(check.get("reason", ""))
        # Of a check that held, the reason is what the test calls it.
        name = f": {reason}" if reason and outcome is Outcome.PASSED else ""
        spec = AssertionSpec(type=f"{check.get('check', 'check')}{name}{place}")
        yield Verdict(outcome=outcome, reason="" if name else reason, spec=spec)


def _record(attempt: Attempt) -> JsonObject:
    output = attempt.output
    return output if is_object(output) else {}
