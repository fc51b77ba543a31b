"""A conversation on the console: seed 004's tree of turns, checkpoints and final assertions."""

import re

from vivavoce.model.case import Case
from vivavoce.model.message import AgentReply
from vivavoce.model.result import Attempt, CaseResult, CheckpointOutcome, Status
from vivavoce.model.transcript import EndReason, Line, Turn
from vivavoce.model.verdict import Verdict
from vivavoce.model.written_checks import written_checks
from vivavoce.notation.durations import format_ms
from vivavoce.reporters.attached_parts import attached_parts
from vivavoce.reporters.terminal.failure import judge_lines, verdict_lines
from vivavoce.reporters.terminal.style import Look, hanging
from vivavoce.reporters.terminal.transcript import call_lines, interrupt_lines, log_lines
from vivavoce.wording.plurals import counted
from vivavoce.wording.results import (
    NOT_TAKEN,
    assertion_counts,
    call_text,
    checkpoint_title,
    clipped_label,
    failed_at,
    failures_of,
    missed_score,
    place_of,
    replayed_mark,
    said_text,
    turn_status,
    unsaid_turns,
    why_not,
)
from vivavoce.wording.terminal_text import clip, columns, neutral, one_line, quoted

_TRUNK, _FORK, _END = "  │", "  ├─ ", "  └─ "
_MARGIN = 10
"""Columns between the trunk and what belongs to a turn, as the seed draws it."""
_HINT = "Add more turns, use --interactive, or configure simulator"
_HINT_IN_A_PIPE = "Add more turns, run it in a terminal, or configure simulator"
_SENTENCE_END = re.compile(r"(?<=[.!?。！？])\s+")


def tree_title(result: CaseResult, look: Look) -> str:
    case = result.case
    turns = len(result.decisive.transcript.turns)
    if case.simulator is not None:
        more = f" (simulator: {one_line(case.simulator.use.removeprefix('agents:'))})"
    else:
        more = f" ({turns} turns)" if turns > 1 else ""
    label = clipped_label(case, look.width - 2)
    if columns(label + more) + 2 > look.width:
        more = ""
    return f"{look.by_status('►', result.status)} {look.bold(label)}{look.dim(more)}"


def tree_lines(case: Case, attempt: Attempt, look: Look) -> list[str]:
    blocks = [_turn_block(case, attempt, turn, look) for turn in attempt.transcript.turns]
    blocks += _not_taken(attempt, look)
    if attempt.checkpoints:
        blocks.append(_checkpoint_block(attempt.checkpoints, look))
    if attempt.verdicts:
        blocks.append(_verdict_block("Assertions", attempt.verdicts, look, _MARGIN))
    lines: list[str] = []
    for title, below in blocks:
        lines.append(look.dim(_FORK) + title)
        lines += [f"{look.dim(_TRUNK)}{' ' * _MARGIN}{line}".rstrip() for line in below]
        if below:
            lines.append(look.dim(_TRUNK))
    title, below = _ending(case, attempt, look)
    return [*lines, look.dim(_END) + title, *(f"     {line}" for line in below)]


def _turn_block(case: Case, attempt: Attempt, turn: Turn, look: Look) -> tuple[str, list[str]]:
    below = _said_by_agent(turn.reply, look, in_full=turn.failed)
    if turn.error:
        below += [look.bad(line) for line in look.wrapped(neutral(turn.error), _MARGIN + 3)]
    for verdict in turn.verdicts:
        below += verdict_lines(verdict, look, _MARGIN + 3)
    below += [f"{look.good('✓')} checkpoint {one_line(name)}" for name in turn.reached]
    if (reason := _goal_achieved(attempt, turn)) is not None:
        below += look.wrapped(f"Goal achieved: {neutral(reason or 'the simulator is content')}", _MARGIN + 3)
    return _turn_title(case, turn, look), below


def _goal_achieved(attempt: Attempt, turn: Turn) -> str | None:
    """The simulator's reason for reaching its goal: with its last line, or after the last reply."""
    if turn.line.goal_achieved:
        return turn.line.note or ""
    ending = attempt.transcript.ending
    is_over = turn is attempt.transcript.last and ending is not None and ending.reason is EndReason.GOAL_ACHIEVED
    return ending.detail if is_over and ending is not None else None


def _turn_title(case: Case, turn: Turn, look: Look) -> str:
    head = f"Turn {turn.number}: {_speaker(case, turn)}"
    status = turn_status(turn)
    tail = f" ({format_ms(turn.duration_ms)})"
    room = look.width - columns(f"{_FORK}{head} → {status.upper()}{tail}")
    said = clip(_said_by_user(turn.line), max(room, 12))
    return f"{head}{said} → {look.by_status(status.upper(), status)}{look.dim(tail)}"


def _speaker(case: Case, turn: Turn) -> str:
    if turn.line.source == "simulator":
        return "[Simulated] "
    if turn.line.source == "interactive":
        return "[Human] "
    return "[Initial] " if turn.number == 1 and case.simulator is not None else ""


def _said_by_user(line: Line) -> str:
    """The words; a line that only answers an interrupt says which."""
    if line.text or not line.resume:
        attached = attached_parts(line.content)
        return f"{quoted(line.text)} {attached}".rstrip() if line.text else attached or quoted("")
    answered = ", ".join(answer.reason or answer.tool or answer.id or "interrupt" for answer in line.resume)
    return f"[resume: {neutral(answered)}]"


def _said_by_agent(reply: AgentReply, look: Look, *, in_full: bool) -> list[str]:
    if look.verbose:
        lines = [line for call in reply.calls for line in call_lines(call, look, _MARGIN + 3)]
        lines += hanging("Agent: ", look.wrapped(neutral(said_text(reply)), _MARGIN + 10) if reply.text else [])
        return lines + interrupt_lines(reply, look, _MARGIN + 3) + log_lines(reply.logs, look, _MARGIN + 3)
    most = 4 if in_full else 1
    said = [line for call in reply.calls for line in look.shortened(f"[tool: {call_text(call)}]", _MARGIN + 10, most)]
    said += [f"[interrupt: {neutral(stop.reason or stop.tool_name or stop.id)}]" for stop in reply.interrupts]
    if reply.text:
        said += look.shortened(quoted(said_text(reply)), _MARGIN + 10, most)
    return hanging("Agent: ", said)


def _not_taken(attempt: Attempt, look: Look) -> list[tuple[str, list[str]]]:
    """The turn that was missing: why, what the agent had asked, and what would help."""
    ending, last = attempt.transcript.ending, attempt.transcript.last
    if attempt.status is not Status.SKIPPED or ending is None or ending.reason not in NOT_TAKEN:
        return []
    below = look.wrapped(f"Reason: {neutral(attempt.error or ending.reason.value)}", _MARGIN + 3)
    room = look.width - _MARGIN - 3
    if last is not None and (question := _question(last.reply.text) or last.reply.input_hint):
        below.append(clip(f"Agent asked: {quoted(question)}", room))
        if (wanted := last.reply.input_hint) and wanted != question:
            below.append(clip(f"It wants: {quoted(wanted)}", room))
    if ending.reason is EndReason.MISSING_INPUT_SKIP:
        below += look.wrapped(f"Hint: {_HINT_IN_A_PIPE if 'no terminal' in ending.detail else _HINT}", _MARGIN + 3)
    return [(f"Turn {len(attempt.transcript.turns) + 1}: {look.careful('SKIPPED')}", below)]


def _question(text: str) -> str:
    """The last sentence that asks; where none does, the last one."""
    sentences = _SENTENCE_END.split(text[-2_000:].strip())
    asking = [sentence for sentence in sentences if sentence.endswith(("?", "？"))]
    return (asking or sentences)[-1].rstrip(".")


def _checkpoint_block(checkpoints: tuple[CheckpointOutcome, ...], look: Look) -> tuple[str, list[str]]:
    reached = sum(c.reached_at_turn is not None for c in checkpoints)
    below: list[str] = []
    for checkpoint in checkpoints:
        name = checkpoint_title(checkpoint)
        if checkpoint.reached_at_turn is not None:
            reached_at = f" (turn {checkpoint.reached_at_turn})"
            below.append(f"{look.good('✓')} {clip(name, look.width - _MARGIN - 5 - len(reached_at))}{reached_at}")
            below += [f"  {line}" for line in judge_lines(checkpoint.verdicts, look, _MARGIN + 5)]
            continue
        sign, kind = (look.bad("✗"), "") if checkpoint.required else (look.careful("○"), " (optional)")
        missed = f"{kind}: not reached"
        below.append(f"{sign} {clip(name, look.width - _MARGIN - 5 - len(missed))}{missed}")
        below += [f"  {line}" for line in _missed_by(checkpoint, look)]
    return f"Checkpoints: {reached}/{len(checkpoints)} reached", below


def _missed_by(checkpoint: CheckpointOutcome, look: Look) -> list[str]:
    """The try that came nearest; a judge with its criteria and score."""
    judges = [one for one in checkpoint.verdicts if not one.passed and one.spec and one.spec.type == "agent"]
    lines = [line for one in judges for line in verdict_lines(one, look, _MARGIN + 5)]
    if checkpoint.nearest_miss and not any(one.reason == checkpoint.nearest_miss for one in judges):
        lines += look.wrapped(f"nearest: {neutral(checkpoint.nearest_miss)}", _MARGIN + 5)
    return lines


def _verdict_block(title: str, verdicts: tuple[Verdict, ...], look: Look, indent: int) -> tuple[str, list[str]]:
    good = all(v.passed for v in verdicts)
    word = look.good("PASSED") if good else look.bad("FAILED")
    return f"{title}: {word}", [line for v in verdicts for line in verdict_lines(v, look, indent)]


def _ending(case: Case, attempt: Attempt, look: Look) -> tuple[str, list[str]]:
    final: list[str] = []
    if attempt.final_verdicts:
        title, final = _verdict_block("Final Assertions", attempt.final_verdicts, look, 5)
        if attempt.status is Status.PASSED:
            return title, final
    result = f"Result: {look.by_status(attempt.status.upper(), attempt.status)}"
    if attempt.status is Status.SKIPPED:
        return result, final
    below = [*final]
    if attempt.status is not Status.PASSED:
        below.append(look.dim(place_of(failed_at(case, attempt))))
        if next(failures_of(attempt), None) is None:
            below += look.wrapped(why_not(attempt), 5)
        if unsaid := unsaid_turns(case, attempt):
            below.append(look.dim(unsaid))
        if score := missed_score(attempt):
            below.append(score)
        judged = assertion_counts(attempt)[1]
        if (left := written_checks(case) - judged) > 0:
            below.append(look.dim(f"{counted(left, 'check')} not judged"))
        if attempt.fault not in (None, "agent"):
            below.append(f"fault: {attempt.fault}")
    return f"{result}{look.dim(f' ({format_ms(attempt.duration_ms)}{replayed_mark(attempt)})')}", below
