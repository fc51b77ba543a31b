"""A job → live target, speaker and helpers. The one place where the rooms meet."""

import asyncio
import itertools
import sys
import uuid
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, Protocol

from msgspec import structs

from vivavoce.calling.connections import find_connector
from vivavoce.containment.safe_stream import redact_with
from vivavoce.containment.time_limit import TimeLimit
from vivavoce.containment.user_errors import describe_exception
from vivavoce.engine.agent_files import remember_secrets
from vivavoce.engine.attempt.awaiting import AwaitingRules
from vivavoce.engine.attempt.helper_agents import HelperAgents
from vivavoce.engine.attempt.identity import identity_for
from vivavoce.engine.fingerprints import Fingerprints
from vivavoce.engine.limits import check_rates, limited
from vivavoce.engine.opened_tapes import opened_tapes
from vivavoce.engine.resolve import agent_for, resolve_agent, shows_calls
from vivavoce.engine.run_settings import RunSettings, simulator_named
from vivavoce.engine.served_agents import ServedAgents
from vivavoce.engine.watching import Watchers
from vivavoce.metering.expenses import Expenses
from vivavoce.metering.prices import PriceList
from vivavoce.model.case import CallOptions, Case, Identity
from vivavoce.model.contender import Contender
from vivavoce.model.json_value import JsonObject, JsonValue
from vivavoce.net.http_client import HttpClient
from vivavoce.plugins.catalog import OBJECT_KIND, TARGETS
from vivavoce.plugins.declarations import TargetKind
from vivavoce.plugins.guarded import guarded_target
from vivavoce.project.project import Project
from vivavoce.project.redaction import Secrets
from vivavoce.protocols import AgentCard, Connector, Helpers, Speaker, Surroundings, Target, TargetSpec
from vivavoce.scripts.own_scripts import own_script
from vivavoce.scripts.script_runner import ScriptRunner
from vivavoce.sight.tapes.tape_settings import TAPES_ONLY
from vivavoce.snapshots.book import SnapshotBook
from vivavoce.speakers.composition import (
    NO_NEXT_TURN,
    NO_TERMINAL,
    FirstOf,
    MissingInput,
    Timed,
    UntilMaxTurns,
    WhenAwaiting,
)
from vivavoce.speakers.scripted import ScriptedSpeaker
from vivavoce.workspaces.copies import Copies


class Person(Speaker, Protocol):
    """A speaker at the terminal; `close` frees the terminal for the next conversation."""

    def close(self) -> None: ...


PersonMaker = Callable[[Case, str], Person | None]
"""(case, agent) → the person who answers, or None where there is no terminal."""


class RunResources:
    """What the attempts of one run share: live targets, connections, scripts, helpers. One per process.

    Made from plain data, so that another process can make its own (see worker_setup.py).
    """

    def __init__(
        self,
        project: Project,
        settings: RunSettings,
        *,
        secrets: Secrets | None = None,
        person: PersonMaker | None = None,
    ) -> None:
        self.project = project
        self.settings = settings
        self.secrets = secrets or Secrets()
        remember_secrets(project.config, self.secrets)
        redact_with(self.secrets.mask)
        self.scripts = ScriptRunner(project)
        self.expenses = Expenses()
        """Costs outside any attempt: generators and reporters."""
        agents = HelperAgents(self.target, self.kind, settings.connector, self.expenses)
        self.snapshots = SnapshotBook(settings.snapshots, self.secrets, project.config.snapshots.normalise)
        self.helpers = Helpers(
            agents=agents,
            scripts=self.scripts,
            judge_timeout_s=settings.judge_timeout_s,
            connector=self.connector,
            fingerprint=Fingerprints(project, self.secrets, self.spec, settings.connector),
            snapshots=self.snapshots,
        )
        self.tapes = opened_tapes(settings.tapes, project, self.secrets)
        self.surroundings = Surroundings(
            project=project, http=HttpClient(), secrets=self.secrets, helpers=self.helpers, tapes=self.tapes
        )
        self.watchers = Watchers(self.surroundings, settings.faults, self.scripts)
        self.served = ServedAgents(self.surroundings)
        self.variables: JsonObject = dict(project.config.variables)
        """The values of `${NAME}` in every case; the result of the run's `before` hook is added."""
        self.cases_hold_variables = True
        """False when no case has a `${NAME}`, so that cases need not be searched for one."""
        self.copies = Copies(keep=settings.options.keep_workspaces)
        self.awaiting = AwaitingRules.of(project.config.awaiting)
        self._make_person = person
        self._adopted: dict[str, TargetSpec] = {}
        self._targets: dict[str, Target] = {}
        self._shows_calls: dict[str, bool | None] = {}
        self._strict: set[str] = set()
        self._replaying: set[str] = set()
        self._prices = PriceList(project.config.prices)
        check_rates(project)
        self._contenders = {contender.label: contender for contender in settings.contenders}
        self._agent_of_file: dict[tuple[str | None, str], str] = {}
        self._identities: dict[tuple[str | None, str | None, str | None], Identity] = {}
        self._session_prefix = uuid.uuid4().hex[:20]
        self._sessions = itertools.count(1)
        self._default_simulator = simulator_named(settings.simulator) if settings.simulator else None

    def connector(self, name: str) -> Connector:
        """The live connector behind an id. Raises UsageError when there is none, or it cannot be used."""
        return find_connector(name, self.surroundings)

    def named(self, case: Case) -> Case:
        """Returns the case with an id that may be shown: secrets in it are masked."""
        shown = self.secrets.mask(case.id)
        return case if shown == case.id else structs.replace(case, id=shown)

    # ── targets ──

    def agent_name(self, case: Case) -> str:
        """Which agent a case examines; looked up once per file, not once per case."""
        place = (case.agent, case.origin.path)
        found = self._agent_of_file.get(place)
        if found is None:
            contender = self._contenders.get(case.agent or "")
            found = contender.agent if contender else agent_for(case, self.settings.agent, self.project)
            self._agent_of_file[place] = found
        return found

    def connector_for(self, case: Case) -> str | None:
        """The connector that `-c` names for the agent of a case; None where nobody chose one."""
        contender = self._contenders.get(case.agent or "")
        return self.settings.connector if contender is None else contender.connector or self.settings.connector

    def compare(self, contenders: tuple[Contender, ...]) -> None:
        """From now on a case whose `agent` is the label of a contender is examined with that contender."""
        self.settings = structs.replace(self.settings, contenders=contenders)
        self._contenders = {contender.label: contender for contender in contenders}

    def agents_in_use(self) -> set[str]:
        """The agents of all cases that were asked about so far: after planning, of all cases."""
        return set(self._agent_of_file.values())

    def agents_looked_up(self) -> set[str]:
        """Those, and the judges, simulators and other helpers that were asked for so far."""
        return set(self._targets)

    def agents_by_place(self) -> dict[tuple[str | None, str], str]:
        """Returns the agents of all cases asked about so far: (`agent` of the case, its file) → name."""
        return dict(self._agent_of_file)

    @property
    def calls_out(self) -> bool:
        """Whether an agent or model looked up so far is reached over the network."""
        elsewhere = any(self.kind(name).runs == "elsewhere" for name in self._targets)
        return elsewhere or bool(self.surroundings.connections)

    def adopt(self, agent: Any) -> str:
        """Registers a live Python object as an agent and returns its name."""
        for name, spec in self._adopted.items():
            if spec.config[OBJECT_KIND] is agent:
                return name
        name = live_name(agent)
        if name in self._adopted:
            name = f"{name}#{len(self._adopted) + 1}"
        self._adopted[name] = TargetSpec(id=name, kind=OBJECT_KIND, config={OBJECT_KIND: agent})
        return name

    def spec(self, name: str) -> TargetSpec:
        """Returns an agent as data: an adopted object, or the project's agent of that name."""
        return self._adopted.get(name) or resolve_agent(name, self.project)

    def target(self, name: str) -> Target:
        """Returns the live target of a name; it is built on first use."""
        found = self._targets.get(name)
        if found is None:
            spec = self.spec(name)
            if self.settings.record_to is not None:
                spec = structs.replace(spec, config={**spec.config, "record_to": self.settings.record_to})
            self.secrets.add_address(spec.id)
            self.secrets.add_configuration(spec.config)
            kind = TARGETS.load(spec.kind)
            self._shows_calls[name] = shows_calls(spec, kind)
            if kind.replays:
                self._replaying.add(name)
            if kind.keeps_promises:
                self._strict.add(name)
            spec = self.taped(spec, kind)
            # First, as an agent in this process may look for its base URL when it is imported.
            self.watchers.add(name, spec)
            with TARGETS.guard(spec.kind):
                live = guarded_target(kind.build(spec, self.surroundings), spec.kind)
            if self.settings.record_to is not None and not kind.records_itself:
                from vivavoce.targets.answer_recording import RecordedTarget

                folder = Path(self.settings.record_to)
                live = RecordedTarget(live, folder, self.secrets, shows_calls=self._shows_calls[name])
            polite = limited(live, spec, kind, self._prices)
            found = self._targets[name] = self.served.served(polite, spec, partial(self.watchers.start, name))
        return found

    def taped(self, spec: TargetSpec, kind: TargetKind) -> TargetSpec:
        """The agent with its models and MCP servers taped, when a run with tapes can do so by itself."""
        reachable = kind.runs != "elsewhere" or spec.config.get("serve")
        if not self.settings.tapes.is_on or not reachable:
            return spec
        wanted = [field for field in ("model_proxy", "mcp_mock") if not spec.config.get(field)]
        return structs.replace(spec, config={**spec.config, **{field: {TAPES_ONLY: True} for field in wanted}})

    def tape_warnings(self) -> list[str]:
        """What the tapes of the whole run have to say: misses and drift, in a few lines."""
        return [] if self.tapes is None else self.tapes.drift.report()

    def shows_calls(self, name: str) -> bool | None:
        """Whether every answer of an agent shows its tool calls; None: the form of each answer decides."""
        return self._shows_calls.get(name)

    def kind(self, name: str) -> TargetKind:
        """Returns the declaration of an agent's kind."""
        return TARGETS.load(self.spec(name).kind)

    def replays(self, case: Case) -> bool:
        """Whether the agent of a case only plays back a recording."""
        return bool(self._replaying) and self.agent_name(case) in self._replaying

    def is_strict(self, name: str) -> bool:
        """Whether breaches of an agent's protocol fail a turn: under the flag, or because its kind says so."""
        return self.settings.options.strict_protocol or name in self._strict

    def card(self, case: Case) -> AgentCard:
        return self.target(self.agent_name(case)).card

    def hook(self, ref: str, case: Case) -> str:
        """The script that a hook around a case means: one of its agent's own folder first, then the project's.

        Raises UsageError when the agent's own script is not Python.
        """
        name = self.agent_name(case)
        folder_of = self.kind(name).scripts_folder
        folder = None if folder_of is None else folder_of(self.spec(name), self.project)
        return ref if folder is None else own_script(ref, folder, self.project)

    # ── what a conversation is opened with ──

    def identity(self, case: Case) -> Identity:
        """Returns the identity of a case. Made once for each combination of user, team and locale."""
        wished = (case.user, case.team, case.locale)
        found = self._identities.get(wished)
        if found is None:
            settings = self.settings
            found = identity_for(case, settings.identity, settings.context, self.project.config.identity)
            self._identities[wished] = found
        return found

    def with_common_metadata(self, case: Case) -> Case:
        """Returns the case with the metadata of the `--ctx` file; the case's own values win."""
        metadata = self.settings.context.metadata
        if not metadata:
            return case
        return structs.replace(case, options=CallOptions(metadata=metadata).overridden_by(case.options))

    def new_session_id(self) -> str:
        """Returns an id unique across processes: a random prefix and a counter."""
        return f"{self._session_prefix}{next(self._sessions):012x}"

    # ── speakers ──

    def speaker(self, case: Case, session_id: str, budget: TimeLimit, on_close: list[Callable[[], None]]) -> Speaker:
        """Who speaks for the user: script, then simulator, then a person, then nobody."""
        case = self.with_common_metadata(case)
        scripted = ScriptedSpeaker(case.turns, case.options)
        rules = case.rules
        simulator = case.simulator or self._default_simulator
        person = self._person(case)
        if rules.single_turn or not (rules.multi_turn or simulator or person):
            return scripted
        later: list[Speaker] = []
        if simulator is not None:
            from vivavoce.speakers.simulated import SimulatedSpeaker

            simulated = SimulatedSpeaker(case, simulator, self.helpers.agents, self.max_turns(case), session_id)
            later.append(Timed(simulated, budget))
        if person is not None:
            on_close.append(person.close)
            later.append(UntilMaxTurns(self.max_turns(case), person))
        missing = NO_TERMINAL if person is None and self._wants_person(case) else NO_NEXT_TURN
        later.append(MissingInput(self.settings.on_missing_input or rules.on_missing_input or "skip", missing))
        # A checkpoint case goes on whether or not the agent asked something.
        return FirstOf(scripted, FirstOf(*later) if case.checkpoints else WhenAwaiting(FirstOf(*later)))

    def max_turns(self, case: Case) -> int:
        return case.rules.max_turns or self.settings.max_turns

    def _person(self, case: Case) -> Person | None:
        if self._make_person is None or not self._wants_person(case):
            return None
        return self._make_person(case, self.agent_name(case))

    def _wants_person(self, case: Case) -> bool:
        return self.settings.interactive or case.rules.interactive

    async def close(self) -> None:
        """Closes everything. A target that cannot be closed is a warning only."""
        closings = await asyncio.gather(*map(_closed, self._targets.values()), return_exceptions=True)
        for name, problem in zip(self._targets, closings, strict=True):
            if problem is not None:
                what = f"agent {name!r} could not be closed: {describe_exception(problem)}"
                print(f"viva: warning: {self.secrets.mask(what)}", file=sys.stderr)
        await self.watchers.close()
        try:
            await self.scripts.close()
        finally:
            await self.surroundings.http.close()
            self.copies.close()
            if self.tapes is not None:
                self.tapes.close()


async def _closed(target: Target) -> None:
    await target.close()


def live_name(agent: Any) -> str:
    """Returns the name of a live Python object: `KIND:module:name`."""
    named: JsonValue = agent if hasattr(agent, "__qualname__") else agent.__class__
    # A method of a built-in type, such as str.upper, has no module.
    return f"{OBJECT_KIND}:{getattr(named, '__module__', None) or 'builtins'}:{named.__qualname__}"
