"""`each:` of a case: one case for every row of a table."""

import os
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

from msgspec import Struct

from vivavoce.errors import UsageError, did_you_mean
from vivavoce.model.case import Case
from vivavoce.model.json_value import JsonObject, JsonValue, is_array, is_object, text_of
from vivavoce.notation.checked_fields import checked
from vivavoce.notation.place import FieldProblem, Place
from vivavoce.notation.steps import Steps
from vivavoce.sources.decoding.case_decoder import Defaults, decode_at
from vivavoce.sources.decoding.case_fields import EachFields
from vivavoce.sources.scanning.seen_ids import SeenIds
from vivavoce.sources.tables.row_template import BadCell, MissingCell, RowTemplate, uses_of
from vivavoce.sources.tables.table_rows import TABLE_SUFFIXES, Row, Table

EACH = "each"
ID = "id"
MOST_PROBLEMS = 50
"""Bad rows of one table that are reported; the rest is not read."""
_MAKES_VARIABLES = ("hooks", "before")


class Folders(Struct, frozen=True):
    """The folders with the tables of a case, and the variables that it may use."""

    nearest: Path
    """The folder of the case file."""
    root: Path | None = None
    """The project's folder."""
    variables: frozenset[str] = frozenset()
    """The variables of the project's configuration."""


def cases_of_rows(
    raw: JsonObject, place: Place, defaults: Defaults, folders: Folders, seen: SeenIds
) -> Iterator[Case | UsageError]:
    """A case for each row, or the problems of the template, the table or a row.

    `seen` holds the ids of the case file. The ids of rows are added to it with their line as a negative number.
    """
    try:
        table, named_by = _table(raw[EACH], place.at(EACH), folders)
    except UsageError as error:
        yield from error.each()
        return
    template = {key: value for key, value in raw.items() if key != EACH}
    rows = table.rows()
    first = next(rows, None)
    if first is None:
        yield place.at(EACH).problem(f"{table.shown} has no rows", "a table without rows would test nothing")
        return
    columns = list(table.columns or (first.values if isinstance(first, Row) else ()))
    problems = list(_unknown_columns(template, place, table, columns, folders))
    if named_by is not None and table.columns is not None and named_by not in columns:
        problems.append(_no_column(named_by, columns, place.at(EACH), table))
    if problems:
        yield from problems
        return
    if named_by is None and ID in columns:
        named_by = ID
    filling = RowTemplate(template, lambda name: name not in columns and is_variable(name, template, folders))
    yield from _Expansion(template, filling, place, defaults, table, named_by).cases(chain([first], rows), seen)


class _Expansion:
    """One template and the rows of its table."""

    def __init__(
        self,
        raw: JsonObject,
        template: RowTemplate,
        place: Place,
        defaults: Defaults,
        table: Table,
        named_by: str | None,
    ) -> None:
        self._raw = raw
        self._template = template
        self._place = place
        self._defaults = defaults
        self._table = table
        self._named_by = named_by
        self._has_own_ids = any(steps == (ID,) for _, steps in uses_of(raw))

    def cases(self, rows: Iterator[Row | UsageError], seen: SeenIds) -> Iterator[Case | UsageError]:
        bad = 0
        for row in rows:
            if isinstance(row, UsageError):
                found: list[UsageError] = [row]
            else:
                case = self._case(row)
                if isinstance(case, Case):
                    earlier = seen.add(case.id, -row.line)
                    if earlier is None:
                        yield case
                        continue
                    first = f"line {-earlier}" if earlier < 0 else f"{self._place.origin.path}:{earlier}"
                    found = [self._table.problem(f"duplicate id {case.id!r}, first used in {first}", row.line)]
                else:
                    found = case
            yield from found
            if any(self._is_of_template(problem) for problem in found):
                return
            bad += 1
            if bad >= MOST_PROBLEMS:
                yield UsageError(f"{bad} bad rows: the rest is not looked at", at=self._table.shown)
                return

    def _case(self, row: Row) -> Case | list[UsageError]:
        try:
            filled = self._template.fill(row.values)
            return decode_at(self._named(filled, row), self._place, self._defaults)
        except MissingCell as missing:
            hint = did_you_mean(missing.name, list(row.values)) or f"needed by the case at {self._place.here}"
            return [self._table.problem(f"there is no {missing.name!r} in this row", row.line, hint)]
        except BadCell as bad:
            return [self._table.problem(str(bad), row.line)]
        except UsageError as error:
            return [
                problem if self._is_of_template(problem) else self._table.problem(problem.what, row.line, problem.hint)
                for problem in error.each()
            ]

    def _named(self, filled: JsonObject, row: Row) -> JsonObject:
        """The case with the id of its row: `case[row]`, unless the author writes ids from columns."""
        if self._has_own_ids:
            return filled
        name: JsonValue = row.number if self._named_by is None else row.values.get(self._named_by)
        if name is None or name == "":
            raise MissingCell(str(self._named_by))
        written = filled.get(ID) or self._defaults.case_id
        return {**filled, ID: f"{written}[{text_of(name)}]"} if isinstance(written, str) else filled

    def _is_of_template(self, problem: UsageError) -> bool:
        """Whether every row has this problem, because the field does not use the row."""
        if not isinstance(problem, FieldProblem) or not problem.steps:
            return False
        written = _value_at(self._raw, problem.steps)
        return next(iter(uses_of(written)), None) is None


def is_variable(name: str, template: JsonObject, folders: Folders) -> bool:
    """Whether a name that is not a column is filled in when the case runs."""
    if name.startswith("ENV.") or name in folders.variables:
        return True
    return any(template.get(field) for field in _MAKES_VARIABLES)


def _unknown_columns(
    template: JsonObject, place: Place, table: Table, columns: list[str], folders: Folders
) -> Iterator[UsageError]:
    """The names in a template without a column of that name. In JSONL each row is checked by itself."""
    if table.columns is None:
        return
    reported: set[str] = set()
    for name, steps in uses_of(template):
        if name not in columns and name not in reported and not is_variable(name, template, folders):
            reported.add(name)
            yield _no_column(name, columns, place.at(*steps), table)


def _no_column(name: str, columns: list[str], place: Place, table: Table) -> UsageError:
    hint = did_you_mean(name, columns) or f"its columns: {', '.join(columns)}; write $${{ for a literal ${{"
    return place.problem(f"{table.shown} has no column {name!r}", hint)


def _table(each: JsonValue, place: Place, folders: Folders) -> tuple[Table, str | None]:
    """The table, and the column that names its rows."""
    written = {"file": each} if isinstance(each, str) else each
    if not is_object(written):
        raise place.wanted("the path of a table", each, f"tables end in {', '.join(TABLE_SUFFIXES)}")
    fields = checked(written, EachFields, place)
    path = Path(fields.file)
    if path.suffix.lower() not in TABLE_SUFFIXES and fields.delimiter is None:
        raise place.problem(f"not a table: {fields.file}", f"tables end in {', '.join(TABLE_SUFFIXES)}")
    candidates = [folder / path for folder in (folders.nearest, folders.root) if folder is not None]
    there = next((candidate for candidate in candidates if candidate.is_file()), None)
    if there is None:
        nearest = candidates[0]
        names = sorted(os.listdir(nearest.parent)) if nearest.parent.is_dir() else []
        raise place.problem(f"no such table: {fields.file}", did_you_mean(nearest.name, names))
    return Table(there, _shown(there), fields.delimiter), fields.id


def _shown(path: Path) -> str:
    full = os.path.abspath(path)
    return os.path.relpath(full) if Path(full).is_relative_to(Path.cwd()) else full


def _value_at(value: JsonValue, steps: Steps) -> JsonValue:
    """The value of the template at the place of a problem in the filled-in case; None without such a value."""
    for step in steps:
        if isinstance(value, str):
            # A cell may be a whole object: the values inside it are the row's.
            return value
        if is_object(value):
            value = value.get(str(step))
        elif is_array(value) and isinstance(step, int) and step < len(value):
            value = value[step]
        else:
            return None
    return value
