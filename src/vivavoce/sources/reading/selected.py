"""Some cases of a file, picked by `path::id` or `path:line`."""

import re
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
    """`tests/a.jsonl::T1` → path and pick; a text without either ending is all path."""
    path, colons, case_id = text.partition("::")
    if colons and path and case_id:
        return path, Pick(case_id)
    if match := re.fullmatch(r"(.+):(\d+)", text, re.DOTALL):
        return match[1], Pick(line=int(match[2]))
    return text, None


class Selected:
    """The picked cases of a source. Its errors all stay: a file is in order or it is not."""

    def __init__(self, source: Source, picks: tuple[Pick, ...], file: Path) -> None:
        self._source = source
        self._file = file
        self._picks = picks

    @property
    def label(self) -> str:
        return self._source.label

    def read(self) -> Iterator[Case | UsageError]:
        ids = {pick.case_id for pick in self._picks if pick.case_id is not None}
        lines = [pick.line for pick in self._picks if pick.case_id is None]
        unmet_ids, unmet_lines = set(ids), set(lines)
        edges: list[Case] = []
        """The first case and the last."""
        for case, next_line in _with_next_line(self._source.read()):
            if isinstance(case, UsageError):
                yield case
                continue
            edges[1:] = [case]
            if next_line is None:
                next_line = self._lines() + 1
            hit = {line for line in lines if case.origin.line <= line < next_line}
            if case.id in ids or hit:
                unmet_ids.discard(case.id)
                unmet_lines -= hit
                yield case
        for case_id in sorted(unmet_ids):
            yield UsageError(f"no case {case_id!r}", at=self.label, hint=self._nearest(case_id))
        for line in sorted(unmet_lines):
            yield UsageError(f"no case at line {line}", at=self.label, hint=_nearest_case(line, edges))

    def _lines(self) -> int:
        """How many lines the file has: the last case reaches as far."""
        try:
            with self._file.open("rb") as file:
                return sum(1 for _ in file)
        except OSError:
            return 0

    def _nearest(self, case_id: str) -> str | None:
        known = (case.id for case in self._source.read() if isinstance(case, Case))
        return did_you_mean(case_id, list(islice(known, MOST_IDS_COMPARED)))


def _nearest_case(line: int, edges: list[Case]) -> str | None:
    """Every line between the first case and the file's end belongs to one: what is missed lies outside."""
    if not edges:
        return None
    nearest = edges[0] if line < edges[0].origin.line else edges[-1]
    return f"the nearest is {nearest.id!r} at line {nearest.origin.line}"


def _with_next_line(items: Iterator[Case | UsageError]) -> Iterator[tuple[Case | UsageError, int | None]]:
    """Each item with the line the next case begins on: up to there all lines are its own. None: it is the last."""
    held: list[Case | UsageError] = []
    for item in items:
        if isinstance(item, Case):
            yield from ((earlier, item.origin.line) for earlier in held)
            held.clear()
        held.append(item)
    yield from ((last, None) for last in held)
