"""What one run is asked for: the options as given, over the VIVA_ variables, over viva.yaml."""

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from vivavoce.app.taping import tape_settings
from vivavoce.engine.attempt.identity import IdentityFlags, RunContext, context_of, read_context
from vivavoce.engine.wiring import RunSettings
from vivavoce.model.case import Case
from vivavoce.model.json_value import is_object
from vivavoce.notation.budgets import Allowance, parse_budget
from vivavoce.notation.fault_notation import read_fault
from vivavoce.project.ci import in_ci
from vivavoce.project.option import checked, texts_of
from vivavoce.project.run_defaults import RunDefaults
from vivavoce.project.run_options import (
    RUN_OPTIONS,
    AgentOptions,
    AttemptOptions,
    CaseOptions,
    ConversationOptions,
    ExecutionOptions,
    HistoryOptions,
    OutputOptions,
    ProjectOptions,
    SelectionOptions,
    TapeOptions,
    TerminalOptions,
    values_in,
)
from vivavoce.snapshots.book import SnapshotMode

STDOUT = "-"
"""The output that stands for standard output."""


class RunRequest(
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
):
    """All options of one run, frozen. Code that needs one group of them takes it by the type of that group."""

    given: frozenset[str] = frozenset()
    """The options somebody set by flag, keyword or variable; viva.yaml decides about the others."""
    agents: tuple[object, ...] = ()
    """The agents to compare, by name or as live objects; empty: one agent is examined."""
    connectors: tuple[str, ...] = ()
    """The connectors to compare them over."""
    cases: tuple[Case | dict[str, Any], ...] = ()
    """Cases handed over by a program."""
    command: str = ""
    """The command line, for the reports."""
    record_to: str | None = None
    """A folder that keeps every answer."""
    reads_stdin: bool = False
    """Whether the input `-` is standard input; a program's is its own."""
    default_file: bool = False
    """Whether a result file is written where none is named."""
    writes_snapshots: bool = True
    """False for candidates and variants of cases: nobody approves their snapshots."""
    result_folder: str | None = None
    """Where that file goes; None: beside the input."""
    only_keys: frozenset[str] | None = None
    """Only these `path::id`; None: the options alone decide."""
    first_keys: tuple[str, ...] = ()
    """The keys of cases that run before all others, in this order."""
    changed_files: tuple[Path, ...] | None = None
    """Only cases that one of these files affects; None: all."""
    on_planned: Callable[[Any], None] | None = None
    """Called with the Planned once all cases are read and found in order."""

    @classmethod
    def of(cls, given: Mapping[str, object], environment: Mapping[str, str] | None = None, **more: Any) -> "RunRequest":
        """From the options as somebody gave them; None stands for not given. Raises UsageError for a bad value."""
        asked = values_in(environment or {}) | {name: value for name, value in given.items() if value is not None}
        for one in RUN_OPTIONS:
            if one.name in asked:
                asked[one.name] = checked(one, asked[one.name], one.name)
        values: dict[str, Any] = {**asked, **more, "given": frozenset(asked)}
        return cls(**values)

    def with_defaults(self, defaults: RunDefaults) -> "RunRequest":
        """The same, with what `run:` in viva.yaml says wherever nothing was given."""
        values: dict[str, Any] = {}
        for one in RUN_OPTIONS:
            if one.setting is None or one.name in self.given:
                continue
            said = getattr(defaults, one.setting)
            if said is not None:
                values[one.name] = checked(one, said, f"run.{one.setting}")
        if "junitxml" in self.given:
            values.pop("outputs", None)
        if "outputs" in self.given:
            values.pop("junitxml", None)
        paths = texts_of(values.get("outputs", ()))
        folders = [path for path in paths if path.endswith("/") or not Path(path).suffix or Path(path).is_dir()]
        if folders:
            values["outputs"] = tuple(path for path in paths if path not in folders)
            values["result_folder"] = folders[0]
        return self.replaced(**values)

    def replaced(self, **changes: Any) -> "RunRequest":
        """The same request with these fields changed."""
        return RunRequest(**{**vars(self), **changes})

    # ── the settings of the engine ──

    @property
    def agent_name(self) -> str | None:
        """The agent by name; None where nobody chose one, or a live object was handed over."""
        return self.agent if isinstance(self.agent, str) else None

    @property
    def config_path(self) -> str | None:
        return None if self.config is None else str(self.config)

    @property
    def identity(self) -> IdentityFlags:
        return IdentityFlags(self.user, self.team, self.locale)

    @property
    def run_context(self) -> RunContext:
        """Returns the content of the `--ctx` file, or the context given as an object."""
        if self.context is None:
            return RunContext()
        return context_of(self.context) if is_object(self.context) else read_context(str(self.context))

    @property
    def allowance(self) -> Allowance | None:
        """What the run may spend."""
        if self.budget is None:
            return None
        return parse_budget(self.budget, "--budget" if "budget" in self.given else "run.budget")

    def settings(self, *, agent: str | None = None) -> RunSettings:
        """What reaches a single attempt; `agent` is the name of a live object."""
        return RunSettings(
            options=AttemptOptions(**{one.name: getattr(self, one.name) for one in AttemptOptions.declared}),
            agent=agent or self.agent_name,
            connector=self.connector,
            identity=self.identity,
            context=self.run_context,
            timeout_s=self.timeout_s,
            judge_timeout_s=self.judge_timeout_s,
            max_turns=self.max_turns,
            simulator=self.simulator,
            interactive=self.interactive,
            on_missing_input=self.on_missing_input,
            faults=tuple(read_fault(text) for text in texts_of(self.faults)),
            record_to=self.record_to,
            snapshots=self._snapshot_mode,
            tapes=tape_settings(self, os.environ),
        )

    @property
    def compares(self) -> bool:
        """Whether several agents or connectors are compared."""
        return bool(self.agents or self.connectors)

    @property
    def _snapshot_mode(self) -> SnapshotMode:
        """In CI nobody looks at what is written, so nothing is, unless somebody asks for it.

        Agents that are compared answer differently, so they write nothing either.
        """
        if self.compares or not self.writes_snapshots:
            return "compare"
        if self.update_snapshots:
            return "update"
        return "compare" if in_ci(os.environ) else "write new"

    # ── where results go ──

    @property
    def files(self) -> list[str]:
        """What `-o` and `--junitxml` name, standard output left out."""
        named = [path for path in self.output_paths if path != STDOUT]
        return [*named, self.junitxml] if self.junitxml else named

    @property
    def streams_results(self) -> bool:
        """Whether result lines go to standard output (`-o -`)."""
        return STDOUT in self.output_paths

    @property
    def takes_stdout(self) -> bool:
        """Whether standard output holds something other than the console text, and nothing else may be printed
        there."""
        return self.streams_results or (self.reporter is not None and not self.output_paths)
