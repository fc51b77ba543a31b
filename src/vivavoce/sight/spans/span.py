"""A span as plain data."""

from collections.abc import Iterator, Mapping

from msgspec import Struct

from vivavoce.model.json_value import JsonObject, JsonValue


class Span(Struct, frozen=True, kw_only=True):
    trace: str
    """Ids are lower-case hex."""
    id: str
    parent: str = ""
    """Empty for a root."""
    name: str = ""
    scope: str = ""
    """The instrumentation library of the span."""
    start_ns: int = 0
    end_ns: int = 0
    attributes: JsonObject = {}
    failed: bool = False
    """Whether its status is an error."""
    message: str = ""
    """The status message."""
    events: tuple[tuple[str, JsonObject], ...] = ()

    @property
    def key(self) -> tuple[str, str]:
        """Identifies a span: exporters may send it twice."""
        return (self.trace, self.id)

    def event(self, name: str, key: str) -> JsonValue:
        """Returns an attribute of the first event of this name that has it, else None."""
        return next((found[key] for event, found in self.events if event == name and key in found), None)


def ancestors(span: Span, by_key: Mapping[tuple[str, str], Span]) -> Iterator[Span]:
    """The spans above a span, the nearest first. Ends at a cycle."""
    seen = {span.key}
    above = by_key.get((span.trace, span.parent))
    while above is not None and above.key not in seen:
        yield above
        seen.add(above.key)
        above = by_key.get((above.trace, above.parent))
