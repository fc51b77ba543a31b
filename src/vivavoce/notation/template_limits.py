"""Limits for templates: the size of a result is estimated before a filter, method, operator or loop makes it."""

import re
import time
from collections.abc import Callable, Generator, Iterator, Sized
from contextlib import contextmanager
from contextvars import ContextVar
from functools import wraps
from itertools import chain
from math import isfinite, prod
from typing import Any, cast

MOST_CHARACTERS = 2**26
"""The longest text that a template, a value in it, or the variables of a text may make."""
MOST_STEPS = 100_000
"""Steps of all `range(…)` loops in one template; nested loops count each time."""
_MOST_CALLS = 1_000_000
"""Calls of filters, methods and macros, and starts of loops."""
_LARGEST_POWER = 1_000
_MOST_BITS = 100_000
_MOST_WORK = 2**28
"""Characters that all steps of one template read and write together."""
_ELEMENT = 32
"""An element of a list counts as so many characters, because it takes as long to read."""
_LOOP_STEP = 16
"""A step of a loop counts as so many characters."""
_LONGEST_S = 10.0
"""Processor time."""

LOOP, JOIN = "viva loop", "viva join"
"""Filters that we put around every loop and every `a ~ b`. No template can name them, because of the blank."""
_CONTAINERS: Any = (dict, list, tuple, set, frozenset)


def too_large() -> OverflowError:
    return OverflowError(f"it becomes more than {MOST_CHARACTERS:,} characters, the limit")


def too_many_steps() -> OverflowError:
    return OverflowError(f"its loops take more than {MOST_STEPS:,} steps, the limit")


class Budget:
    """What rendering one template has used so far."""

    __slots__ = ("_calls", "_ends", "_steps", "_work", "_written")

    def __init__(self) -> None:
        self._calls = self._steps = self._work = self._written = 0
        self._ends: float | None = None

    def step(self, many: int = 1) -> None:
        self._steps += many
        if self._steps > MOST_STEPS:
            raise too_many_steps()

    def call(self) -> None:
        """Also checks the time: comparing long texts in a loop takes few calls but long."""
        self._calls += 1
        if self._calls > _MOST_CALLS:
            raise OverflowError(f"it makes more than {_MOST_CALLS:,} calls, the limit")
        now = time.thread_time()
        if self._ends is None:
            self._ends = now + _LONGEST_S
        elif now > self._ends:
            raise OverflowError(f"it takes longer than {_LONGEST_S:g} s, the limit")

    def work(self, size: int) -> None:
        if size > MOST_CHARACTERS:
            raise too_large()
        self._work += size
        if self._work > _MOST_WORK:
            raise OverflowError(f"its steps handle more than {_MOST_WORK:,} characters, the limit")

    def write(self, size: int) -> None:
        self._written += size
        if self._written > MOST_CHARACTERS:
            raise too_large()


_current: ContextVar[Budget | None] = ContextVar("template budget", default=None)


@contextmanager
def one_budget() -> Generator[None]:
    """Counts everything inside together: the rendering of one template."""
    token = _current.set(Budget())
    try:
        yield
    finally:
        _current.reset(token)


def budget() -> Budget:
    """Returns the budget of the current rendering. Constants are computed at compile time, each with a new budget."""
    return _current.get() or Budget()


def size_of(value: Any, known: dict[int, int] | None = None) -> int:
    """Returns how long a value is when it is written out. A value that is in it ten times counts ten times."""
    if isinstance(value, str | bytes | range):
        return len(value)
    if not isinstance(value, _CONTAINERS):
        return 1
    known = {} if known is None else known
    own = id(value)
    if own not in known:
        known[own] = 0  # it may contain itself
        inside: Any = chain(cast("Any", value), cast("Any", value).values()) if isinstance(value, dict) else value
        known[own] = 1 + sum(size_of(one, known) + _ELEMENT for one in inside)
    return known[own]


def check_call(name: str, subject: Any, given: tuple[Any, ...]) -> None:
    """Raises OverflowError if the result of a filter or method would be too large."""
    spent = budget()
    spent.call()
    own = size_of(subject)
    spent.work(own + sum(map(size_of, given)))
    spent.work(min(_growth(name, subject, own, given), MOST_CHARACTERS + 1))


def _growth(name: str, subject: Any, own: int, given: tuple[Any, ...]) -> int:
    """Returns the largest possible size of the result; 0 for calls whose result is not larger than their input."""
    numbers = [abs(int(one)) for one in given if isinstance(one, int) or (isinstance(one, float) and isfinite(one))]
    largest, texts = max(numbers, default=1), max(map(size_of, given), default=1)
    match name:
        case "center" | "ljust" | "rjust" | "zfill" | "expandtabs" | "to_bytes" | "indent" | "tojson":
            lines = subject.count("\n") + subject.count("\t") + 1 if isinstance(subject, str) else own
            return own + lines * max(largest, texts)
        case "slice" | "batch":
            return largest * texts
        case "lipsum" | "generate_lorem_ipsum":
            return 1_000 * prod(max(1, one) for one in numbers)
        case "format" | "format_map":
            return _formatted_size(str(subject), given)
        case "round":
            return MOST_CHARACTERS + 1 if largest > _LARGEST_POWER else 1
        case "sum" if any(isinstance(one, list | tuple) for one in given):
            return own * _length(subject)
        case "join":
            items, between = (given[0], subject) if isinstance(subject, str) and given else (subject, given)
            return own + _length(items) * size_of(between)
        case "wordwrap" | "urlize" | "translate":
            return own + own * texts
        case "replace" if given:
            old = str(given[0])
            found = str(subject).count(old) if old else own + 1
            return own + found * max(map(size_of, given[1:]), default=0)
        case _:
            return 0


def _length(values: object) -> int:
    """Returns the number of values; of an iterator it is unknown, so the most steps of a loop."""
    return len(values) if isinstance(values, Sized) else MOST_STEPS


_PERCENT = r"%(?:\([^)]{0,200}+\))?[^a-zA-Z%]*"
_BRACES = r"\{[^{}:]*:[^{}]*\{?|\}[^{}]*\}"


def _formatted_size(text: str, values: Any) -> int:
    """Returns the largest possible size of `text % values` or `text.format(values)`."""
    fields = [*re.findall(_PERCENT, text), *re.findall(_BRACES, text)]
    width = max((int(digits[:30]) for field in fields for digits in re.findall("[0-9]+", field)), default=0)
    if any("*" in field or field.endswith("{") for field in fields):
        each: Any = cast("Any", values) if isinstance(values, tuple) else (values,)
        width = max([width, *(abs(one) for one in each if isinstance(one, int))])
    return len(text) + (text.count("%") + text.count("{")) * (width + size_of(values))


def check_result(result: Any) -> Any:
    """Returns the result of a filter or method. Raises OverflowError if it is too large."""
    budget().work(size_of(result))
    return result


def with_limits(name: str, work: Callable[..., Any]) -> Callable[..., Any]:
    """Returns a filter that checks its limits."""
    first = 1 if hasattr(work, "jinja_pass_arg") else 0

    @wraps(work)
    def filtered(*args: Any, **keywords: Any) -> Any:
        check_call(name, args[first] if len(args) > first else None, (*args[first + 1 :], *keywords.values()))
        return check_result(work(*args, **keywords))

    return filtered


def loop_over(values: Any, text: int) -> Any:
    """Returns the values of a loop, and counts its steps; `text` is the number of characters inside the loop."""
    spent = budget()
    spent.call()
    if isinstance(values, range):
        spent.step(max(1, len(values)))
    if not isinstance(values, Sized):
        return _one_by_one(values, text, spent)
    spent.work(min(len(values) * (text + _LOOP_STEP), MOST_CHARACTERS + 1))
    return values


def _one_by_one(values: Any, text: int, spent: Budget) -> Iterator[Any]:
    for value in values:
        spent.call()
        spent.work(text + _LOOP_STEP)
        yield value


def join(values: list[Any]) -> str:
    """Returns `a ~ b ~ c`."""
    spent = budget()
    spent.call()
    spent.work(sum(map(size_of, values)))
    return "".join(map(str, values))


def check_operator(operator: str, left: Any, right: Any) -> None:
    """Raises OverflowError if the result of an operator would be too large."""
    if operator == "**" and (abs(left) > MOST_CHARACTERS or abs(right) > _LARGEST_POWER):
        raise OverflowError(f"a power may have numbers up to {MOST_CHARACTERS:,} and {_LARGEST_POWER:,}, the limit")
    if operator == "*":
        if isinstance(left, int) and isinstance(right, int):
            if left.bit_length() + right.bit_length() > _MOST_BITS:
                raise OverflowError(f"a number may have {_MOST_BITS:,} binary digits, the limit")
            return
        for many, times in ((left, right), (right, left)):
            if isinstance(times, int) and isinstance(many, Sized):
                budget().work(min(size_of(many) * max(0, times), MOST_CHARACTERS + 1))
    if operator == "+" and isinstance(left, Sized) and isinstance(right, Sized):
        budget().work(size_of(left) + size_of(right))
    if operator == "%" and isinstance(left, str):
        budget().work(_formatted_size(left, right))
