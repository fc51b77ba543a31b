"""Selected cases of a file: `path::id` or `path:line`."""

import re
import shlex
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from msgspec import Struct

from vivavoce.errors import UsageError, did_you_mean
from vivavoce.model.case import Case
from vivavoce.protocols import Source

MOST_IDS_COMPARED = 10_000


class Pick(Struct, frozen=True):
    """One wanted case: by its id, or by a line that belongs to it."""

    case_id: str | None = None
    line: int = 0


def split_pick(text: str) -> tuple[str, Pick | None]:
    """`tests/a.jsonl::T1` → path and pick; a text without such an ending is only a path."""
    path, colons, case_id = text.partition("::")
    if colons and path and case_id:
        return path, Pick(case_id)
    if match := re.fullmatch(r"(.+):(\d+)", text, re.DOTALL):
        return match[1], Pick(line=int(match[2]))
    return text, None


class Selected:
    """The picked cases of a source, and all its errors, also those of other cases."""

    def __init__(self, source: Source, picks: tuple[Pick, ...], file: Path) -> None:
        self._source = source
        self._file = file
        self._picks = picks

    @property
    def label(self) -> str:
        return self._source.label

    def read(self) -> Iterator[Case | UsageError]:
        ids = {pick.case_id for pick in self._picks if pick.case_id is not None}
        lines = {pick.line for pick in self._picks if pick.case_id is None}
        begins = self._begins(lines) if lines else {}
        unmet_ids, wanted_lines = set(ids), set(begins.values())
        for case in self._source.read():
            if isinstance(case, UsageError):
                yield case
                continue
            met = {case.id, _without_row(case.id)} & ids
            unmet_ids -= met
            if met or case.origin.line in wanted_lines:
                yield case
        for case_id in sorted(unmet_ids):
            yield UsageError(f"no case {case_id!r}", at=self.label, hint=self._nearest(case_id))
        for line in sorted(lines - begins.keys()):
            yield UsageError(f"no case at line {line}", at=self.label, hint=self._nearest_line(line))

    def _begins(self, lines: set[int]) -> dict[int, int]:
        """For each line that belongs to a case, the first line of that case."""
        end = self._lines()
        found: dict[int, int] = {}
        for case in self._source.read():
            if isinstance(case, Case):
                found |= {line: case.origin.line for line in lines if case.origin.line <= line <= end}
        return found

    def _nearest_line(self, line: int) -> str | None:
        """A hint at the first or the last case: every line from the first case to the end belongs to a case."""
        first: Case | None = None
        last: Case | None = None
        for case in self._source.read():
            if isinstance(case, Case):
                first, last = first or case, case
        if first is None or last is None:
            return None
        nearest = first if line < first.origin.line else last
        return f"the nearest is {nearest.id!r} at line {nearest.origin.line}"

    def _lines(self) -> int:
        """The number of lines of the file, where the last case ends."""
        try:
            with self._file.open("rb") as file:
                return sum(1 for _ in file)
        except OSError:
            return 0

    def _nearest(self, case_id: str) -> str:
        known = (case.id for case in self._source.read() if isinstance(case, Case))
        meant = did_you_mean(case_id, list(islice(known, MOST_IDS_COMPARED)))
        return meant or f"viva list {shlex.quote(self.label)} shows them"


def _without_row(case_id: str) -> str:
    """`refund` of `refund[7]`: picking a case with a table picks all its rows."""
    return case_id.rpartition("[")[0] if case_id.endswith("]") else case_id
