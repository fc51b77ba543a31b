"""Objections to a case that need more than its file: do the agent, scripts and attachments it names exist?"""

from collections.abc import Callable, Iterator

from vivavoce.connections import find_connector
from vivavoce.errors import UsageError
from vivavoce.model.case import AssertionSpec, Case
from vivavoce.run.wiring import Workshop
from vivavoce.scripts import find_script
from vivavoce.sources.attachments import load_attachments
from vivavoce.variables import Secrets, UndefinedVariable, interpolate_deep


class CaseChecks:
    """Called with every case before anything runs. Looks each name up once, not once per case."""

    def __init__(self, workshop: Workshop, *, thorough: bool = False, variables_follow: bool = False) -> None:
        self._workshop = workshop
        self._thorough = thorough
        """`viva validate` also reads attachments; a run reports a missing one as that case's error."""
        self._variables_follow = variables_follow
        """Whether the run's own `before` hook may still define some."""
        self._known: set[str] = set()
        self._ways: set[tuple[str, str | None, bool]] = set()
        """To an agent: by what name, over which connector, and whether hooks may still define variables."""

    def __call__(self, case: Case) -> None:
        name = self._workshop.agent_name(case)
        way = (name, case.options.connector, bool(case.hooks or case.before))
        if way not in self._ways:
            self._agent(name, case)
            self._configuration(name, case)
            self._connector(name, case)
            self._ways.add(way)
        if case.simulator is not None:
            self._reference(case.simulator.use, case)
        for hook in (case.before, case.after):
            if hook is not None:
                self._reference(_as_script(hook), case)
        for spec in _assertions(case):
            used = spec.fields.get("use") or spec.fields.get("script")
            if isinstance(used, str) and spec.type in ("agent", "script"):
                self._reference(used if spec.type == "agent" else _as_script(used), case)
        if self._thorough:
            load_attachments(case, self._workshop.project)

    def _reference(self, ref: str, case: Case) -> None:
        if not ref.startswith("scripts:"):
            self._agent(ref, case)
        elif ref not in self._known:
            self._look_up(ref, case, lambda: find_script(ref, self._workshop.project))

    def _agent(self, name: str, case: Case) -> None:
        if name not in self._known:
            self._look_up(name, case, lambda: self._workshop.target(name))

    def _configuration(self, name: str, case: Case) -> None:
        """Every `${NAME}` of the agent's entry is defined, unless a hook of the case may still define it."""
        if self._variables_follow or case.hooks or case.before or (mark := f"config of {name}") in self._known:
            return
        project = self._workshop.project
        try:
            interpolate_deep(self._workshop.spec(name).config, project.config.variables, Secrets())
        except UndefinedVariable as undefined:
            place = project.shown(project.config_path) if project.config_path else None
            raise UsageError(
                f"agent {name!r}: {undefined}", at=place, hint="set it, or write ${NAME:-default}"
            ) from None
        self._known.add(mark)

    def _connector(self, name: str, case: Case) -> None:
        """The model behind an agent package can be found."""
        card = self._workshop.target(name).card
        wanted = self._workshop.settings.connector or case.options.connector or card.connector
        if card.kind == "package" and wanted and (mark := f"connector {wanted}") not in self._known:
            self._look_up(mark, case, lambda: find_connector(wanted, self._workshop.surroundings))

    def _look_up(self, name: str, case: Case, find: Callable[[], object]) -> None:
        try:
            find()
        except UsageError as problem:
            raise UsageError(problem.what, at=problem.at or case.origin, hint=problem.hint) from None
        self._known.add(name)


def _assertions(case: Case) -> Iterator[AssertionSpec]:
    yield from case.assertions
    yield from case.final_assertions
    for turn in case.turns:
        yield from turn.assertions
    for checkpoint in case.checkpoints:
        yield from checkpoint.assertions


def _as_script(ref: str) -> str:
    return ref if ref.startswith("scripts:") else f"scripts:{ref}"
