"""`viva baseline`: results to compare later runs with."""

import click

from vivavoce.cli import options

EPILOG = """\b
Examples:
  viva baseline set main                 the newest run becomes the baseline `main`
  viva baseline set main last last~1     several runs, counted together
  viva test --baseline main              fails only for what became worse
  viva baseline compare main all.jsonl   the same of a finished run, such as merged shards
"""


@click.group("baseline", epilog=EPILOG)
def command() -> None:
    """Keep results as baselines/NAME.jsonl, a small file to commit; `viva test --baseline NAME` compares with it."""


@command.command("set")
@click.argument("name")
@click.argument("runs", nargs=-1, metavar="[RUN]...")
@options.project_options
def set_baseline(name: str, runs: tuple[str, ...], config: str | None) -> int:
    """Make a baseline of runs: result files, `last`, run ids. Default: the newest run. They are counted together."""
    from vivavoce.app.baselines import facts_in, save_baseline
    from vivavoce.app.opening import open_project
    from vivavoce.errors import UsageError
    from vivavoce.insight.baselines.baseline import baseline_of
    from vivavoce.insight.baselines.baseline_file import baseline_path
    from vivavoce.results.stored_runs import open_run
    from vivavoce.wording.plurals import counted

    project = open_project(config)
    baseline_path(name, project)  # a bad name is refused before anything is read
    made = baseline_of(name, [one for run in runs or ("last",) for one in facts_in(open_run(run, project))])
    if not made.cases:
        raise UsageError(
            "no case has a result, so there is nothing to make a baseline of", at=", ".join(runs) or "last"
        )
    path = save_baseline(made, project)
    click.echo(
        f"{project.shown(path)}: {counted(len(made.cases), 'case')}, {made.passed} of {made.attempts} runs passed"
    )
    return 0


@command.command("list")
@options.project_options
def list_baselines(config: str | None) -> int:
    """List the baselines of the project."""
    from vivavoce.app.opening import open_project
    from vivavoce.insight.baselines.baseline_file import baseline_names, baseline_path, read_baseline
    from vivavoce.wording.plurals import counted

    project = open_project(config)
    for name in baseline_names(project):
        found = read_baseline(baseline_path(name, project))
        click.echo(
            f"{name}: {counted(len(found.cases), 'case')}, {found.passed} of {found.attempts} runs passed, "
            f"from {counted(len(found.runs), 'run')}"
        )
    return 0


@command.command("show")
@click.argument("name")
@options.project_options
def show_baseline(name: str, config: str | None) -> int:
    """Show what a baseline counts, case by case."""
    from vivavoce.app.baselines import find_baseline
    from vivavoce.app.opening import open_project
    from vivavoce.reporters.terminal.listing import listing
    from vivavoce.wording.terminal_text import one_line

    found = find_baseline(name, open_project(config))
    runs = [
        (
            one_line(run.run_id),
            f"{run.revision[:7]}{'*' if run.dirty else ''}" if run.revision else "",
            one_line(run.branch or ""),
            one_line(run.title or ""),
        )
        for run in found.runs
    ]
    cases = [(f"{case.passed}/{case.runs}", one_line(case.agent), one_line(case.key)) for case in found.cases]
    for line in listing([("RUN", "COMMIT", "BRANCH", "TITLE"), *runs]):
        click.echo(line)
    click.echo()
    for line in listing([("PASSED", "AGENT", "CASE"), *cases]):
        click.echo(line)
    return 0


@command.command("compare")
@click.argument("name")
@click.argument("run", default="last", metavar="[RUN]")
@options.project_options
def compare_run(name: str, run: str, config: str | None) -> int:
    """Compare a finished run with a baseline: a result file, `last`, a run's id. Exit code 1 when it became worse.

    Nothing runs: a case that failed its only run counts. `viva test --baseline NAME` runs it 4 more times first.
    """
    import os
    import sys

    from vivavoce.app.baselines import compare_finished
    from vivavoce.app.opening import open_project
    from vivavoce.reporters.terminal.style import Look, console_style, console_width, for_encoding
    from vivavoce.reporters.terminal.summary import baseline_lines

    found = compare_finished(name, run, open_project(config))
    is_terminal = sys.stdout.isatty()
    color = console_style(os.environ, is_terminal).color
    look = Look(width=console_width(os.environ, is_terminal), color=color, verbose=False)
    for line in baseline_lines(found.lines, look)[1:]:
        click.echo(for_encoding(line, sys.stdout.encoding))
    return found.exit_code


@command.command("rm")
@click.argument("name")
@options.project_options
def remove_baseline(name: str, config: str | None) -> int:
    """Remove a baseline."""
    from vivavoce.app.opening import open_project
    from vivavoce.errors import UsageError, did_you_mean
    from vivavoce.insight.baselines.baseline_file import baseline_names, baseline_path

    project = open_project(config)
    if name not in (names := baseline_names(project)):
        hint = did_you_mean(name, list(names)) or "viva baseline list shows them"
        raise UsageError(f"no baseline {name!r}", hint=hint)
    baseline_path(name, project).unlink()
    click.echo(f"removed {name}")
    return 0
