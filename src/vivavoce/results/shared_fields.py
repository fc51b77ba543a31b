"""Fields that a model type and its row type have under the same name: copied both ways, named nowhere else."""

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import TypeAlias

from msgspec import NODEFAULT, Struct, structs

from vivavoce.model.json_value import JsonObject, JsonValue, is_object


class SharedFields:
    """The fields that both types have, except those that mean something else in the row."""

    def __init__(self, model: type[Struct], row: type[Struct], *, but: tuple[str, ...] = ()) -> None:
        ours, theirs = _defaults_of(model), _defaults_of(row)
        self.names = tuple(name for name in ours if name in theirs and name not in but)
        self._defaults = [ours[name] if ours[name] == theirs[name] else NODEFAULT for name in self.names]

    @cached_property
    def copy(self) -> "SetFieldVisitor":
        """Sets those of a source in a fresh target, where they still have their defaults."""
        return visitor_of_set_fields(self.names, self._defaults, "target.{name} = value")

    def given(self, source: Struct) -> JsonObject:
        """Every shared field that is set, by name: arguments to make the other one with."""
        found: JsonObject = {}
        self._collect(source, found)
        return found

    @cached_property
    def _collect(self) -> "SetFieldVisitor":
        return visitor_of_set_fields(self.names, self._defaults, "target['{name}'] = value")


SetFieldVisitor: TypeAlias = Callable[[Struct, Struct | JsonObject], None]


def visitor_of_set_fields(names: Sequence[str], defaults: Sequence[JsonValue], statement: str) -> SetFieldVisitor:
    """Returns a function of (source, target) that does `statement` for each field without its default value.

    It is compiled from text, as the functions of a dataclass are: each result passes here several times, and a loop
    over the names takes five times as long.
    """
    usual: JsonObject = {f"{name}_": default for name, default in zip(names, defaults, strict=True)}
    lines = [f"def visit(source, target, {', '.join(f'{name}={name}' for name in usual)}):"]
    for name in names:
        differs = "!=" if is_object(usual[f"{name}_"]) else "is not"
        lines.append(f"    if (value := source.{name}) {differs} {name}_: {statement.format(name=name)}")
    exec("\n".join(lines), usual)
    return usual["visit"]


def _defaults_of(kind: type[Struct]) -> JsonObject:
    return {
        field.name: field.default if field.default_factory is NODEFAULT else NODEFAULT for field in structs.fields(kind)
    }
