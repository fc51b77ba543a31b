"""`${column}` in a case: compiled once, filled in for every row of a table.

Text of a cell is never read as a variable: in fields whose variables are filled in later, a `${…}` of a cell becomes
`$${…}`. A text that is only `${column}` becomes the cell itself, with its type; `${column|json}` becomes the JSON value
of the cell's text.
"""

import re
from collections.abc import Callable, Iterator
from typing import TypeAlias

import msgspec

from vivavoce.model.json_value import JsonObject, JsonValue, is_array, is_object, map_texts, text_of
from vivavoce.notation.steps import Steps

Fill: TypeAlias = Callable[[JsonObject], JsonValue]

FILLED_LATER = frozenset(
    {"input", "messages", "turns", "assert", "assertions", "final_assertions", "checkpoints", "options", "simulator"}
) | {"state", "thread_id", "expected", "hooks"}
"""Fields of a case whose variables are filled in when the case runs."""
_REFERENCE = re.compile(r"\$?\$\{([^{}]*)\}")
_VARIABLE = re.compile(r"\$\{[^{}]*\}")
_JSON = "|json"


class MissingCell(ValueError):
    """A row has no cell for a name of the template."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.name = name


class BadCell(ValueError):
    """A cell is not JSON, but the template wants JSON."""


class RowTemplate:
    """A case with `${column}` in it. `is_variable` says which names are filled in later, when the case runs."""

    def __init__(self, case: JsonObject, is_variable: Callable[[str], bool]) -> None:
        self._is_variable = is_variable
        self._fields = [(key, *self._compiled(value, later=key in FILLED_LATER)) for key, value in case.items()]

    def fill(self, row: JsonObject) -> JsonObject:
        """The case of one row. Raises MissingCell or BadCell."""
        return {key: value if fill is None else fill(row) for key, value, fill in self._fields}

    def _compiled(self, value: JsonValue, *, later: bool) -> tuple[JsonValue, Fill | None]:
        """The value itself when it is the same for all rows; else a function that makes it for a row."""
        if isinstance(value, str):
            return self._text(value, later=later)
        if is_object(value):
            fields = [(key, *self._compiled(inner, later=later)) for key, inner in value.items()]
            if all(fill is None for _, _, fill in fields):
                return {key: inner for key, inner, _ in fields}, None
            return None, lambda row: {key: inner if fill is None else fill(row) for key, inner, fill in fields}
        if is_array(value):
            items = [self._compiled(inner, later=later) for inner in value]
            if all(fill is None for _, fill in items):
                return [inner for inner, _ in items], None
            return None, lambda row: [inner if fill is None else fill(row) for inner, fill in items]
        return value, None

    def _text(self, text: str, *, later: bool) -> tuple[JsonValue, Fill | None]:
        if "${" not in text:
            return text, None
        pieces = list(self._pieces(text))
        if len(pieces) == 1 and not isinstance(pieces[0], str):
            whole = pieces[0]
            return None, (lambda row: _escaped_deep(whole(row))) if later else whole
        if all(isinstance(piece, str) for piece in pieces):
            return (text if later else "".join(map(str, pieces))), None

        if later:
            return None, lambda row: _kept_for_later(pieces, row)
        return None, lambda row: "".join(_said(piece, row) for piece in pieces)

    def _pieces(self, text: str) -> Iterator["str | Fill"]:
        """Literal texts, variables that stay, and cells."""
        at = 0
        for match in _REFERENCE.finditer(text):
            if match.start() > at:
                yield text[at : match.start()]
            at = match.end()
            if match[0].startswith("$$"):
                yield match[0][1:]
            elif self._is_variable(match[1].partition(":-")[0].strip()):
                yield _Variable(match[0])
            else:
                yield _cell(match[1])
        if at < len(text):
            yield text[at:]


def _said(piece: "str | Fill", row: JsonObject) -> str:
    return piece if isinstance(piece, str) else text_of(piece(row))


def _kept_for_later(pieces: list["str | Fill"], row: JsonObject) -> str:
    """Fills in the cells of a text; only the variables of the template stay variables."""
    done, literal = "", ""
    for piece in pieces:
        if isinstance(piece, _Variable):
            done += _escaped(literal) + piece
            literal = ""
        else:
            literal += _said(piece, row)
    return done + _escaped(literal)


class _Variable(str):
    """A `${NAME}` that is filled in when the case runs."""

    __slots__ = ()


def names_in(text: str) -> list[str]:
    """The names between `${` and `}`, without defaults and `|json`; `$${` does not count."""
    found = [match[1] for match in _REFERENCE.finditer(text) if not match[0].startswith("$$")]
    return [name.partition(":-")[0].strip().removesuffix(_JSON).strip() for name in found]


def uses_of(case: JsonValue, steps: Steps = ()) -> Iterator[tuple[str, Steps]]:
    """Every name of a column or variable in a case, and its place."""
    if isinstance(case, str):
        yield from ((name, steps) for name in names_in(case))
    elif is_object(case):
        for key, inner in case.items():
            yield from uses_of(inner, (*steps, key))
    elif is_array(case):
        for index, inner in enumerate(case):
            yield from uses_of(inner, (*steps, index))


def _cell(written: str) -> Fill:
    name, has_default, default = written.partition(":-")
    name = name.strip()
    as_json = name.endswith(_JSON)
    name = name.removesuffix(_JSON).strip()

    def value(row: JsonObject) -> JsonValue:
        if name not in row:
            if has_default:
                return default
            raise MissingCell(name)
        found = row[name]
        if not as_json or not isinstance(found, str):
            return found
        try:
            return msgspec.json.decode(found)
        except (ValueError, RecursionError):
            raise BadCell(f"{name}: wanted JSON, found {found[:60]!r}") from None

    return value


def _escaped(text: str) -> str:
    return _VARIABLE.sub(r"$\g<0>", text) if "${" in text else text


def _escaped_deep(value: JsonValue) -> JsonValue:
    return map_texts(value, _escaped)
