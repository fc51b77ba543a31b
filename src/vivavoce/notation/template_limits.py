"""What a template may cost: filters, methods, operators and loops that make much of little are measured first."""

import re
import time
from collections.abc import Callable, Iterator, Sized
from contextvars import ContextVar
from functools import wraps
from itertools import chain
from math import isfinite, prod
from typing import Any, cast

LARGEST = 2**26
"""Characters that a template, or any value in it, may become."""
MOST_STEPS = 100_000
"""Of all `range(…)` of one template together: loops inside loops count each time."""
_MOST_CALLS = 1_000_000
"""Of filters, methods and macros, and loops that begin."""
LARGEST_POWER = 1_000
_LONGEST_NUMBER = 100_000
"""Binary digits."""
_MOST_WORK = 2**28
"""Characters that all steps of one template read and write together."""
_ELEMENT = 32
"""What an element of a list counts as: to look at it takes as long as many characters."""
_ROUND = 16
"""What going round a loop once counts as."""
_LONGEST_S = 10.0
"""Of the processor's time."""

COUNTED, JOINED = "viva counted", "viva joined"
"""Filters that no template can name: each loop and each `a ~ b` is led through one of them."""
_CONTAINERS: Any = (dict, list, tuple, set, frozenset)


def too_large() -> OverflowError:
    return OverflowError(f"it becomes more than {LARGEST:,} characters, the limit")


def too_many_steps() -> OverflowError:
    return OverflowError(f"its loops take more than {MOST_STEPS:,} steps, the limit")


class Budget:
    """What one filling of a template has taken so far."""

    __slots__ = ("_calls", "_ends", "_steps", "_work", "_written")

    def __init__(self) -> None:
        self._calls = self._steps = self._work = self._written = 0
        self._ends: float | None = None

    def step(self, many: int = 1) -> None:
        self._steps += many
        if self._steps > MOST_STEPS:
            raise too_many_steps()

    def call(self) -> None:
        """Looks at the time too: to compare long texts in a loop takes few calls."""
        self._calls += 1
        if self._calls > _MOST_CALLS:
            raise OverflowError(f"it makes more than {_MOST_CALLS:,} calls, the limit")
        now = time.thread_time()
        if self._ends is None:
            self._ends = now + _LONGEST_S
        elif now > self._ends:
            raise OverflowError(f"it takes longer than {_LONGEST_S:g} s, the limit")

    def work(self, size: int) -> None:
        if size > LARGEST:
            raise too_large()
        self._work += size
        if self._work > _MOST_WORK:
            raise OverflowError(f"its steps handle more than {_MOST_WORK:,} characters, the limit")

    def write(self, size: int) -> None:
        self._written += size
        if self._written > LARGEST:
            raise too_large()


_current: ContextVar[Budget | None] = ContextVar("template budget", default=None)


class Spending:
    """Around one filling: everything inside is counted together."""

    __slots__ = ("_token",)

    def __enter__(self) -> None:
        self._token = _current.set(Budget())

    def __exit__(self, *_: object) -> None:
        _current.reset(self._token)


def budget() -> Budget:
    """That of the filling that goes on; constants are worked out before, each with its own."""
    return _current.get() or Budget()


def weight(value: Any, known: dict[int, int] | None = None) -> int:
    """How long a value is when it is written out: what is in it ten times counts ten times."""
    if isinstance(value, str | bytes):
        return len(value)
    if isinstance(value, range):
        return len(value)
    if not isinstance(value, _CONTAINERS):
        return 1
    known = {} if known is None else known
    own = id(value)
    if own not in known:
        known[own] = 0  # it may be inside itself
        inside: Any = chain(cast("Any", value), cast("Any", value).values()) if isinstance(value, dict) else value
        known[own] = 1 + sum(weight(one, known) + _ELEMENT for one in inside)
    return known[own]


def measured(name: str, subject: Any, given: tuple[Any, ...]) -> None:
    """Before a filter or a method is called: raises OverflowError when its result would be too large."""
    spent = budget()
    spent.call()
    own = weight(subject)
    spent.work(own + sum(map(weight, given)))
    spent.work(min(_growth(name, subject, own, given), LARGEST + 1))


def _growth(name: str, subject: Any, own: int, given: tuple[Any, ...]) -> int:
    """The most that the result may have."""
    numbers = [abs(int(one)) for one in given if isinstance(one, int) or (isinstance(one, float) and isfinite(one))]
    largest, texts = max(numbers, default=1), max(map(weight, given), default=1)
    match name:
        case "center" | "ljust" | "rjust" | "zfill" | "expandtabs" | "to_bytes" | "indent" | "tojson":
            lines = subject.count("\n") + subject.count("\t") + 1 if isinstance(subject, str) else own
            return own + lines * max(largest, texts)
        case "slice" | "batch":
            return largest * texts
        case "lipsum" | "generate_lorem_ipsum":
            return 1_000 * prod(max(1, one) for one in numbers)
        case "format" | "format_map":
            return formatted(str(subject), given)
        case "round":
            return LARGEST + 1 if largest > LARGEST_POWER else 1
        case "sum" if any(isinstance(one, list | tuple) for one in given):
            return own * _length(subject)
        case "join":
            items, between = (given[0], subject) if isinstance(subject, str) and given else (subject, given)
            return own + _length(items) * weight(between)
        case "wordwrap" | "urlize" | "translate":
            return own + own * texts
        case "replace" if given:
            old = str(given[0])
            found = str(subject).count(old) if old else own + 1
            return own + found * max(map(weight, given[1:]), default=0)
        case _:
            return 0


def _length(values: object) -> int:
    """How many there are; of what comes one by one nobody knows before."""
    return len(values) if isinstance(values, Sized) else MOST_STEPS


_PERCENT = re.compile(r"%(?:\([^)]{0,200}+\))?[^a-zA-Z%]*")
_BRACES = re.compile(r"\{[^{}:]*:[^{}]*\{?|\}[^{}]*\}")


def formatted(text: str, values: Any) -> int:
    """The most that `text % values` or `text.format(values)` may have."""
    fields = [*_PERCENT.findall(text), *_BRACES.findall(text)]
    width = max((int(digits[:30]) for field in fields for digits in re.findall("[0-9]+", field)), default=0)
    if any("*" in field or field.endswith("{") for field in fields):
        width = max([width, *(abs(one) for one in _each(values) if isinstance(one, int))])
    return len(text) + (text.count("%") + text.count("{")) * (width + weight(values))


def _each(values: Any) -> Any:
    return cast("Any", values) if isinstance(values, tuple) else (values,)


def made(result: Any) -> Any:
    """What a filter or a method made, if it is not too large."""
    budget().work(weight(result))
    return result


def limited(name: str, work: Callable[..., Any]) -> Callable[..., Any]:
    """The same filter with its limit."""
    first = 1 if hasattr(work, "jinja_pass_arg") else 0

    @wraps(work)
    def filtered(*args: Any, **keywords: Any) -> Any:
        measured(name, args[first] if len(args) > first else None, (*args[first + 1 :], *keywords.values()))
        return made(work(*args, **keywords))

    return filtered


def counted(values: Any, text: int) -> Any:
    """What a loop goes over; `text` is how many characters stand in the loop."""
    spent = budget()
    spent.call()
    if isinstance(values, range):
        spent.step(max(1, len(values)))
    if not isinstance(values, Sized):
        return _one_by_one(values, text, spent)
    spent.work(min(len(values) * (text + _ROUND), LARGEST + 1))
    return values


def _one_by_one(values: Any, text: int, spent: Budget) -> Iterator[Any]:
    for value in values:
        spent.call()
        spent.work(text + _ROUND)
        yield value


def joined(values: list[Any]) -> str:
    """`a ~ b ~ c`"""
    spent = budget()
    spent.call()
    spent.work(sum(map(weight, values)))
    return "".join(map(str, values))


def operated(operator: str, left: Any, right: Any) -> None:
    """Before an operator is applied: raises OverflowError when its result would be too large."""
    if operator == "**" and (abs(left) > LARGEST or abs(right) > LARGEST_POWER):
        raise OverflowError(f"a power may have numbers up to {LARGEST:,} and {LARGEST_POWER:,}, the limit")
    if operator == "*":
        if isinstance(left, int) and isinstance(right, int):
            if left.bit_length() + right.bit_length() > _LONGEST_NUMBER:
                raise OverflowError(f"a number may have {_LONGEST_NUMBER:,} binary digits, the limit")
            return
        for many, times in ((left, right), (right, left)):
            if isinstance(times, int) and isinstance(many, Sized):
                budget().work(min(weight(many) * max(0, times), LARGEST + 1))
    if operator == "+" and isinstance(left, Sized) and isinstance(right, Sized):
        budget().work(weight(left) + weight(right))
    if operator == "%" and isinstance(left, str):
        budget().work(formatted(left, right))
