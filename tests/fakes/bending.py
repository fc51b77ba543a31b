"""JSON values bent out of shape: every place in one, and what can be done there."""

import json
from collections.abc import Callable, Iterator
from copy import deepcopy
from typing import Any

from hypothesis import strategies as st

Path = tuple[Any, ...]
KEYS = ["tool_callz", "x", "result", "value", "items", "CALLS", "steps", "Content"]


def places(value: Any, path: Path = ()) -> Iterator[Path]:
    yield path
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, each in inner:
        yield from places(each, (*path, key))


def changed(value: Any, path: Path, change: Callable[[Any], Any]) -> Any:
    if not path:
        return change(value)
    copy = deepcopy(value)
    parent = copy
    for key in path[:-1]:
        parent = parent[key]
    parent[path[-1]] = change(parent[path[-1]])
    return copy


def renamed(value: Any, path: Path, key: str) -> Any:
    if not path or not isinstance(path[-1], str):
        return value
    copy = deepcopy(value)
    parent = copy
    for step in path[:-1]:
        parent = parent[step]
    items = [(key if name == path[-1] else name, each) for name, each in parent.items()]
    parent.clear()
    parent.update(items)
    return copy


def bend(draw: st.DrawFn, value: Any) -> Any:
    """One thing changed: a key renamed, a value wrapped, put into a list, or turned into a text."""
    path = draw(st.sampled_from(list(places(value))))
    key = draw(st.sampled_from(KEYS))
    match draw(st.sampled_from(["rename", "wrap", "list", "text"])):
        case "rename":
            return renamed(value, path, key)
        case "wrap":
            return changed(value, path, lambda inner: {key: inner})
        case "list":
            return changed(value, path, lambda inner: [inner])
        case _:
            return changed(value, path, lambda inner: inner if isinstance(inner, str) else json.dumps(inner))
