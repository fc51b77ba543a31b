"""A conversation as plain text, for reports that have only one place to put it."""

from collections.abc import Iterator

from vivavoce.model.json_value import text_of
from vivavoce.model.result import Attempt
from vivavoce.wording.quoting import shorten
from vivavoce.wording.results import call_text, check_title, outcome_text
from vivavoce.wording.terminal_text import neutral

LONGEST_TEXT = 50_000


def transcript_text(attempt: Attempt) -> str:
    """Who said what, which tools ran, what each check found; cut when it is endless."""
    return shorten("\n".join(_lines(attempt)), LONGEST_TEXT)


def _lines(attempt: Attempt) -> Iterator[str]:
    for message in attempt.transcript.history:
        yield f"{message.role}: {_said(message.text)}"
    for turn in attempt.transcript.turns:
        yield f"user: {_said(turn.line.text)}"
        yield from (f"tool: {call_text(call)} → {_said(outcome_text(call))}" for call in turn.reply.calls)
        yield f"agent: {_said(text_of(turn.reply.output))}"
        if turn.error:
            yield f"error: {_said(turn.error)}"
    for verdict in attempt.all_verdicts():
        yield f"{verdict.outcome.value}: {check_title(verdict.spec)}"
    for checkpoint in attempt.checkpoints:
        reached = f"reached at turn {checkpoint.reached_at_turn}" if checkpoint.reached_at_turn else "not reached"
        yield f"checkpoint {checkpoint.id}: {reached}"


def _said(text: str) -> str:
    return neutral(text[:LONGEST_TEXT])
