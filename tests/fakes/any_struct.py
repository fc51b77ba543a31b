"""Random instances of any msgspec struct, read off its types: fields added later are covered by themselves."""

from functools import cache
from random import Random
from typing import Any

from msgspec import UNSET, inspect

from vivavoce.model.json_value import KEPT_AS_IS

_WORDS = ["", "a", "type", "é", "line\nbreak", "<b>&\"'", "emoji 🙂", "null", "\x1b[0m", "path"]


_shape = cache(inspect.type_info)
"""Reading the types of a struct, and of those in it, takes longer than making a thousand of them."""


def any_struct(kind: type, rng: Random, said: str = "", **fixed: Any) -> Any:
    """Each field is left at its default or set to something of its type. `said` is in each text but names of viva's."""
    shape = _shape(kind)
    assert isinstance(shape, inspect.StructType)
    values = {
        field.name: fixed[field.name] if field.name in fixed else _of(field.type, rng, said)
        for field in shape.fields
        if field.required or field.name in fixed or rng.random() < 0.5
    }
    return kind(**values)


def _of(shape: inspect.Type, rng: Random, said: str) -> Any:
    few = range(rng.randrange(3))
    match shape:
        case inspect.StructType():
            return any_struct(shape.cls, rng, said)
        case inspect.Metadata():
            return _of(shape.type, rng, "" if KEPT_AS_IS in (shape.extra or ()) else said)
        case inspect.UnionType():
            return _of(rng.choice(shape.types), rng, said)
        case inspect.VarTupleType():
            return tuple(_of(shape.item_type, rng, said) for _ in few)
        case inspect.ListType():
            return [_of(shape.item_type, rng, said) for _ in few]
        case inspect.DictType():
            return {_of(shape.key_type, rng, said): _of(shape.value_type, rng, said) for _ in few}
        case inspect.EnumType():
            return rng.choice(list(shape.cls))
        case inspect.LiteralType():
            return rng.choice(shape.values)
        case inspect.NoneType():
            return None
        case inspect.CustomType():
            return UNSET
        case inspect.StrType():
            return rng.choice(_WORDS) + said
        case inspect.IntType():
            return rng.randrange(9999)
        case inspect.FloatType():
            return rng.randrange(2**50) / 1000
        case inspect.BoolType():
            return rng.random() < 0.5
        case inspect.AnyType():
            return _json_value(rng, said)
    raise NotImplementedError(f"{shape} in a struct: say here how to make one")


def _json_value(rng: Random, said: str) -> Any:
    few = range(rng.randrange(3))
    match rng.randrange(7):
        case 0:
            return {rng.choice(_WORDS) + said: _json_value(rng, said) for _ in few}
        case 1:
            return [_json_value(rng, said) for _ in few]
        case 2:
            return rng.choice([None, True, False])
        case 3:
            return rng.randrange(-(2**50), 2**50)
        case _:
            return rng.choice(_WORDS) + said
