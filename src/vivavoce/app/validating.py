"""Everything that can be found wrong without calling an agent: what `viva validate` and `viva list` report."""

from msgspec import Struct

from vivavoce.app.opening import open_sources
from vivavoce.app.request import RunRequest
from vivavoce.engine.plan.case_checks import CaseChecks
from vivavoce.engine.plan.config_checks import config_problems, refuse_missing_needs
from vivavoce.engine.plan.plan import Plan, Selection, make_plan
from vivavoce.engine.wiring import RunResources, RunSettings
from vivavoce.errors import UsageError
from vivavoce.project.project import Project
from vivavoce.scripts.finder import find_script


class Checked(Struct, frozen=True):
    """The cases and all that is wrong with them, their agents and the configuration."""

    plan: Plan | None
    """None where not even the sources could be read."""
    sources: int
    problems: list[UsageError]


async def checked(project: Project, request: RunRequest, selection: Selection) -> Checked:
    """Checks configuration, agents and cases, each problem once. Reaches no agent."""
    problems = config_problems(project)
    # Configuration errors are reported with their line; the follow-up errors they cause are suppressed.
    known = {problem.what for problem in problems}
    # A wrong field of an agent is reported again, with the agent's name, when the agent is built.
    known |= {f"agent {name!r}: {what}" for name in project.config.agents for what in known}
    found = await _cases(project, request, selection)
    problems += [problem for problem in found.problems if problem.what not in known]
    return Checked(found.plan, found.sources, problems)


async def _cases(project: Project, request: RunRequest, selection: Selection) -> Checked:
    try:
        resources = RunResources(project, RunSettings(agent=request.agent_name, simulator=project.config.run.simulator))
    except UsageError as problem:
        return Checked(None, 0, problem.each())
    problems: list[UsageError] = []
    try:
        problems += _agent_problems(resources, request.agent_name)
        sources = open_sources(project, request)
        check = CaseChecks(resources, thorough=True, variables_follow=bool(request.before or project.config.run.before))
        plan, wrong = make_plan(sources, selection, runs=1, check=check, named=resources.named)
        told = {problem.what for problem in problems}
        problems += [problem for problem in wrong if problem.what not in told]
        problems += [] if wrong else _hook_problems(resources, plan)
        return Checked(plan, len(sources), problems)
    except UsageError as problem:
        return Checked(None, 0, [*problems, *problem.each()])
    finally:
        await resources.close()


def _hook_problems(resources: RunResources, plan: Plan) -> list[UsageError]:
    """Returns the scripts of `run.before` and `run.after` that are not there."""
    problems: list[UsageError] = []
    run = resources.project.config.run
    for name, ref in (("before", run.before), ("after", run.after)):
        try:
            if ref is not None and plan.selected:
                find_script(resources.hook(ref, next(plan.cases())), resources.project)
        except UsageError as problem:
            problems.append(UsageError(problem.what, at=resources.project.place("run", name), hint=problem.hint))
    return problems


def _agent_problems(resources: RunResources, asked: str | None) -> list[UsageError]:
    """Returns the problems of the configured agents and of the one that `-n` names."""
    problems: list[UsageError] = []
    project = resources.project
    names = [*project.config.agents]
    if asked is not None and asked not in names:
        names.append(asked)
    for name in names:
        try:
            resources.target(name)
            refuse_missing_needs(resources.spec(name), project)
        except UsageError as problem:
            place = project.place("agents", name) if name in project.config.agents else "-n"
            problems += problem.placed(place).each()
    return problems
