"""What a tool returned: a value, or an error."""

from msgspec import UNSET, Struct, UnsetType

from vivavoce.model.json_value import JsonValue


class ToolAnswer(Struct, frozen=True, kw_only=True):
    value: JsonValue | UnsetType = UNSET
    error: str | None = None
