"""For `viva validate`: everything in `viva.yaml` that cannot work, also when no case uses it."""

from collections.abc import Callable, Iterator
from functools import partial

from vivavoce.calling.connections import look_up_connector, require_known_type
from vivavoce.configuration.run_values import run_problems
from vivavoce.engine.resolve import refuse_bad_address, resolve_agent
from vivavoce.engine.run_settings import simulator_named
from vivavoce.engine.served_agents import refuse_shared_server
from vivavoce.errors import UsageError
from vivavoce.metering.pacing import parse_rate
from vivavoce.model.case import Origin
from vivavoce.model.json_value import is_object
from vivavoce.notation.patterns import compile_pattern
from vivavoce.notation.steps import Steps, written_path
from vivavoce.notation.tool_stubs import read_frontend_tools
from vivavoce.plugins.catalog import EXECUTORS, TARGETS
from vivavoce.project.programs import require_program
from vivavoce.project.project import Project
from vivavoce.protocols import TargetSpec
from vivavoce.scripts.finder import find_script
from vivavoce.sources.discover import configured_path, configured_tests, sources_for

Check = tuple[Steps, Callable[[], object]]


def config_problems(project: Project) -> list[UsageError]:
    """Returns all problems, each with its line in the configuration and the field's path."""
    problems: list[UsageError] = []
    for steps, check in _checks(project):
        try:
            check()
        except UsageError as problem:
            problems += [_placed(one, steps, project) for one in problem.each()]
        except ValueError as error:
            problems.append(UsageError(f"{written_path(steps)}: {error}", at=project.place(*steps)))
    return problems + run_problems(project)


def _placed(problem: UsageError, steps: Steps, project: Project) -> UsageError:
    """The problem at the file it was found in, else at the line of `viva.yaml` that led to it."""
    has_line = isinstance(problem.at, Origin) and problem.at.line
    if has_line or steps[0] == "tests":
        return problem.placed(project.place(*steps))
    return UsageError(problem.what, at=project.place(*steps), hint=problem.hint)


def refuse_missing_needs(spec: TargetSpec, project: Project) -> None:
    """Raises UsageError when something the agent needs, such as its program, is not installed."""
    check = TARGETS.load(spec.kind).check_needs
    if check is not None:
        check(spec, project)


def _checks(project: Project) -> Iterator[Check]:
    config = project.config
    for steps, entry in configured_tests(project):
        yield steps, lambda entry=entry: sources_for([configured_path(entry, project)], project)
    if config.agent is not None:
        yield ("agent",), lambda: resolve_agent(config.agent or "", project)
    for name, agent in config.agents.items():
        yield ("agents", name), lambda name=name: _agent(name, project)
        for field, check in TARGETS.load(agent.kind).check_fields.items():
            if field in agent.fields:
                yield ("agents", name, field), partial(check, agent.fields[field])
        if is_object(server := agent.fields.get("serve")):
            label = f"agent {name!r}: serve.cmd"
            yield ("agents", name, "serve", "cmd"), partial(require_program, label, server, project)
            steps = ("agents", name, "serve")
            yield steps, lambda name=name: refuse_shared_server(resolve_agent(name, project))
        if agent.rate is not None:
            yield ("agents", name, "rate"), lambda rate=agent.rate: parse_rate(rate)
    for name, connector in config.connectors.items():
        yield (
            ("connectors", name, "type"),
            lambda name=name: require_known_type(look_up_connector(name, project), project),
        )
        if connector.rate is not None:
            yield ("connectors", name, "rate"), lambda rate=connector.rate: parse_rate(rate)
    for index, pattern in enumerate(config.awaiting.patterns or ()):
        yield ("awaiting", "patterns", index), lambda pattern=pattern: compile_pattern(pattern)
    yield ("tools",), lambda: read_frontend_tools(config.tools)
    yield from _run_checks(project)


def _run_checks(project: Project) -> Iterator[Check]:
    run = project.config.run
    if run.connector is not None:
        yield ("run", "connector"), lambda: look_up_connector(run.connector or "", project)
    if run.simulator is not None:
        yield ("run", "simulator"), lambda: _simulator(run.simulator, project)
    executor = (run.executor or "local").partition("=")[0]
    if executor not in EXECUTORS:
        yield ("run", "executor"), lambda: EXECUTORS.load(executor)


def _agent(name: str, project: Project) -> None:
    spec = resolve_agent(name, project)
    refuse_bad_address(spec, spec.config)
    refuse_missing_needs(spec, project)


def _simulator(use: str, project: Project) -> None:
    ref = simulator_named(use).use
    if ref.startswith("scripts:"):
        find_script(ref, project)
    else:
        resolve_agent(ref, project)
