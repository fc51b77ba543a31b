"""Which mutants of a recorded attempt the checks of its case notice: the mutation score."""

from collections.abc import Callable, Iterator

from msgspec import Struct, structs

from vivavoce.engine.attempt.closing import Closing
from vivavoce.engine.recorded_verdicts import Recorded
from vivavoce.engine.rejudge import judged_again
from vivavoce.insight.mutants.arguments import argument_mutants, result_mutants
from vivavoce.insight.mutants.calls import call_mutants
from vivavoce.insight.mutants.mutant import Mutant
from vivavoce.insight.mutants.replies import reply_mutants
from vivavoce.model.case import AssertionSpec, Case
from vivavoce.model.result import Attempt, Status
from vivavoce.model.transcript import Transcript
from vivavoce.plugins.catalog import ASSERTIONS
from vivavoce.protocols import Helpers

FAMILIES: tuple[Callable[[Transcript], Iterator[Mutant]], ...] = (
    call_mutants,
    argument_mutants,
    result_mutants,
    reply_mutants,
)


class Fate(Struct, frozen=True):
    """What became of a mutant."""

    mutant: Mutant
    noticed: bool


def mutants_of(transcript: Transcript) -> Iterator[Mutant]:
    """Every mutant of a conversation, in the same order each time."""
    for family in FAMILIES:
        yield from family(transcript)


async def fates(case: Case, recorded: Attempt, helpers: Helpers, *, judges: bool = False) -> list[Fate]:
    """Judges every mutant of an attempt that passes. `case` has its variables filled in.

    Without `judges` the checks that would ask a model are left out: nobody is asked.
    """
    case = case if judges else _without_judges(case)
    return [
        Fate(mutant, await is_noticed(case, recorded, mutant, helpers)) for mutant in mutants_of(recorded.transcript)
    ]


async def is_noticed(case: Case, recorded: Attempt, mutant: Mutant, helpers: Helpers) -> bool:
    """Whether the case does not pass when this mutant is what the agent did."""
    closing = Closing(helpers=structs.replace(helpers, recorded=Recorded(recorded)), timeout_s=300.0)
    return (await judged_again(case, mutant.transcript, closing)).status is not Status.PASSED


def _without_judges(case: Case) -> Case:
    return structs.replace(
        case,
        assertions=_own(case.assertions),
        final_assertions=_own(case.final_assertions),
        turns=tuple(structs.replace(turn, assertions=_own(turn.assertions)) for turn in case.turns),
        checkpoints=tuple(structs.replace(one, assertions=_own(one.assertions)) for one in case.checkpoints),
    )


def _own(specs: tuple[AssertionSpec, ...]) -> tuple[AssertionSpec, ...]:
    return tuple(spec for spec in specs if not _asks_a_model(spec))


def _asks_a_model(spec: AssertionSpec) -> bool:
    asks = hasattr(ASSERTIONS.load(spec.type), "request_digest")
    return asks and (spec.type != "similar" or spec.fields.get("connector") is not None)
