"""Name → class, loaded on first use: how rooms are found without importing each other."""

from collections.abc import Iterator
from importlib import import_module
from typing import Any, Generic, TypeVar

from vivavoce.errors import UsageError, did_you_mean

T = TypeVar("T")


class Registry(Generic[T]):
    """A lazy table of "module:Class", open to other packages through entry points `viva.<kind>s`."""

    def __init__(self, kind: str, table: dict[str, str]) -> None:
        self.kind = kind
        self._table = table
        self._loaded: dict[str, T] = {}
        self._plugins_read = False

    def __contains__(self, name: str) -> bool:
        return name in self._table or name in self._with_plugins()

    def __iter__(self) -> Iterator[str]:
        return iter(self._with_plugins())

    def load(self, name: str) -> T:
        """The class behind a name; an unknown name is a usage error with the nearest known one."""
        found = self._loaded.get(name)
        if found is None:
            found = self._loaded[name] = self._import(name)
        return found

    def _import(self, name: str) -> T:
        where = self._table.get(name) or self._with_plugins().get(name)
        if where is None:
            known = sorted(self)
            raise UsageError(
                f"unknown {self.kind} {name!r}",
                hint=did_you_mean(name, known) or f"known: {', '.join(known)}",
            )
        module, _, attribute = where.partition(":")
        loaded: Any = getattr(import_module(module), attribute)
        return loaded

    def _with_plugins(self) -> dict[str, str]:
        # Reading entry points costs milliseconds: only when a name is not one of ours.
        if not self._plugins_read:
            from importlib.metadata import entry_points

            self._plugins_read = True
            for point in entry_points(group=f"viva.{self.kind.replace(' ', '_')}s"):
                self._table.setdefault(point.name, point.value)
        return self._table
