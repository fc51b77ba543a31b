"""Which verdicts of a recorded attempt still count when its conversation is judged again."""

from collections.abc import Iterator

from msgspec import Struct, structs

from vivavoce.assertions.doubt import could_fail_by
from vivavoce.assertions.request_digest import REQUEST_DIGEST
from vivavoce.model.case import AssertionSpec
from vivavoce.model.result import Attempt, CheckpointOutcome
from vivavoce.model.verdict import Outcome, Verdict, broken
from vivavoce.protocols import Assertion, Evidence, Helpers

NOT_JUDGED = "not_judged"
"""Set in the details of the verdict of a check that could not be judged again."""


class Recorded(Struct, frozen=True):
    """protocols.RecordedVerdicts for one recorded attempt.

    A judge's verdict counts when the judge would be asked the same again. A check on what the agent left behind counts
    when the check reads as it did. So does every check on answers in which secrets are masked. Others are run.
    """

    attempt: Attempt
    ask_judges: bool = True
    """False: judges are not asked; a check that needs one is broken."""
    reuse: bool = True
    """False: judges are asked again, even when the question is the same."""
    is_whole: bool = True
    """False: secrets are masked in the conversation. Then the recorded verdict of an unchanged check counts."""

    async def verdict_for(
        self, spec: AssertionSpec, check: Assertion, evidence: Evidence, helpers: Helpers, nth: int = 0
    ) -> Verdict | None:
        if getattr(check, "judges_world", False):
            found = self._earlier(spec, evidence, nth)
            return found or _not_judged(f"what the agent left behind is gone, and {self._why_unknown(spec)}")
        if not self.is_whole and (known := self._despite_masks(spec, check, evidence, nth)) is not None:
            return known
        if not self.reuse:
            return None
        ask = getattr(check, "request_digest", None)
        digest = None if ask is None else await ask(evidence, helpers)
        if digest is None:
            return None
        earlier = self._earlier(spec, evidence, nth)
        known = None if earlier is None else earlier.details.get(REQUEST_DIGEST)
        if earlier is not None and earlier.outcome is not Outcome.BROKEN and known == digest:
            return earlier
        if evidence.case.workspace is not None:
            return _not_judged("the judge would be asked something else, and the files of the workspace are gone")
        return None if self.ask_judges else _not_judged("the judge would be asked something else (--no-judges)")

    def _earlier(self, spec: AssertionSpec, evidence: Evidence, nth: int) -> Verdict | None:
        """The recorded verdict of the same check at the same place. Of several it is the nth, else the last."""
        found = [one for one in self._at(evidence) if one.spec == spec]
        return found[min(nth, len(found) - 1)] if found else None

    def _despite_masks(self, spec: AssertionSpec, check: Assertion, evidence: Evidence, nth: int) -> Verdict | None:
        """The recorded verdict, or a broken one for a new check that the masked text could decide."""
        asks_a_judge = getattr(check, "request_digest", None) is not None
        if asks_a_judge and not self.reuse:
            return None
        found = self._earlier(spec, evidence, nth)
        if found is None and could_fail_by("words", check, negated=spec.negate):
            return _not_judged("secrets are masked in the answers, and the check reads differently now")
        return found

    def _why_unknown(self, spec: AssertionSpec) -> str:
        tried = any(one.spec == spec for checkpoint in self.attempt.checkpoints for one in checkpoint.verdicts)
        return "what was found after this turn is not recorded" if tried else "the check reads differently now"

    def _at(self, evidence: Evidence) -> Iterator[Verdict]:
        """The recorded verdicts of the place that is judged: a turn, the case, its end, a checkpoint."""
        attempt = self.attempt
        if evidence.scope == "case":
            yield from attempt.verdicts
        elif evidence.scope == "final":
            yield from attempt.final_verdicts
        elif evidence.scope == "checkpoint":
            for checkpoint in attempt.checkpoints:
                if checkpoint.id == evidence.checkpoint:
                    yield from _tried(checkpoint, evidence.turns[-1].number)
        else:
            for turn in attempt.transcript.turns:
                if turn.number == evidence.turns[-1].number:
                    yield from turn.verdicts


def _tried(checkpoint: CheckpointOutcome, turn: int) -> Iterator[Verdict]:
    """What the checkpoint came to after this turn."""
    told_of = checkpoint.reached_at_turn or checkpoint.nearest_at_turn
    if told_of is None or told_of == turn:
        # Older files do not name the turn; none of these verdicts reached the checkpoint.
        yield from checkpoint.verdicts
    for one in checkpoint.tries:
        if one.turn == turn:
            for verdict, kept in zip(one.verdicts, checkpoint.verdicts, strict=False):
                yield structs.replace(verdict, spec=kept.spec)


def _not_judged(why: str) -> Verdict:
    return broken(f"not judged again: {why}", fault="test", **{NOT_JUDGED: True})
