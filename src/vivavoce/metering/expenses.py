"""What an attempt costs besides the agent's replies: time spent waiting, and the usage of judges and simulators."""

import asyncio
from collections.abc import Callable, Generator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from contextvars import ContextVar

from vivavoce.metering.clock import now_ms
from vivavoce.model.message import Usage
from vivavoce.notation.durations import format_duration

MOST_WAITING_S = 300.0


class Expenses:
    """The expenses of one attempt. Code that runs inside `with` finds them through `current_expenses`."""

    __slots__ = ("_token", "notes", "patience_s", "paused", "place", "setup_s", "usage")

    def __init__(self) -> None:
        self.place = "turn 1"
        """Where the attempt is, for the notes."""
        self.notes: list[str] = []
        """Every wait a server asked for, in words."""
        self.usage: Usage | None = None
        self.setup_s = 0.0
        """Seconds spent on starting script processes and servers."""
        self.paused: Callable[[], AbstractContextManager[None]] = nullcontext
        """Stops the case's clock: waiting does not count as the agent's time."""
        self.patience_s = MOST_WAITING_S
        """How long the attempt may still wait for servers that ask for it."""

    def __enter__(self) -> "Expenses":
        self._token = _current.set(self)
        return self

    def __exit__(self, *_: object) -> None:
        _current.reset(self._token)

    def pay(self, usage: Usage | None) -> None:
        if usage is not None:
            self.usage = usage.plus(self.usage)

    def note(self, what: str) -> None:
        self.notes.append(f"{self.place}: {what}")


_current: ContextVar[Expenses | None] = ContextVar("expenses", default=None)


def current_expenses() -> Expenses | None:
    return _current.get()


@contextmanager
def off_the_clock() -> Generator[None]:
    """Time spent inside does not count as the agent's."""
    expenses = _current.get()
    with nullcontext() if expenses is None else expenses.paused():
        yield


@contextmanager
def counted_as_setup() -> Generator[None]:
    """Counts the time inside, spent on starting a process or a server, as overhead of the attempt."""
    expenses, began = _current.get(), now_ms()
    try:
        yield
    finally:
        if expenses is not None:
            expenses.setup_s += (now_ms() - began) / 1000


def setup_seconds() -> float:
    """How many seconds the current attempt has spent on starting processes and servers so far."""
    expenses = _current.get()
    return 0.0 if expenses is None else expenses.setup_s


async def wait_as_asked(seconds: float, why: str) -> bool:
    """Waits because a server asks for it. Returns False at once when the attempt has no time left for that."""
    expenses = _current.get()
    if seconds > (MOST_WAITING_S if expenses is None else expenses.patience_s):
        return False
    with off_the_clock():
        await asyncio.sleep(seconds)
    if expenses is not None:
        expenses.patience_s -= seconds
        expenses.note(f"{why}, waited {format_duration(seconds)}")
    return True
