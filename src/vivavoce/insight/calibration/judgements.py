"""The verdicts of judges in a recorded attempt, with their judge and criterion."""

from collections.abc import Iterator

from msgspec import Struct, structs

from vivavoce.assertions.agent import DEFAULT_JUDGE
from vivavoce.assertions.criteria import CRITERIA
from vivavoce.assertions.judge_votes import read_vote
from vivavoce.assertions.request_digest import REQUEST_DIGEST
from vivavoce.model.case import AssertionSpec
from vivavoce.model.json_value import JsonObject, JsonValue, is_array, is_number, is_object, text_of
from vivavoce.model.message import AgentReply
from vivavoce.model.result import Attempt
from vivavoce.model.verdict import Outcome, Verdict

TYPE = "agent"
"""The assertion that asks a judge."""
NO_CRITERION = "(its own criteria)"


class Vote(Struct, frozen=True):
    """One answer of a judge before any threshold."""

    passed: bool
    score: float | None = None


class Judgement(Struct, frozen=True):
    """A judge's verdict about one criterion."""

    judge: str
    criterion: str
    passed: bool | None
    """None: the judge gave no usable answer."""
    place: str
    """Which check of the case it is: two checks of one case may have the same criterion."""
    votes: tuple[Vote, ...] = ()
    threshold: float | None = None
    request: str | None = None
    """A hash of what was asked, the judge included; None: not known."""

    def passes_at(self, threshold: float) -> bool:
        """The verdict under this threshold; a tie of votes fails."""
        yes = sum(vote.passed and vote.score is not None and vote.score >= threshold for vote in self.votes)
        return 2 * yes > len(self.votes)


def judgements(attempt: Attempt) -> Iterator[Judgement]:
    """Every verdict of a judge in the attempt: at turns, at checkpoints, about the case, at its end.

    A checkpoint counts once: at the turn that reached it, or that came closest.
    """
    for turn in attempt.transcript.turns:
        yield from _in(turn.verdicts, f"turn {turn.number}")
    for checkpoint in attempt.checkpoints:
        for one in _in(checkpoint.verdicts, f"checkpoint {checkpoint.id}"):
            # With another answer of the judge the checkpoint may be reached at another turn, with another question.
            yield structs.replace(one, request=None)
    yield from _in(attempt.verdicts, "case")
    yield from _in(attempt.final_verdicts, "final")


def _in(verdicts: tuple[Verdict, ...], where: str) -> Iterator[Judgement]:
    for number, verdict in enumerate(verdicts):
        spec = verdict.spec
        if spec is None or spec.type != TYPE or verdict.outcome is Outcome.SKIPPED:
            continue
        digest = verdict.details.get(REQUEST_DIGEST)
        threshold = spec.fields.get("threshold")
        yield Judgement(
            judge=str(spec.fields.get("use", DEFAULT_JUDGE)).removeprefix("agents:"),
            criterion=criterion_of(spec),
            passed=None if verdict.outcome is Outcome.BROKEN else verdict.passed,
            place=f"{where} {number}",
            # The score of a negated check counts the other way round, so no best threshold is computed.
            votes=() if spec.negate else _votes(verdict),
            threshold=float(threshold) if is_number(threshold) else None,
            request=str(digest) if digest else None,
        )


def criterion_of(spec: AssertionSpec) -> str:
    """The criterion in one text: its name, the words of the check, or both; `not:` before a negated one."""
    fields = spec.fields
    said = _metadata(fields).get("criteria", fields.get("value"))
    named = fields.get("criteria")
    parts = [str(named)] if named in CRITERIA else []
    parts += [] if said is None else [text_of(said)]
    criterion = " and: ".join(" ".join(part.split()) for part in parts) or NO_CRITERION
    return f"not: {criterion}" if spec.negate else criterion


def _metadata(fields: JsonObject) -> JsonObject:
    options = fields.get("options")
    inner = options.get("metadata") if is_object(options) else None
    outer = fields.get("metadata")
    return {**(outer if is_object(outer) else {}), **(inner if is_object(inner) else {})}


def _votes(verdict: Verdict) -> tuple[Vote, ...]:
    """The answers of the judge before any threshold; empty when one of them has no score."""
    listed = verdict.details.get("votes")
    if is_array(listed):
        votes = [_vote(one.get("reply"), one.get("score"), one.get("passed")) for one in listed if is_object(one)]
    else:
        votes = [_vote(verdict.details.get("reply"), verdict.score, verdict.passed)]
    return tuple(votes) if votes and all(vote.score is not None for vote in votes) else ()


def _vote(reply: JsonValue, score: JsonValue, passed: JsonValue) -> Vote:
    said = read_vote(AgentReply(text=str(reply)), None) if reply else None
    before = passed is True if said is None or said.passed is None else said.passed
    return Vote(before, float(score) if is_number(score) else None)
