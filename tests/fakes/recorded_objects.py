"""Objects of libraries that are not installed here, as they showed themselves to viva's readers.

`Watched` stands before a real object and notes every attribute that a reader asks for, with what came back, and every
method it calls without caring for arguments. What was noted is JSON; `stand_in` makes objects of it again, of classes
with the same names, that have exactly these attributes. So a recording holds what the real library gave and nothing
that anybody wrote by hand, and a reader that asks for more than was recorded fails.
"""

import dataclasses
import inspect
from collections.abc import Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Any

PLAIN = (str, int, float, bool, type(None))


def watch(value: Any) -> tuple[Any, Callable[[], Any]]:
    """The value to hand to a reader, and a function that returns what the reader saw of it."""
    if isinstance(value, PLAIN):
        return value, lambda: value
    if isinstance(value, Mapping):
        pairs = {str(key): watch(inner) for key, inner in value.items()}
        return {key: seen for key, (seen, _) in pairs.items()}, lambda: {
            "$dict": {key: note() for key, (_, note) in pairs.items()}
        }
    if isinstance(value, Sequence | AbstractSet) and not isinstance(value, bytes):
        several = [watch(inner) for inner in value]
        return [seen for seen, _ in several], lambda: [note() for _, note in several]
    seen = _watched(value)
    return seen, lambda: object.__getattribute__(seen, "_note")()


class Watched:
    """Stands before a real object."""

    def __init__(self, real: Any) -> None:
        object.__setattr__(self, "_real", real)
        object.__setattr__(self, "_notes", {})

    def __getattr__(self, name: str) -> Any:
        notes = object.__getattribute__(self, "_notes")
        real = object.__getattribute__(self, "_real")
        try:
            value = getattr(real, name)
        except AttributeError:
            notes[name] = lambda: {"$missing": True}
            raise
        if inspect.isroutine(value):
            return _watched_method(name, value, notes)
        if name not in notes:
            seen, note = watch(value)
            notes[name] = note
            object.__setattr__(self, name, seen)
            return seen
        return object.__getattribute__(self, name)

    def __str__(self) -> str:
        text = str(object.__getattribute__(self, "_real"))
        object.__getattribute__(self, "_notes")["$str"] = lambda: text
        return text

    def _note(self) -> Any:
        kind = type(object.__getattribute__(self, "_real"))
        notes = object.__getattribute__(self, "_notes")
        return {"$type": f"{kind.__module__}:{kind.__name__}", **{name: note() for name, note in notes.items()}}


def _watched(value: Any) -> Any:
    kind = type(value)
    own = {"__module__": kind.__module__}
    if dataclasses.is_dataclass(kind):
        own["__dataclass_fields__"] = kind.__dataclass_fields__  # pyright: ignore
    return type(kind.__name__, (Watched,), own)(value)


def _watched_method(name: str, method: Callable[..., Any], notes: dict[str, Any]) -> Callable[..., Any]:
    def call(*args: Any, **kwargs: Any) -> Any:
        seen, note = watch(method(*args, **kwargs))
        notes[name] = lambda: {"$returns": note()}
        return seen

    return call


def stand_in(noted: Any) -> Any:
    """The object that a recording stands for."""
    if isinstance(noted, list):
        return [stand_in(each) for each in noted]
    if not isinstance(noted, dict):
        return noted
    if "$dict" in noted:
        return {key: stand_in(value) for key, value in noted["$dict"].items()}
    module, _, name = noted["$type"].partition(":")
    values = {key: value for key, value in noted.items() if not key.startswith("$") and value != {"$missing": True}}
    made = type(name, (), {"__module__": module, "__str__": lambda self: noted.get("$str", f"<{name}>")})()
    for key, value in values.items():
        setattr(made, key, _returning(value) if isinstance(value, dict) and "$returns" in value else stand_in(value))
    return made


def _returning(noted: dict[str, Any]) -> Callable[..., Any]:
    return lambda *args, **kwargs: stand_in(noted["$returns"])
