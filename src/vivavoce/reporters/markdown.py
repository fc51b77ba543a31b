"""Seed 000's Markdown report: tables, then every case with what was said."""

import re
from collections.abc import Iterator
from typing import TextIO

import msgspec
from msgspec import UNSET

from vivavoce.model.json_value import JsonObject, JsonValue, is_array, is_object, rounded
from vivavoce.model.result import Attempt, CaseResult, RunInfo, RunReport, Status, Summary
from vivavoce.model.tally import NOTHING_TESTED
from vivavoce.model.verdict import Outcome, Verdict
from vivavoce.notation.durations import format_ms
from vivavoce.reporters.attached_parts import attached_parts
from vivavoce.reporters.run_words import checkout
from vivavoce.results.rows import overall_pass_rate
from vivavoce.wording.money import money
from vivavoce.wording.plurals import counted
from vivavoce.wording.quoting import shorten
from vivavoce.wording.results import (
    Failure,
    agreement_words,
    call_shown,
    call_text,
    check_title,
    checkpoint_title,
    failures_of,
    name_beside_id,
    outcome_text,
    place_of,
    quarantine_words,
    reason_of,
    replayed_mark,
    score_text,
    stability_words,
    stable_words,
    turn_status,
    typical_duration_ms,
    unsaid_turns,
)
from vivavoce.wording.script_checks import script_logs, shown_verdicts
from vivavoce.wording.terminal_text import clip, json_diff, neutral, one_line, quoted
from vivavoce.workspaces.wording import change_line, heading, tree_lines

SIGNS = {
    Status.PASSED: "✅",
    Status.FAILED: "❌",
    Status.TIMEOUT: "⏱️",
    Status.ERROR: "💥",
    Status.SKIPPED: "⏭️",
    Status.NOT_RUN: "⏸️",
}
_VERDICT_SIGNS = {Outcome.PASSED: "✅", Outcome.FAILED: "❌", Outcome.BROKEN: "💥", Outcome.SKIPPED: "⏭️"}
_LONGEST_BLOCK = 10_000
_LONGEST_OUTCOME = 500
_SPECIAL = re.compile(r"([\\`*_\[\]<>|#~&$])")
_BACKTICKS = re.compile(r"`{3,}")


def write_markdown(report: RunReport, out: TextIO) -> None:
    if report.info.contenders:
        from vivavoce.reporters.contest_markdown import write_contest_markdown

        write_contest_markdown(report, out)
        return
    out.write("# Agent Test Report\n\n## Summary\n\n")
    out.write(table(("Metric", "Value"), summary_rows(report.info, report.summary)))
    for warning in warnings_of(report.summary):
        out.write(f"\n> ⚠️ {escaped(warning)}\n")
    identity = report.info.identity
    settings = [("User", identity.user_id), ("Team", identity.team_id), ("Locale", identity.locale)]
    out.write("\n## Environment\n\n" + table(("Setting", "Value"), settings))
    out.write("\n## Results\n")
    for result in report.results():
        out.write("\n" + "\n".join(case_section(result)) + "\n")


def summary_rows(info: RunInfo, summary: Summary) -> list[tuple[str, str]]:
    rows = [("Agent", info.agent_id), ("Connector", info.connector or "-"), *identity_rows(info)]
    rows += [("Total", str(summary.total)), ("Passed", str(summary.passed)), ("Failed", str(summary.failed))]
    others = [
        ("Errors", summary.errors),
        ("Timeouts", summary.timeouts),
        ("Skipped", summary.skipped),
        ("Not run", summary.not_run),
        ("Did not pass in quarantine", summary.quarantined),
    ]
    rows += [(name, str(count)) for name, count in others if count]
    rows += [("Pass Rate", f"{overall_pass_rate(summary)}%"), ("Duration", format_ms(summary.duration_ms))]
    if summary.stable_cases + summary.unstable_cases:
        rows += [
            ("Runs passed", f"{summary.passed_runs} of {summary.total_runs}"),
            ("Stable cases", stable_words(summary)),
        ]
    if (usage := summary.usage) is not None:
        cost = "" if usage.cost is None else f", {money(usage.cost)}"
        rows.append(("Tokens", f"{usage.input_tokens} in, {usage.output_tokens} out{cost}"))
    return rows


def identity_rows(info: RunInfo) -> list[tuple[str, str]]:
    """Returns what tells this run from others, as far as it is known."""
    commit = checkout(info).replace("*", " (with uncommitted changes)")
    known = [("Title", info.title or ""), ("Commit", commit), ("Model", ", ".join(info.models))]
    return [(name, one_line(value)) for name, value in known if value]


def warnings_of(summary: Summary) -> list[str]:
    said = [warning for warning in summary.warnings if warning != NOTHING_TESTED]
    if summary.interrupted:
        left = counted(summary.not_run, "case was", "cases were")
        said.append(f"The run ended early ({summary.interrupted}): {left} not run.")
    if summary.tested_nothing:
        said.append("Everything was skipped: nothing was tested.")
    return said


def table(head: tuple[str, ...], rows: list[tuple[str, ...]]) -> str:
    """Padded like seed 000's, so that it also reads as plain text."""
    cells = [head, *[tuple(escaped(cell) for cell in row) for row in rows]]
    widths = [max(len(row[at]) for row in cells) for at in range(len(head))]
    lines = ["| " + " | ".join(cell.ljust(w) for cell, w in zip(row, widths, strict=True)) + " |" for row in cells]
    lines.insert(1, "| " + " | ".join("-" * width for width in widths) + " |")
    return "\n".join(lines) + "\n"


def case_section(result: CaseResult) -> list[str]:
    attempt, case = result.decisive, result.case
    name = f": {escaped(name)}" if (name := name_beside_id(case.id, case.name)) else ""
    word = result.status.capitalize()
    duration = f"{format_ms(typical_duration_ms(result))}{replayed_mark(attempt)}"
    lines = [f"### {SIGNS[result.status]} {escaped(case.id)}{name} - {word} ({duration})", ""]
    if place := place_of(case.origin):
        lines += [f"`{place.replace('`', '')}`" + (f" · {escaped(', '.join(case.tags))}" if case.tags else ""), ""]
    if result.quarantine is not None:
        lines += [f"> ⚠️ {escaped(quarantine_words(result.quarantine))}", ""]
    if result.status is not Status.PASSED:
        blame = f" (fault: {attempt.fault})" if attempt.fault else ""
        lines += _reason(reason_of(result), blame)
    if (stability := result.stability) is not None:
        drawn = "".join("✓" if a.status is Status.PASSED else "✗" for a in result.attempts)
        lines += [f"{stability.passed}/{stability.runs} {drawn} {stability_words(stability)}", ""]
        lines += [agreement, ""] if (agreement := agreement_words(stability)) else []
    for warning in attempt.warnings:
        lines += [f"> ⚠️ {escaped(warning)}", ""]
    if not case.is_script_test:
        lines += _conversation(attempt)
        lines += [unsaid.capitalize(), ""] if (unsaid := unsaid_turns(case, attempt)) else []
    elif logs := script_logs(attempt):
        lines += ["**Log**", "", *fenced("\n".join(logs))]
    lines += [*_verdicts(attempt), *_workspace(attempt)]
    return lines[:-1] if lines[-1] == "" else lines


def _reason(reason: str, blame: str) -> list[str]:
    """In bold; the further lines of a traceback or a list in a block of their own."""
    first, _, rest = reason.partition("\n")
    return [f"**{escaped(first)}**{blame}", "", *(fenced(rest) if rest else [])]


def escaped(text: str) -> str:
    """One line of Markdown that shows exactly this text, also inside a table."""
    return _SPECIAL.sub(r"\\\1", one_line(text))


def fenced(value: JsonValue) -> list[str]:
    """A value in a block that it cannot break out of."""
    if isinstance(value, str):
        language, text = "text", value
    else:
        language, text = "json", msgspec.json.format(msgspec.json.encode(value, enc_hook=str), indent=2).decode()
    return _block(language, shorten(text, _LONGEST_BLOCK))


def _block(language: str, text: str) -> list[str]:
    longest = max((len(run) for run in _BACKTICKS.findall(text)), default=2)
    fence = "`" * (longest + 1)
    return [f"{fence}{language}", neutral(text), fence, ""]


def _conversation(attempt: Attempt) -> Iterator[str]:
    turns = attempt.transcript.turns
    for turn in turns:
        if len(turns) > 1:
            status = turn_status(turn)
            word = "" if status is Status.PASSED else f" — {status}"
            yield from (f"#### Turn {turn.number} ({turn.line.source}, {format_ms(turn.duration_ms)}){word}", "")
        yield from ("**Input**", "", *fenced(turn.line.text))
        if attached := attached_parts(turn.line.content):
            yield from (f"Attached: {escaped(attached)}", "")
        if turn.reply.calls:
            yield from ("**Tool calls**", "")
            yield from (
                f"- {escaped(call_text(call))} → {escaped(clip(outcome_text(call), _LONGEST_OUTCOME))}"
                for call in turn.reply.calls
            )
            yield ""
        if turn.reply.output != "":
            yield from ("**Output**", "", *fenced(rounded(turn.reply.output)))
        if turn.error:
            yield from (f"**Error:** {escaped(turn.error)}", "")


def _verdicts(attempt: Attempt) -> Iterator[str]:
    rows = [
        *[_verdict_row(f"turn {t.number}", v) for t in attempt.transcript.turns for v in t.verdicts],
        *[_verdict_row("", v) for v in shown_verdicts(attempt)],
        *[_verdict_row("final", v) for v in attempt.final_verdicts],
    ]
    if rows:
        yield from ("**Assertions**", "", *table(("", "Check", "Where", "Seen"), rows).splitlines(), "")
        for failure in failures_of(attempt):
            yield from _difference(failure)
    if attempt.checkpoints:
        reached = [
            (
                "✅" if c.reached_at_turn else "❌" if c.required else "⏭️",
                checkpoint_title(c),
                f"turn {c.reached_at_turn}" if c.reached_at_turn else c.nearest_miss or "not reached",
            )
            for c in attempt.checkpoints
        ]
        yield from ("**Checkpoints**", "", *table(("", "Checkpoint", "Reached"), reached).splitlines(), "")
        judged = [_verdict_row(c.id, v) for c in attempt.checkpoints for v in c.verdicts if v.score is not None]
        if judged:
            yield from (*table(("", "Check", "Checkpoint", "Seen"), judged).splitlines(), "")


def _difference(failure: Failure) -> Iterator[str]:
    """Found (red where `diff` blocks have colours) against wanted (green)."""
    verdict = failure.verdict
    parts = verdict.details.get("diff")
    if is_array(parts) and parts:
        lines = [line for part in filter(is_object, parts) for line in _of_argument(part)]
    elif verdict.expected is UNSET or verdict.actual is UNSET or call_shown(verdict.details)[1]:
        return
    else:
        lines = json_diff(verdict.expected, verdict.actual)
    text = "\n".join(["- found", "+ wanted", "", *lines])
    yield from (f"{escaped(check_title(verdict.spec))}:", "", *_block("diff", shorten(text, _LONGEST_BLOCK)))


def _of_argument(part: JsonObject) -> Iterator[str]:
    """One argument or result of the call that came nearest."""
    path = one_line(str(part.get("path") or "value"))
    yield f"- {path}: {clip(quoted(part['actual']), _LONGEST_OUTCOME) if 'actual' in part else '(missing)'}"
    wanted = quoted(part["expected"]) if "expected" in part else "(nothing)"
    if "not_expected" in part:
        wanted = f"not {quoted(part['not_expected'])}"
    yield f"+ {path}: {clip(wanted, _LONGEST_OUTCOME)}"


def _workspace(attempt: Attempt) -> Iterator[str]:
    """What the agent left in its workspace."""
    after = attempt.workspace
    if after is None:
        return
    yield from (f"**{escaped(heading(after))}**", "")
    for change in after.changes:
        yield f"- {escaped(change_line(change))}"
    if after.more_changes:
        yield f"- … and {after.more_changes} more"
    if after.changes:
        yield ""
    if diffs := "\n".join(f"{change.path}\n{change.diff}" for change in after.changes if change.diff):
        yield from fenced(diffs)
    if after.files:
        yield from ("**Files afterwards**", "", *fenced("\n".join(tree_lines(after))))


def _verdict_row(place: str, verdict: Verdict) -> tuple[str, ...]:
    sign = _VERDICT_SIGNS[verdict.outcome]
    scored = f" ({score_text(verdict)})" if verdict.score is not None else ""
    return sign, check_title(verdict.spec), place, one_line(verdict.reason[:500]) + scored
