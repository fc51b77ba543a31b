"""Fields that a model type and its row type have under the same name: copied both ways, named nowhere else."""

from collections.abc import Callable
from typing import TypeAlias

from msgspec import NODEFAULT, Struct

from vivavoce.model.json_value import JsonObject, JsonValue, is_object

_WORTH_COMPILING = 200
"""The number of copies of a type after which compiling a function for it is faster."""

Visit: TypeAlias = Callable[[Struct, JsonValue], None]
"""Does something to a target with each field of a source that does not have its default."""


class SharedFields:
    """The fields that both types have, except those that mean something else in the row."""

    def __init__(self, model: type[Struct], row: type[Struct], *, but: tuple[str, ...] = ()) -> None:
        ours, theirs = _defaults_of(model), _defaults_of(row)
        self.names = tuple(name for name in ours if name in theirs and name not in but)
        self._defaults = [ours[name] if ours[name] == theirs[name] else NODEFAULT for name in self.names]
        self._uses = 0
        self.copy: Visit = self._copy_slowly
        """Sets them in a fresh target, where they still have their defaults."""
        self.collect: Visit = self._collect_slowly
        """Puts them into a dict, by name."""

    def given(self, source: Struct) -> JsonObject:
        """Every shared field that is set, by name: arguments to make the other one with."""
        found: JsonObject = {}
        self.collect(source, found)
        return found

    def _copy_slowly(self, source: Struct, target: JsonValue) -> None:
        for name, value in self._set_in(source).items():
            setattr(target, name, value)
        if self._uses >= _WORTH_COMPILING:
            self.copy = self._compiled("target.{name} = value")

    def _collect_slowly(self, source: Struct, target: JsonValue) -> None:
        target.update(self._set_in(source))
        if self._uses >= _WORTH_COMPILING:
            self.collect = self._compiled("target['{name}'] = value")

    def _set_in(self, source: Struct) -> JsonObject:
        self._uses += 1
        values = [(name, getattr(source, name), usual) for name, usual in zip(self.names, self._defaults, strict=True)]
        return {name: it for name, it, usual in values if (it != usual if is_object(usual) else it is not usual)}

    def _compiled(self, statement: str) -> Visit:
        """The same as a function made from text, as those of a dataclass are, with `statement` for each field.

        Each result passes here several times, and a loop over the names takes five times as long.
        """
        usual: JsonObject = {f"{name}_": default for name, default in zip(self.names, self._defaults, strict=True)}
        lines = [f"def visit(source, target, {', '.join(f'{name}={name}' for name in usual)}):"]
        for name in self.names:
            differs = "!=" if is_object(usual[f"{name}_"]) else "is not"
            lines.append(f"    if (value := source.{name}) {differs} {name}_: {statement.format(name=name)}")
        exec("\n".join(lines), usual)
        return usual["visit"]


def _defaults_of(kind: type[Struct]) -> JsonObject:
    # Not `structs.fields`: it evaluates every annotation too, which is slow, and this is done at each start.
    required = len(kind.__struct_fields__) - len(kind.__struct_defaults__)
    defaults: list[JsonValue] = [NODEFAULT] * required + list(kind.__struct_defaults__)
    made = (one.factory() if hasattr(one, "factory") else one for one in defaults)
    return dict(zip(kind.__struct_fields__, made, strict=True))
