"""Checks of a case that need more than its file: do the agents, scripts and attachments it names exist?"""

from collections.abc import Callable

from vivavoce.engine.plan.case_refusals import refuse_requests, refuse_second_turn, refuse_silence, refuse_too_few_runs
from vivavoce.engine.plan.config_checks import refuse_missing_needs
from vivavoce.engine.plan.helper_checks import require_connector, require_helper, require_shipped_judge
from vivavoce.engine.plan.intervention_checks import refuse_interventions
from vivavoce.engine.plan.prompt_checks import refuse_unknown_names
from vivavoce.engine.plan.snapshot_checks import refuse_bad_snapshots
from vivavoce.engine.resolve import LEGACY_AGENT, refuse_bad_address
from vivavoce.engine.served_agents import later_variables
from vivavoce.engine.wiring import RunResources
from vivavoce.errors import Problems, UsageError
from vivavoce.model.agent_card import WantedName
from vivavoce.model.case import SCRIPT_TESTS, AssertionSpec, Case, Origin
from vivavoce.model.json_value import JsonValue, is_object
from vivavoce.project.redaction import Secrets
from vivavoce.project.variables import AnyName, UndefinedVariable, interpolate_deep
from vivavoce.snapshots.places import TYPE as SNAPSHOT
from vivavoce.sources.decoding.attachments import load_attachments
from vivavoce.sources.shared_places import SharedPlaces

_JUDGED_BY_OTHERS = frozenset(("agent", "script"))


class CaseChecks:
    """Called with every case before anything runs. Looks each name up once, not once per case."""

    def __init__(
        self,
        resources: RunResources,
        *,
        thorough: bool = False,
        variables_follow: bool = False,
        one_by_one: bool = False,
        only_judges: bool = False,
    ) -> None:
        self._resources = resources
        self._thorough = thorough
        """Whether attachments are read too (`viva validate`). In a run a missing one costs its case alone."""
        self._hooks_follow = variables_follow
        """Whether the run's own `before` hook may still define variables and make files."""
        self._one_by_one = one_by_one
        """Whether a problem is reported for each case that has it, not only for the first."""
        self._only_judges = only_judges
        """Whether the agent will not be called, so that what it needs may be missing."""
        self._known: set[str] = set()
        self._ways: dict[tuple[str | None, str, str | None, bool], tuple[tuple[WantedName, ...], bool]] = {}
        """Ways by which cases get to their agents: agent, file, connector, whether hooks may define variables. Each
        with what the agent's prompts want of a case, and whether it takes requests."""
        self._first_without_agent: Origin | None = None
        self._shared_places = SharedPlaces(resources.project)
        self._reported: set[str] = set()
        """Problems already reported: several cases may have the same one, in a file they share."""

    def __call__(self, case: Case) -> None:
        if case.skip is not None:
            return  # nothing of it is called, so what it names need not exist yet
        try:
            self._check(case)
        except UsageError as error:
            self._new_in(error).raise_any()

    def _new_in(self, error: UsageError) -> Problems:
        """What was not reported yet. Beside `except`, `problem` would keep the error's frames: a leak for each row."""
        new = Problems()
        for problem in error.each():
            if self._one_by_one or str(problem) not in self._reported:
                new.add(problem)
            self._reported.add(str(problem))
        return new

    def require_agent(self, case: Case) -> None:
        """Raises UsageError when the agent of a case is not in order. Looks at nothing else of the case."""
        self._check_way(case, hooks_follow=self._hooks_follow)

    def _check(self, case: Case) -> None:
        if not self._only_judges:
            self._check_agent(case)
        if case.assertions:
            self._judges(case.assertions, case)
        if case.final_assertions:
            self._judges(case.final_assertions, case)
        for turn in case.turns:
            if turn.assertions:
                self._judges(turn.assertions, case)
        if case.checkpoints:
            for checkpoint in case.checkpoints:
                self._judges(checkpoint.assertions, case)
        if self._thorough:
            from vivavoce.engine.plan.variable_checks import with_variables

            filled = case if self._hooks_may_define(case) else with_variables(case, self._resources)
            load_attachments(filled, self._resources.project)

    def _hooks_may_define(self, case: Case) -> bool:
        return self._hooks_follow or case.before is not None or case.hooks != ()

    def _check_agent(self, case: Case) -> None:
        """Raises UsageError when something that the conversation needs is missing."""
        hooks_follow = self._hooks_may_define(case)
        way = (case.agent, case.origin.path, case.options.connector, hooks_follow)
        known = self._ways.get(way)
        if known is None:
            self._check_way(case, hooks_follow=hooks_follow)
            takes_requests = self._resources.kind(self._resources.agent_name(case)).takes_requests
            known = self._ways[way] = (self._resources.card(case).wants, takes_requests)
        if case.min_pass is not None:
            refuse_too_few_runs(case, self._resources.settings.options.runs)
        wants, takes_requests = known
        if wants:
            refuse_unknown_names(self._resources.with_common_metadata(case), wants)
        if len(case.turns) > 1 or case.history or case.simulator is not None:
            refuse_second_turn(case, self._resources.card(case).one_turn)
        refuse_requests(case, takes_them=takes_requests)
        if case.history_script is not None:
            self._reference(case.history_script, case.origin)
        elif not case.turns:
            refuse_silence(case, simulated=self._resources.settings.simulator is not None)
        faults = self._resources.settings.faults
        if case.faults or case.mocks or faults:
            name = self._resources.agent_name(case)
            kind = self._resources.kind(name)
            spec = self._resources.taped(self._resources.spec(name), kind)
            refuse_interventions(case, faults, spec, kind, self._resources.card(case))
        if case.workspace is not None:
            self._workspace(case, case.workspace, hooks_follow=hooks_follow)
        if case.simulator is not None:
            self._helper(case.simulator.use, case.origin, case.simulator.options.connector)
        if case.before is not None:
            self._hook(case.before, case)
        if case.after is not None:
            self._hook(case.after, case)

    def _judges(self, specs: tuple[AssertionSpec, ...], case: Case) -> None:
        """Raises UsageError when an agent, script or file that judges does not exist."""
        place = case.origin
        for spec in specs:
            kind = spec.type
            if kind == SNAPSHOT:
                refuse_bad_snapshots(case)
            elif kind == "javascript":
                self._code_file(spec.fields.get("value"), case)
            elif kind in _JUDGED_BY_OTHERS:
                used = spec.fields.get("use")
                if kind == "agent":
                    from vivavoce.assertions.agent import DEFAULT_JUDGE

                    options = spec.fields.get("options")
                    connector = options.get("connector") if is_object(options) else None
                    self._judge(used if isinstance(used, str) else DEFAULT_JUDGE, place, connector)
                elif isinstance(used, str):
                    self._reference(_as_script(used), place)
            elif isinstance(name := spec.fields.get("connector"), str):
                self._look_up(f"connector {name}", place, lambda name=name: self._resources.connector(name))

    def _workspace(self, case: Case, written: str, *, hooks_follow: bool) -> None:
        """Raises UsageError for an agent that cannot work in a folder, and for a folder that cannot be copied."""
        from vivavoce.engine.attempt.workspace import workspace_folder
        from vivavoce.engine.plan.workspace_checks import refuse_workspace
        from vivavoce.workspaces.copying import checked_survey

        spec = self._resources.spec(self._resources.agent_name(case))
        refuse_workspace(spec, self._resources.card(case), case.origin)
        if "${" in written or hooks_follow:
            return  # a hook may still make the folder
        folder = workspace_folder(case, written, self._resources.project)
        if (mark := f"workspace {folder}") not in self._known:
            self._look_up(mark, case.origin, lambda: checked_survey(str(folder), self._resources.copies.limits))

    def _code_file(self, code: JsonValue, case: Case) -> None:
        if self._hooks_may_define(case) or not isinstance(code, str) or "${" in code:
            return
        from vivavoce.assertions.javascript import folder_of, missing_file

        if (missing := missing_file(code, folder_of(case))) is not None:
            raise UsageError(missing, at=case.origin, hint="the path starts at the folder of the case file")

    def _hook(self, ref: str, case: Case) -> None:
        try:
            self._reference(_as_script(self._resources.hook(ref, case)), case.origin)
        except UsageError as problem:
            field = "before" if ref == case.before else "after"
            raise UsageError(problem.what, at=self._shared_places.of(field, ref, case), hint=problem.hint) from None

    def _check_way(self, case: Case, *, hooks_follow: bool) -> None:
        """Raises UsageError when the simulator, the agent, its configuration or its connector is not in order."""
        name = self._name_of_agent(case)
        if simulator := self._resources.settings.simulator:
            configured = simulator == self._resources.project.config.run.simulator
            self._helper(simulator, "run.simulator" if configured else "--simulator")
        try:
            self._agent(name, self._named_at(name, case))
            self._configuration(name, self._named_at(name, case), hooks_follow=hooks_follow)
        except UsageError as problem:
            if problem.at != case.origin:
                raise
            raise UsageError(problem.what, at=self._shared_places.of("agent", name, case), hint=problem.hint) from None
        self._connector(name, case)

    def _name_of_agent(self, case: Case) -> str:
        try:
            return self._resources.agent_name(case)
        except UsageError as nobody:
            # Reported once, at the first case without an agent: the later ones have the same problem.
            self._first_without_agent = self._first_without_agent or case.origin
            raise UsageError(nobody.what, at=self._first_without_agent, hint=nobody.hint) from None

    def _named_at(self, name: str, case: Case) -> Origin | str:
        """Returns the place that names the agent of a case: the flag, the configuration or the case."""
        project = self._resources.project
        settings = self._resources.settings
        named = {settings.agent, *(contender.agent for contender in settings.contenders)}
        if name in named and not name.startswith(SCRIPT_TESTS):
            return "-n"
        if name != case.agent and project.config_path is not None and name in (project.config.agent, LEGACY_AGENT):
            return _CONFIGURED
        return case.origin

    def _reference(self, ref: str, place: Origin | str) -> None:
        if not ref.startswith("scripts:"):
            self._agent(ref, place)
        elif ref not in self._known:
            from vivavoce.scripts.finder import find_script

            self._look_up(ref, place, lambda: find_script(ref, self._resources.project))

    def _helper(self, ref: str, place: Origin | str, connector: str | None = None) -> None:
        """Raises UsageError when a helper does not exist, or its connector cannot be used."""
        self._reference(ref, place)
        mark = f"helper {ref} over {connector}"
        if not ref.startswith("scripts:") and mark not in self._known:
            self._look_up(mark, place, lambda: require_helper(ref, self._resources, connector))

    def _judge(self, ref: str, place: Origin, connector: str | None) -> None:
        """Raises UsageError when a judge does not exist, or its connector cannot be used."""
        from vivavoce.assertions.agent import DEFAULT_JUDGE

        mark = f"judge over {connector}"
        if ref == DEFAULT_JUDGE and mark not in self._known:
            self._look_up(mark, place, lambda: require_shipped_judge(self._resources, connector))
        self._helper(ref, place, connector)

    def _agent(self, name: str, place: Origin | str) -> None:
        if name not in self._known:
            is_configured = name in self._resources.project.config.agents
            self._look_up(name, _CONFIGURED if is_configured else place, lambda: self._found(name))

    def _found(self, name: str) -> None:
        self._resources.target(name)
        spec = self._resources.spec(name)
        refuse_bad_address(spec, spec.config)

    def _configuration(self, name: str, place: Origin | str, *, hooks_follow: bool) -> None:
        """Raises UsageError for an undefined `${NAME}` in the agent's entry, or a bad address.

        Hooks may define `${NAME}` later, but never `${ENV.NAME}`.
        """
        project = self._resources.project
        spec = self._resources.spec(name)
        variables = AnyName() if hooks_follow else {**project.config.variables, **later_variables(spec)}
        try:
            filled = interpolate_deep(spec.config, variables, Secrets())
        except UndefinedVariable as undefined:
            where = project.place("agents", name) if name in project.config.agents else self._place(place, name)
            raise UsageError(
                f"agent {name!r}: {undefined}", at=where, hint="set it, or write ${NAME:-default}"
            ) from None
        if not hooks_follow:
            self._look_up(f"address of {name}", place, lambda: refuse_bad_address(spec, filled), name)
            # With hooks it is not checked: one of them may build the program.
            self._look_up(f"needs of {name}", place, lambda: refuse_missing_needs(spec, project), name)

    def _connector(self, name: str, case: Case) -> None:
        """Raises UsageError when the agent's connector, or the one `-c` names, cannot be used."""
        card = self._resources.target(name).card
        flag = self._resources.connector_for(case)
        use = self._resources.kind(name).connector
        wanted = None if use == "passed_on" else flag
        if use == "used":
            wanted = flag or case.options.connector or card.connector
        if wanted is None and use != "used":
            return
        if (mark := f"connector {wanted} of {name}") not in self._known:
            place = "-c" if flag else case.origin
            self._look_up(mark, place, lambda: require_connector(wanted, name, self._resources))

    def _look_up(self, name: str, place: Origin | str, find: Callable[[], object], agent: str | None = None) -> None:
        try:
            find()
        except UsageError as problem:
            at = problem.at if problem.at and str(problem.at) else self._place(place, agent or name)
            raise UsageError(problem.what, at=at, hint=problem.hint) from None
        self._known.add(name)

    def _place(self, place: Origin | str, agent: str) -> Origin | str:
        """Reads the configuration's line only once there is something to complain about."""
        if place != _CONFIGURED:
            return place
        project = self._resources.project
        if agent in project.config.agents:
            return project.place("agents", agent)
        return project.place("agent" if project.config.agent else LEGACY_AGENT)


_CONFIGURED = "viva.yaml"
"""Stands for the line of the configuration that names the agent."""


def _as_script(ref: str) -> str:
    return ref if ref.startswith("scripts:") else f"scripts:{ref}"
