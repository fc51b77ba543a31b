"""A conversation as plain text, for reports that have only one place to put it."""

from collections.abc import Iterator

from vivavoce.model.json_value import rounded, text_of
from vivavoce.model.result import Attempt
from vivavoce.model.verdict import Verdict
from vivavoce.reporters.attached_parts import attached_parts
from vivavoce.wording.quoting import shorten
from vivavoce.wording.results import all_shown, call_text, check_title, checkpoint_title, outcome_text, score_text
from vivavoce.wording.script_checks import ran_as_script, script_logs
from vivavoce.wording.terminal_text import neutral, one_line
from vivavoce.workspaces.wording import plain_lines

LONGEST_TEXT = 50_000


def transcript_text(attempt: Attempt, longest: int = LONGEST_TEXT) -> str:
    """Who said what, which tools ran, what each check found, what was left in the workspace; cut when it is endless."""
    return shorten("\n".join(_lines(attempt)), longest)


def _lines(attempt: Attempt) -> Iterator[str]:
    for message in attempt.transcript.history:
        yield f"{message.role}: {_said(message.text)}"
    for turn in () if ran_as_script(attempt) else attempt.transcript.turns:
        yield f"user: {_said(turn.line.text)} {attached_parts(turn.line.content)}".rstrip()
        yield from (f"tool: {call_text(call)} → {_said(outcome_text(call))}" for call in turn.reply.calls)
        yield f"agent: {_said(text_of(rounded(turn.reply.output)))}"
        if turn.error:
            yield f"error: {_said(turn.error)}"
    yield from (f"log: {_said(line)}" for line in (script_logs(attempt) if ran_as_script(attempt) else ()))
    for verdict in all_shown(attempt):
        yield f"{verdict.outcome.value}: {check_title(verdict.spec)}{_found(verdict)}"
    for checkpoint in attempt.checkpoints:
        reached = f"reached at turn {checkpoint.reached_at_turn}" if checkpoint.reached_at_turn else "not reached"
        yield f"checkpoint {checkpoint_title(checkpoint)}: {reached}"
    if attempt.workspace is not None:
        yield from (neutral(line) for line in plain_lines(attempt.workspace))


def _found(verdict: Verdict) -> str:
    """The words of a judge or of a script test's check; empty for other passed checks."""
    judged = verdict.score is not None or (verdict.spec is not None and verdict.spec.type == "agent")
    reason = one_line(verdict.reason) if judged or not verdict.passed else ""
    said = f"{reason} ({score_text(verdict)})".strip() if verdict.score is not None else reason
    return f" — {said}" if said else ""


def _said(text: str) -> str:
    return neutral(text[:LONGEST_TEXT])
