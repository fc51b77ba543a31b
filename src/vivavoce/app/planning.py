"""From a request to a plan: the project, its sources, generated cases, and every check before the first call."""

import resource
import sys
import uuid
from collections.abc import AsyncGenerator, Callable, Iterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime

from msgspec import Struct, structs

from vivavoce.app.opening import open_project, open_sources, selection_of
from vivavoce.app.request import RunRequest
from vivavoce.app.taping import refuse_live_agents
from vivavoce.configuration.run_values import refuse_bad_run_values
from vivavoce.engine.attempt.identity import identity_for
from vivavoce.engine.plan.case_checks import CaseChecks
from vivavoce.engine.plan.checked_cases import CheckedCases
from vivavoce.engine.plan.generating import GENERATORS, fill_generated
from vivavoce.engine.plan.plan import Plan, Selection, make_plan
from vivavoce.engine.wiring import PersonMaker, RunResources, live_name
from vivavoce.errors import ManyProblems, UsageError
from vivavoce.model.agent_card import AgentCard
from vivavoce.model.case import Case
from vivavoce.model.result import RunInfo
from vivavoce.net.http_proxies import refuse_bad_proxy
from vivavoce.project.case_order import parse_order
from vivavoce.project.option import texts_of
from vivavoce.project.project import Project
from vivavoce.project.redaction import Secrets
from vivavoce.protocols import Source
from vivavoce.sources.reading.given import GivenSource
from vivavoce.sources.reading.inline import MessageSource
from vivavoce.version import __version__
from vivavoce.wording.plurals import listed


class NothingSelected(UsageError):
    """There are no cases, or none is selected. A run of nothing is never green."""


class Planned(Struct, frozen=True):
    """A request whose cases are read and found in order, and what they will run with."""

    request: RunRequest
    """With what viva.yaml says filled in."""
    plan: Plan
    resources: RunResources

    @property
    def only_messages(self) -> bool:
        """Whether every case is a direct message."""
        return all(isinstance(source, MessageSource) for source in self.plan.sources)

    @property
    def is_kept(self) -> bool:
        """Whether result file and history are written unasked: only when some case comes from a file."""
        return not all(isinstance(source, MessageSource | GivenSource) for source in self.plan.sources)


@asynccontextmanager
async def planned(
    request: RunRequest, *, person: PersonMaker | None = None, secrets: Secrets | None = None
) -> AsyncGenerator[Planned]:
    """Raises UsageError, with every problem found, before any agent is called; generators are called.

    Raises BrokenEnvironment when no call of theirs could work.
    """
    inputs = texts_of(request.inputs)
    project = open_project(request.config_path, inputs=inputs)
    refuse_bad_run_values(project)
    request = request.with_defaults(project.config.run)
    if request.compares:
        # What viva.yaml says about these is about one agent.
        request = request.replaced(baseline=None, early_stop=False, update_snapshots=False)
    if request.resume and not (inputs or request.messages or request.cases or project.config.tests):
        from vivavoce.app.resuming import require_inputs

        require_inputs(request.resume, project)
    sources = _sources(project, request)
    warn_of_too_few_files(request.parallel)
    asked = None if request.skip_interactive else person
    resources = open_resources(project, request, person=asked, secrets=secrets)
    try:
        selection = selection_of(project, request, skip_interactive=request.skip_interactive)
        ready = await _plan(sources, _narrowed(selection, sources, request, resources), request, resources)
        if request.on_planned is not None:
            request.on_planned(ready)
        yield ready
    finally:
        await resources.close()


def _narrowed(selection: Selection, sources: list[Source], request: RunRequest, resources: RunResources) -> Selection:
    """The selection with what a program asks for beside the options."""
    if request.only_keys is not None:
        keys = request.only_keys if selection.keys is None else request.only_keys & selection.keys
        selection = structs.replace(selection, keys=keys)
    if request.first_keys:
        selection = structs.replace(selection, first=frozenset(request.first_keys), order=request.first_keys)
    if request.changed_files is not None:
        from vivavoce.app.affected import Affected, case_files

        affected = Affected(request.changed_files, case_files(sources), resources)
        selection = structs.replace(selection, affected=affected.wants)
    return selection


def open_resources(
    project: Project, request: RunRequest, *, person: PersonMaker | None = None, secrets: Secrets | None = None
) -> RunResources:
    """What the cases of a run share; an agent that is a live object is taken in."""
    live = request.agent if request.agent_name is None else None
    settings = request.settings(agent=None if live is None else live_name(live))
    if request.connectors:
        # Helpers without a connector of their own get the first: all contenders have the same judges.
        settings = structs.replace(settings, connector=request.connectors[0])
    resources = RunResources(project, settings, person=person, secrets=secrets)
    if live is not None:
        resources.adopt(live)
    if request.compares:
        from vivavoce.app.contending import contenders_of

        resources.compare(contenders_of(request, resources))
    return resources


def _sources(project: Project, request: RunRequest) -> list[Source]:
    """Files and messages first, then the cases a program hands over; nothing at all: the project's own tests."""
    if not request.cases:
        return open_sources(project, request, generators=GENERATORS)
    named = request.inputs or request.messages
    sources = open_sources(project, request, generators=GENERATORS) if named else []
    return [*sources, GivenSource(request.cases)]


async def _plan(sources: list[Source], selection: Selection, request: RunRequest, resources: RunResources) -> Planned:
    await fill_generated(sources, resources, strict=request.strict)
    checks = CaseChecks(resources, variables_follow=request.before is not None)
    plan, problems = make_plan(
        sources,
        selection,
        runs=request.runs,
        check=for_each_contender(checks, resources) if request.compares else checks,
        # Cases made by a program stay the objects they are.
        checked=CheckedCases(0) if request.cases else CheckedCases(),
        named=resources.named,
    )
    if problems:
        raise ManyProblems(problems)
    refuse_live_agents(resources)
    require_cases(plan)
    if resources.calls_out:
        refuse_bad_proxy()
    resources.cases_hold_variables = plan.holds_variables
    plan.names.hide_in(resources.secrets)
    order = parse_order(request.order)
    if order.name != "file":
        from vivavoce.app.ordering import ordered

        plan = ordered(plan, order, resources, in_memory=bool(request.cases))
    if contenders := resources.settings.contenders:
        plan = plan.compared(tuple(contender.label for contender in contenders))
    return Planned(request, plan, resources)


def for_each_contender(check: Callable[[Case], None], resources: RunResources) -> Callable[[Case], None]:
    """Returns a check of a case with each contender; raises the first problem."""
    labels = [contender.label for contender in resources.settings.contenders]

    def check_all(case: Case) -> None:
        if case.is_script_test:
            raise UsageError(
                "a script test calls no agent, so there is nothing to compare",
                at=case.origin,
                hint="run script tests with viva test",
            )
        for label in labels:
            check(structs.replace(case, agent=label))

    return check_all


def require_cases(plan: Plan) -> None:
    """Raises NothingSelected for an empty plan."""
    if plan.selected:
        return
    if plan.found:
        none = "the only case found is not" if plan.found == 1 else f"none of the {plan.found:,} cases found is"
        raise NothingSelected(f"{none} selected", hint=f"look at {listed(list(_narrowed_by(plan.selection)))}")
    names = ", ".join(source.label for source in plan.sources)
    raise NothingSelected(f"no cases found in {names}", hint="one case is one { … }")


def left_out(plan: Plan) -> str:
    """`18 left out by -k`; empty when everything found is run."""
    number = (plan.found - plan.selected) // (len(plan.contenders) or 1)
    flags = [flag.partition(" ")[0] for flag in _narrowed_by(plan.selection)]
    return f"{number:,} left out by {listed(flags)}" if number > 0 and flags else ""


def _narrowed_by(selection: Selection) -> Iterator[str]:
    """The flags that leave cases out."""
    if selection.pattern is not None:
        yield "--run"
    if selection.keywords is not None:
        yield "-k"
    if selection.marks is not None:
        yield "-m"
    if selection.tags:
        yield "--tag"
    if selection.affected is not None:
        yield "--watch"
    if selection.keys is not None:
        yield "--last-failed (none of these failed last time)"
    if selection.shard is not None:
        yield "--shard"
    if selection.sample is not None:
        yield "--sample"


def run_info(planned: Planned) -> RunInfo:
    """What is about to run, for the reports. There must be at least one case."""
    plan, resources, request = planned.plan, planned.resources, planned.request
    settings = resources.settings
    contenders = tuple(
        structs.replace(contender, agent=resources.secrets.mask(contender.agent)) for contender in settings.contenders
    )
    agent, connector = " vs ".join(plan.contenders), None
    if not contenders:
        card = _card(plan, resources)
        agent, connector = resources.secrets.mask(card.id), settings.connector or card.connector
    return RunInfo(
        run_id=uuid.uuid4().hex[:12],
        started_at=datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z"),
        agent_id=agent,
        connector=connector,
        contenders=contenders,
        identity=identity_for(Case(id=""), settings.identity, settings.context, resources.project.config.identity),
        inputs=tuple(source.label for source in plan.sources),
        total_cases=plan.selected,
        runs_per_case=request.runs,
        version=__version__,
        command=resources.secrets.mask(request.command),
        project_root=str(resources.project.root),
        shard=plan.shard,
        cases_of_all_shards=plan.in_all_shards,
        tags=plan.tags,
        title=resources.secrets.mask(request.title) if request.title else None,
    )


def _card(plan: Plan, resources: RunResources) -> AgentCard:
    """Returns the card of the first agent that is called. When all cases are skipped, it need not exist."""
    called = next((case for case in plan.cases() if case.skip is None), None)
    if called is not None:
        return resources.card(called)
    skipped = next(plan.cases())
    try:
        return resources.card(skipped)
    except UsageError:
        return AgentCard(id=skipped.agent or resources.settings.agent or "none", kind="unknown")


_OUR_OWN = 64
_PER_CONVERSATION = 4
"""A connection, or the pipes of a command; perhaps one for a judge or simulator."""


def warn_of_too_few_files(parallel: int) -> None:
    """Raises the limit of open files as far as so many conversations need; says on stderr when that is too little."""
    if (too_few := make_room(parallel)) is not None:
        print(f"viva: {too_few}", file=sys.stderr)


def make_room(parallel: int) -> str | None:
    """Raises the soft limit when it may be too low. Returns a warning when even the hard limit is."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = parallel * _PER_CONVERSATION + _OUR_OWN
    if soft != resource.RLIM_INFINITY and soft < wanted:
        soft = wanted if hard == resource.RLIM_INFINITY else min(hard, wanted)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    if soft == resource.RLIM_INFINITY or soft >= parallel + _OUR_OWN:
        return None
    return (
        f"--parallel {parallel} needs about {parallel + _OUR_OWN:,} open files, but only {soft:,} are allowed "
        f"(raise the limit with `ulimit -Hn`, or use --parallel {max(1, soft - _OUR_OWN)})"
    )
