"""A baseline as plain data: the counted results of each case over one or several runs."""

from collections.abc import Iterable

from msgspec import Struct, structs

from vivavoce.results.history.facts import AttemptFact, CaseFacts

MOST_VALUES = 50
"""Durations, token counts and costs kept per case, the newest ones. Counts have no limit."""


class BaselineCase(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One case with one agent."""

    key: str
    id: str
    agent: str
    case_hash: str
    configuration_hash: str = ""
    source_hash: str | None = None
    runs: int = 0
    """Attempts that count: not those that a judge, a hook or the network broke."""
    passed: int = 0
    broken: int = 0
    """The attempts that do not count."""
    durations_ms: tuple[float, ...] = ()
    tokens: tuple[int, ...] = ()
    costs: tuple[float, ...] = ()
    reply: str = ""
    """A hash of the last reply."""

    @property
    def always_passed(self) -> bool:
        return self.runs > 0 and self.passed == self.runs

    def plus(self, newer: "BaselineCase") -> "BaselineCase":
        """Returns the sum of both; when the case was changed, only the newer counts."""
        if newer.case_hash != self.case_hash:
            return newer
        return structs.replace(
            newer,
            runs=self.runs + newer.runs,
            passed=self.passed + newer.passed,
            broken=self.broken + newer.broken,
            durations_ms=(*self.durations_ms, *newer.durations_ms)[-MOST_VALUES:],
            tokens=(*self.tokens, *newer.tokens)[-MOST_VALUES:],
            costs=(*self.costs, *newer.costs)[-MOST_VALUES:],
            reply=newer.reply or self.reply,
        )


class BaselineRun(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A run that a baseline counts."""

    run_id: str
    started_at: str = ""
    title: str | None = None
    revision: str | None = None
    branch: str | None = None
    dirty: bool | None = None


class Baseline(Struct, frozen=True, kw_only=True):
    name: str
    runs: tuple[BaselineRun, ...] = ()
    cases: tuple[BaselineCase, ...] = ()

    @property
    def attempts(self) -> int:
        return sum(case.runs for case in self.cases)

    @property
    def passed(self) -> int:
        return sum(case.passed for case in self.cases)

    def plus(self, newer: "Baseline") -> "Baseline":
        """Returns the sum of both. A run that is in both is counted once."""
        known = {run.run_id for run in self.runs}
        fresh = [run for run in newer.runs if run.run_id not in known]
        if newer.runs and not fresh:
            return self
        cases = {(case.key, case.agent): case for case in self.cases}
        for case in newer.cases:
            earlier = cases.get((case.key, case.agent))
            cases[case.key, case.agent] = case if earlier is None else earlier.plus(case)
        return Baseline(name=self.name, runs=(*self.runs, *fresh), cases=tuple(cases.values()))


def case_of(facts: CaseFacts) -> BaselineCase:
    """Returns the counts of one case in one run."""
    counted = [attempt for attempt in facts.attempts if attempt.blames_agent]
    return BaselineCase(
        key=facts.key,
        id=facts.case_id,
        agent=facts.agent,
        case_hash=facts.case_hash,
        configuration_hash=facts.configuration_hash,
        source_hash=facts.source_hash,
        runs=len(counted),
        passed=sum(attempt.passed for attempt in counted),
        broken=len(facts.attempts) - len(counted),
        durations_ms=tuple(attempt.duration_ms for attempt in counted if not attempt.replayed),
        tokens=tuple(attempt.tokens for attempt in counted if attempt.tokens is not None),
        costs=tuple(attempt.cost for attempt in counted if attempt.cost is not None),
        reply=facts.reply_digest,
    )


def baseline_of(name: str, facts: Iterable[CaseFacts]) -> Baseline:
    """Returns the baseline of all these results."""
    found = Baseline(name=name)
    for run, of_run in _by_run(facts).items():
        cases: dict[tuple[str, str], BaselineCase] = {}
        for one in of_run:
            case = case_of(one)
            earlier = cases.get((case.key, case.agent))
            cases[case.key, case.agent] = case if earlier is None else earlier.plus(case)
        first = of_run[0]
        head = BaselineRun(
            run_id=run, title=first.title, revision=first.revision, branch=first.branch, dirty=first.dirty
        )
        found = found.plus(Baseline(name=name, runs=(head,), cases=tuple(cases.values())))
    return found


def _by_run(facts: Iterable[CaseFacts]) -> dict[str, list[CaseFacts]]:
    runs: dict[str, list[CaseFacts]] = {}
    for one in facts:
        runs.setdefault(one.run_id, []).append(one)
    return runs


def with_more(case: BaselineCase, attempts: Iterable[AttemptFact]) -> BaselineCase:
    """Returns the case with the attempts of its confirmation counted too."""
    counted = [attempt for attempt in attempts if attempt.blames_agent]
    return structs.replace(
        case, runs=case.runs + len(counted), passed=case.passed + sum(attempt.passed for attempt in counted)
    )
