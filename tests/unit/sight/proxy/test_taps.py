"""Which conversation a request belongs to."""

from dataclasses import dataclass, field

from vivavoce.protocols import Provisions
from vivavoce.sight.model_answer import Answer
from vivavoce.sight.proxy.call import Call
from vivavoce.sight.proxy.providers import KNOWN, Provider
from vivavoce.sight.proxy.taps import Taps

TRACE = "00-{}-00f067aa0ba902b7-01"


@dataclass
class Tapped:
    """A conversation that likes requests with its own text."""

    token: str
    text: str = ""
    trace: str = ""
    is_in_turn: bool = True
    agent: str = "shop"
    shares: int = 0
    providers: dict[str, Provider] = field(default_factory=dict[str, Provider])

    @property
    def provisions(self) -> Provisions:
        return Provisions(
            session_id=self.token, headers={"traceparent": TRACE.format(self.trace)} if self.trace else {}
        )

    def likeness(self, call: Call) -> tuple[int, int]:
        return int(bool(self.text) and self.text in call.body.decode()), 0

    def begin(self, call: Call) -> Answer | None: ...

    async def end(self, call: Call, answer: Answer, problem: str) -> None: ...

    def share(self) -> None:
        self.shares += 1


def found(call: Call, *several: Tapped) -> str | None:
    taps = Taps()
    for tap in several:
        taps.add(tap)  # pyright: ignore[reportArgumentType] - a field cannot be a property for pyright
    tap = taps.found(call)
    return tap.token if tap else None


def request(body: str = "", **headers: str) -> Call:
    return Call(provider=KNOWN[0], method="POST", path="/v1/x", body=body.encode(), headers=headers)


def test_nobody_is_there():
    assert found(request()) is None


def test_the_trace_decides():
    header = TRACE.format("b" * 32)
    assert found(request(traceparent=header), Tapped("a", trace="a" * 32), Tapped("b", trace="b" * 32)) == "b"


def test_only_conversations_whose_turn_is_under_way_count():
    assert found(request(), Tapped("a", is_in_turn=False), Tapped("b")) == "b"


def test_what_is_said_decides():
    assert found(request("refund A-17"), Tapped("a", "hello"), Tapped("b", "A-17")) == "b"


def test_those_that_cannot_be_told_apart_both_know_it():
    one, two = Tapped("a", "hi"), Tapped("b", "hi")
    assert found(request("hi"), one, two) == "a"
    assert (one.shares, two.shares) == (1, 1)


def test_a_conversation_that_ended_is_not_found():
    taps, tap = Taps(), Tapped("a")
    taps.add(tap)  # pyright: ignore[reportArgumentType]
    assert taps.named("a") is tap
    taps.remove(tap)  # pyright: ignore[reportArgumentType]
    assert taps.named("a") is None
