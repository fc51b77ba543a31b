"""What the command, the Python API and pytest share: wishes → settings, a project opened, a run described."""

import uuid
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import BinaryIO

from msgspec import Struct

from vivavoce.engine.attempt.identity import IdentityFlags, RunContext, identity_for
from vivavoce.engine.plan.plan import Plan, Selection
from vivavoce.engine.spending import Allowance, Spending, parse_budget
from vivavoce.engine.wiring import RunSettings, Workshop
from vivavoce.errors import UsageError
from vivavoce.model.case import Case, OnMissingInput
from vivavoce.model.message import Usage
from vivavoce.model.result import RunInfo
from vivavoce.notation.durations import parse_duration
from vivavoce.project.project import Project, find_project
from vivavoce.project.settings import RunDefaults
from vivavoce.protocols import Source
from vivavoce.sources.discover import Generators, sources_for
from vivavoce.sources.input_ref import InputRef, folder_of_first
from vivavoce.version import __version__
from vivavoce.wording.plurals import listed


class Execution(Struct, frozen=True):
    """How much at once, how often, and when to stop."""

    parallel: int
    runs: int
    max_failures: int | None
    early_stop: bool = False
    allowance: Allowance | None = None
    """What the run may spend."""

    def spending(self, before: Usage | None) -> Spending | None:
        """The account of a run that already used something, as for generating its cases."""
        return None if self.allowance is None else Spending(self.allowance, before)


class Wishes(Struct, frozen=True, kw_only=True):
    """What somebody asked for; None: as the project's configuration says, or else as built in."""

    agent: str | None = None
    connector: str | None = None
    identity: IdentityFlags = IdentityFlags()
    context: RunContext = RunContext()
    timeout_s: float | None = None
    judge_timeout_s: float | None = None
    max_turns: int | None = None
    simulator: str | None = None
    interactive: bool = False
    on_missing_input: OnMissingInput | None = None
    strict_protocol: bool = False
    record_to: str | None = None
    parallel: int | None = None
    runs: int | None = None
    fail_fast: bool | None = None
    max_failures: int | None = None
    early_stop: bool | None = None
    retries: int | None = None
    budget: str | None = None

    def settings(self, defaults: RunDefaults) -> RunSettings:
        return RunSettings(
            agent=self.agent,
            connector=self.connector,
            identity=self.identity,
            context=self.context,
            timeout_s=self.timeout_s or _seconds(defaults.timeout, "run.timeout") or 300.0,
            judge_timeout_s=self.judge_timeout_s or _seconds(defaults.judge_timeout, "run.judge_timeout") or 120.0,
            max_turns=self.max_turns or defaults.max_turns or 20,
            simulator=self.simulator or defaults.simulator,
            interactive=self.interactive,
            on_missing_input=self.on_missing_input or defaults.on_missing_input,
            strict_protocol=self.strict_protocol,
            record_to=self.record_to,
            retries=(self.retries if self.retries is not None else defaults.retries) or 0,
        )

    def execution(self, defaults: RunDefaults) -> Execution:
        fail_fast = defaults.fail_fast if self.fail_fast is None else self.fail_fast
        return Execution(
            parallel=self.parallel or defaults.parallel or 1,
            runs=self.runs or defaults.runs or 1,
            max_failures=self.max_failures or (1 if fail_fast else None),
            early_stop=bool(defaults.early_stop if self.early_stop is None else self.early_stop),
            allowance=self._allowance(defaults),
        )

    def _allowance(self, defaults: RunDefaults) -> Allowance | None:
        if self.budget:
            return parse_budget(self.budget)
        return parse_budget(defaults.budget, "run.budget") if defaults.budget else None


def open_project(config: str | None, start: Path | None = None, *, inputs: Sequence[str] = ()) -> Project:
    """The project around `start` (the working directory), its `.env` read, never overriding the environment.

    Where there is none, the one around the first of the inputs.
    """
    project = find_project(start or Path.cwd(), config, folder_of_first(inputs))
    env_file = project.root / ".env"
    if env_file.is_file():
        from dotenv import load_dotenv

        load_dotenv(env_file, override=False)
    return project


def sources_of(
    project: Project,
    inputs: Sequence[str],
    messages: Sequence[str] = (),
    *,
    stdin: BinaryIO | None = None,
    generators: Generators | None = None,
) -> list[Source]:
    """What `-i` and `--message` name. Only who may call agents passes `generators`."""

    def script_tests(ref: InputRef) -> Source:
        from vivavoce.sources.script_tests import ScriptTestsSource

        return ScriptTestsSource(ref, project)

    makers: Generators = {"script_tests": script_tests, **(generators or {})}
    return sources_for(inputs, project, messages=messages, stdin=stdin, generators=makers)


def run_info(plan: Plan, workshop: Workshop, execution: Execution, command: str = "") -> RunInfo:
    """What is about to run, for the reports. There must be at least one case."""
    card = workshop.card(next(plan.cases()))
    settings = workshop.settings
    return RunInfo(
        run_id=uuid.uuid4().hex[:12],
        started_at=datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z"),
        agent_id=workshop.secrets.mask(card.id),
        connector=settings.connector or card.connector,
        identity=identity_for(Case(id=""), settings.identity, settings.context, workshop.project.config.identity),
        inputs=tuple(source.label for source in plan.sources),
        total_cases=plan.selected,
        runs_per_case=execution.runs,
        version=__version__,
        command=command,
        project_root=str(workshop.project.root),
        shard=plan.shard,
        cases_of_all_shards=plan.in_all_shards,
    )


def require_cases(plan: Plan) -> None:
    """A run of nothing is never green."""
    if plan.selected:
        return
    if plan.found:
        none = "the only case found is not" if plan.found == 1 else f"none of the {plan.found:,} cases found is"
        raise UsageError(f"{none} selected", hint=f"look at {listed(list(_narrowed_by(plan.selection)))}")
    names = ", ".join(source.label for source in plan.sources)
    raise UsageError(f"no cases found in {names}", hint="one case is one { … }")


def _narrowed_by(selection: Selection) -> Iterator[str]:
    """The flags that leave cases out."""
    if selection.pattern is not None:
        yield "--run"
    if selection.tags:
        yield "--tag"
    if selection.keys is not None:
        yield "--last-failed (none of these failed last time)"
    if selection.shard is not None:
        yield "--shard"


def _seconds(text: str | None, where: str) -> float | None:
    if text is None:
        return None
    try:
        return parse_duration(text)
    except ValueError as error:
        raise UsageError(str(error), at=where) from None
