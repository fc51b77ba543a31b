"""The flags shared by commands; those worth setting once for a machine have a VIVA_* variable."""

from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any, TypeVar

import click

F = TypeVar("F", bound=Callable[..., Any])
NEWEST = ""
"""`--resume` without a file."""
_RETRIES = "Try a case again when its agent cannot be reached or the line breaks; never when a check fails [0]."


def _seconds(ctx: click.Context, param: click.Parameter, value: str | None) -> float | None:
    from vivavoce.notation.durations import parse_duration

    if value is None:
        return None
    try:
        return parse_duration(value)
    except ValueError as error:
        raise click.BadParameter(str(error), ctx, param) from None


def duration_option(*names: str, **settings: Any) -> Callable[[F], F]:
    """A Go-style duration (500ms, 30s, 2m30s, 1h), handed on in seconds."""
    return option(*names, callback=_seconds, metavar="DURATION", **settings)


def option(*names: str, env: str | None = None, **settings: Any) -> Callable[[F], F]:
    """A click option; `env` names its VIVA_* variable (flag > variable > viva.yaml)."""
    return click.option(*names, envvar=f"VIVA_{env}" if env else None, show_envvar=env is not None, **settings)


def _agent_names(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    """The agents of the project around here, for the shell."""
    from vivavoce.engine.resolve import known_agents
    from vivavoce.errors import VivaError
    from vivavoce.project.project import find_project

    try:
        names = known_agents(find_project(Path.cwd()))
    except VivaError:
        return []
    return [name for name in names if name.startswith(incomplete)]


def _stacked(*options: Callable[[Any], Any]) -> Callable[[F], F]:
    def decorate(function: F) -> F:
        wrapped: Any = function
        for decorator in reversed(options):
            wrapped = decorator(wrapped)
        return wrapped

    return decorate


project_options = _stacked(
    option("--config", env="CONFIG", metavar="FILE", help="Configuration file (default: viva.yaml, found upward)."),
)


def _named_without_a_flag(function: F) -> F:
    """`viva test tests/` is `viva test -i tests/`."""

    @wraps(function)
    def with_all_inputs(*, inputs: tuple[str, ...], more_inputs: tuple[str, ...], **flags: Any) -> Any:
        return function(inputs=(*inputs, *more_inputs), **flags)

    wrapped: Any = with_all_inputs
    return wrapped


source_options = _stacked(
    click.argument("more_inputs", nargs=-1, metavar="[SOURCE]..."),
    option(
        "-i",
        "--input",
        "inputs",
        multiple=True,
        metavar="SOURCE",
        help="Cases: file, directory, glob, path::id, path:line, - (stdin), agents:ID?k=v, scripts:ID?k=v, "
        "scripts.AGENT.MODULE, or a message. Repeatable; -i may be left out. Default: `tests` in viva.yaml.",
    ),
    option("--message", "messages", multiple=True, metavar="TEXT", help="A direct message, whatever it looks like."),
    _named_without_a_flag,
)

selection_options = _stacked(
    option("--run", "-k", "pattern", metavar="REGEX", help="Only cases whose id, name or path::id matches."),
    option("-m", "--tag", "tags", multiple=True, metavar="TAG", help="Only cases with this tag. Repeatable."),
    option(
        "--last-failed", "--lf", is_flag=True, help="Only what did not pass last time; all cases when nothing failed."
    ),
    option("--failed-first", "--ff", is_flag=True, help="What did not pass last time before the rest."),
    option("--shard", metavar="I/N", env="SHARD", help="Only this part of N stable parts."),
    option("--sample", type=click.IntRange(min=1), metavar="N", help="Only N cases, drawn with --seed."),
    option("--seed", type=int, default=0, show_default=True, help="Seed of --sample."),
)

agent_name_option = option(
    "-n",
    "--name",
    "agent",
    env="AGENT",
    metavar="AGENT",
    shell_complete=_agent_names,
    help="The agent under test.",
)

agent_options = _stacked(
    agent_name_option,
    option("-c", "--connector", env="CONNECTOR", metavar="ID", help="Override the model connector."),
    option("-u", "--user", env="USER_ID", metavar="ID", help="User the agent is called for [test-user]."),
    option("-t", "--team", env="TEAM_ID", metavar="ID", help="Team the agent is called for [test-team]."),
    option("--locale", env="LOCALE", metavar="TAG", help="Locale of the call [en-us]."),
    option("--ctx", "context_file", metavar="FILE", help="JSON file with identity and metadata."),
)

conversation_options = _stacked(
    option("--simulator", env="SIMULATOR", metavar="REF", help="Who plays the user when the script runs out."),
    option("--interactive", is_flag=True, help="Ask you for the next line when the agent awaits one."),
    option("--skip-interactive", is_flag=True, help="Skip cases that need a person."),
    option(
        "--on-missing-input",
        env="ON_MISSING_INPUT",
        type=click.Choice(["skip", "fail", "end"]),
        help="What to do when nobody has the next line [skip].",
    ),
    option("--max-turns", env="MAX_TURNS", type=click.IntRange(min=1), help="Turns before a case fails [20]."),
)

running_options = _stacked(
    option("--runs", env="RUNS", type=click.IntRange(min=1), metavar="N", help="Run every case N times [1]."),
    option(
        "-j", "--parallel", env="PARALLEL", type=click.IntRange(min=1), metavar="N", help="Conversations at once [1]."
    ),
    option(
        "--executor",
        env="EXECUTOR",
        default="local",
        metavar="NAME[=ADDRESS]",
        help="Where conversations run: local, ray (a cluster started here) or ray=HOST:PORT|auto [local].",
    ),
    duration_option("--timeout", env="TIMEOUT", help="Time limit per case [5m]."),
    duration_option("--judge-timeout", env="JUDGE_TIMEOUT", help="Time limit per judge call [2m]."),
    option("-x", "--fail-fast", is_flag=True, default=None, help="Stop at the first case that does not pass."),
    option(
        "--resume",
        is_flag=False,
        flag_value=NEWEST,
        metavar="[FILE|RUN]",
        help="Go on with an unfinished run, by its result file or its id (viva history): only cases without a final "
        "result. Default: the newest of these inputs.",
    ),
    option("--retries", env="RETRIES", type=click.IntRange(min=0), metavar="N", help=_RETRIES),
    option("--budget", env="BUDGET", metavar="AMOUNT", help="Begin no case beyond this: 2.50usd, 2.50€, 200000tok."),
    option("--early-stop", is_flag=True, default=None, help="End a case's runs once min_pass is decided either way."),
    option("--maxfail", type=click.IntRange(min=1), metavar="N", help="Stop after N cases that do not pass."),
    option("--strict-protocol", is_flag=True, help="Breaches of the agent's protocol fail the turn."),
    option("--strict", is_flag=True, help="One bad generated case ends the run, before anything is run."),
    option("--before", metavar="REF", help="Script run before everything."),
    option("--after", metavar="REF", help="Script run after everything."),
)

output_options = _stacked(
    option(
        "-o",
        "--output",
        "outputs",
        multiple=True,
        metavar="FILE",
        help="Report: .jsonl .json .md .html .xml. Repeatable. Default for files: output-TIME.jsonl beside the input.",
    ),
    option("--junitxml", metavar="FILE", help="Same as -o FILE.xml."),
    option("-r", "--reporter", metavar="REF", help="Reporter agent, or report.json|markdown|html|summary."),
    option("-v", "--verbose", is_flag=True, help="Every message and tool call."),
    option(
        "--no-history",
        is_flag=True,
        env="NO_HISTORY",
        help="Do not keep this run in .viva/ (--last-failed, history, view and diff will not know it).",
    ),
    option("--keep", env="KEEP", type=click.IntRange(min=1), metavar="N", help="Runs kept in the history [50]."),
    option("--pass-with-no-tests", is_flag=True, help="Exit 0 when nothing is selected."),
    option("--dry-run", is_flag=True, help="List the cases, run nothing; with -o FILE.jsonl write them."),
)
