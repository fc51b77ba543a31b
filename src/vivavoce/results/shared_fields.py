"""Fields that a model type and its row type have under the same name: copied both ways, named nowhere else."""

from collections.abc import Iterator
from itertools import compress
from operator import attrgetter, is_not

from msgspec import NODEFAULT, Struct, structs

from vivavoce.model.json_value import JsonObject, JsonValue


class SharedFields:
    """The fields that both types have, except those that mean something else in the row."""

    def __init__(self, model: type[Struct], row: type[Struct], *, but: tuple[str, ...] = ()) -> None:
        ours, theirs = _defaults_of(model), _defaults_of(row)
        self.names = tuple(name for name in ours if name in theirs and name not in but)
        self._values = attrgetter(*self.names)
        self._defaults = [ours[name] if ours[name] == theirs[name] else NODEFAULT for name in self.names]

    def given(self, source: Struct) -> JsonObject:
        """Every shared field that is set, by name: arguments to make the other one with."""
        return dict(self._set_in(source))

    def copy(self, source: Struct, target: Struct) -> None:
        """Sets them in a fresh target, where they still have their defaults."""
        for name, value in self._set_in(source):
            setattr(target, name, value)

    def _set_in(self, source: Struct) -> Iterator[tuple[str, JsonValue]]:
        """The fields that do not have their default. Each result passes here, so Python only sees those fields."""
        values = self._values(source)
        return compress(zip(self.names, values, strict=True), map(is_not, values, self._defaults))


def _defaults_of(kind: type[Struct]) -> JsonObject:
    return {
        field.name: field.default if field.default_factory is NODEFAULT else NODEFAULT for field in structs.fields(kind)
    }
