"""Checks the fields of what a plug-in returns: msgspec does not check them when an object is made."""

from collections.abc import Callable
from typing import TypeVar

import msgspec
from msgspec import UNSET, Struct, structs

from vivavoce.model.json_value import is_object
from vivavoce.model.verdict import Verdict, broken

S = TypeVar("S", bound=Struct)


class Misfit(ValueError):
    """A field that cannot have its value; the words name the field."""


def well_formed(value: S, shown: Callable[[object], str] | None = None) -> S:
    """The same with every field of its type: a list where there should be a tuple is one. Raises Misfit.

    `shown` says what stands for objects that are no data; without it there may be none.
    """
    try:
        return msgspec.convert(msgspec.to_builtins(value, enc_hook=shown), type(value))
    except (ValueError, TypeError, RecursionError) as problem:
        raise Misfit(str(problem)) from None


def well_formed_verdict(verdict: Verdict) -> Verdict:
    """The verdict of a plug-in's check, or a broken one: what is neither passed nor failed would count as no failure.

    What it shows may be anything: it is written down as it can be.
    """
    kept = {} if is_object(verdict.details) else verdict.details
    try:
        plain = well_formed(structs.replace(verdict, expected=UNSET, actual=UNSET, details=kept, spec=None))
    except Misfit as problem:
        return broken(f"the verdict of the check is not in order: {problem}")
    return structs.replace(plain, expected=verdict.expected, actual=verdict.actual, details=verdict.details)
