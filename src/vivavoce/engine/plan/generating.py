"""Calls generators before the plan is made. Their cases are then treated like cases from a file."""

import asyncio
import sys
from collections.abc import Sequence

from msgspec import structs

from vivavoce.containment.captured_output import printing_to_stderr
from vivavoce.engine.plan.case_checks import CaseChecks
from vivavoce.engine.plan.helper_checks import require_helper
from vivavoce.engine.wiring import RunResources
from vivavoce.errors import CallFailed, ManyProblems, UsageError
from vivavoce.model.case import Case, ScriptedTurn
from vivavoce.notation.durations import format_duration
from vivavoce.protocols import AgentCard, ListsTools, Source, Target, ToolSpec
from vivavoce.sources.discover import Generators
from vivavoce.sources.generated import Generated, GeneratedSource

GENERATORS: Generators = {"agent": GeneratedSource, "script": GeneratedSource}
_PATIENCE_S = 30


async def fill_generated(sources: Sequence[Source], resources: RunResources, *, strict: bool) -> None:
    """Calls every generator among the sources. A bad case is reported and left out; with `strict` it ends the run."""
    for source in sources:
        if isinstance(source, GeneratedSource):
            _require(source, resources)
            made = _checked(await _asked(source, resources), resources)
            if made.problems and (strict or not made.cases):
                raise ManyProblems(made.problems)
            for problem in made.problems:
                print(f"viva: warning: {problem}", file=sys.stderr)
            source.keep(made.cases)


def _require(source: GeneratedSource, resources: RunResources) -> None:
    try:
        require_helper(source.ref, resources, source.connector)
    except UsageError as problem:
        raise UsageError(f"generator: {problem.what}", at=problem.at or source.ref, hint=problem.hint) from None


async def _asked(source: GeneratedSource, resources: RunResources) -> Generated:
    timeout_s = resources.settings.timeout_s
    target = await _target(resources)
    try:
        with printing_to_stderr():
            async with asyncio.timeout(timeout_s):
                made = await source.generate(resources.helpers.agents, target)
    except TimeoutError:
        what = f"generator {source.ref} timed out after {format_duration(timeout_s)}"
        raise CallFailed(what, fault="agent") from None
    except CallFailed as failure:
        raise CallFailed(f"generator {source.ref} failed: {failure.what}", fault="agent", hint=failure.hint) from None
    sys.stderr.write(made.logs)
    return made


async def _target(resources: RunResources) -> AgentCard:
    """Returns the card of the agent the cases are for, under the user's name for it. Raises UsageError."""
    nobody = Case(id="", turns=(ScriptedTurn(content="-"),))
    CaseChecks(resources).require_agent(nobody)
    card = resources.card(nobody)
    tools = await _tools(resources.target(resources.agent_name(nobody)))
    return structs.replace(card, id=resources.settings.agent or card.id, tools=tools)


async def _tools(target: Target) -> tuple[ToolSpec, ...]:
    """All its tools, also those of a framework's object and of MCP servers; those it declares when it cannot tell."""
    if not isinstance(target, ListsTools):
        return target.card.tools
    try:
        async with asyncio.timeout(_PATIENCE_S):
            return await target.list_tools()
    except (CallFailed, TimeoutError) as problem:
        why = problem if str(problem) else f"no answer in {_PATIENCE_S} s"
        print(f"viva: warning: the generator is not told of all tools of {target.card.id}: {why}", file=sys.stderr)
        return target.card.tools


def _checked(made: Generated, resources: RunResources) -> Generated:
    """Returns the generated cases without those that name agents or scripts which do not exist."""
    check = CaseChecks(resources)
    cases: list[Case] = []
    problems = list(made.problems)
    for case in made.cases:
        try:
            check(case)
        except UsageError as problem:
            problems.append(UsageError(problem.what, at=case.origin, hint=problem.hint))
        else:
            cases.append(case)
    return Generated(cases, problems)
