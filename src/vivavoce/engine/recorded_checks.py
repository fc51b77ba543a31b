"""The checks of a case with the recorded variables: no hook runs for a recorded conversation."""

from msgspec import structs

from vivavoce.engine.attempt.prepare import filled_in
from vivavoce.engine.wiring import RunResources
from vivavoce.errors import UsageError
from vivavoce.model.case import AssertionSpec, Case
from vivavoce.model.result import Attempt
from vivavoce.model.verdict import Verdict


def filled_again(case: Case, then: Case, recorded: Attempt, resources: RunResources) -> Case:
    """Returns the case with its variables filled in.

    Values that only a hook can define are taken from the recording if the checks are unchanged. A changed check that
    needs such a value raises UsageError.
    """
    made_by_hooks = bool(case.hooks or case.before or case.workspace)
    if made_by_hooks and _same_checks(case, then):
        return _as_judged(case, recorded)
    try:
        return filled_in(case, resources.variables, resources)
    except UsageError as problem:
        if _same_checks(case, then):
            return _as_judged(case, recorded)
        hint = "hooks are not run for a recorded conversation; run the case with viva test"
        raise UsageError(problem.what, at=problem.at, hint=hint) from None


def _same_checks(case: Case, then: Case) -> bool:
    """Turns that were not reached were not judged, so the recording need not hold them."""
    known = case.script_length if then.not_reached is None else len(then.turns)
    return _checks(case, known) == _checks(then, known)


def _checks(case: Case, turns: int) -> tuple[object, ...]:
    of_turns = tuple(turn.assertions for turn in case.turns[:turns])
    return case.assertions, case.final_assertions, case.expected, case.checkpoints, of_turns


def _as_judged(case: Case, recorded: Attempt) -> Case:
    turns = recorded.transcript.turns
    said = tuple(
        structs.replace(turn, assertions=turns[at].line.assertions) if at < len(turns) else turn
        for at, turn in enumerate(case.turns)
    )
    by_id = {checkpoint.id: checkpoint.verdicts for checkpoint in recorded.checkpoints}
    checkpoints = tuple(
        structs.replace(one, assertions=_specs(by_id.get(one.id, ()), one.assertions)) for one in case.checkpoints
    )
    return structs.replace(
        case,
        turns=said,
        assertions=_specs(recorded.verdicts, case.assertions),
        final_assertions=_specs(recorded.final_verdicts, case.final_assertions),
        checkpoints=checkpoints,
    )


def _specs(verdicts: tuple[Verdict, ...], written: tuple[AssertionSpec, ...]) -> tuple[AssertionSpec, ...]:
    """The checks that these verdicts answer; as written where not all of them were judged."""
    judged = tuple(verdict.spec for verdict in verdicts if verdict.spec is not None)
    return judged if written and len(judged) == len(written) else written
