"""What a run from Python returns."""

import os
from typing import Any

from msgspec import Struct

from vivavoce.api.notebook import Library, frame_of, html_of, row_of_result
from vivavoce.containment.safe_stream import harmless
from vivavoce.errors import EXIT_PASSED, UsageError, exit_code_of
from vivavoce.model.json_value import JsonObject
from vivavoce.model.result import UNSUCCESSFUL, CaseResult, RunInfo, Summary

_MOST_SHOWN = 10
_COUNTS = ("passed", "failed", "errors", "timeouts", "skipped", "not_run")


class Report(Struct, frozen=True, kw_only=True):
    """A finished run: what was run, the totals, and every result."""

    info: RunInfo
    summary: Summary
    kept: tuple[CaseResult, ...] | None
    """None after `keep_results=False`."""
    allow_not_run: bool = False

    def __repr__(self) -> str:
        counts = {name: getattr(self.summary, name) for name in _COUNTS}
        told = ", ".join(f"{number} {name.replace('_', ' ')}" for name, number in counts.items() if number)
        return f"<Report of {self.info.agent_id}: {'PASSED' if self.passed else 'FAILED'}, {told or 'nothing ran'}>"

    def __str__(self) -> str:
        """The same, and a line for each of the first failures. Nothing in it acts on a terminal or on GitHub's log."""
        failed = [result for result in self.kept or () if result.status in UNSUCCESSFUL]
        more = [f"  … and {len(failed) - _MOST_SHOWN} more"] if len(failed) > _MOST_SHOWN else []
        told = "\n".join([repr(self), *(f"  {result}" for result in failed[:_MOST_SHOWN]), *more])
        return harmless(told, os.environ)

    @property
    def results(self) -> tuple[CaseResult, ...]:
        """One result per case, in the order of the cases."""
        if self.kept is None:
            raise UsageError(
                "the results were not kept",
                hint="leave keep_results out, or take them from on_event or a .jsonl output",
            )
        return self.kept

    @property
    def failures(self) -> tuple[CaseResult, ...]:
        """The results that neither passed nor were skipped."""
        return tuple(result for result in self.results if result.status in UNSUCCESSFUL)

    @property
    def passed(self) -> bool:
        """Whether `viva test` would have answered PASS: everything ran, and nothing failed."""
        return exit_code_of(self.summary, allow_not_run=self.allow_not_run) == EXIT_PASSED

    def to_rows(self) -> list[JsonObject]:
        """A flat dict per case: id, status, reason, durations, tokens, what was said."""
        return [row_of_result(result) for result in self.results]

    def to_dataframe(self, library: Library | None = None) -> Any:
        """The same as a data frame of pandas, else of polars. Raises UsageError when neither is installed."""
        return frame_of(self.to_rows(), library)

    def _repr_html_(self) -> str:
        """What a notebook shows."""
        return html_of(self.info, self.summary, self.kept, passed=self.passed)
