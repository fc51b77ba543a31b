"""Finds the conversation of a request: by its address, its trace, or its texts."""

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Protocol

from vivavoce.protocols import Provisions
from vivavoce.sight.model_answer import Answer
from vivavoce.sight.proxy.call import Call
from vivavoce.sight.proxy.providers import Provider

if TYPE_CHECKING:
    from vivavoce.sight.faults.spoilt_answers import SpoiltAnswer


class Tap(Protocol):
    """One conversation, as the proxy sees it. Its methods are called in the proxy's thread."""

    token: str
    agent: str
    providers: dict[str, Provider]
    provisions: Provisions
    is_in_turn: bool

    def likeness(self, call: Call) -> tuple[int, int]:
        """How well a request fits the conversation; the greater the better."""
        ...

    def begin(self, call: Call) -> Answer | None:
        """Records a request. Returns the answer when the provider must not be asked."""
        ...

    def delay_s(self, call: Call) -> float:
        """How long a fault of the test delays the answer."""
        ...

    def spoils(self, call: Call) -> bool:
        """Whether a fault of the test spoils the real answer."""
        ...

    async def spoilt(self, call: Call, real: Answer) -> "SpoiltAnswer":
        """Returns the real answer with the fault."""
        ...

    async def end(self, call: Call, answer: Answer, problem: str, got: Answer | None = None) -> None:
        """Records the answer; `problem` says why there is none. `got`: what the agent got instead."""
        ...

    def share(self) -> None:
        """Records that a request may have come from another conversation."""
        ...


class Taps:
    """All running conversations."""

    def __init__(self) -> None:
        self._by_token: dict[str, Tap] = {}

    def add(self, tap: Tap) -> None:
        self._by_token[tap.token] = tap

    def remove(self, tap: Tap) -> None:
        self._by_token.pop(tap.token, None)

    def named(self, token: str) -> Tap | None:
        return self._by_token.get(token)

    def found(self, call: Call) -> Tap | None:
        """The conversation of a request whose address names none; None when no conversation runs."""
        taps = list(self._by_token.values())
        if trace := _trace_of(call.headers.get("traceparent")):
            taps = [tap for tap in taps if _trace_of(tap.provisions.headers.get("traceparent")) == trace] or taps
        taps = [tap for tap in taps if tap.is_in_turn] or taps
        best = _best(taps, lambda tap: tap.likeness(call))
        if len(best) > 1:
            for tap in best:
                tap.share()
        return best[0] if best else None


def _best(taps: Iterable[Tap], score: Callable[[Tap], tuple[int, int]]) -> list[Tap]:
    scored = [(score(tap), tap) for tap in taps]
    most = max((points for points, _ in scored), default=(0, 0))
    return [tap for points, tap in scored if points == most]


def _trace_of(header: str | None) -> str:
    """The trace id of a `traceparent` header."""
    pieces = (header or "").split("-")
    return pieces[1] if len(pieces) == 4 else ""
