"""Specs and evidence → verdicts. Every check runs, and a broken one is never a pass."""

from collections.abc import Sequence

from msgspec import UNSET, structs

from vivavoce.assertions.clear_json import UnclearJson
from vivavoce.assertions.doubt import certain
from vivavoce.containment.overlong_work import (
    LIMIT_S,
    HeldUpLoop,
    TookTooLong,
    finished_apart,
    interruptible,
    without_waiting,
)
from vivavoce.containment.user_errors import comes_from_outside, describe_exception
from vivavoce.errors import BrokenEnvironment, VivaError
from vivavoce.model.case import AssertionSpec, Case
from vivavoce.model.json_value import JsonValue
from vivavoce.model.verdict import Outcome, Verdict, broken, failed
from vivavoce.plugins.assertion_building import build_check, judges_output
from vivavoce.plugins.catalog import ASSERTIONS
from vivavoce.plugins.well_formed import well_formed_verdict
from vivavoce.protocols import Assertion, Evidence, Helpers
from vivavoce.sight.tapes.judging_role import judge_is_asking
from vivavoce.wording.quoting import kept


async def judge(specs: Sequence[AssertionSpec], evidence: Evidence, helpers: Helpers) -> tuple[Verdict, ...]:
    """Returns one verdict per spec, in order."""
    if not specs:
        return ()
    verdicts: list[Verdict] = []
    outside = judge_is_asking.set(True)
    try:
        for spec in specs:  # a comprehension would be one more coroutine for every case
            nth = 0 if helpers.recorded is None or not verdicts else specs[: len(verdicts)].count(spec)
            try:
                verdicts.append(await _judge_one(spec, evidence, helpers, nth))
            except HeldUpLoop:
                verdicts.append(await _judge_apart(spec, evidence, helpers, nth))
    finally:
        judge_is_asking.reset(outside)
    return tuple(verdicts)


def assertions_of(case: Case) -> tuple[AssertionSpec, ...]:
    """Returns the checks of a case's reply: its assertions, or else equality with its `expected`."""
    if case.assertions or case.expected is UNSET:
        return case.assertions
    equals = {"value": case.expected}
    return (AssertionSpec(type="equals", fields=equals, written={"type": "equals", **equals}),)


async def _judge_apart(spec: AssertionSpec, evidence: Evidence, helpers: Helpers, nth: int) -> Verdict:
    """The same check again, in a thread and with a limit."""
    try:
        return await finished_apart(
            lambda: without_waiting(_judge_one(spec, evidence, helpers, nth)),
            min(LIMIT_S, helpers.judge_timeout_s),
            "the check",
        )
    except TookTooLong as error:
        return structs.replace(broken(str(error)), spec=spec)


@interruptible
async def _judge_one(spec: AssertionSpec, evidence: Evidence, helpers: Helpers, nth: int) -> Verdict:
    """Judges by one check. `nth`: how many checks before it in the list read the same."""
    check: Assertion | None = None
    try:
        check = build_check(spec)
        if helpers.recorded is not None:
            earlier = await helpers.recorded.verdict_for(spec, check, evidence, helpers, nth)
            if earlier is not None:
                return structs.replace(earlier, spec=spec)
        if not evidence.turns:
            verdict = failed("there is no reply to judge", negatable=False)
        elif spec.path is None:
            verdict = await check.check(evidence, helpers)
        else:
            verdict = await _judge_part(check, spec.path, evidence, helpers)
    except BrokenEnvironment:
        raise
    except UnclearJson as unclear:
        verdict = failed(str(unclear), actual=kept(evidence.output), negatable=False)
    except HeldUpLoop:
        raise
    except BaseException as error:  # a check may break in any way; that is its verdict
        if comes_from_outside(error):
            raise
        verdict = broken(_words_of(error))
    if type(verdict) is not Verdict:
        # Only a plug-in's check may return anything.
        plugin = ASSERTIONS.plugin(spec.type)
        verdict = broken(f"{plugin} does not work: its check returned a {type(verdict).__name__} instead of a Verdict")
    elif check is not None and ASSERTIONS.plugin(spec.type) is not None:
        verdict = well_formed_verdict(verdict)
    if spec.negate and check is not None:
        verdict = _negated(verdict, evidence.output if judges_output(type(check)) else UNSET)
    if check is not None:
        verdict = certain(check, verdict, evidence, negated=spec.negate)
    if spec.message and verdict.outcome is Outcome.FAILED:
        return structs.replace(
            verdict, reason=spec.message, details={**verdict.details, "seen": verdict.reason}, spec=spec
        )
    return structs.replace(verdict, spec=spec)


async def _judge_part(check: Assertion, path: str, evidence: Evidence, helpers: Helpers) -> Verdict:
    from vivavoce.assertions.lookup import part_at

    part = await part_at(path, evidence)
    if part is None or not part.values:
        seen = "there is no JSON in the output" if part is None else "the path leads nowhere"
        return failed(f"nothing to judge at {path}: {seen}", negatable=False)
    return await check.check(structs.replace(evidence, output=part.value), helpers)


def _negated(verdict: Verdict, judged: JsonValue) -> Verdict:
    if verdict.outcome is Outcome.PASSED:
        reason = f"{verdict.reason} (negated: it must not)"
        return structs.replace(verdict, outcome=Outcome.FAILED, reason=reason, actual=kept(judged))
    if verdict.outcome is Outcome.FAILED and verdict.negatable:
        return structs.replace(verdict, outcome=Outcome.PASSED, expected=UNSET, actual=UNSET)
    return verdict


def _words_of(error: BaseException) -> str:
    # An error of one of several tasks comes in a group: report the first cause.
    cause: BaseException = getattr(error, "exceptions", (error,))[0]
    return str(cause) if isinstance(cause, VivaError) else describe_exception(cause)
