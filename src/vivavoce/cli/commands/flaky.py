"""`viva flaky`: cases whose results differ although nothing was changed."""

import sys
from typing import TYPE_CHECKING

import click

from vivavoce.cli import options
from vivavoce.containment.safe_stream import write_data

if TYPE_CHECKING:
    from collections.abc import Sequence

    from vivavoce.insight.flakiness import FlakyCase
    from vivavoce.insight.flaky_reasons import FlakyReasons
    from vivavoce.project.project import Project

_MOST_NAMED = 8
EPILOG = """\b
Examples:
  viva flaky                       what the history knows
  viva flaky --why                 judge their failed conversations again: whose fault was it?
  viva flaky --quarantine          write them to quarantine.yaml: they run, and do not decide the exit code
  viva history --case T003         one of them over time
"""


@click.command("flaky", epilog=EPILOG)
@click.option("--json", "as_json", is_flag=True, help="One JSON array.")
@click.option("--quarantine", is_flag=True, help="Add them to quarantine.yaml; its other entries stay.")
@click.option("--why", is_flag=True, help="Judge the failed conversations again, and say whose fault they were.")
@click.option(
    "--again",
    type=click.IntRange(min=1),
    default=3,
    show_default=True,
    metavar="K",
    help="With --why: how often each is judged.",
)
@options.project_options
def command(as_json: bool, quarantine: bool, why: bool, again: int, config: str | None) -> int:
    """List the flaky cases that the history knows.

    A case is flaky when at least 3 of its results differ from the usual one while the case, the agent's configuration
    and its code stayed the same. Failures that a judge, a hook or the network caused never count.

    With --why the judges are asked again about conversations that are kept; the agent is not called.
    """
    import msgspec

    from vivavoce.app.history_keeping import open_history
    from vivavoce.app.opening import open_project
    from vivavoce.insight.flakiness import flaky_cases, suspects
    from vivavoce.wording.plurals import counted, first_few
    from vivavoce.wording.terminal_text import one_line

    project = open_project(config)
    history = open_history(project)
    found = flaky_cases(history.unsteady_facts())
    reasons = _reasons(found, project, again) if why else [None] * len(found)
    if as_json:
        listed = [{**msgspec.to_builtins(case), **_why(one)} for case, one in zip(found, reasons, strict=True)]
        write_data(sys.stdout, msgspec.json.format(msgspec.json.encode(listed), indent=2).decode() + "\n")
    elif not found:
        click.echo(f"no flaky case; the history has {counted(history.count_facts(), 'result')}")
        if doubtful := suspects(history.unsteady_facts()):
            named = one_line(first_few(doubtful, _MOST_NAMED))
            click.echo(f"some results differ, but too few to be sure: {named} (run them again with --runs 10)")
    else:
        _print(found, reasons if why else None, history.count_facts(), project)
    if quarantine:
        _add(found, project, to_stderr=as_json)
    return 0


def case_words(case: "FlakyCase") -> list[str]:
    """`12 of 20 runs passed (95 % interval 39–78 %), 9 flips since 3f2a90c`, `failures: agent 8`, …"""
    from vivavoce.wording.plurals import counted

    low, high = case.interval
    since = f" since {case.since_revision[:7]}" if case.since_revision else ""
    rate = f"{case.passed} of {case.runs} runs passed (95 % interval {100 * low:.0f}–{100 * high:.0f} %)"
    blamed = ", ".join(f"{fault} {count}" for fault, count in case.blamed.items())
    unknown = [] if case.source_known else ["the agent's code is not known: it may have changed meanwhile"]
    return [f"{rate}, {counted(case.flips, 'flip')}{since}", f"failures by fault: {blamed}", *unknown]


def reason_words(reasons: "FlakyReasons | None") -> str:
    """`judge 3 (it disagrees with itself), agent 1; each failed conversation was judged 3 times again`"""
    if reasons is None:
        return "no failed conversation is kept any more: run the case a few times"
    said = {"judge": " (it disagrees with itself, or broke)", "simulator": " (its line was another one)"}
    parts = [f"{fault} {count}{said.get(fault, '')}" for fault, count in reasons.blamed.items()]
    times = "once" if reasons.again == 1 else f"{reasons.again} times"
    return f"{', '.join(parts)}; each failed conversation was judged {times} again"


def _print(
    found: "list[FlakyCase]", reasons: "Sequence[FlakyReasons | None] | None", results: int, project: "Project"
) -> None:
    import os

    from vivavoce.app.quarantining import quarantined_until
    from vivavoce.reporters.terminal.style import Look, console_width, for_encoding
    from vivavoce.wording.plurals import counted
    from vivavoce.wording.terminal_text import one_line

    look = Look(width=console_width(os.environ, sys.stdout.isatty()), color=False, verbose=False)
    until = quarantined_until(found, project)
    for number, case in enumerate(found):
        click.echo(for_encoding(one_line(f"{case.key} ({case.agent})"), sys.stdout.encoding))
        told = case_words(case)
        if reasons is not None:
            told.append(f"why: {reason_words(reasons[number])}")
        if (day := until[number]) is not None:
            told.append(f"in quarantine until {day}")
        for line in (part for text in told for part in look.wrapped(one_line(text), 2)):
            click.echo(for_encoding(f"  {line}", sys.stdout.encoding))
    click.echo(f"\n{counted(len(found), 'flaky case')}; the history has {counted(results, 'result')}")


def _why(reasons: "FlakyReasons | None") -> "dict[str, FlakyReasons]":
    return {} if reasons is None else {"why": reasons}


def _reasons(found: "list[FlakyCase]", project: "Project", again: int) -> "list[FlakyReasons | None]":
    from vivavoce.app.flaky_why import reasons_of
    from vivavoce.cli.event_loop import run_async

    reasons: list[FlakyReasons | None] = []

    async def judge_again() -> int:
        reasons.extend(await reasons_of(found, project, again))
        return 0

    run_async(judge_again)
    return reasons


def _add(found: "list[FlakyCase]", project: "Project", *, to_stderr: bool) -> None:
    from datetime import date

    from vivavoce.app.quarantining import add_to_quarantine, quarantine_path
    from vivavoce.wording.plurals import counted
    from vivavoce.wording.terminal_text import one_line

    added = add_to_quarantine(found, project, date.today())
    shown = project.shown(quarantine_path(project))
    for entry in added:
        click.echo(one_line(f"{shown}: added {entry.case} ({entry.agent}), until {entry.until}"), err=to_stderr)
    known = len(found) - len(added)
    if known:
        there = counted(known, "case was", "cases were")
        click.echo(f"{shown}: {there} in it already and stayed as written", err=to_stderr)
    elif not added:
        click.echo(f"{shown}: nothing to add", err=to_stderr)
