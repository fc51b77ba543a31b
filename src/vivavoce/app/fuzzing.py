"""The use case "break the agent on purpose": variants of cases, run and judged, their finds shrunk."""

import time
from collections.abc import Callable, Sequence

from msgspec import Struct, structs

from vivavoce.app.candidates import CandidateLimits
from vivavoce.app.examine import carry_out
from vivavoce.app.executing import executor_for
from vivavoce.app.find_shrinking import Find, shrunk_find
from vivavoce.app.listening import Listener
from vivavoce.app.paraphrasing import paraphrases
from vivavoce.app.planning import Planned, planned
from vivavoce.app.request import RunRequest
from vivavoce.app.run_frame import RunFrame
from vivavoce.engine.attempt.attempt import Examination
from vivavoce.engine.plan.plan import Plan, Selection
from vivavoce.engine.run import BUDGET
from vivavoce.errors import UsageError
from vivavoce.insight.fuzzing.operator import Operator
from vivavoce.insight.fuzzing.robustness import OperatorScore, is_find, scores_of
from vivavoce.insight.fuzzing.rules import judged_as_before, judged_by_rules, universal_check
from vivavoce.insight.fuzzing.variants import (
    Variant,
    lines_of,
    operators_named,
    paraphrases_operator,
    variants_of,
)
from vivavoce.insight.shrinking.failure import Failure, failures_of
from vivavoce.model.case import AssertionSpec, Case, Origin
from vivavoce.model.events import CaseFinished, Event
from vivavoce.model.message import Usage
from vivavoce.model.result import CaseResult, Status
from vivavoce.project.project import Project
from vivavoce.project.redaction import Secrets
from vivavoce.sources.decoding.assertion_decoder import decode_assertions
from vivavoce.sources.reading.given import GivenSource

_SMALLEST = 0.000001
OnResult = Callable[[str, int, int], None]
"""(what is done, how many of, how many) → shown to a person."""


class FuzzOptions(Struct, frozen=True, kw_only=True):
    """What `viva fuzz` takes besides the options of a run."""

    operators: tuple[str, ...] = ()
    variants: int = 200
    paraphraser: str | None = None
    candidates: int = 60
    """So many conversations are tried to shrink a find."""


class Fuzzed(Struct, frozen=True, kw_only=True):
    """What came of it."""

    seed: int
    agent: str
    cases: int
    left_out: tuple[str, ...]
    """Cases that do not pass as they are, so that a variant of theirs would say nothing."""
    scores: tuple[OperatorScore, ...]
    finds: tuple[Find, ...] = ()
    stopped_by: str | None = None

    @property
    def unclear(self) -> int:
        return sum(score.unclear for score in self.scores)


async def fuzz(
    request: RunRequest,
    options: FuzzOptions,
    on_progress: OnResult = lambda what, done, total: None,
    *,
    secrets: Secrets | None = None,
    owns_process: bool = False,
) -> Fuzzed:
    """Runs the cases, then their variants, then shrinks what the agent did not bear.

    Raises UsageError as a run does, before the first call.
    """
    operators_named(options.operators, _with_paraphrases(options, {}))
    async with planned(request.replaced(writes_snapshots=False), secrets=secrets) as ready:
        search = _Search(ready, options, on_progress, owns_process=owns_process)
        fuzzed, paired = await search.done()
    # Each find is shrunk in a workshop of its own: the agents' servers must be down by then.
    return structs.replace(fuzzed, finds=tuple(await search.finds(paired)), stopped_by=search.stopped_by)


def _with_paraphrases(options: FuzzOptions, known: dict[str, list[str]]) -> tuple[Operator, ...]:
    return () if options.paraphraser is None else (paraphrases_operator(known),)


class _Search:
    """One search, in the workshop of one run."""

    def __init__(self, ready: Planned, options: FuzzOptions, on_progress: OnResult, *, owns_process: bool) -> None:
        self._ready = ready
        self._options = options
        self._on_progress = on_progress
        self._owns_process = owns_process
        limit_s = ready.request.time_limit_s
        self._ends_at = None if limit_s is None else time.monotonic() + limit_s
        self._rules = _rules(ready.workshop.project)
        self._spent = Usage()
        self.stopped_by: str | None = None

    async def done(self) -> tuple[Fuzzed, list[tuple[Variant, CaseResult]]]:
        """The scores, and every variant with its result; nothing is shrunk yet."""
        workshop, seed = self._ready.workshop, self._ready.request.seed
        cases = [case for case in self._ready.plan.cases() if case.skip is None and lines_of(case)]
        if not cases:
            raise UsageError("no case has a line to change", hint="fuzzing wants cases with an `input` or `turns`")
        agent = workshop.card(cases[0]).id
        came = await self._run(cases, "cases", first=True)
        sound = [result.case for result in came if result.status is Status.PASSED]
        left_out = tuple(result.case.key for result in came if result.status is not Status.PASSED)
        variants = await self._variants(sound)
        results = await self._run([self._judged(variant) for variant in variants], "variants")
        by_key = {variant.case.key: variant for variant in variants}
        paired = [(by_key[result.case.key], result) for result in results]
        fuzzed = Fuzzed(
            seed=seed,
            agent=workshop.secrets.mask(agent),
            cases=len(cases),
            left_out=left_out,
            scores=tuple(scores_of([(variant.operator, result) for variant, result in paired])),
        )
        return fuzzed, paired

    async def _variants(self, cases: Sequence[Case]) -> list[Variant]:
        options = self._options
        known: dict[str, list[str]] = {}
        if options.paraphraser is not None:
            lines = [line for case in cases for line in lines_of(case).values()]
            known = await paraphrases(options.paraphraser, lines, self._ready.workshop)
        operators = operators_named(options.operators, _with_paraphrases(options, known))
        return list(variants_of(cases, operators, self._ready.request.seed, options.variants))

    def _judged(self, variant: Variant) -> Case:
        if variant.operator.kind == "meaning":
            return judged_as_before(variant)
        workshop = self._ready.workshop
        fuzz = workshop.project.config.fuzz
        universal = universal_check(variant.case, workshop.card(variant.original), fuzz.never_said)
        return judged_by_rules(variant, universal, self._rules)

    async def _run(self, cases: Sequence[Case], what: str, *, first: bool = False) -> list[CaseResult]:
        """The results of cases that run as those of a request do, without reports and history."""
        budget_left = self._budget_left()
        if not cases or budget_left == "":
            return []
        hooks = {"after": None} if first else {"before": None}
        request = self._ready.request.replaced(**_UNREPORTED, **hooks, time_limit=self._time_left(), budget=budget_left)
        plan = Plan(
            sources=(GivenSource(cases),),
            selection=Selection(),
            found=len(cases),
            selected=len(cases),
            runs=request.runs,
        )
        ready = Planned(request, plan, self._ready.workshop)
        listener = _Results(lambda done: self._on_progress(what, done, len(cases)))
        frame = RunFrame(ready, [listener])
        executor = executor_for(request.executor, request.parallel, ready.workshop)
        work = Examination(ready.workshop, frame.emit).attempt
        outcome = await carry_out(ready, frame, executor, work, owns_process=self._owns_process)
        self.stopped_by = self.stopped_by or outcome.summary.interrupted
        self._spent = self._spent.plus(outcome.summary.usage)
        return sorted(listener.results, key=lambda result: result.index)

    def _time_left(self) -> str | None:
        return None if self._ends_at is None else f"{max(0.001, self._ends_at - time.monotonic()):.3f}s"

    def _budget_left(self) -> str | None:
        """The rest of the budget as it is written; empty when it is spent, None without one."""
        allowance = self._ready.request.allowance
        if allowance is None:
            return None
        spent = self._spent
        used = (spent.cost or 0.0) if allowance.is_money else spent.input_tokens + spent.output_tokens
        left = allowance.amount - used
        if left < _SMALLEST:
            self.stopped_by = BUDGET
            return ""
        return f"{left:.6f}{allowance.unit if allowance.is_money else 'tok'}"

    async def finds(self, paired: Sequence[tuple[Variant, CaseResult]]) -> list[Find]:
        """One find for each operator and failure, shrunk; those that come to the same line are one."""
        groups: dict[tuple[Failure, str], list[tuple[Variant, CaseResult]]] = {}
        for variant, result in paired:
            if is_find(result) and (ways := failures_of(result.decisive)):
                groups.setdefault((ways[0], variant.operator.name), []).append((variant, result))
        finds: dict[tuple[Failure, tuple[object, ...]], Find] = {}
        for number, ((failure, _), members) in enumerate(groups.items(), start=1):
            self._on_progress("finds", number, len(groups))
            left_s = None if self._ends_at is None else max(0.0, self._ends_at - time.monotonic())
            budget_left = self._budget_left()
            most = 0 if budget_left == "" else self._options.candidates
            limits = CandidateLimits(runs=self._ready.request.runs, most=most, time_limit_s=left_s)
            ready = structs.replace(self._ready, request=self._ready.request.replaced(budget=budget_left or None))
            find = await shrunk_find(members, failure, ready, limits)
            key = (failure, tuple(str(turn.content) for turn in find.case.turns))
            finds[key] = find if key not in finds else finds[key].plus(find)
        return list(finds.values())


def _rules(project: Project) -> tuple[AssertionSpec, ...]:
    """`fuzz.rules` of viva.yaml. Raises UsageError for one that is none."""
    written = project.config.fuzz.rules
    return decode_assertions(list(written), Origin(f"{project.config_path} (fuzz.rules)")) if written else ()


_UNREPORTED = {
    "outputs": (),
    "junitxml": None,
    "reporter": None,
    "default_file": False,
    "history": False,
    "resume": None,
    "fail_fast": False,
    "maxfail": None,
    "baseline": None,
}


class _Results(Listener):
    """Keeps the results, and says how many there are."""

    def __init__(self, tell: Callable[[int], None]) -> None:
        self.results: list[CaseResult] = []
        self._tell = tell

    def handle(self, event: Event) -> None:
        if isinstance(event, CaseFinished):
            self.results.append(event.result)
            self._tell(len(self.results))
