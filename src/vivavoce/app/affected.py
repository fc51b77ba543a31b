"""Which cases a changed file affects: those in it, and those that use the agent it belongs to."""

from collections.abc import Collection, Iterable
from pathlib import Path

from msgspec import Struct

from vivavoce.configuration.project_finder import CONFIG_NAMES
from vivavoce.engine.agent_files import files_named_in
from vivavoce.engine.imported_files import with_imports
from vivavoce.engine.resolve import known_agents
from vivavoce.engine.wiring import RunResources
from vivavoce.errors import VivaError
from vivavoce.model.case import AssertionSpec, Case
from vivavoce.model.json_value import is_object
from vivavoce.protocols import Source

_FOR_ALL = (*CONFIG_NAMES, "pyproject.toml", ".env")
"""Files of the project's root on which every case depends."""


class AgentSources(Struct, frozen=True):
    """Where an agent's own code and texts lie."""

    files: frozenset[Path]
    folders: frozenset[Path]
    """Any file below them may belong to the agent, such as a prompt that its code reads."""


class Affected:
    """Decides for each case whether one of the changed files matters to it."""

    def __init__(self, changed: Iterable[Path], case_files: Collection[Path], resources: RunResources) -> None:
        """`case_files` are the files the cases come from: a change there matters to their own cases only."""
        self._resources = resources
        self._root = resources.project.root.resolve()
        self._case_files = {path.resolve() for path in case_files}
        changed = {path.resolve() for path in changed}
        self._changed_cases = changed & self._case_files
        self._others = changed - self._case_files
        self._agents: dict[str, AgentSources] = {}
        self._hit: dict[frozenset[str], bool] = {}
        self._places: dict[str, bool] = {}
        self._all = any(self._concerns_all(path) for path in self._others)

    def wants(self, case: Case) -> bool:
        """Whether the case has to run again."""
        if self._all or self._in_changed_file(case.origin.path):
            return True
        if not self._others:
            return False
        used = frozenset(self._used_by(case))
        if used not in self._hit:
            self._hit[used] = any(self._belongs(path, used) for path in self._others)
        return self._hit[used]

    def _in_changed_file(self, path: str) -> bool:
        found = self._places.get(path)
        if found is None:
            found = self._places[path] = Path(path).resolve() in self._changed_cases
        return found

    def known_files(self) -> set[Path]:
        """The files that are known to matter: cases, agents and what they import."""
        agents = {*known_agents(self._resources.project), *self._resources.agents_in_use()}
        return self._case_files.union(*(self._sources(name).files for name in agents))

    def _concerns_all(self, path: Path) -> bool:
        """Configuration, connectors, and scripts, which any check may use."""
        project = self._resources.project
        shared = (project.connectors_dir, project.scripts_dir)
        return (path.parent == self._root and path.name in _FOR_ALL) or any(
            path.is_relative_to(folder.resolve()) for folder in shared if folder.is_dir()
        )

    def _belongs(self, path: Path, used: frozenset[str]) -> bool:
        """Whether the file is one of these agents'; one that lies nearer to another agent is not."""
        if any(path in self._sources(name).files for name in used):
            return True
        every = {*known_agents(self._resources.project), *used}
        if any(path in self._sources(name).files for name in every):
            return False
        nearest = max((self._depth(path, name) for name in every), default=-1)
        return nearest >= 0 and any(self._depth(path, name) == nearest for name in used)

    def _depth(self, path: Path, agent: str) -> int:
        """How near the file lies to the agent: the length of the agent's folder around it, or -1."""
        return max((len(home.parts) for home in self._sources(agent).folders if path.is_relative_to(home)), default=-1)

    def _sources(self, name: str) -> AgentSources:
        found = self._agents.get(name)
        if found is None:
            found = self._agents[name] = self._read_sources(name)
        return found

    def _read_sources(self, name: str) -> AgentSources:
        try:
            spec = self._resources.spec(name)
        except VivaError:
            return AgentSources(frozenset(), frozenset())
        config = {field: value for field, value in spec.config.items() if not callable(value)}
        named = [path.resolve() for path in files_named_in(config, self._resources.project)]
        files = frozenset(with_imports(named, self._root)) - self._case_files
        return AgentSources(files, frozenset(path.parent for path in named if path not in self._case_files))

    def _used_by(self, case: Case) -> Iterable[str]:
        """The agent under test, the simulator and the judges."""
        yield self._resources.agent_name(case)
        simulator = case.simulator.use if case.simulator is not None else self._resources.settings.simulator
        if simulator:
            yield simulator
        checks = [*case.assertions, *case.final_assertions, *(one for turn in case.turns for one in turn.assertions)]
        checks += [one for checkpoint in case.checkpoints for one in checkpoint.assertions]
        yield from filter(None, map(_judge_of, checks))


def _judge_of(check: AssertionSpec) -> str | None:
    if check.type != "agent" or not is_object(check.fields):
        return None
    use = check.fields.get("use")
    return use if isinstance(use, str) else None


def case_files(sources: Iterable[Source]) -> list[Path]:
    """The files behind the sources; generators and messages have none."""
    return [path for source in sources if (path := Path(source.label)).is_file()]
