"""Where in a case something stands, so that every complaint can name file, line and field."""

from typing import Any, Protocol

import msgspec
from msgspec import Struct

from vivavoce.errors import UsageError
from vivavoce.model.case import Origin
from vivavoce.model.json_value import is_array, is_object
from vivavoce.sources.reading.json_places import Step

LONGEST_QUOTE = 60


class Document(Protocol):
    """A text that knows where its values stand."""

    def line_of(self, path: tuple[Step, ...]) -> int:
        """The line of a value, or of the nearest thing around it."""
        ...


class Place(Struct, frozen=True):
    """A value's address: the case's origin, and the steps from there to the value."""

    origin: Origin
    document: Document | None = None
    """None where everything stands on the origin's line."""
    steps: tuple[Step, ...] = ()

    def at(self, *steps: Step) -> "Place":
        return Place(self.origin, self.document, self.steps + steps)

    @property
    def here(self) -> Origin:
        if self.document is None:
            return self.origin
        return Origin(self.origin.path, self.document.line_of(self.steps))

    @property
    def field(self) -> str:
        """`turns[0].input`"""
        written = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in self.steps)
        return written.removeprefix(".")

    def problem(self, what: str, hint: str | None = None) -> UsageError:
        """A complaint about the value here."""
        field = self.field
        return UsageError(f"{field}: {what}" if field else what, at=self.here, hint=hint)

    def wanted(self, what: str, found: Any, hint: str | None = None) -> UsageError:
        return self.problem(f"wanted {what}, found {quoted(found)}", hint)


def quoted(value: Any) -> str:
    """A value as a complaint shows it: short, and told apart from its look-alikes."""
    if is_object(value):
        return "an object" if value else "an empty object"
    if is_array(value):
        return "a list" if value else "an empty list"
    try:
        text = msgspec.json.encode(value).decode()
    except (TypeError, ValueError):
        text = repr(value)
    return text if len(text) <= LONGEST_QUOTE else f"{text[:LONGEST_QUOTE]}…"
