"""Two runs brought together: the comparison, and the rows behind it."""

from typing import Any

import msgspec
from msgspec import Struct

from vivavoce.results.comparison.compare import CaseChange, Change, Comparison, compare
from vivavoce.results.history.records import KeptRun
from vivavoce.results.rows import start_row, summary_row
from vivavoce.results.stored_runs import RunData

SLOWER_BY_PERCENT = 50.0


class Compared(Struct, frozen=True):
    before: RunData
    after: RunData
    comparison: Comparison
    kept_before: KeptRun
    kept_after: KeptRun

    @property
    def unfinished(self) -> int:
        """Cases that the later run was to judge and did not: what it says about regressions is not the last word."""
        return self.kept_after.summary.not_run

    @property
    def regressed(self) -> bool:
        return bool(self.comparison.regressions) or self.unfinished > 0

    @property
    def lost(self) -> int:
        """Cases that the earlier run judged and the later one did not."""
        return len(self.comparison.lost)

    def told(self) -> list[CaseChange]:
        """Every case that is not as it was."""
        return [
            case
            for case in self.comparison.changes
            if case.change is not Change.SAME or case.slower or case.replies_differ
        ]

    def as_data(self) -> dict[str, Any]:
        return {
            "before": run_data(self.kept_before),
            "after": run_data(self.kept_after),
            "counts": self.comparison.counts(),
            "regressions": len(self.comparison.regressions),
            "lost": self.lost,
            "unfinished": self.unfinished,
            "changes": msgspec.to_builtins(self.told()),
        }


def compared(before: RunData, after: RunData, *, slower_by_percent: float = SLOWER_BY_PERCENT) -> Compared:
    kept = before.kept(), after.kept()
    found = compare(before.outcomes(), after.outcomes(), slower_by_percent=slower_by_percent)
    return Compared(before, after, found, *kept)


def run_data(run: KeptRun) -> dict[str, Any]:
    """A run as the page and other programs read it."""
    return {
        "id": run.info.run_id,
        "state": run.state.value,
        "results": run.results,
        "revision": run.revision,
        "start": msgspec.to_builtins(start_row(run.info)),
        "summary": msgspec.to_builtins(summary_row(run.summary)),
    }
