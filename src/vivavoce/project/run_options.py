"""THE declaration of every run option. Every other list of options is made from it.

From here come the flags of `viva test`, the VIVA_ variables, pytest's `--viva-…` flags, the keywords of `vivavoce.run`,
the help, the fields of `run:` in viva.yaml, the table in docs/options.md and the "run again" command. A new option is
one entry here, and the place that uses it.
"""

from collections.abc import Mapping
from typing import Literal

from vivavoce.project.option import Duration, Option, OptionGroup, Texts, option, parse, seconds_of, texts_of
from vivavoce.project.output_options import HistoryOptions, OutputOptions
from vivavoce.project.selecting_options import AgentOptions, CaseOptions, SelectionOptions
from vivavoce.project.tape_options import TapeOptions


class MeasuringOptions(OptionGroup):
    """What is measured of the agent's code."""

    cov: Texts = option(
        "--cov",
        default=(),
        kind="texts",
        metavar="PATH",
        variable=False,
        setting=False,
        pytest=False,
        help="Measure this Python code with coverage.py, one context per case; -j N is N processes. Repeatable.",
    )

    @property
    def cov_paths(self) -> tuple[str, ...]:
        return texts_of(self.cov)


class ExecutionOptions(OptionGroup):
    """How often, how many at once, how long, and when to stop."""

    runs: int = option(
        "--runs", default=1, kind="number", least=1, metavar="N", decides_result=True, help="Run every case N times."
    )
    parallel: int = option(
        "-j", "--parallel", default=1, kind="number", least=1, metavar="N", help="Conversations at once."
    )
    executor: str = option(
        "--executor",
        default="local",
        metavar="NAME[=ADDRESS]",
        pytest=False,
        help="Where conversations run: local, processes (-j of them on this machine), ray (a cluster started here) or "
        "ray=HOST:PORT|auto.",
    )
    timeout: Duration = option(
        "--timeout", default="5m", kind="duration", decides_result=True, help="Time limit per case."
    )
    judge_timeout: Duration = option(
        "--judge-timeout", default="2m", kind="duration", decides_result=True, help="Time limit per judge call."
    )
    fail_fast: bool = option(
        "-x", "--fail-fast", default=False, kind="switch", help="Stop at the first case that does not pass."
    )
    resume: str | None = option(
        "--resume",
        default=None,
        kind="optional text",
        metavar="[FILE|RUN]",
        variable=False,
        setting=False,
        help="Continue an unfinished run, by its result file or its id (viva history): only cases without a final "
        "result. Default: the newest of these inputs.",
    )
    retries: int = option(
        "--retries",
        default=0,
        kind="number",
        least=0,
        metavar="N",
        help="Try a case again if its agent cannot be reached or the connection breaks; never if a check fails.",
    )
    budget: str | None = option(
        "--budget", default=None, metavar="AMOUNT", help="Start no case once this is spent: 2.50usd, 2.50€, 200000tok."
    )
    time_limit: Duration | None = option(
        "--time-limit",
        default=None,
        kind="duration",
        help="Start no case after this time; the remaining ones are `not_run`.",
    )
    allow_not_run: bool = option(
        "--allow-not-run",
        default=False,
        kind="switch",
        help="Cases that did not run because of the budget or time limit do not fail the run.",
    )
    early_stop: bool = option(
        "--early-stop", default=False, kind="switch", help="End a case's runs once min_pass is reached or impossible."
    )
    maxfail: int | None = option(
        "--maxfail", default=None, kind="number", least=1, metavar="N", help="Stop after N cases that do not pass."
    )
    keep_workspaces: bool = option(
        "--keep-workspaces",
        default=False,
        kind="switch",
        help="Keep the folders that agents worked in; the reports say where they are.",
    )
    update_snapshots: bool = option(
        "--update-snapshots",
        default=False,
        kind="switch",
        setting=False,
        help="Accept every changed snapshot of cases whose other checks pass.",
    )
    strict_protocol: bool = option(
        "--strict-protocol",
        default=False,
        kind="switch",
        decides_result=True,
        help="Violations of the agent's protocol fail the turn.",
    )
    faults: Texts = option(
        "--fault",
        default=(),
        kind="texts",
        metavar="WHERE:KIND[@N]",
        decides_result=True,
        setting=False,
        help="Inject a failure: model:429@2, tool:refund:error. Repeatable.",
    )
    strict: bool = option(
        "--strict",
        default=False,
        kind="switch",
        pytest=False,
        help="One bad generated case ends the run before any case runs.",
    )
    before: str | None = option(
        "--before", default=None, metavar="REF", decides_result=True, help="Script run before everything."
    )
    after: str | None = option(
        "--after", default=None, metavar="REF", decides_result=True, help="Script run after everything."
    )

    @property
    def timeout_s(self) -> float:
        return seconds_of(self.timeout, "timeout")

    @property
    def time_limit_s(self) -> float | None:
        return None if self.time_limit is None else seconds_of(self.time_limit, "time_limit")

    @property
    def judge_timeout_s(self) -> float:
        return seconds_of(self.judge_timeout, "judge_timeout")

    @property
    def max_failures(self) -> int | None:
        return self.maxfail or (1 if self.fail_fast else None)


class ConversationOptions(OptionGroup):
    """Who speaks when the script runs out, and for how long."""

    simulator: str | None = option(
        "--simulator",
        default=None,
        metavar="REF",
        decides_result=True,
        help="Who plays the user when the script runs out.",
    )
    skip_interactive: bool = option(
        "--skip-interactive", default=False, kind="switch", help="Skip cases that need a person."
    )
    on_missing_input: Literal["skip", "fail", "end"] | None = option(
        "--on-missing-input",
        default=None,
        kind="choice",
        choices=("skip", "fail", "end"),
        shown_default="skip",
        decides_result=True,
        help="What to do when the agent waits and there is no next line.",
    )
    max_turns: int = option(
        "--max-turns",
        default=20,
        kind="number",
        least=1,
        metavar="N",
        decides_result=True,
        help="Turns before a case fails.",
    )


class AttemptOptions(ExecutionOptions, ConversationOptions):
    """Options that matter to a single attempt; the engine finds them in `RunSettings.options`."""


class TerminalOptions(MeasuringOptions):
    """Only for a person at a terminal."""

    interactive: bool = option(
        "--interactive",
        default=False,
        kind="switch",
        variable=False,
        setting=False,
        pytest=False,
        decides_result=True,
        help="Ask you for the next line when the agent waits for one.",
    )
    verbose: bool = option(
        "-v", "--verbose", default=False, kind="switch", pytest=False, help="Every message and tool call."
    )
    watch: bool = option(
        "--watch",
        default=False,
        kind="switch",
        variable=False,
        setting=False,
        pytest=False,
        help="Keep watching: after each saved file, run its cases, or those of the agent it belongs to.",
    )
    quiet: bool = option(
        "-q",
        "--quiet",
        default=False,
        kind="switch",
        setting=False,
        pytest=False,
        help="Only what did not pass, and a closing line.",
    )
    format: Literal["console", "agent"] = option(
        "--format",
        default="console",
        kind="choice",
        choices=("console", "agent"),
        setting=False,
        pytest=False,
        help="How results are shown: console, or agent (short plain text for coding agents).",
    )
    pass_with_no_tests: bool = option(
        "--pass-with-no-tests",
        default=False,
        kind="switch",
        setting=False,
        pytest=False,
        help="Exit 0 when nothing is selected.",
    )
    dry_run: bool = option(
        "--dry-run",
        default=False,
        kind="switch",
        variable=False,
        setting=False,
        pytest=False,
        help="List the cases, run nothing; with -o FILE.jsonl write them.",
    )


class ProjectOptions(OptionGroup):
    """Which configuration is used."""

    config: object = option(
        "--config",
        default=None,
        takes_objects=True,
        metavar="FILE",
        setting=False,
        decides_result=True,
        help="Configuration file (default: viva.yaml, found upward).",
    )


GROUPS = (
    CaseOptions,
    AgentOptions,
    SelectionOptions,
    ExecutionOptions,
    ConversationOptions,
    TapeOptions,
    OutputOptions,
    HistoryOptions,
    TerminalOptions,
    ProjectOptions,
)
RUN_OPTIONS: tuple[Option, ...] = tuple(one for group in GROUPS for one in group.declared)
"""All of them, in the order of the help."""


def values_in(environment: Mapping[str, str]) -> dict[str, object]:
    """Returns the values of the VIVA_ variables by the option's name. Raises UsageError for a bad value."""
    return {
        one.name: parse(one, environment[one.variable], one.variable)
        for one in RUN_OPTIONS
        if one.variable is not None and environment.get(one.variable)
    }
