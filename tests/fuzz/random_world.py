"""Cases, agents, judges and simulators drawn at random, at the sockets where real ones would stand."""

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any

from hypothesis import strategies as st
from msgspec import Struct
from tests.fakes.agents import FakeSession, FakeTarget, Say
from tests.fakes.examining import case_of

from vivavoce.errors import CallFailed, UsageError
from vivavoce.model.case import Case
from vivavoce.model.message import AgentReply, ExchangeStatus, Interrupt
from vivavoce.protocols import CallContext

HANG_S = 30.0
"""Far beyond every timeout of these tests."""

SAYINGS: list[Any] = [
    "ok",
    "ok, and what is your name?",
    "something else",
    "",
    '{"passed": true, "reason": "fine"}',
    '{"passed": false, "reason": "no"}',
    '{"message": "and then?", "goal_achieved": false}',
    '{"message": "thanks", "goal_achieved": true}',
    "\x1b[2J \ud800",
    AgentReply(text="ok", awaiting=True),
    AgentReply(text="ok", status=ExchangeStatus.ERROR, error="the run failed"),
    AgentReply(text="ok", status=ExchangeStatus.TRUNCATED, error="cut"),
    AgentReply(text="ok", interrupts=(Interrupt(id="i1"),), status=ExchangeStatus.INTERRUPTED),
    AgentReply(text="ok", violations=("out of order",)),
    CallFailed("it raised", fault="agent"),
    CallFailed("no route", fault="target"),
    UsageError("a wrong setting"),
    RuntimeError("a bug"),
    TimeoutError("of its own"),
    None,
    HANG_S,
    0.001,
]
CHECKS: list[dict[str, Any]] = [
    {"type": "contains", "value": "ok"},
    {"type": "contains", "value": "ok", "negate": True},
    {"type": "regex", "value": "o.$"},
    {"type": "json_path", "path": "$.passed", "value": True},
    {"type": "agent", "use": "agents:judge", "value": "is it good?"},
    {"type": "agent", "use": "agents:judge", "value": "is it bad?", "negate": True, "votes": 2},
    {"type": "agent", "use": "agents:nobody", "value": "?"},
    {"type": "agent", "use": "agents:nobody", "value": "?", "negate": True},
    {"type": "script", "use": "scripts:missing.check"},
    {"type": "script", "use": "scripts:missing.check", "negate": True},
]
sayings = st.lists(st.sampled_from(SAYINGS), min_size=1, max_size=3)
checks = st.lists(st.sampled_from(CHECKS), max_size=2)
some_checks = st.lists(st.sampled_from(CHECKS), min_size=1, max_size=2)


class World(Struct, frozen=True):
    """One random run: who says what, and when it is cut short."""

    cases: list[Case]
    agent: dict[str, list[Say]]
    """What the agent says, by case."""
    judge: list[Say]
    simulator: list[Say]
    closes_badly: frozenset[str]
    opens_badly: frozenset[str]
    parallel: int
    runs: int
    early_stop: bool
    max_failures: int | None
    stop_after_s: float | None


class RandomAgent(FakeTarget):
    """Says for each case what the world holds; counts its sessions."""

    def __init__(self, says: Mapping[str, Sequence[Say]], closes: frozenset[str], opens: frozenset[str]) -> None:
        super().__init__()
        self._by_case = says
        self._closes_badly, self._opens_badly = closes, opens
        self.opened = 0
        self.examined: list[str] = []

    async def open(self, context: CallContext) -> FakeSession:
        self.examined.append(context.case_id)
        await asyncio.sleep(0)
        if context.case_id in self._opens_badly:
            raise CallFailed("it does not open", fault="target")
        self.opened += 1
        return _RandomSession(self, self._by_case.get(context.case_id, ["ok"]), context.case_id in self._closes_badly)


class _RandomSession(FakeSession):
    def __init__(self, target: RandomAgent, says: Sequence[Say], closes_badly: bool) -> None:
        told = FakeTarget(says)
        super().__init__(told)
        self._owner = target
        self._closes_badly = closes_badly

    async def close(self) -> None:
        self._owner.closed_sessions += 1
        if self._closes_badly:
            raise CallFailed("it does not close", fault="target")


@st.composite
def cases(draw: st.DrawFn, case_id: str) -> Case:
    fields: dict[str, Any] = {"id": case_id, "timeout": "15ms"}
    kind = draw(st.sampled_from(["single", "single", "turns", "simulated", "checkpoints", "skipped"]))
    if kind in ("single", "skipped"):
        fields |= {"input": "hello", "assert": draw(checks)}
    if kind == "skipped":
        fields["skip"] = "not now"
    if kind == "turns":
        lines = draw(st.lists(checks, min_size=1, max_size=3))
        fields["turns"] = [{"user": f"line {n}", "assert": found} for n, found in enumerate(lines)]
        fields["on_missing_input"] = draw(st.sampled_from(["skip", "fail", "end"]))
        fields["final_assertions"] = draw(checks)
    if kind in ("simulated", "checkpoints"):
        fields |= {"input": "hello", "simulator": {"use": "agents:sim"}, "max_turns": draw(st.integers(1, 4))}
    if kind == "checkpoints":
        fields["checkpoints"] = [
            {"id": f"p{n}", "assert": found, "required": draw(st.booleans()), "after": [f"p{n - 1}"] if n else []}
            for n, found in enumerate(draw(st.lists(some_checks, min_size=1, max_size=2)))
        ]
    if kind != "skipped" and draw(st.booleans()):
        fields["runs"] = draw(st.integers(1, 3))
        fields["min_pass"] = draw(st.none() | st.integers(1, fields["runs"]))
    return case_of(**{name: value for name, value in fields.items() if value not in (None, [])})


@st.composite
def worlds(draw: st.DrawFn) -> World:
    names = [f"T{n}" for n in range(draw(st.integers(1, 6)))]
    nobody = frozenset[str]()
    some = st.sampled_from([nobody, nobody, nobody, *(frozenset({name}) for name in names)])
    return World(
        cases=[draw(cases(name)) for name in names],
        agent={name: draw(sayings) for name in names},
        judge=draw(sayings),
        simulator=draw(sayings),
        closes_badly=draw(some),
        opens_badly=draw(some),
        parallel=draw(st.integers(1, 8)),
        runs=draw(st.integers(1, 2)),
        early_stop=draw(st.booleans()),
        max_failures=draw(st.none() | st.integers(1, 3)),
        stop_after_s=draw(st.none() | st.floats(0, 0.05)),
    )
