"""A comparison of agents, collected result by result."""

from collections.abc import Iterable, Iterator
from functools import cached_property

from msgspec import Struct

from vivavoce.model.json_value import JsonObject
from vivavoce.model.result import CaseResult, RunInfo, Status
from vivavoce.results.contest.differences import PASSES, Difference, differences, fewest_one_sided
from vivavoce.results.contest.entry import Entry, entry_in, entry_of
from vivavoce.results.contest.standing import Standing, mean_of, standing_of


class MatrixRow(Struct, frozen=True):
    """One case and what became of it with each contender, in their order; None: no result."""

    id: str
    name: str | None
    key: str
    cells: tuple[Entry | None, ...]

    @property
    def differs(self) -> bool:
        """Whether the contenders did not all come out alike."""
        return len({None if cell is None else (cell.status, cell.passed, cell.runs) for cell in self.cells}) > 1


class Contest:
    """Keeps a few numbers of each result, never the result itself."""

    def __init__(self, info: RunInfo) -> None:
        self.labels = tuple(contender.label for contender in info.contenders)
        self.runs = info.runs_per_case
        self._entries: dict[str, dict[str, Entry]] = {label: {} for label in self.labels}
        self._heads: dict[str, Entry] = {}
        self._count = 0

    def add(self, result: CaseResult) -> None:
        self._take(entry_of(result, self._count))

    def _take(self, entry: Entry) -> None:
        self._count += 1
        self._heads.setdefault(entry.key, entry)
        self._entries.setdefault(entry.label, {})[entry.key] = entry

    @classmethod
    def in_rows(cls, info: RunInfo, rows: Iterable[bytes]) -> "Contest":
        """From the lines of a result file."""
        contest = cls(info)
        for position, row in enumerate(rows):
            contest._take(entry_in(row, position))
        return contest

    # ── once all results are there ──

    @property
    def cases(self) -> int:
        return len(self._heads)

    @cached_property
    def standings(self) -> tuple[Standing, ...]:
        return tuple(standing_of(label, list(self._entries[label].values())) for label in self.labels)

    @cached_property
    def differences(self) -> tuple[Difference, ...]:
        return tuple(differences(self.labels, self._entries))

    def fewest_one_sided(self, runs: int) -> int:
        """Returns how many cases, run so often each, must favour one contender before passing differs for real."""
        return fewest_one_sided(len(self.differences) or 1, runs)

    def rows(self) -> Iterator[MatrixRow]:
        """The matrix, in the order in which the cases came."""
        for key, head in self._heads.items():
            cells = tuple(self._entries[label].get(key) for label in self.labels)
            yield MatrixRow(head.id, head.name, key, cells)

    def as_data(self) -> JsonObject:
        """Everything as JSON reports and the page have it."""
        return {
            "contenders": [_standing_data(one) for one in self.standings],
            "differences": [_difference_data(one) for one in self.differences],
            "matrix": [_row_data(row) for row in self.rows()],
        }


def _standing_data(one: Standing) -> JsonObject:
    return {
        "label": one.label,
        "cases": one.cases,
        "passed": one.passed,
        "failed": one.statuses.get(Status.FAILED, 0),
        "errors": one.statuses.get(Status.ERROR, 0),
        "timeouts": one.statuses.get(Status.TIMEOUT, 0),
        "skipped": one.statuses.get(Status.SKIPPED, 0),
        "not_run": one.statuses.get(Status.NOT_RUN, 0),
        "pass_rate": None if one.pass_rate is None else round(100 * one.pass_rate, 3),
        "ci": [round(100 * one.ci_low, 3), round(100 * one.ci_high, 3)],
        "runs": one.runs,
        "passed_runs": one.passed_runs,
        "pass_hat_k": [round(chance, 4) for chance in one.pass_hat],
        "p50_ms": one.p50_ms,
        "p95_ms": one.p95_ms,
        "input_tokens": one.input_tokens,
        "output_tokens": one.output_tokens,
        "cost": one.cost,
        "cost_is_partial": one.cost_is_partial,
        "cost_per_pass": one.cost_per_pass,
    }


def _difference_data(one: Difference) -> JsonObject:
    data: JsonObject = {
        "first": one.first,
        "second": one.second,
        "measure": one.measure,
        "real": one.real,
        "p": round(float(one.p), 6),
        "cases": one.cases,
    }
    if one.measure == PASSES:
        return {**data, "first_better": one.first_better, "second_better": one.second_better}
    return {**data, "shift": round(one.shift, 4), "ci": [round(one.low, 4), round(one.high, 4)]}


def _row_data(row: MatrixRow) -> JsonObject:
    cells = [None if cell is None else _cell_data(cell) for cell in row.cells]
    return {"id": row.id, "name": row.name, "key": row.key, "differs": row.differs, "cells": cells}


def _cell_data(cell: Entry) -> JsonObject:
    return {
        "status": cell.status.value,
        "passed": cell.passed,
        "runs": cell.runs,
        "error": None if cell.status is Status.PASSED else cell.error,
        "position": cell.position,
        "duration_ms": mean_of(cell.tried, "duration_ms"),
        "cost": mean_of(cell.tried, "cost"),
    }
