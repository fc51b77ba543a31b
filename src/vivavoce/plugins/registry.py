"""Name → what it stands for, imported on first use: built-ins, and plug-ins of the project and of other packages."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext
from importlib import import_module
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from msgspec import Struct

from vivavoce.containment.user_errors import UserCode, describe_exception
from vivavoce.errors import UsageError, did_you_mean
from vivavoce.model.json_value import JsonValue

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

T = TypeVar("T")

Shape = Callable[[str, JsonValue], str]
"""(name, object) → why a plug-in's object cannot be used, "" when it can."""


class PlugIn(Struct, frozen=True, kw_only=True):
    """One name that is not built in, and who brought it."""

    group: str
    name: str
    source: str
    """The distribution, or the project's file."""
    version: str = ""
    where: str = ""
    """`module:name` of an entry point."""

    def __str__(self) -> str:
        return f"plug-in {self.name!r} ({self.group}) of {self.source}{f' {self.version}' if self.version else ''}"


class Registry(Generic[T]):
    """A lazy table of "module:name" or live objects. Entry points are read when a name is not one of ours."""

    def __init__(self, what: str, group: str, table: dict[str, str | T], shape: Shape) -> None:
        self.what = what
        self.group = group
        self.built_in = tuple(table)
        self._table: dict[str, str | T] = dict(table)
        self._shape = shape
        self._plugins: dict[str, PlugIn] = {}
        """Who brought each name that is not built in."""
        self._points: dict[str, EntryPoint] | None = None
        self._loaded: dict[str, T] = {}

    def __contains__(self, name: object) -> bool:
        return name in self._table or name in self._entry_points()

    def __iter__(self) -> Iterator[str]:
        return iter({**self._table, **self._entry_points()})

    def near(self) -> list[str]:
        """The built-ins and the names the project registered: all that is known without reading entry points."""
        return list(self._table)

    def load(self, name: str) -> T:
        """What stands behind a name; an unknown name is a usage error with the nearest known one."""
        found = self._loaded.get(name)
        if found is None:
            found = self._loaded[name] = self._found(name)
        return found

    def register(self, name: str, thing: T, file: str) -> None:
        """Adds a name of the project's own file. Raises UsageError when it is taken or the object does not fit."""
        plugin = PlugIn(group=self.group, name=name, source=file)
        if name in self.built_in:
            raise _clash(plugin, f"the built-in {self.what} {name!r}")
        known = self._plugins.get(name)
        if known is not None and known.source != file:
            raise _clash(plugin, str(known))
        self._require_shape(plugin, thing)
        self._plugins[name] = plugin
        self._table[name] = self._loaded[name] = thing

    def forget_file(self, file: str) -> None:
        """Takes back what a file of a project registered, before it is loaded again."""
        for name in [name for name, plugin in self._plugins.items() if plugin.source == file]:
            del self._plugins[name], self._table[name], self._loaded[name]

    def guard(self, name: str) -> AbstractContextManager[None]:
        """Around a call of what a plug-in brought: whatever it raises becomes an error that names the plug-in."""
        plugin = self.plugin(name)
        if plugin is None:
            return nullcontext()
        return UserCode(lambda error: _broken(plugin, describe_exception(error)))

    def plugin(self, name: str) -> PlugIn | None:
        """Returns the plug-in that brought a known name; None for a built-in."""
        if name in self.built_in:
            return None
        return self._plugins.get(name) or _plugin_of(self._entry_points()[name], self.group)

    def plugins(self) -> list[tuple[PlugIn, str]]:
        """Every plug-in of this group with its problem, "" when it has none. Loads all of them."""
        listed = [(plugin, "") for plugin in self._plugins.values()]
        seen: dict[str, PlugIn] = dict(self._plugins)
        for point in _entry_points_of(self.group):
            plugin = _plugin_of(point, self.group)
            problem = ""
            try:
                self._refuse_clash(plugin, seen)
                self._imported(plugin, point)
            except UsageError as error:
                problem = error.what
            seen.setdefault(plugin.name, plugin)
            listed.append((plugin, problem))
        return listed

    def _found(self, name: str) -> T:
        known = self._table.get(name)
        if isinstance(known, str):
            module, _, attribute = known.partition(":")
            built_in: Any = getattr(import_module(module), attribute)
            return built_in
        if known is not None:
            return known
        point = self._entry_points().get(name)
        if point is None:
            names = sorted(self)
            hint = did_you_mean(name, names) or f"known: {', '.join(names)}"
            raise UsageError(f"unknown {self.what} {name!r}", hint=hint)
        return self._imported(_plugin_of(point, self.group), point)

    def _imported(self, plugin: PlugIn, point: "EntryPoint") -> T:
        with UserCode(lambda error: _broken(plugin, describe_exception(error))):
            loaded: JsonValue = point.load()
        self._require_shape(plugin, loaded)
        return loaded

    def _require_shape(self, plugin: PlugIn, thing: JsonValue) -> None:
        with UserCode(lambda error: _broken(plugin, describe_exception(error))):
            wrong = self._shape(plugin.name, thing)
        if wrong:
            raise _broken(plugin, wrong)

    def _entry_points(self) -> dict[str, "EntryPoint"]:
        # Reading them costs milliseconds: done once, and only when a name is not one of ours or all are listed.
        if self._points is None:
            found: dict[str, EntryPoint] = {}
            seen: dict[str, PlugIn] = dict(self._plugins)
            for point in _entry_points_of(self.group):
                plugin = _plugin_of(point, self.group)
                self._refuse_clash(plugin, seen)
                seen[point.name], found[point.name] = plugin, point
            self._points = found
        return self._points

    def _refuse_clash(self, plugin: PlugIn, seen: dict[str, PlugIn]) -> None:
        if plugin.name in self.built_in:
            raise _clash(plugin, f"the built-in {self.what} {plugin.name!r}")
        if plugin.name in seen:
            raise _clash(plugin, str(seen[plugin.name]))


def _entry_points_of(group: str) -> "list[EntryPoint]":
    from importlib.metadata import entry_points

    # A distribution that is found twice, as by an editable install, has each of its entry points twice.
    unique = {(point.name, point.value, _plugin_of(point, group).source): point for point in entry_points(group=group)}
    return list(unique.values())


def _plugin_of(point: "EntryPoint", group: str) -> PlugIn:
    dist = point.dist
    source, version = (dist.name, dist.version) if dist is not None else ("an unknown distribution", "")
    return PlugIn(group=group, name=point.name, source=source, version=version, where=point.value)


def _broken(plugin: PlugIn, why: str) -> UsageError:
    return UsageError(f"{plugin} does not work: {why}", hint="viva plugins lists all plug-ins")


def _clash(plugin: PlugIn, other: str) -> UsageError:
    return UsageError(f"{plugin} has the name of {other}", hint="one of the two needs another name")
