"""A span as plain data, whatever encoding it came in."""

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
    """The instrumentation library that made it."""
    start_ns: int = 0
    end_ns: int = 0
    attributes: JsonObject = {}
    failed: bool = False
    """Whether its status says error."""
    message: str = ""
    """The status message."""
    events: tuple[tuple[str, JsonObject], ...] = ()

    @property
    def key(self) -> tuple[str, str]:
        """Exporters may send a span twice: this tells."""
        return (self.trace, self.id)

    def event(self, name: str, key: str) -> JsonValue:
        """Returns an attribute of the first event of this name that has it, else None."""
        return next((found[key] for event, found in self.events if event == name and key in found), None)
