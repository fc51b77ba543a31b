"""One finished case on the console."""

from vivavoce.model.case import Case
from vivavoce.model.json_value import JsonValue
from vivavoce.model.message import ToolCall
from vivavoce.model.result import UNSUCCESSFUL, Attempt, CaseResult, Stability, Status
from vivavoce.model.verdict import Verdict
from vivavoce.model.written_checks import written_checks
from vivavoce.notation.durations import format_ms
from vivavoce.reporters.terminal.failure import judge_lines, shows_actual, verdict_lines
from vivavoce.reporters.terminal.style import SIGNS, Look, hanging
from vivavoce.wording.quoting import quote
from vivavoce.wording.results import (
    agreement_words,
    all_shown,
    assertion_counts,
    call_text,
    clipped_label,
    failed_at,
    failures_of,
    missed_score,
    outcome_text,
    place_of,
    quarantine_words,
    replayed_mark,
    said_text,
    stability_words,
    typical_duration_ms,
    why_not,
)
from vivavoce.wording.script_checks import script_logs
from vivavoce.wording.terminal_text import clip, clip_middle, one_line, quoted

_MOST_RUNS_DRAWN = 40
_MOST_CALLS_SHOWN = 10
# Looked up once: a member of an enum is no ordinary attribute, and every case comes through here.
_PASSED, _FAILED, _TIMEOUT, _SKIPPED = Status.PASSED, Status.FAILED, Status.TIMEOUT, Status.SKIPPED


def case_lines(result: CaseResult, look: Look, *, compact: bool) -> list[str]:
    """The case as the seeds print it; in a long suite (`compact`) one that passed is a single line."""
    attempt = result.decisive
    if compact and not look.verbose and result.status not in UNSUCCESSFUL:
        return [title_line(result, attempt, look)]
    if is_conversation(result.case, attempt):
        from vivavoce.reporters.terminal.turn_tree import tree_lines, tree_title

        runs = [f"  {line}" for line in _runs_lines(result, look)]
        asides = [f"     {line}" for line in _asides(attempt, look)]
        head = [tree_title(result, look), *_quarantine(result, look)]
        return [*head, *runs, *tree_lines(result.case, attempt, look), *asides]
    details = (f"  {line}" for line in _details(result, attempt, look))
    return [title_line(result, attempt, look), *_quarantine(result, look), *details]


def _quarantine(result: CaseResult, look: Look) -> list[str]:
    if result.quarantine is None:
        return []
    return [look.careful(f"  ! {line}") for line in look.wrapped(quarantine_words(result.quarantine), 4)]


def is_conversation(case: Case, attempt: Attempt) -> bool:
    """Whether there are turns to draw a tree of."""
    turns = len(attempt.transcript.turns)
    return turns > 1 or (turns == 1 and case.rules.multi_turn)


def title_line(result: CaseResult, attempt: Attempt, look: Look) -> str:
    """How it came out, what it is called, how long it took."""
    tail = _tail(result, attempt)
    room = look.width - len(tail) - 2
    label = clipped_label(result.case, room if room > 20 else 20)
    if look.color:
        return f"{look.sign(result.status)} {label}{look.dim(tail)}"
    return f"{SIGNS[result.status]} {label}{tail}"


def _tail(result: CaseResult, attempt: Attempt) -> str:
    """The text after the name: how long the case took, and how it ended unless it simply passed or failed."""
    turns = len(attempt.transcript.turns)
    if turns == 1 and result.status is _PASSED and result.stability is None:
        return f" ({format_ms(attempt.duration_ms)}{replayed_mark(attempt)})"
    if result.status is _SKIPPED:
        return " — skipped"
    duration = format_ms(typical_duration_ms(result))
    several = f"{turns} turns, " if turns > 1 else "avg " if result.stability else ""
    ended = "" if result.status is _PASSED or result.status is _FAILED else _broke_off(result.status, attempt)
    return f" ({several}{duration}{replayed_mark(attempt)}){ended}"


def _broke_off(status: Status, attempt: Attempt) -> str:
    if status is _TIMEOUT:
        return " — timeout"
    return f" — error ({attempt.fault})" if attempt.fault else " — error"


def _details(result: CaseResult, attempt: Attempt, look: Look) -> list[str]:
    if result.status is _SKIPPED:
        return look.wrapped(f"Reason: {why_not(attempt)}", 2)
    lines = [*_runs_lines(result, look), look.dim(_counts(result.case, attempt))]
    script = result.case.is_script_test
    if look.verbose and not script:
        from vivavoce.reporters.terminal.transcript import transcript_lines

        lines += transcript_lines(attempt, look, 2)
    if result.status is not _PASSED:
        lines += _failure(result, attempt, look)
    elif look.verbose:
        lines += [line for v in all_shown(attempt) for line in verdict_lines(v, look, 2)]
    else:
        lines += judge_lines(all_shown(attempt), look, 2)
    if script and (look.verbose or result.status is not _PASSED):
        lines += [look.dim(line) for text in script_logs(attempt) for line in hanging("Log: ", look.wrapped(text, 7))]
    return [*lines, *_asides(attempt, look)]


def _asides(attempt: Attempt, look: Look) -> list[str]:
    """What a reader should know besides: warnings, and every wait and new try."""
    left: list[str] = []
    if attempt.workspace is not None:
        from vivavoce.reporters.terminal.workspace import workspace_lines

        left = workspace_lines(attempt.workspace, attempt.status, look)
    warnings = [look.careful(f"warning: {clip(warning, look.width - 14)}") for warning in attempt.warnings]
    return [
        *left,
        *warnings,
        *(look.dim(f"tried again: {clip_middle(note, look.width - 18)}") for note in attempt.retries),
    ]


def _counts(case: Case, attempt: Attempt) -> str:
    passed, total = assertion_counts(attempt)
    if case.is_script_test:
        return f"Checks: {passed}/{total} passed" if total else "Checks: none"
    counted = [f"Messages: {len(case.history) + 1}"]
    if calls := sum(len(turn.reply.calls) for turn in attempt.transcript.turns):
        counted.append(f"Tool calls: {calls}")
    if total:
        counted.append(f"Assertions: {passed}/{total} passed")
    else:
        written = written_checks(case)
        counted.append(f"Assertions: {written} not judged" if written else "Assertions: none")
    if score := missed_score(attempt):
        counted.append(score.capitalize())
    return ", ".join(counted)


def _failure(result: CaseResult, attempt: Attempt, look: Look) -> list[str]:
    place = place_of(failed_at(result.case, attempt))
    lines = [look.dim(f"{place} (run {attempt.run})" if result.stability else place)]
    failures = list(failures_of(attempt))
    shown = all_shown(attempt) if result.case.is_script_test else (failure.verdict for failure in failures)
    for verdict in shown:
        lines += verdict_lines(verdict, look, 2)
    lines += judge_lines(all_shown(attempt), look, 2)
    if not failures:
        lines += [look.bad(line) for line in look.wrapped(why_not(attempt), 2)]
    if look.verbose or result.case.is_script_test:
        return lines
    already_quoted = {f.verdict.actual for f in failures if _is_quoted(f.verdict)}
    return [*lines, *_what_the_agent_did(attempt, already_quoted, look)]


def _is_quoted(verdict: Verdict) -> bool:
    """Whether the lines of a check show the text it found."""
    found = verdict.actual
    return isinstance(found, str) and (shows_actual(verdict) or quote(found) in verdict.reason)


def _what_the_agent_did(attempt: Attempt, already_quoted: set[JsonValue], look: Look) -> list[str]:
    lines: list[str] = []
    for turn in attempt.transcript.turns:
        calls = [_call_and_error(call) for call in turn.reply.calls[:_MOST_CALLS_SHOWN]]
        if (more := len(turn.reply.calls) - len(calls)) > 0:
            calls.append(f"… and {more} more")
        did = hanging("Tools: ", [clip(call, look.width - 9) for call in calls])
        if turn.reply.text and turn.reply.text not in already_quoted:
            did += hanging("Agent: ", look.shortened(quoted(said_text(turn.reply)), 9, 4))
        lines += [look.dim(line) for line in did]
    return lines


def _call_and_error(call: ToolCall) -> str:
    """A call in words; one that failed with its error."""
    return call_text(call) if call.error is None else f"{call_text(call)} → {one_line(outcome_text(call))}"


def _runs_lines(result: CaseResult, look: Look) -> list[str]:
    if (stability := result.stability) is None:
        return []
    agreement = agreement_words(stability)
    return [runs_line(result, stability, look), *([look.dim(agreement)] if agreement else [])]


def runs_line(result: CaseResult, stability: Stability, look: Look) -> str:
    """`8/10 ✓✓✗✓✓✓✗✓✓✓ mostly stable (95 % CI 49–94 %)`"""
    drawn = "".join(look.sign(attempt.status) for attempt in result.attempts[:_MOST_RUNS_DRAWN])
    more = "…" if len(result.attempts) > _MOST_RUNS_DRAWN else ""
    needed = result.case.min_pass
    enough = f", {needed} needed" if needed else ""
    return f"{stability.passed}/{stability.runs} {drawn}{more} {stability_words(stability)}{enough}"
