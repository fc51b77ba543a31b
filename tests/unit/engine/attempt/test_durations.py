"""Durations are the agent's: what viva starts or waits for is counted apart."""

import pytest
from tests.fakes.agents import FakeSession, FakeTarget
from tests.fakes.examining import attempt_once, case_of

from vivavoce.engine.attempt import attempt as attempt_module
from vivavoce.engine.attempt import conversation
from vivavoce.metering import expenses
from vivavoce.model.message import AgentReply
from vivavoce.model.transcript import Line, Transcript
from vivavoce.protocols import CallContext


class Clock:
    """Moves only when somebody says so."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.ms = 1_000_000.0
        for module in (attempt_module, conversation, expenses):
            patch.setattr(module, "now_ms", lambda: self.ms)


async def test_what_is_started_during_a_turn_is_no_time_of_the_agent(monkeypatch: pytest.MonkeyPatch):
    clock = Clock(monkeypatch)

    class SlowStart(FakeTarget):
        async def open(self, context: CallContext) -> FakeSession:
            clock.ms += 3000  # so is opening the conversation
            return SlowSession(self)

    class SlowSession(FakeSession):
        async def send(self, line: Line, transcript: Transcript) -> AgentReply:
            with expenses.counted_as_setup():
                clock.ms += 500  # a server is started
            clock.ms += 20
            return await super().send(line, transcript)

    attempt = await attempt_once(case_of(input="hi"), SlowStart())
    assert attempt.transcript.turns[0].duration_ms == 20
    assert (attempt.duration_ms, attempt.overhead_ms) == (20, 3500)
    assert attempt.ended_ms == attempt.started_ms + 3520
