"""The console's first and last page: what runs, the totals, where the reports are."""

from collections.abc import Sequence

from vivavoce.model.result import RunInfo, Status, Summary
from vivavoce.model.tally import NOTHING_TESTED
from vivavoce.notation.durations import format_ms
from vivavoce.reporters.brief import brief_line
from vivavoce.reporters.run_words import identity
from vivavoce.reporters.terminal.style import Look
from vivavoce.wording.money import money
from vivavoce.wording.plurals import counted
from vivavoce.wording.results import stable_words
from vivavoce.wording.terminal_text import clip, neutral, one_line


def opening_lines(info: RunInfo, look: Look, left_out: str = "") -> list[str]:
    """`left_out` says how many cases were not selected, and by which flag."""
    sign = look.paint("ℹ", "36")
    connector = f" (connector: {info.connector})" if info.connector else ""
    several = len(info.contenders)
    cases = counted(info.total_cases // (several or 1), "test case")
    cases += f" × {several} agents" if several else ""
    cases += f"; {left_out}" if left_out else ""
    inputs = clip(", ".join(info.inputs) or "-", max(look.width - len(cases) - 12, 20))
    agents = [contender.label for contender in info.contenders] or [info.agent_id + connector]
    lines = [
        *look.heading("Comparison" if several else "Agent Test", "═"),
        *(f"{sign} Agent: {clip(agent, look.width - 9)}" for agent in agents),
        f"{sign} Input: {inputs} ({cases})",
    ]
    if told := identity(info):
        lines.append(f"{sign} About: {clip(told, look.width - 9)}")
    if info.runs_per_case > 1:
        lines.append(f"{sign} Runs:  {info.runs_per_case} per case")
    return [*lines, "", *look.heading("Running Tests"), ""]


def summary_lines(summary: Summary, look: Look, *, conversations: bool) -> list[str]:
    numbers = [
        ("Total", counted(summary.total, "test")),
        ("Passed", look.good(f"{summary.passed:,}") if summary.passed else "0"),
        ("Failed", look.bad(f"{summary.failed:,}") if summary.failed else "0"),
    ]
    numbers += [("Errors", look.bad(f"{summary.errors:,}"))] if summary.errors else []
    numbers += [("Timeouts", look.bad(f"{summary.timeouts:,}"))] if summary.timeouts else []
    numbers += [("Skipped", look.careful(f"{summary.skipped:,}"))] if summary.skipped else []
    numbers += [("Not run", look.careful(f"{summary.not_run:,}"))] if summary.not_run else []
    if summary.quarantined:
        apart = counted(summary.quarantined, "case did not pass and does", "cases did not pass and do")
        numbers.append(("Quarantine", look.careful(f"{apart} not decide")))
    if summary.faults:
        numbers.append(("Faults", ", ".join(f"{fault} {count}" for fault, count in summary.faults.items())))
    numbers.append(("Time", format_ms(summary.duration_ms)))
    lines = [*look.heading("Summary"), *_aligned(numbers)]
    if more := _measures(summary, conversations=conversations):
        lines += ["", *_aligned(more)]
    return [*lines, *alarm_lines(summary, look)]


def closing_lines(summary: Summary, look: Look, left_out: str = "") -> list[str]:
    """The whole summary in one line."""
    doubt = summary.not_run or summary.tested_nothing
    sign = look.sign(Status.FAILED if summary.is_red else Status.SKIPPED if doubt else Status.PASSED)
    return look.wrapped(f"{sign} {brief_line(summary)}{f'; {left_out}' if left_out else ''}", 2)


def baseline_lines(lines: Sequence[str], look: Look) -> list[str]:
    """What a comparison with a baseline found, under a heading of its own; nothing without a baseline."""
    told: list[str] = []
    for line in lines:
        paint = look.bad if line.startswith("✗") else look.careful if line.startswith("!") else str
        unbroken = one_line(line).replace(" %", "\xa0%").replace(" = ", "\xa0=\xa0")
        first, *rest = (part.replace("\xa0", " ") for part in look.wrapped(unbroken, 4))
        told += [f"  {paint(first)}", *(f"    {paint(more)}" for more in rest)]
    return ["", *look.heading("Compared with the baseline"), *told] if told else []


def output_lines(paths: list[str], look: Look) -> list[str]:
    shown = [neutral(path, keep_newlines=False) for path in paths]
    return ["", *(f"{look.paint('ℹ', '36')} Report: {path}" for path in shown)] if paths else []


def _measures(summary: Summary, *, conversations: bool) -> list[tuple[str, str]]:
    more: list[tuple[str, str]] = []
    ran = summary.total - summary.not_run
    if conversations and ran:
        # A repeated case is as many conversations.
        average = summary.total_turns / max(ran, summary.total_runs)
        more += [("Total turns", f"{summary.total_turns:,}"), ("Avg turns/test", f"{average:.1f}")]
    if summary.stable_cases + summary.unstable_cases:
        rate = 100 * summary.passed_runs / summary.total_runs if summary.total_runs else 0.0
        more += [
            ("Runs passed", f"{summary.passed_runs:,} of {summary.total_runs:,} ({rate:.1f} %)"),
            ("Stable cases", stable_words(summary)),
        ]
    if (usage := summary.usage) is not None:
        more.append(("Tokens", f"{usage.input_tokens:,} in, {usage.output_tokens:,} out"))
        if usage.cost is not None:
            more.append(("Cost", money(usage.cost)))
    return more


def alarm_lines(summary: Summary, look: Look) -> list[str]:
    """Warnings, why the run ended early, and whether anything was tested at all."""
    said = [f"warning: {clip(warning, 500)}" for warning in summary.warnings if warning != NOTHING_TESTED]
    if summary.interrupted:
        left = counted(summary.not_run, "case was", "cases were")
        said.append(f"The run ended early ({summary.interrupted}): {left} not run.")
    if summary.tested_nothing:
        said.append("EVERYTHING WAS SKIPPED: nothing was tested.")
    return ["", *(look.careful(f"! {line}") for text in said for line in look.wrapped(text, 2))] if said else []


def _aligned(rows: list[tuple[str, str]]) -> list[str]:
    width = max(len(label) for label, _ in rows) + 2
    return [f"  {label + ':':{width}}{value}" for label, value in rows]
