"""What a Python file named under `plugins:` in viva.yaml calls to add its names."""

from collections.abc import Callable, Generator
from contextlib import ExitStack, contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any, TypeVar

from vivavoce.model.json_value import JsonValue
from vivavoce.plugins.catalog import ALL, ASSERTIONS, CONNECTORS, EXECUTORS, REPORTS, TARGETS

if TYPE_CHECKING:
    from vivavoce.plugins.declarations import ReportFormat, TargetKind
    from vivavoce.plugins.registry import Registry

T = TypeVar("T")

_file: ContextVar[str | None] = ContextVar("plugin_file", default=None)
"""The file that is being loaded; None elsewhere, as when an installed package is imported."""


@contextmanager
def registering(file: str) -> Generator[None]:
    """While it is open, names are registered for this file. What the file registered before is forgotten."""
    _forget(file)
    token = _file.set(file)
    with ExitStack() as unless_it_works:
        unless_it_works.callback(_forget, file)
        try:
            yield
        finally:
            _file.reset(token)
        unless_it_works.pop_all()


def assertion(name: str) -> Callable[[type[T]], type[T]]:
    """A class decorator: a check that cases name by `type: NAME`."""
    return _named(name, ASSERTIONS)


def connector(name: str) -> Callable[[T], T]:
    """A decorator: a connector that viva.yaml names by `type: NAME`."""
    return _named(name, CONNECTORS)


def executor(name: str) -> Callable[[T], T]:
    """A decorator: an executor for `--executor NAME`."""
    return _named(name, EXECUTORS)


def target(kind: "TargetKind") -> "TargetKind":
    """Adds a kind of agent: `-n NAME:…` and `agents: {x: {kind: NAME}}`."""
    return _named(kind.name, TARGETS)(kind)


def report(format: "ReportFormat") -> "ReportFormat":  # noqa: A002 - it is one
    """Adds a report format: `-o FILE.SUFFIX` and `-r report.NAME`."""
    return _named(format.name, REPORTS)(format)


def _forget(file: str) -> None:
    for registry in ALL:
        registry.forget_file(file)


def _named(name: str, registry: "Registry[Any]") -> Callable[[Any], Any]:
    def registered(thing: JsonValue) -> JsonValue:
        # An installed package may use the same decorators: its entry points are what registers it.
        if (file := _file.get()) is not None:
            registry.register(name, thing, file)
        return thing

    return registered
