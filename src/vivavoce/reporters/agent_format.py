"""`--format agent`: a run for coding agents. Short plain text, one block per failure, the verdict in the last line."""

from collections.abc import Sequence
from typing import TextIO

from msgspec import UNSET

from vivavoce.errors import EXIT_PASSED, exit_code_of
from vivavoce.model.events import CaseFinished, CaseKept, Event, RunFinished, RunStarted
from vivavoce.model.json_value import JsonObject, JsonValue, is_array, is_object, rounding_hides
from vivavoce.model.result import UNSUCCESSFUL, Attempt, CaseResult, RunInfo, RunReport, Summary
from vivavoce.model.transcript import Turn
from vivavoce.model.verdict import Outcome, Verdict
from vivavoce.model.workspace import WorkspaceAfter
from vivavoce.reporters.attached_parts import attached_parts
from vivavoce.reporters.brief import brief_line
from vivavoce.reporters.contest_words import contest_summary
from vivavoce.reporters.rerun import repeat_failed, rerun_command
from vivavoce.reporters.transcript_text import transcript_text
from vivavoce.results.contest.contest import Contest
from vivavoce.wording.plurals import counted
from vivavoce.wording.results import (
    Failure,
    call_shown,
    call_text,
    case_label,
    check_title,
    failed_at,
    failures_of,
    outcome_text,
    place_of,
    quarantine_words,
    reason_of,
    said_text,
    score_text,
    unsaid_turns,
    why_not,
)
from vivavoce.wording.script_checks import ran_as_script
from vivavoce.wording.terminal_text import clip, neutral, one_line, quoted
from vivavoce.workspaces.wording import plain_lines

_FLAG = "--format agent"
_MOST_BLOCKS = 20
_MOST_REPEATS = 50
_MOST_CHECKS = 5
_MOST_CALLS = 5
_MOST_WORKSPACE_LINES = 40
_LONGEST = 500
"""Characters of one value."""
_LONGEST_CONVERSATION = 6_000


class AgentFormatReporter:
    """Writes a block for each failure as it comes, and the totals last.

    Cases that failed for the same reason as an earlier one are one line each.
    """

    def __init__(
        self,
        out: TextIO,
        *,
        again: str | None = None,
        left_out: str = "",
        in_full: bool = False,
        allow_not_run: bool = False,
    ) -> None:
        """`again` is the command that repeats what failed; `left_out` says how many cases were not selected.

        With `in_full` whole conversations are shown, those of passed cases too.
        """
        self._out = out
        self._again, self._left_out_by = again, left_out
        self._in_full = in_full
        self._allow_not_run = allow_not_run
        self._info: RunInfo | None = None
        self._contest: Contest | None = None
        self._explained: dict[str, str] = {}
        self._repeats = self._left_out = 0
        self._files: list[str] = []
        self._verdict = ""
        self._against: tuple[str, ...] = ()

    def handle(self, event: Event) -> None:
        if isinstance(event, RunStarted):
            self._info = event.info
            self._contest = Contest(event.info) if event.info.contenders else None
        elif isinstance(event, CaseFinished | CaseKept):
            self._on_case(event.result)
        elif isinstance(event, RunFinished):
            self._on_end(event.summary)

    def note_output(self, path: str) -> None:
        """A report file that the last lines name."""
        self._files.append(path)

    def close(self) -> None:
        """Writes the last lines: the files, then the verdict."""
        for path in self._files:
            self._write(f"results: {one_line(path)}")
        for line in self._against:
            self._write(f"baseline: {one_line(line)}")
        if self._verdict:
            self._write(self._verdict)
        self._out.flush()

    def note_baseline(self, lines: Sequence[str], exit_code: int) -> None:
        """What a comparison with a baseline found: it decides the verdict in the last line."""
        self._against = tuple(lines)
        if self._against and self._verdict:
            _, _, counts = self._verdict.partition(": ")
            self._verdict = f"{'PASS' if exit_code == EXIT_PASSED else 'FAIL'}: {counts}; compared with the baseline"

    def _on_case(self, result: CaseResult) -> None:
        if self._contest is not None:
            self._contest.add(result)
        if self._in_full:
            self._write(*case_in_full(result, self._info), "")
        elif result.status in UNSUCCESSFUL:
            self._on_failure(result)

    def _on_failure(self, result: CaseResult) -> None:
        first = self._explained.get(reason_of(result))
        if first is not None:
            self._repeats += 1
            if self._repeats <= _MOST_REPEATS:
                self._write(f"{_head(result, self._info)}: same as {first}")
        elif len(self._explained) == _MOST_BLOCKS:
            self._left_out += 1
        else:
            self._explained[reason_of(result)] = one_line(result.case.id)
            self._write(*block_lines(result, self._info), "")

    def _on_end(self, summary: Summary) -> None:
        if self._contest is not None:
            self._write(*contest_summary(self._contest))
        if more := self._left_out + max(self._repeats - _MOST_REPEATS, 0):
            self._write(f"… and {counted(more, 'more failure')} not shown here")
        for warning in summary.warnings:
            self._write(f"warning: {clip(warning, _LONGEST)}")
        failed = summary.failed + summary.errors + summary.timeouts
        if failed > 1 and self._again is not None:
            self._write(f"all failed again: {_as_agent(self._again)}")
        verdict = "PASS" if exit_code_of(summary, allow_not_run=self._allow_not_run) == EXIT_PASSED else "FAIL"
        verdict = "SKIPPED" if verdict == "PASS" and summary.tested_nothing else verdict
        left_out = f"; {self._left_out_by}" if self._left_out_by else ""
        self._verdict = f"{verdict}: {brief_line(summary)}{left_out}"

    def _write(self, *lines: str) -> None:
        self._out.write("".join(f"{line}\n" for line in lines))


def write_agent_format(report: RunReport, out: TextIO) -> None:
    """A finished run in the same form."""
    reporter = AgentFormatReporter(out, again=repeat_failed(report.info.command))
    reporter.handle(RunStarted(report.info))
    for result in report.results():
        reporter.handle(CaseFinished(result))
    reporter.handle(RunFinished(report.info, report.summary))
    reporter.close()


def block_lines(result: CaseResult, info: RunInfo | None, *, with_turn: bool = True) -> list[str]:
    """One case: what, where, expected, actual, what was said in that turn, and the command that runs it again."""
    attempt = result.decisive
    lines = [_head(result, info)]
    failures = list(failures_of(attempt))
    for failure in failures[:_MOST_CHECKS]:
        lines += _check_lines(failure)
    if len(failures) > _MOST_CHECKS:
        lines.append(f"… and {len(failures) - _MOST_CHECKS} more checks")
    if (not failures or attempt.transcript.turns == ()) and (why := why_not(attempt)):
        lines.append(f"why: {clip(why, _LONGEST)}")
    if result.quarantine is not None:
        lines.append(quarantine_words(result.quarantine))
    if result.stability is not None:
        lines.append(f"runs: {result.stability.passed} of {result.stability.runs} passed")
    if attempt.fault not in (None, "agent"):
        lines.append(f"fault: {attempt.fault}")
    if with_turn and result.status in UNSUCCESSFUL:
        lines += _turn_lines(attempt, {f.verdict.actual for f in failures if isinstance(f.verdict.actual, str)})
        lines += [unsaid] if (unsaid := unsaid_turns(result.case, attempt)) else []
        lines += [] if attempt.workspace is None else _workspace_lines(attempt.workspace)
    if (again := rerun_command(result.case, info)) is not None:
        lines.append(f"again: {_as_agent(again)}")
    return [lines[0], *(f"  {line}" for line in lines[1:])]


def case_in_full(result: CaseResult, info: RunInfo | None) -> list[str]:
    """The same, with the whole conversation below; cut when it is endless."""
    conversation = transcript_text(result.decisive, _LONGEST_CONVERSATION).split("\n")
    return [*block_lines(result, info, with_turn=False), "  conversation:", *(f"    {line}" for line in conversation)]


def _as_agent(command: str) -> str:
    """The command as one neutral line that answers in this format too."""
    shown = neutral(command, keep_newlines=False)
    return shown if _FLAG in shown else f"{shown} {_FLAG}"


def _head(result: CaseResult, info: RunInfo | None) -> str:
    """`FAILED tests/pay.jsonl:12 [T003] Refund twice`; in a comparison with the agent: `FAILED (shop) tests/…`."""
    whose = f"({one_line(result.case.agent or '')})" if info is not None and info.contenders else ""
    parts = (
        result.status.upper(),
        whose,
        place_of(failed_at(result.case, result.decisive)),
        clip(case_label(result.case), 200),
    )
    return " ".join(part for part in parts if part)


def _check_lines(failure: Failure) -> list[str]:
    verdict = failure.verdict
    place = f"{failure.place}: " if failure.place else ""
    lines = [f"check: {place}{check_title(verdict.spec)}"]
    diff = verdict.details.get("diff")
    called, call = call_shown(verdict.details)
    if is_array(diff) and diff:
        lines += [_difference(one) for one in filter(is_object, diff)][:_MOST_CHECKS]
    elif not call and verdict.expected is not UNSET and verdict.actual is not UNSET:
        digits = rounding_hides(verdict.actual, verdict.expected)
        lines += [
            f"expected: {_short(verdict.expected, digits=digits)}",
            f"actual: {_short(verdict.actual, digits=digits)}",
        ]
    if call:
        lines.append(f"{called}: {clip(call, _LONGEST)}")
    return [*lines, f"why: {_why(verdict)}"]


def _why(verdict: Verdict) -> str:
    broken = "could not be checked: " if verdict.outcome is Outcome.BROKEN else ""
    score = f" ({score_text(verdict)})" if verdict.score is not None else ""
    return clip(f"{broken}{verdict.reason}", _LONGEST) + score


def _difference(difference: JsonObject) -> str:
    """`amount: expected /^250$/, actual 300`"""
    place = one_line(str(difference.get("path") or "value"))
    digits = rounding_hides(difference.get("actual"), difference.get("expected", difference.get("not_expected")))
    if "not_expected" in difference:
        wanted = f"not {_short(difference['not_expected'], digits=digits)}"
    else:
        wanted = _short(difference["expected"], digits=digits) if "expected" in difference else "nothing"
    found = _short(difference["actual"], digits=digits) if "actual" in difference else "missing"
    return f"{place}: expected {wanted}, actual {found}"


def _turn_lines(attempt: Attempt, already_shown: set[str]) -> list[str]:
    """What was said and done in the turn that failed, or in the last one."""
    turns = attempt.transcript.turns
    if not turns or ran_as_script(attempt):
        return []
    turn = next((turn for turn in turns if turn.failed), turns[-1])
    return _said(turn, already_shown)


def _workspace_lines(after: WorkspaceAfter) -> list[str]:
    """The changes with their differences and the files afterwards, cut where there are many."""
    lines = [neutral(line, keep_newlines=False) for line in plain_lines(after)]
    more = [f"… and {len(lines) - _MOST_WORKSPACE_LINES} more lines"] if len(lines) > _MOST_WORKSPACE_LINES else []
    return [line[:_LONGEST] for line in lines[:_MOST_WORKSPACE_LINES]] + more


def _said(turn: Turn, already_shown: set[str]) -> list[str]:
    lines = [f"user: {_short(turn.line.text)} {attached_parts(turn.line.content)}".rstrip()]
    for call in turn.reply.calls[:_MOST_CALLS]:
        lines.append(f"tool: {clip(f'{call_text(call)} → {outcome_text(call)}', _LONGEST)}")
    if len(turn.reply.calls) > _MOST_CALLS:
        lines.append(f"… and {len(turn.reply.calls) - _MOST_CALLS} more calls")
    if turn.reply.text and turn.reply.text not in already_shown:
        lines.append(f"agent: {_short(said_text(turn.reply))}")
    return lines


def _short(value: JsonValue, *, digits: bool = False) -> str:
    return clip(quoted(value, digits=digits), _LONGEST)
