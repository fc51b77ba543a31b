"""`--order`: puts the cases of a plan in the order in which they are to run, from what the history knows."""

import secrets
import sys
from collections.abc import Callable, Iterator

from msgspec import structs

from vivavoce.app.agent_versions import agent_id_of, version_of
from vivavoce.app.history_keeping import open_history
from vivavoce.engine.plan.plan import Plan
from vivavoce.engine.wiring import RunResources
from vivavoce.errors import VivaError
from vivavoce.insight.order.case_record import CaseRecord, failure_rate, records_of
from vivavoce.insight.order.risk import AnyRank, Now, places_by, random_rank, rank
from vivavoce.model.case import Case
from vivavoce.model.result import AgentVersion
from vivavoce.project.case_order import Order
from vivavoce.project.project import Project
from vivavoce.results.history.facts import case_hash

_Ranker = Callable[[Case], AnyRank]


def ordered(plan: Plan, order: Order, resources: RunResources, *, in_memory: bool) -> Plan:
    """The same plan with its cases in another order. Of the cases only places and ranks are kept in memory.

    `in_memory`: the cases were handed over by a program, so that they need not be kept aside.
    """
    if order.name in ("file", "failed-first") or plan.selected == 0:
        return plan
    if plan.checked is None and not in_memory:
        _warn("too many cases to put them in order: they run in the order of their files")
        return plan
    ranked = _ranker(order, resources)
    return structs.replace(plan, order=places_by([ranked(case) for case in plan.cases_as_read()]))


def _ranker(order: Order, resources: RunResources) -> _Ranker:
    if order.name == "random":
        seed = order.seed
        if seed is None:
            seed = secrets.randbelow(1_000_000)
            _warn(f"the same order again: --order random:{seed}")
        return lambda case: random_rank(case.key, seed)
    records = dict(_records(resources.project))
    agents = _Agents(resources)
    if order.name == "fast":
        known = [record.duration_ms for record in records.values()]
        typical = sum(known) / len(known) if known else 0.0
        return lambda case: record.duration_ms if (record := records.get(agents.key(case))) else typical
    rate = failure_rate(records)
    return lambda case: rank(records.get(agents.key(case)), agents.now(case), rate)


def _records(project: Project) -> Iterator[tuple[tuple[str, str], CaseRecord]]:
    """Nothing where the history cannot be read: then the order is worse, and the run goes on."""
    try:
        yield from records_of(open_history(project).each_fact()).items()
    except VivaError as problem:
        _warn(f"the order knows nothing of earlier runs: {problem}")


class _Agents:
    """Which agent a case examines and what that agent is now; looked up once for each."""

    def __init__(self, resources: RunResources) -> None:
        self._resources = resources
        self._known: dict[str, tuple[str, AgentVersion]] = {}

    def key(self, case: Case) -> tuple[str, str]:
        """As the history knows the case."""
        return case.key, self._agent(case)[0]

    def now(self, case: Case) -> Now:
        version = self._agent(case)[1]
        return Now(
            case_hash=case_hash(case),
            configuration_hash=version.configuration,
            source_hash=version.source,
            priority=case.priority,
        )

    def _agent(self, case: Case) -> tuple[str, AgentVersion]:
        try:
            name = self._resources.agent_name(case)
        except VivaError:  # a skipped case need not have one
            return "", AgentVersion()
        found = self._known.get(name)
        if found is None:
            found = self._known[name] = agent_id_of(name, self._resources), version_of(name, self._resources)
        return found


def _warn(what: str) -> None:
    print(f"viva: {what}", file=sys.stderr)
