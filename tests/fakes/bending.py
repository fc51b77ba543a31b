"""JSON values bent out of shape: every place in one, and everything that can be done there."""

import json
import re
from collections.abc import Callable, Iterator
from copy import deepcopy
from typing import Any, NamedTuple

from hypothesis import strategies as st

Path = tuple[Any, ...]
KEYS = ["tool_callz", "x", "result", "value", "items", "CALLS", "steps", "Content"]
OTHER = "look_up"
"""The name of a harmless tool."""


class Bent(NamedTuple):
    """A value with one thing changed, and what that was."""

    how: str
    path: Path
    value: Any


def places(value: Any, path: Path = ()) -> Iterator[Path]:
    yield path
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, each in inner:
        yield from places(each, (*path, key))


def at(value: Any, path: Path) -> Any:
    for key in path:
        value = value[key]
    return value


def changed(value: Any, path: Path, change: Callable[[Any], Any]) -> Any:
    if not path:
        return change(value)
    copy = deepcopy(value)
    parent = at(copy, path[:-1])
    parent[path[-1]] = change(parent[path[-1]])
    return copy


def renamed(value: Any, path: Path, key: str) -> Any:
    if not path or not isinstance(path[-1], str):
        return value
    copy = deepcopy(value)
    parent = at(copy, path[:-1])
    items = [(key if name == path[-1] else name, each) for name, each in parent.items()]
    parent.clear()
    parent.update(items)
    return copy


def every_bend(value: Any, name: str) -> Iterator[Bent]:
    """Every way to change one thing; those that lose the tool's name are left out."""
    for path in places(value):
        yield from _bends_at(value, path, name)


def bend(draw: st.DrawFn, value: Any, name: str, times: int = 1) -> Any:
    """The value with one thing changed, or several one after the other."""
    for _ in range(times):
        several = list(_bends_at(value, draw(st.sampled_from(list(places(value)))), name))
        value = draw(st.sampled_from(several)).value if several else value
    return value


def _bends_at(value: Any, path: Path, name: str) -> Iterator[Bent]:
    inner = at(value, path)
    for how, bent in (*_by_key(value, path), *_by_value(value, path, inner), *_by_neighbours(value, path, name)):
        if bent != value and name in json.dumps(bent):
            yield Bent(how, path, bent)


def _by_key(value: Any, path: Path) -> Iterator[tuple[str, Any]]:
    if not path or not isinstance(path[-1], str):
        return
    key = path[-1]
    words = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", key).lower()
    camel = re.sub(r"_([a-z])", lambda found: found[1].upper(), words)
    others = [*KEYS, key.upper(), key.lower(), words, camel, f"{key} ", f"{key}s", key.rstrip("s"), f"_{key}"]
    for other in dict.fromkeys(others):
        if other != key:
            yield f"rename to {other}", renamed(value, path, other)
    copy = deepcopy(value)
    del at(copy, path[:-1])[key]
    yield "drop", copy


def _by_value(value: Any, path: Path, inner: Any) -> Iterator[tuple[str, Any]]:
    made: dict[str, Any] = {f"wrap in {key}": {key: inner} for key in KEYS[:3]}
    made |= {"list": [inner], "text": json.dumps(inner), "printed": str(inner), "null": None, "one": 1, "true": True}
    if isinstance(inner, str):
        made |= {"split": [inner[:3], inner[3:]], "blank": f" {inner}", "capitals": inner.upper(), "nothing": ""}
        made |= {"text part": {"type": "text", "text": inner}, "part": [{"type": "text", "text": inner}]}
    elif isinstance(inner, dict):
        made |= {"pairs": [[key, each] for key, each in inner.items()], "values": list(inner.values()), "empty": {}}
        made |= {"nested": {key: {"value": each} for key, each in inner.items()}}
    elif isinstance(inner, list):
        made |= {"by number": {str(at): each for at, each in enumerate(inner)}, "empty": [], "reverse": inner[::-1]}
        made |= {"last": inner[-1] if inner else None, "first": inner[0] if inner else None, "no text": [*inner, None]}
    for how, new in made.items():
        yield how, changed(value, path, lambda _, new=new: new)


def _by_neighbours(value: Any, path: Path, name: str) -> Iterator[tuple[str, Any]]:
    """The same thing of a harmless tool beside it, under the same id; or the thing somewhere else."""
    if not path:
        return
    parent, inner = at(value, path[:-1]), at(value, path)
    twin = json.loads(json.dumps(inner).replace(name, OTHER))
    if isinstance(parent, list):
        before, after = parent[: path[-1]], parent[path[-1] + 1 :]
        made = {"twin after": [*before, inner, twin, *after], "twin before": [*before, twin, inner, *after]}
        made |= {"twice": [*before, inner, inner, *after], "at the end": [*before, *after, inner]}
        made |= {"at the start": [inner, *before, *after]}
        for how, new in made.items():
            yield how, changed(value, path[:-1], lambda _, new=new: new)
    elif twin != inner:
        # A bare name tells a call only where names stand.
        places = ("name", "tool", "function", "toolCalls", "tool_calls")
        for key in places if isinstance(inner, str) else (*places, "data", "content"):
            if key not in parent:
                swapped = {**parent, key: inner, path[-1]: twin}
                yield f"told as another, {key} is true", changed(value, path[:-1], lambda _, new=swapped: new)
