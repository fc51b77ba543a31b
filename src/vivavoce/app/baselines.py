"""Baselines in use: which one a reference means, and whether a run is worse than it."""

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from msgspec import Struct, structs

from vivavoce.app.history_keeping import open_history
from vivavoce.engine.run import CTRL_C
from vivavoce.errors import (
    EXIT_FAILED,
    EXIT_INTERRUPTED,
    EXIT_PASSED,
    UsageError,
    VivaError,
    did_you_mean,
    exit_code_of,
)
from vivavoce.insight.baselines.baseline import Baseline, BaselineCase, baseline_of, case_of, with_more
from vivavoce.insight.baselines.baseline_file import (
    baseline_names,
    baseline_path,
    baseline_text,
    is_baseline,
    read_baseline,
)
from vivavoce.insight.baselines.comparing import Comparison, Standing, compare, is_flip
from vivavoce.insight.baselines.partners import CaseKey, partners_of
from vivavoce.insight.baselines.wording import comparison_lines
from vivavoce.insight.flakiness import flaky_cases
from vivavoce.model.case import Case
from vivavoce.model.events import CaseFinished, Event
from vivavoce.model.result import UNSUCCESSFUL, RunInfo, Summary
from vivavoce.project.project import Project
from vivavoce.project.run_options import HistoryOptions
from vivavoce.project.whole_files import write_whole
from vivavoce.results.contest.one_agent import require_one_agent
from vivavoce.results.history.facts import CaseFacts, facts_of
from vivavoce.results.result_file import result_in
from vivavoce.results.stored_runs import RunData, open_run

_BREAK_AND_REPAIR = 2
"""A real break makes one flip, its repair another."""


def facts_in(run: RunData) -> Iterator[CaseFacts]:
    """Yields what a recorded run tells of its cases."""
    info = run.kept().info
    for row in run.rows():
        if (facts := facts_of(info, result_in(row))) is not None:
            yield facts


def find_baseline(ref: str, project: Project) -> Baseline:
    """Returns the baseline of a name, a file, or a run: `main`, `old/base.jsonl`, `last~1`. Raises UsageError."""
    names = baseline_names(project)
    if ref in names:
        return read_baseline(baseline_path(ref, project))
    if Path(ref).is_file() and is_baseline(Path(ref)):
        return read_baseline(Path(ref))
    try:
        return baseline_of(ref, facts_in(open_run(ref, project)))
    except UsageError as problem:
        hint = "viva baseline list shows the baselines, viva baseline set NAME makes one, viva history lists the runs"
        meant = did_you_mean(ref, [*names, "last"])
        raise UsageError(f"no baseline {ref!r}: {problem.what}", at="--baseline", hint=meant or hint) from None


def save_baseline(baseline: Baseline, project: Project) -> Path:
    """Writes it to its place in the project, whole or not at all."""
    path = baseline_path(baseline.name, project)
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(baseline_text(baseline), path)
    return path


class Conclusion(Struct, frozen=True):
    """What the comparison came to."""

    exit_code: int
    lines: tuple[str, ...]
    """What to tell."""
    changed: frozenset[str]
    """The keys of the cases that became worse, or fail and could not be compared."""


class BaselineCheck:
    """Counts the results of a run as they pass by and compares them when it is over."""

    def __init__(
        self,
        baseline: Baseline,
        info: RunInfo,
        *,
        confirm: bool,
        update_in: Project | None = None,
        known_flaky: Callable[[], frozenset[CaseKey]] = frozenset,
    ) -> None:
        """`update_in` is the project whose baseline gets this run's counts when it is over; `known_flaky` reads which
        cases are known to be flaky."""
        self.baseline = baseline
        self._update_in = update_in
        self.confirm = confirm
        self._info = info
        self._facts: dict[CaseKey, CaseFacts] = {}
        self._again: dict[CaseKey, BaselineCase] = {}
        self._known_flaky = known_flaky
        self._flaky: frozenset[CaseKey] | None = None
        self.stopped: str | None = None
        """Why the confirmation ended early; what was not run again counts as it is."""

    @property
    def flaky(self) -> frozenset[CaseKey]:
        """What the history knows as flaky; it is read once, when it is first needed."""
        if self._flaky is None:
            self._flaky = self._known_flaky()
        return self._flaky

    def handle(self, event: Event) -> None:
        if not isinstance(event, CaseFinished) or event.result.quarantine is not None:
            return  # a case in quarantine decides nothing
        if (facts := facts_of(self._info, event.result)) is not None:
            self._facts[facts.key, facts.agent] = facts

    def close(self) -> None:
        """Nothing is open."""

    @property
    def now(self) -> list[BaselineCase]:
        return [case_of(facts) for facts in self._facts.values()]

    def flips(self) -> set[str]:
        """Returns the keys of the cases that must be run again before their failure counts."""
        now = self.now if self.confirm else []
        partners = partners_of(self.baseline.cases, now)
        flipped = [case for case in now if is_flip(partners.get((case.key, case.agent)), case)]
        return {case.key for case in flipped if (case.key, case.agent) not in self.flaky}

    def take_confirmation(self, event: Event) -> None:
        """Adds the attempts of a case that was run again."""
        if isinstance(event, CaseFinished) and (facts := facts_of(self._info, event.result)) is not None:
            key = (facts.key, facts.agent)
            if (first := self._facts.get(key)) is not None:
                self._again[key] = with_more(case_of(first), facts.attempts)

    def compared(self) -> Comparison:
        now = self.now
        partners = partners_of(self.baseline.cases, now)
        any_flip = any(is_flip(partners.get((case.key, case.agent)), case) for case in now)
        return compare(
            self.baseline,
            now,
            flaky=self.flaky if any_flip else frozenset(),
            confirmations=self._again,
            confirm=self.confirm and self.stopped is None,
        )

    def conclude(self, summary: Summary, *, allow_not_run: bool) -> Conclusion:
        """Returns the exit code and the lines to print; adds the run to the baseline when asked to."""
        found = self.compared()
        lines = comparison_lines(found, confirm=self.confirm)
        if self.stopped is not None:
            lines.append(f"the runs that confirm a failure ended early ({self.stopped}): what was not run again counts")
        if self._update_in is not None:
            path = save_baseline(self.updated(found), self._update_in)
            lines.append(f"this run was added to {self._update_in.shown(path)}")
        if self._nothing_passed(found, summary):
            lines.append("nothing passes, and nothing passed before: make a baseline of a run in which something does")
        worse = [case.after.key for case in found.of(Standing.REGRESSION)]
        code = self.exit_code(found, summary, allow_not_run=allow_not_run)
        return Conclusion(code, tuple(lines), frozenset([*worse, *self.failing_apart(found)]))

    def exit_code(self, found: Comparison, summary: Summary, *, allow_not_run: bool) -> int:
        """Fails for regressions, for failures that cannot be compared, for an incomplete run and one without a pass."""
        rest = structs.replace(summary, failed=0, errors=0, timeouts=0, quarantined=0)
        code = exit_code_of(rest, allow_not_run=allow_not_run)
        if code == EXIT_INTERRUPTED or self.stopped == CTRL_C:
            return EXIT_INTERRUPTED
        red = found.regressed or self.failing_apart(found) or self._nothing_passed(found, summary)
        return EXIT_FAILED if red or code != EXIT_PASSED else EXIT_PASSED

    def _nothing_passed(self, found: Comparison, summary: Summary) -> bool:
        """Whether no attempt passed, now or before: the baseline of a broken run must not make a broken agent green."""
        before = any(case.before is not None and case.before.passed for case in found.cases)
        return summary.unsuccessful > 0 and summary.passed_runs == 0 and not before

    def failing_apart(self, found: Comparison) -> list[str]:
        """Returns the keys of cases that fail and that the baseline says nothing about."""
        apart = (Standing.NEW, Standing.CHANGED, Standing.UNJUDGED)
        return [
            case.after.key
            for case in found.cases
            if case.standing in apart and self._facts[case.after.key, case.after.agent].status in UNSUCCESSFUL
        ]

    def updated(self, found: Comparison) -> Baseline:
        """Returns the baseline with this run added; cases that regressed are left out."""
        worse = {(case.after.key, case.after.agent) for case in found.of(Standing.REGRESSION)}
        facts = [facts for key, facts in self._facts.items() if key not in worse]
        return self.baseline.plus(baseline_of(self.baseline.name, facts))


def baseline_check(request: HistoryOptions, info: RunInfo, project: Project) -> BaselineCheck | None:
    """Returns the check that `--baseline` asks for. Raises UsageError when there is no such baseline."""
    ref = request.baseline
    if ref is None:
        if request.update_baseline:
            raise UsageError("which baseline?", at="--update-baseline", hint="name it: --baseline main")
        return None
    if not request.update_baseline:
        return BaselineCheck(
            find_baseline(ref, project), info, confirm=request.confirm, known_flaky=partial(_known_flaky, project)
        )
    known = ref in baseline_names(project)
    found = read_baseline(baseline_path(ref, project)) if known else Baseline(name=ref)
    baseline_path(ref, project)
    return BaselineCheck(
        found, info, confirm=request.confirm, update_in=project, known_flaky=partial(_known_flaky, project)
    )


def compare_finished(baseline: str, ref: str, project: Project) -> Conclusion:
    """Compares a finished run with a baseline, as `viva test --baseline` does when the run is over.

    A case that failed its only run cannot be run again here, so it counts. Raises UsageError for an unknown baseline
    or run, and for a run that compared several agents.
    """
    found = find_baseline(baseline, project)
    run = open_run(ref, project)
    kept = run.kept()
    require_one_agent(kept.info, ref)
    check = BaselineCheck(found, kept.info, confirm=False, known_flaky=partial(_known_flaky, project))
    for row in run.rows():
        check.handle(CaseFinished(result_in(row)))
    return check.conclude(kept.summary, allow_not_run=False)


def _known_flaky(project: Project) -> frozenset[CaseKey]:
    """Returns the cases of the history that went back and forth; none for a history that cannot be read.

    A case that broke once, or was repaired again, looks flaky where viva does not see the agent's code: it counts.
    """
    try:
        known = flaky_cases(open_history(project).unsteady_facts())
    except VivaError:
        return frozenset()
    return frozenset((case.key, case.agent) for case in known if case.flips > _BREAK_AND_REPAIR)


class ConfirmedCases(Struct, frozen=True):
    """The cases that are run again: a Source."""

    label: str
    cases: tuple[Case, ...]

    def read(self) -> Iterator[Case | UsageError]:
        return iter(self.cases)
