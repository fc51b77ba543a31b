"""Values with their texts rewritten; what a struct says in words of its own (kinds, statuses, counts) stays."""

from collections.abc import Callable
from enum import Enum
from functools import cache
from typing import Any

from msgspec import Struct, UnsetType, structs

from vivavoce.model.json_value import is_array, is_object

_DEEPEST = 100


def rewritten(value: Any, rewrite: Callable[[str], str], depth: int = 0) -> Any:
    """The same with `rewrite` done to every text in it, keys included; what is nested endlessly is cut off."""
    if depth > _DEEPEST:
        return "…"
    if isinstance(value, Struct):
        was = {name: getattr(value, name) for name in _free_fields(type(value))}
        return structs.replace(value, **{name: rewritten(inner, rewrite, depth + 1) for name, inner in was.items()})
    if is_object(value):
        return {
            rewritten(key, rewrite, depth + 1): rewritten(inner, rewrite, depth + 1) for key, inner in value.items()
        }
    if is_array(value):
        inside = [rewritten(inner, rewrite, depth + 1) for inner in value]
        return tuple(inside) if isinstance(value, tuple) else inside
    if value is None or isinstance(value, Enum | UnsetType):
        return value
    # A number may be an account's; what is no JSON is written as its text.
    said = value if isinstance(value, str) else str(value)
    clean = rewrite(said)
    return value if clean == said else clean


@cache
def _free_fields(struct: type[Struct]) -> tuple[str, ...]:
    """The fields that may hold any text."""
    from msgspec import inspect

    described = inspect.type_info(struct)
    assert isinstance(described, inspect.StructType)
    return tuple(field.name for field in described.fields if _is_free(field.type))


def _is_free(described: Any) -> bool:
    from msgspec import inspect

    if isinstance(described, inspect.UnionType):
        return any(map(_is_free, described.types))
    if isinstance(described, inspect.CollectionType):
        return _is_free(described.item_type)
    if isinstance(described, inspect.TupleType):
        return any(map(_is_free, described.item_types))
    return isinstance(described, inspect.AnyType | inspect.StrType | inspect.StructType | inspect.DictType)
