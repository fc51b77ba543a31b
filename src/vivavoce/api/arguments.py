"""One check of the arguments of every public function, by the types that the function itself declares."""

import inspect
from collections.abc import Callable, Iterable
from functools import cache, partial
from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from vivavoce.errors import UsageError
from vivavoce.project.option import Option, checked, is_list_like, shown_value

Rule = Literal["text", "texts", "number", "switch", "function", "objects"]

_MAY_BE_LESS = frozenset({"seed"})
"""Numbers that may be below one."""


def checked_arguments(work: Callable[..., Any], given: dict[str, Any]) -> dict[str, Any]:
    """The arguments, each if it is of its type; what can be read only once is read. Raises UsageError with its name."""
    return {name: _rules(work)[name](value) if name in _rules(work) else value for name, value in given.items()}


def checked_argument(name: str, value: Any, rule: Rule, optional: bool = False) -> Any:
    """The value of one argument. Raises UsageError when it cannot have it."""
    if value is None:
        if optional:
            return None
        raise UsageError(f"{name} must not be None", hint=f"leave {name} out")
    match rule:
        case "function":
            if not callable(value):
                raise UsageError(f"{name} must be a function, not {shown_value(value)}")
            return value
        case "objects":
            if isinstance(value, str):
                return (value,)
            if not is_list_like(value):
                raise UsageError(f"{name} must be a list, not {shown_value(value)}")
            return tuple(value)
        case "text" | "texts" | "number" | "switch":
            least = None if name in _MAY_BE_LESS else 1
            return checked(Option((f"--{name}",), "", kind=rule, least=least, name=name), value, name)


@cache
def _rules(work: Callable[..., Any]) -> dict[str, Callable[[Any], Any]]:
    """For each argument that has one: what checks it."""
    hints = get_type_hints(work)
    checks: dict[str, Callable[[Any], Any]] = {}
    for name, one in inspect.signature(work).parameters.items():
        rule = None if one.kind is one.VAR_KEYWORD else _rule(hints[name])
        if rule is not None:
            check = partial(checked_argument, name, rule=rule, optional=type(None) in get_args(hints[name]))
            checks[name] = partial(_each, check) if one.kind is one.VAR_POSITIONAL else check
    return checks


def _each(check: Callable[[Any], Any], values: tuple[Any, ...]) -> tuple[Any, ...]:
    return tuple(map(check, values))


def _rule(hint: Any) -> Rule | None:
    """None for what a program may give as it likes: its taker says what is wrong with it."""
    kinds: tuple[Any, ...] = get_args(hint) if get_origin(hint) in (Union, UnionType) else (hint,)
    if dict[str, Any] in kinds or hint is object:
        return None
    if any(get_origin(kind) is Callable for kind in kinds):
        return "function"
    lists = [kind for kind in kinds if isinstance(get_origin(kind), type) and issubclass(get_origin(kind), Iterable)]
    if lists:
        return "objects" if object in get_args(lists[0]) else "texts"
    rules: dict[Any, Rule] = {bool: "switch", int: "number", str: "text"}
    return next((rule for kind, rule in rules.items() if kind in kinds), None)
