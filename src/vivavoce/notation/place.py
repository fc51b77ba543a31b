"""The place of a value in a case, so that every error can name file, line and field."""

from collections.abc import Iterable
from typing import Protocol

import msgspec
from msgspec import Struct

from vivavoce.errors import UsageError, did_you_mean
from vivavoce.model.case import Origin
from vivavoce.model.json_value import JsonValue, is_array, is_object
from vivavoce.notation.steps import Step, Steps, written_path
from vivavoce.wording.quoting import cut

LONGEST_QUOTE = 60


class Document(Protocol):
    """A text that knows the lines of its values."""

    def line_of(self, path: Steps) -> int:
        """Returns the line of a value, or of the nearest value that contains it."""
        ...

    def lines_of_items(self, path: Steps, count: int) -> list[int]:
        """Returns the first line of each of the `count` objects of a list; fewer if they are unknown."""
        ...

    def lines_of(self, paths: Iterable[Steps]) -> list[int]:
        """Returns the line of each of these values, as `line_of` does."""
        ...


class FieldProblem(UsageError):
    """A problem with one field of a case; `steps` lead from the case to that field."""

    def __init__(self, what: str, *, steps: Steps, at: Origin, hint: str | None = None) -> None:
        super().__init__(what, at=at, hint=hint)
        self.steps = steps
        self.line = at.line


class Place(Struct, frozen=True):
    """A value's address: the case's origin, and the steps from there to the value."""

    origin: Origin
    document: Document | None = None
    """None if everything is on the origin's line."""
    steps: Steps = ()
    checks: list[Steps] | None = None
    """Collects where each assertion stands; None if nobody asks."""

    def at(self, *steps: Step) -> "Place":
        return Place(self.origin, self.document, self.steps + steps, self.checks)

    @property
    def here(self) -> Origin:
        if self.document is None:
            return self.origin
        return Origin(self.origin.path, self.document.line_of(self.steps))

    def problem(self, what: str, hint: str | None = None, *, inside: Steps = ()) -> FieldProblem:
        """Returns a problem with the value here; its line is that of the part `inside` it."""
        field, there = written_path(self.steps), self.at(*inside)
        return FieldProblem(f"{field}: {what}" if field else what, steps=there.steps, at=there.here, hint=hint)

    def missing(self, name: str, hint: str | None = None) -> FieldProblem:
        """Returns a problem: the object here lacks a field."""
        return self.problem(f"{name!r} is missing", hint, inside=(name,))

    def unknown(self, name: str, known: Iterable[str]) -> FieldProblem:
        """Returns a problem: the object here has an unknown field."""
        names = list(known)
        hint = did_you_mean(name, names) or f"known: {', '.join(sorted(names))}"
        return self.problem(f"unknown field {name!r}", hint, inside=(name,))

    def wanted(self, what: str, found: JsonValue, hint: str | None = None) -> FieldProblem:
        return self.problem(f"wanted {what}, found {quoted(found)}", hint)


def quoted(value: JsonValue) -> str:
    """Returns a value as error messages show it: short, with text in quotes."""
    if is_object(value):
        return "an object" if value else "an empty object"
    if is_array(value):
        return "a list" if value else "an empty list"
    try:
        text = msgspec.json.encode(value).decode()
    except (TypeError, ValueError):
        text = repr(value)
    return cut(text, LONGEST_QUOTE)
