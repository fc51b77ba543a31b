"""The use case "break the agent on purpose": variants of cases, run and judged, their finds shrunk."""

import time
from collections.abc import Callable, Sequence

from msgspec import Struct, structs

from vivavoce.app.baselines import CTRL_C
from vivavoce.app.candidates import CandidateLimits
from vivavoce.app.examine import carry_out
from vivavoce.app.executing import executor_for
from vivavoce.app.find_shrinking import FindShrinking, FuzzFinding, shrunk_find
from vivavoce.app.listening import Listener
from vivavoce.app.planning import Planned, planned
from vivavoce.app.request import RunRequest
from vivavoce.app.run_frame import RunFrame
from vivavoce.engine.attempt.attempt import Examination
from vivavoce.engine.plan.plan import Plan, Selection
from vivavoce.engine.run import BUDGET, TIME_LIMIT
from vivavoce.engine.spending import Budgets, Spending
from vivavoce.engine.wiring import RunResources
from vivavoce.errors import CallFailed, UsageError
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
from vivavoce.model.case import AssertionSpec, CallOptions, Case, Origin
from vivavoce.model.events import CaseFinished, Event
from vivavoce.model.message import Message
from vivavoce.model.result import CaseResult, Status
from vivavoce.project.project import Project
from vivavoce.project.redaction import Secrets
from vivavoce.sources.decoding.assertion_decoder import decode_assertions
from vivavoce.sources.reading.given import GivenSource

OnResult = Callable[[str, int, int], None]
"""(what is being done, how many are done, how many there are) → shown to a person."""


class FuzzOptions(Struct, frozen=True, kw_only=True):
    """What `viva fuzz` takes besides the options of a run."""

    operators: tuple[str, ...] = ()
    variants: int = 200
    paraphraser: str | None = None
    candidates: int = 60
    """At most so many conversations are tried to shrink a find."""


class Fuzzed(Struct, frozen=True, kw_only=True):
    """What came of it."""

    seed: int
    agent: str
    cases: int
    left_out: dict[str, str]
    """Cases that do not pass unchanged, so that a variant would prove nothing, and the result of each."""
    scores: tuple[OperatorScore, ...]
    finds: tuple[FuzzFinding, ...] = ()
    stopped_by: str | None = None
    """`budget`, `time limit` or `ctrl-c`; None: every variant was run and every find shrunk."""
    warnings: tuple[str, ...] = ()
    """What is to be said about the budget."""

    @property
    def interrupted(self) -> bool:
        """Whether Ctrl-C ended it."""
        return self.stopped_by == CTRL_C

    @property
    def not_run(self) -> int:
        """How many variants were made and never run."""
        return sum(score.not_run for score in self.scores)

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
    """Runs the cases, then their variants, then shrinks the variants that failed.

    Raises UsageError as a run does, before the first call.
    """
    operators_named(options.operators, _with_paraphrases(options, {}))
    async with planned(request.replaced(writes_snapshots=False), secrets=secrets) as ready:
        search = _Search(ready, options, on_progress, owns_process=owns_process)
        fuzzed, paired = await search.done()
    # Each find is shrunk with RunResources of its own: the agents' servers must be down by then.
    finds = tuple(await search.finds(paired))
    return structs.replace(fuzzed, finds=finds, stopped_by=search.stopped_by, warnings=search.warnings())


def _with_paraphrases(options: FuzzOptions, known: dict[str, list[str]]) -> tuple[Operator, ...]:
    return () if options.paraphraser is None else (paraphrases_operator(known),)


class _Search:
    """One search, with the resources of one run."""

    def __init__(self, ready: Planned, options: FuzzOptions, on_progress: OnResult, *, owns_process: bool) -> None:
        self._ready = ready
        self._options = options
        self._on_progress = on_progress
        self._owns_process = owns_process
        limit_s = ready.request.time_limit_s
        self._ends_at = None if limit_s is None else time.monotonic() + limit_s
        self._rules = _rules(ready.resources.project)
        allowance = ready.request.allowance
        self._spending = None if allowance is None else Budgets(allowance, ready.resources.expenses.usage)
        """One budget for the cases, their variants, the paraphraser and the shrinking."""
        self.stopped_by: str | None = None

    def warnings(self) -> tuple[str, ...]:
        return () if self._spending is None else self._spending.warnings()

    async def done(self) -> tuple[Fuzzed, list[tuple[Variant, CaseResult]]]:
        """The scores, and every variant with its result; nothing is shrunk yet."""
        resources, seed = self._ready.resources, self._ready.request.seed
        cases = [case for case in self._ready.plan.cases() if case.skip is None and lines_of(case)]
        if not cases:
            raise UsageError("no case has a line to change", hint="fuzzing wants cases with an `input` or `turns`")
        agent = resources.card(cases[0]).id
        came = await self._run(cases, "cases", first=True)
        sound = [result.case for result in came if result.status is Status.PASSED]
        left_out = {result.case.key: _why_not(result) for result in came if result.status is not Status.PASSED}
        variants = await self._variants(sound)
        results = await self._run([self._judged(variant) for variant in variants], "variants")
        by_key = {variant.case.key: variant for variant in variants}
        paired = [(by_key[result.case.key], result) for result in results]
        fuzzed = Fuzzed(
            seed=seed,
            agent=resources.secrets.mask(agent),
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
            spending = None if self._spending is None else self._spending.shared
            known = await paraphrases(options.paraphraser, lines, self._ready.resources, spending)
        operators = operators_named(options.operators, _with_paraphrases(options, known))
        return list(variants_of(cases, operators, self._ready.request.seed, options.variants))

    def _judged(self, variant: Variant) -> Case:
        if variant.operator.kind == "meaning":
            return judged_as_before(variant)
        resources = self._ready.resources
        fuzz = resources.project.config.fuzz
        universal = universal_check(variant.case, resources.card(variant.original), fuzz.never_said)
        return judged_by_rules(variant, universal, self._rules)

    async def _run(self, cases: Sequence[Case], what: str, *, first: bool = False) -> list[CaseResult]:
        """The results of cases that run as those of a request do, without reports and history."""
        if not cases or self._is_over():
            return []
        hooks = {"after": None} if first else {"before": None}
        request = self._ready.request.replaced(**_UNREPORTED, **hooks, time_limit=self._time_left())
        plan = Plan(
            sources=(GivenSource(cases),),
            selection=Selection(),
            found=len(cases),
            selected=len(cases),
            runs=request.runs,
        )
        ready = Planned(request, plan, self._ready.resources)
        listener = _Results(lambda done: self._on_progress(what, done, len(cases)))
        frame = RunFrame(ready, [listener], spending=self._spending)
        executor = executor_for(request.executor, request.parallel, ready.resources)
        work = Examination(ready.resources, frame.emit).attempt
        outcome = await carry_out(ready, frame, executor, work, owns_process=self._owns_process)
        self.stopped_by = self.stopped_by or outcome.summary.interrupted
        return sorted(listener.results, key=lambda result: result.index)

    def _seconds_left(self) -> float | None:
        """What is left of --time-limit; None without one."""
        return None if self._ends_at is None else max(0.0, self._ends_at - time.monotonic())

    def _time_left(self) -> str | None:
        seconds = self._seconds_left()
        return None if seconds is None else f"{max(0.001, seconds):.3f}s"

    def _is_over(self) -> bool:
        """Whether no further conversation may begin: the budget is spent, or Ctrl-C was pressed."""
        if self._spending is not None and self._spending.shared.is_over:
            self.stopped_by = self.stopped_by or BUDGET
        return self.stopped_by in (BUDGET, CTRL_C)

    async def finds(self, paired: Sequence[tuple[Variant, CaseResult]]) -> list[FuzzFinding]:
        """One find for each operator and failure, shrunk; those that come to the same line are one."""
        groups: dict[tuple[Failure, str], list[tuple[Variant, CaseResult]]] = {}
        for variant, result in paired:
            if is_find(result) and (ways := failures_of(result.decisive)):
                groups.setdefault((ways[0], variant.operator.name), []).append((variant, result))
        finds: dict[tuple[Failure, tuple[object, ...]], FuzzFinding] = {}
        for number, ((failure, _), members) in enumerate(groups.items(), start=1):
            self._on_progress("finds", number, len(groups))
            find = await self._shrunk(members, failure)
            key = (failure, tuple(str(turn.content) for turn in find.case.turns))
            finds[key] = find if key not in finds else finds[key].plus(find)
        return list(finds.values())

    async def _shrunk(self, members: Sequence[tuple[Variant, CaseResult]], failure: Failure) -> FuzzFinding:
        """The find, as small as time and budget allow; as it was found when nothing more may run."""
        most = 0 if self._is_over() else self._options.candidates
        limits = CandidateLimits(runs=self._ready.request.runs, most=most, time_limit_s=self._seconds_left())
        how = FindShrinking(self._ready, limits, self._spending, self._owns_process)
        find, stopped_by = await shrunk_find(members, failure, how)
        if stopped_by == CTRL_C:
            self.stopped_by = CTRL_C
        elif stopped_by is not None and not self._is_over() and self._seconds_left() == 0.0:
            self.stopped_by = self.stopped_by or TIME_LIMIT
        return find


def _rules(project: Project) -> tuple[AssertionSpec, ...]:
    """`fuzz.rules` of viva.yaml. Raises UsageError for one that is not a valid rule."""
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

    def __init__(self, report: Callable[[int], None]) -> None:
        self.results: list[CaseResult] = []
        self._report = report

    def handle(self, event: Event) -> None:
        if isinstance(event, CaseFinished):
            self.results.append(event.result)
            self._report(len(self.results))


def _why_not(result: CaseResult) -> str:
    """Why a case is not used: its own words, else how it came out."""
    errors = (attempt.error for attempt in result.attempts if attempt.error)
    return next(errors, result.status.value)


PER_LINE = 3
_TASK = (
    "Write {count} paraphrases of the user's message below, one per line and nothing else. Keep its meaning, its "
    "language and every name, number and date in it exactly as they are.\n\n{line}"
)


async def paraphrases(
    agent: str, lines: Sequence[str], resources: RunResources, spending: Spending | None = None
) -> dict[str, list[str]]:
    """Each line with the paraphrases of it; lines that the budget does not reach have none.

    Raises UsageError when the agent cannot be asked.
    """
    found: dict[str, list[str]] = {}
    for line in dict.fromkeys(lines):
        if spending is not None and spending.is_over:
            break
        message = Message(role="user", content=_TASK.format(count=PER_LINE, line=line))
        try:
            reply = await resources.helpers.agents.ask(agent.removeprefix("agents:"), [message], CallOptions())
        except CallFailed as problem:
            raise UsageError(f"the paraphraser {agent} failed: {problem}", at="--paraphraser") from None
        if reply.error is not None:
            raise UsageError(f"the paraphraser {agent} failed: {reply.error}", at="--paraphraser")
        if spending is not None:
            spending.pay(reply.usage)
        found[line] = [said.strip(" \t-*•0123456789.") for said in reply.text.splitlines() if said.strip()]
    return found
