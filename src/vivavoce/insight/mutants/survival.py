"""Which mutants of a recorded attempt the checks of its case notice."""

from collections.abc import Iterator

from msgspec import Struct, structs

from vivavoce.engine.attempt.attempt import contained
from vivavoce.engine.attempt.closing import Closing
from vivavoce.engine.recorded_verdicts import Recorded
from vivavoce.engine.rejudge import judged_again
from vivavoce.insight.mutants.arguments import argument_mutants, result_mutants
from vivavoce.insight.mutants.calls import call_mutants
from vivavoce.insight.mutants.limits import limit_mutants, sets_a_limit
from vivavoce.insight.mutants.mutant import Mutant, RunPool
from vivavoce.insight.mutants.replies import reply_mutants
from vivavoce.insight.mutants.suggesting import with_check
from vivavoce.insight.mutants.unwelcome_words import unwelcome_words
from vivavoce.model.case import Case
from vivavoce.model.json_value import JsonObject
from vivavoce.model.mutant_kinds import LIMITED
from vivavoce.model.result import Attempt, Status
from vivavoce.model.transcript import Transcript
from vivavoce.protocols import Helpers

_TIMEOUT_S = 300.0
"""Used in messages only: nothing is waited for."""


class Fate(Struct, frozen=True):
    """What became of a mutant."""

    mutant: Mutant
    noticed: bool
    counts: bool = True
    """False for a kind that only a limit notices, where the case sets none."""
    suggestion: JsonObject | None = None


def mutants_of(case: Case, transcript: Transcript, pool: RunPool, seed: int) -> Iterator[Mutant]:
    """Every mutant of a conversation; the same ones in the same order for the same seed."""
    yield from call_mutants(transcript)
    yield from argument_mutants(transcript)
    yield from result_mutants(transcript)
    yield from reply_mutants(transcript, pool, case.key, seed)
    yield from limit_mutants(transcript, case, pool)
    yield from unwelcome_words(transcript, case)


class Trial(Struct, frozen=True):
    """A recorded attempt and a case that it passes, with its variables filled in."""

    case: Case
    recorded: Attempt
    helpers: Helpers

    async def passes(self, case: Case, transcript: Transcript) -> bool:
        """Whether the case passes with this conversation.

        A check that fails, breaks or is not reached makes it fail.
        """
        helpers = structs.replace(self.helpers, recorded=Recorded(self.recorded))
        closing = Closing(helpers=helpers, timeout_s=_TIMEOUT_S)
        return (await contained(judged_again(case, transcript, closing))).status is Status.PASSED

    async def fates(self, pool: RunPool, seed: int) -> list[Fate]:
        """Judges every mutant. A survivor gets the first suggestion that passes the recording and notices it."""
        accepted: list[tuple[int, JsonObject]] = []
        mutants = mutants_of(self.case, self.recorded.transcript, pool, seed)
        return [await self._fate(mutant, accepted) for mutant in mutants]

    async def _fate(self, mutant: Mutant, accepted: list[tuple[int, JsonObject]]) -> Fate:
        if not await self.passes(self.case, mutant.transcript):
            return Fate(mutant, noticed=True)
        counts = mutant.kind not in LIMITED or sets_a_limit(self.case, mutant)
        return Fate(mutant, noticed=False, counts=counts, suggestion=await self._suggested(mutant, accepted))

    async def _suggested(self, mutant: Mutant, accepted: list[tuple[int, JsonObject]]) -> JsonObject | None:
        """Prefers a check that was already suggested for the turn, so that few checks notice all."""
        for check in (known for turn, known in accepted if turn == mutant.turn):
            if not await self.passes(with_check(self.case, mutant.turn, check), mutant.transcript):
                return check
        for check in mutant.suggestions:
            case = with_check(self.case, mutant.turn, check)
            if await self.passes(case, self.recorded.transcript) and not await self.passes(case, mutant.transcript):
                accepted.append((mutant.turn, check))
                return check
        return None
