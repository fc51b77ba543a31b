"""Two whole runs compared, with the rows behind each change."""

from collections.abc import Iterator

import msgspec
from msgspec import Struct

from vivavoce.model.json_value import JsonObject
from vivavoce.model.result import UNSUCCESSFUL
from vivavoce.results.comparison.call_alignment import CallChange, align_calls, differing
from vivavoce.results.comparison.changes import CaseChange, Change, Comparison, Side, Thresholds
from vivavoce.results.comparison.compare import compare
from vivavoce.results.contest.one_agent import require_one_agent
from vivavoce.results.history.records import KeptRun, RunState
from vivavoce.results.row_outcome import calls_in
from vivavoce.results.stored_runs import RunData, result_at, run_as_json
from vivavoce.wording.results import reason_of


class RunComparison(Struct, frozen=True):
    before: RunData
    after: RunData
    comparison: Comparison
    kept_before: KeptRun
    kept_after: KeptRun

    @property
    def unfinished(self) -> int:
        """Cases that the later run was to judge and did not: they may still turn out to be regressions."""
        return self.kept_after.summary.not_run

    @property
    def incomplete(self) -> bool:
        """Whether the later run did not come to its end."""
        return self.unfinished > 0 or self.kept_after.summary.interrupted is not None or not self._is_finished

    @property
    def _is_finished(self) -> bool:
        return self.kept_after.state is RunState.FINISHED

    @property
    def regressed(self) -> bool:
        """Whether something broke, a new case fails, or the later run cannot tell."""
        return bool(self.comparison.regressions or self.comparison.new_and_failing) or self.incomplete

    @property
    def lost(self) -> int:
        """Cases that the earlier run judged and the later one did not."""
        return len(self.comparison.lost)

    def changed_cases(self) -> list[CaseChange]:
        """Every case that differs in any way."""
        return [
            case
            for case in self.comparison.changes
            if case.change is not Change.SAME or case.slower or case.dearer or case.replies_differ or case.calls_differ
        ]

    def call_changes(self, case: CaseChange) -> tuple[CallChange, ...]:
        """The tool calls of a case that are not as they were. Reads both of its rows."""
        if not case.calls_differ:
            return ()
        return differing(align_calls(_calls(self.before, case.before), _calls(self.after, case.after)))

    def reason(self, case: CaseChange) -> str | None:
        """Why the case does not pass now; None when it does. Reads its row."""
        if case.after is None or case.after.status not in UNSUCCESSFUL:
            return None
        return reason_of(result_at(self.after, case.after.position))

    def changes_as_json(self) -> Iterator[JsonObject]:
        """Every changed case as JSON, with its reason and calls; one at a time, as each reads rows."""
        for case in self.changed_cases():
            told: JsonObject = msgspec.to_builtins(case)
            if (reason := self.reason(case)) is not None:
                told["reason"] = reason
            if calls := self.call_changes(case):
                told["calls"] = msgspec.to_builtins(calls)
            yield told

    def as_data(self) -> JsonObject:
        """Everything about the comparison but the changed cases themselves."""
        return {
            "before": run_as_json(self.kept_before),
            "after": run_as_json(self.kept_after),
            "counts": self.comparison.counts(),
            "regressions": len(self.comparison.regressions),
            "new_and_failing": len(self.comparison.new_and_failing),
            "lost": self.lost,
            "unfinished": self.unfinished,
            "usage": self._usage(),
        }

    def _usage(self) -> JsonObject:
        """Tokens and cost of the cases of which both runs know them; the sums are those of one run of each case."""
        found: JsonObject = {}
        for name, amount in (("tokens", _tokens), ("cost", _cost)):
            before, after, cases = self.comparison.totals(amount)
            if cases:
                found[name] = {"before": before, "after": after, "cases": cases}
        return found


def compare_runs(before: RunData, after: RunData, limits: Thresholds | None = None) -> RunComparison:
    kept = before.kept(), after.kept()
    for run in kept:
        require_one_agent(run.info, run.info.run_id)
    found = compare(before.outcomes(), after.outcomes(), limits)
    return RunComparison(before, after, found, *kept)


def _calls(run: RunData, side: Side | None):
    row = None if side is None else run.row(side.position)
    return [] if row is None else calls_in(row)


def _tokens(side: Side) -> float | None:
    return side.tokens


def _cost(side: Side) -> float | None:
    return side.cost
