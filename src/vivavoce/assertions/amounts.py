"""Checks on amounts: how large a number is, how long a text or a list."""

import math
from typing import Annotated, ClassVar, Literal, TypeAlias

from msgspec import Meta, Struct

from vivavoce.model.json_value import (
    JsonObject,
    JsonValue,
    is_array,
    is_nan_or_infinite,
    is_number,
    is_object,
    json_type,
)
from vivavoce.model.verdict import Verdict, failed, passed
from vivavoce.notation.json_text import json_or_text
from vivavoce.protocols import Evidence, Helpers, Sight
from vivavoce.wording.quoting import kept, quote

Limit: TypeAlias = int | float
"""A whole number stays one: as a float it may become its neighbour."""
Natural = Annotated[int, Meta(ge=0)]
Unit: TypeAlias = Literal["chars", "words", "items"]


class Number(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """The output is a number within these limits. A text counts when all of it is a number."""

    min: Limit | None = None
    max: Limit | None = None
    gt: Limit | None = None
    lt: Limit | None = None
    judges: ClassVar[Sight] = "words"
    doubted_by: ClassVar[Sight] = "nothing"
    judges_output: ClassVar[bool] = True

    def __post_init__(self) -> None:
        limits = self._limits()
        if not limits:
            raise ValueError("say a limit: `min`, `max`, `gt` or `lt`")
        low = max(limits.get("min", -math.inf), limits.get("gt", -math.inf))
        high = min(limits.get("max", math.inf), limits.get("lt", math.inf))
        if low > high or (low == high and low in (self.gt, self.lt)):
            raise ValueError(f"no number is {self._wanted()}")

    async def check(self, evidence: Evidence, helpers: Helpers) -> Verdict:
        number = _number(evidence.output)
        if number is None:
            seen = f"output is no number: {quote(evidence.output)}"
            return failed(seen, expected=self._limits(), actual=kept(evidence.output), negatable=False)
        if self._holds(number):
            return passed(f"{_digits(number)} is {self._wanted()}")
        reason = f"output is {_digits(number)}, wanted {self._wanted()}"
        return failed(reason, expected=self._limits(), actual=kept(evidence.output))

    def _holds(self, number: Limit) -> bool:
        return (
            (self.min is None or number >= self.min)
            and (self.max is None or number <= self.max)
            and (self.gt is None or number > self.gt)
            and (self.lt is None or number < self.lt)
        )

    def _limits(self) -> JsonObject:
        limits = {"min": self.min, "max": self.max, "gt": self.gt, "lt": self.lt}
        return {name: _as_written(limit) for name, limit in limits.items() if limit is not None}

    def _wanted(self) -> str:
        words = {"min": "at least", "max": "at most", "gt": "more than", "lt": "less than"}
        return " and ".join(f"{words[name]} {_digits(limit)}" for name, limit in self._limits().items())


class Length(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """The output is so long: characters or words of a text, items of a list, keys of an object."""

    min: Natural | None = None
    max: Natural | None = None
    exact: Natural | None = None
    unit: Unit | None = None
    """Without it a text is counted in characters, a list or an object in items."""
    judges: ClassVar[Sight] = "words"
    judges_output: ClassVar[bool] = True

    def __post_init__(self) -> None:
        if self.exact is None and self.min is None and self.max is None:
            raise ValueError("say a length: `min`, `max` or `exact`")
        if self.exact is not None and (self.min is not None or self.max is not None):
            raise ValueError("write either `exact` or `min` / `max`")
        if self.min is not None and self.max is not None and self.min > self.max:
            raise ValueError(f"nothing is {self._wanted()} long")

    @property
    def doubted_by(self) -> Sight:
        """More words could make it too long."""
        return "nothing" if self.exact is None and self.max is None else "words"

    async def check(self, evidence: Evidence, helpers: Helpers) -> Verdict:
        output = evidence.output
        unit = self.unit or ("chars" if isinstance(output, str) else "items")
        length = _length(output, unit)
        if length is None:
            reason = f"output has no {unit} to count: it is {quote(output)}"
            return failed(reason, expected=self._said(), actual=json_type(output), negatable=False)
        reason = f"output has {length} {unit}"
        low, high = (self.min, self.max) if self.exact is None else (self.exact, self.exact)
        if (low is None or length >= low) and (high is None or length <= high):
            return passed(reason)
        return failed(f"{reason}, wanted {self._wanted()}", expected=self._said(), actual=length)

    def _said(self) -> JsonObject:
        said = {"exact": self.exact, "min": self.min, "max": self.max, "unit": self.unit}
        return {name: value for name, value in said.items() if value is not None}

    def _wanted(self) -> str:
        if self.exact is not None:
            return f"exactly {self.exact}"
        low, high = self.min, self.max
        return " and ".join(
            [f"at least {low}"] * (low is not None) + [f"at most {high}"] * (high is not None),
        )


def _as_written(limit: Limit) -> Limit:
    """Returns 10 for 10.0."""
    return int(limit) if isinstance(limit, float) and limit.is_integer() else limit


def _digits(number: Limit) -> str:
    """Returns all digits of a whole number, and as many as matter of any other."""
    return quote(number) if isinstance(number, int) or number.is_integer() else f"{number:.15g}"


def _number(output: JsonValue) -> Limit | None:
    """The output as a number; None when it is none, and for infinity and NaN, which no limit can judge."""
    value = json_or_text(output.strip()) if isinstance(output, str) else output
    return value if is_number(value) and not is_nan_or_infinite(value) else None


def _length(output: JsonValue, unit: Unit) -> int | None:
    if unit == "items":
        return len(output) if is_array(output) or is_object(output) else None
    if not isinstance(output, str):
        return None
    return len(output) if unit == "chars" else len(output.split())
