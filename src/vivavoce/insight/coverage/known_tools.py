"""The declared tools of an agent, and the values that their schemas allow."""

from collections.abc import Iterable, Iterator, Mapping

from vivavoce.model.agent_card import ToolSpec
from vivavoce.model.coverage import Element, Group
from vivavoce.model.json_value import JsonObject, JsonValue, compact_json, is_array, is_object
from vivavoce.model.message import ToolCall

OUTCOMES = ("called", "returned", "failed")
GIVEN = "given"
_MOST_VALUES = 50
"""Values of a longer list are not counted one by one."""


class KnownTools:
    """Tools by name. A call belongs to the tool of its name, or of the part after a namespace."""

    def __init__(self) -> None:
        self._tools: dict[str, ToolSpec] = {}
        self._choices: dict[str, Mapping[str, tuple[JsonValue, ...]]] = {}

    def add(self, tools: Iterable[ToolSpec]) -> None:
        """The first declaration of a name that has parameters wins."""
        for tool in tools:
            known = self._tools.get(tool.name)
            if known is None or not known.parameters:
                self._tools[tool.name] = tool
                self._choices[tool.name] = choices_in(tool.parameters)

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self._tools)

    def name_of(self, call: ToolCall) -> str:
        if call.name in self._tools:
            return call.name
        return next((name for name in self._tools if call.is_named(name)), call.name)

    def choices(self, tool: str) -> Mapping[str, tuple[JsonValue, ...]]:
        """Parameter → its allowed values, for parameters with a short list of them."""
        return self._choices.get(tool, {})

    def elements(self) -> Iterator[Element]:
        """Everything that can happen with the declared tools."""
        for tool in self._tools.values():
            for outcome in OUTCOMES:
                yield Element(Group.TOOL, tool.name, outcome)
            for parameter in properties_of(tool.parameters):
                name = f"{tool.name}.{parameter}"
                yield Element(Group.PARAMETER, name, GIVEN)
                for value in self.choices(tool.name).get(parameter, ()):
                    yield Element(Group.PARAMETER, name, value_aspect(value))


def value_aspect(value: JsonValue) -> str:
    return f"= {value if isinstance(value, str) else compact_json(value)}"


def properties_of(schema: JsonObject) -> JsonObject:
    found = schema.get("properties")
    return found if is_object(found) else {}


def choices_in(schema: JsonObject) -> dict[str, tuple[JsonValue, ...]]:
    """Parameter → its allowed values, where the schema has an `enum` or a boolean."""
    found = {name: tuple(_choices(part, schema, depth=5)) for name, part in properties_of(schema).items()}
    return {name: values for name, values in found.items() if 1 < len(values) <= _MOST_VALUES}


def _choices(schema: JsonValue, root: JsonObject, depth: int) -> Iterator[JsonValue]:
    if not is_object(schema) or depth == 0:
        return
    allowed = schema.get("enum")
    if is_array(allowed):
        yield from (value for value in allowed if value is not None)
    elif schema.get("type") == "boolean":
        yield from (True, False)
    for word in ("anyOf", "oneOf", "allOf"):
        branches = schema.get(word)
        for branch in branches if is_array(branches) else ():
            yield from _choices(branch, root, depth - 1)
    if isinstance(schema.get("$ref"), str):
        yield from _choices(_resolved(str(schema["$ref"]), root), root, depth - 1)


def _resolved(ref: str, root: JsonObject) -> JsonValue:
    """The schema that a reference (`#/$defs/Reason`) names; None for a reference to another document."""
    if not ref.startswith("#/"):
        return None
    found: JsonValue = root
    for step in ref[2:].split("/"):
        found = found.get(step) if is_object(found) else None
    return found
