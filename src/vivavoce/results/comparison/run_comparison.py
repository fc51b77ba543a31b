"""Two whole runs compared, with the rows behind each change."""

import msgspec
from msgspec import Struct

from vivavoce.model.json_value import JsonObject
from vivavoce.results.comparison.compare import CaseChange, Change, Comparison, compare
from vivavoce.results.history.records import KeptRun, RunState
from vivavoce.results.stored_runs import RunData, run_as_json

SLOWER_BY_PERCENT = 50.0


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
            if case.change is not Change.SAME or case.slower or case.replies_differ
        ]

    def as_data(self) -> JsonObject:
        return {
            "before": run_as_json(self.kept_before),
            "after": run_as_json(self.kept_after),
            "counts": self.comparison.counts(),
            "regressions": len(self.comparison.regressions),
            "new_and_failing": len(self.comparison.new_and_failing),
            "lost": self.lost,
            "unfinished": self.unfinished,
            "changes": msgspec.to_builtins(self.changed_cases()),
        }


def compare_runs(before: RunData, after: RunData, *, slower_by_percent: float = SLOWER_BY_PERCENT) -> RunComparison:
    kept = before.kept(), after.kept()
    found = compare(before.outcomes(), after.outcomes(), slower_by_percent=slower_by_percent)
    return RunComparison(before, after, found, *kept)
