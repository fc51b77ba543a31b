"""The protocol's rules: every violation is reported, and valid streams are not."""

from typing import Any

import pytest
from tests.fakes.agui_server import call, interrupt, replies_with, run, serving, text
from tests.fakes.agui_talk import talking_to

from vivavoce.model.message import ExchangeStatus
from vivavoce.targets.ag_ui.protocol_rules import ProtocolRules

Event = dict[str, Any]

START_TEXT, CONTENT, END_TEXT = text("Hi")
START_CALL, ARGS, END_CALL, RESULT = call("c1", "pay", "{}", "paid")
STEP = {"type": "STEP_STARTED", "stepName": "plan"}
STEP_END = {"type": "STEP_FINISHED", "stepName": "plan"}
HELPER = {"type": "SUBAGENT_STARTED", "subagentRunId": "s1", "name": "helper"}


def found(*events: Event, known: tuple[str, ...] = ("c1",), resumed: tuple[str, ...] = ()) -> list[str]:
    rules = ProtocolRules(known, frozenset(resumed))
    for event in events:
        rules.order(event["type"])
        rules.check(event["type"], event)
    return rules.found()


def snapshot(*messages: Any) -> Event:
    return {"type": "MESSAGES_SNAPSHOT", "messages": [*messages]}


BREACHES: dict[str, tuple[list[Event], str]] = {
    "late start": ([STEP, STEP_END, *run()], "STEP_STARTED before RUN_STARTED"),
    "two starts": (run(run()[0]), "a second RUN_STARTED in one run"),
    "no end": (run(START_TEXT, CONTENT, END_TEXT)[:-1], "the stream has no RUN_FINISHED and no RUN_ERROR"),
    "after the end": ([*run(), CUSTOM := {"type": "CUSTOM", "name": "x"}], "CUSTOM after RUN_FINISHED"),
    "after an error": ([run()[0], {"type": "RUN_ERROR"}, CUSTOM], "CUSTOM after RUN_ERROR"),
    "text left open": (run(START_TEXT, CONTENT), "RUN_FINISHED while message m1 is open"),
    "call left open": (run(START_CALL, ARGS), "RUN_FINISHED while tool call c1 is open"),
    "step left open": (run(STEP), "RUN_FINISHED while step plan is open"),
    "sub-agent left running": (run(HELPER), "RUN_FINISHED while sub-agent s1 is running"),
    "content of nothing": (run(CONTENT), "TEXT_MESSAGE_CONTENT for message m1, which is not open"),
    "end of nothing": (run(END_TEXT), "TEXT_MESSAGE_END for message m1, which is not open"),
    "text opened twice": (run(START_TEXT, START_TEXT, END_TEXT), "message m1, which is open already"),
    "arguments of nothing": (run(ARGS), "TOOL_CALL_ARGS for tool call c1, which is not open"),
    "call ended twice": (run(START_CALL, END_CALL, END_CALL), "TOOL_CALL_END for tool call c1, which is not open"),
    "call started twice": (run(START_CALL, END_CALL, START_CALL, END_CALL), "c1, which this run started already"),
    "a call without a name": (run({**START_CALL, "toolCallName": ""}, END_CALL), "TOOL_CALL_START without"),
    "a snapshot of words": (run(snapshot("hello")), "MESSAGES_SNAPSHOT with a message that is no object"),
    "a snapshot with words for parts": (
        run(snapshot({"id": "m1", "role": "assistant", "content": ["hello"]})),
        "MESSAGES_SNAPSHOT with content of message m1 that is no object",
    ),
    "result too early": (run(START_CALL, RESULT, END_CALL), "for tool call c1 before its TOOL_CALL_END"),
    "two results": (run(START_CALL, END_CALL, RESULT, RESULT), "a second TOOL_CALL_RESULT for tool call c1"),
    "result of nothing": (run({**RESULT, "toolCallId": "c9"}), "tool call c9, which was never started"),
    "step that never began": (run(STEP_END), "STEP_FINISHED for step plan, which was not started"),
    "sub-agent that never began": (
        run({"type": "SUBAGENT_ERROR", "subagentRunId": "s9"}),
        "SUBAGENT_ERROR for sub-agent s9, which was not started",
    ),
    "a chunk of nothing": (run({"type": "TEXT_MESSAGE_CHUNK", "delta": "x"}), "chunk has no messageid"),
    "a call chunk of nothing": (run({"type": "TOOL_CALL_CHUNK", "delta": "x"}), "chunk has no toolcallid"),
    "a nameless call chunk": (run({"type": "TOOL_CALL_CHUNK", "toolCallId": "c7"}), "chunk of c7 has no toolcallname"),
    "no interrupt": (run(outcome=interrupt()), "an interrupt outcome without any interrupt"),
    "interrupt without id": (run(outcome=interrupt({"reason": "x"})), "an interrupt without an id"),
    "interrupts alike": (run(outcome=interrupt({"id": "i"}, {"id": "i"})), "two interrupts share one id"),
    "interrupt about nothing": (
        run(outcome=interrupt({"id": "i", "toolCallId": "c9"})),
        "interrupt i is about tool call c9, which was never started",
    ),
    "unknown outcome": (run(outcome={"type": "paused"}), "unknown outcome 'paused'"),
    "pending unknown": (
        run(outcome={"type": "success", "pendingToolCallIds": ["c9"]}),
        "pendingToolCallIds names c9, which was never started",
    ),
    "pending with a result": (
        run(START_CALL, END_CALL, RESULT, outcome={"type": "success", "pendingToolCallIds": ["c1"]}),
        "pendingToolCallIds names c1, which has a result",
    ),
}


@pytest.mark.parametrize("name", BREACHES)
def test_a_breach_is_named(name: str) -> None:
    events, breach = BREACHES[name]
    [told] = found(*events)
    assert breach.lower() in told.lower()


SOUND: dict[str, list[Event]] = {
    "text": run(START_TEXT, CONTENT, END_TEXT),
    "interleaved": run(START_TEXT, START_CALL, CONTENT, ARGS, END_TEXT, END_CALL, RESULT),
    "an error may come at any time": [run()[0], START_TEXT, START_CALL, STEP, {"type": "RUN_ERROR", "message": "x"}],
    "an error as the first event": [{"type": "RUN_ERROR", "message": "x"}],
    "a late error": [*run(), {"type": "RUN_ERROR", "message": "x"}],
    "a result of an earlier call": run(RESULT),
    "nested steps": run(STEP, STEP, STEP_END, STEP_END),
    "unknown events": run({"type": "SPARKLE"}),
    "chunks": run(
        {"type": "TEXT_MESSAGE_CHUNK", "messageId": "m", "delta": "x"},
        {"type": "TEXT_MESSAGE_CHUNK", "delta": "y"},
        {"type": "TOOL_CALL_CHUNK", "toolCallId": "c1", "toolCallName": "pay", "delta": "{"},
        {"type": "TOOL_CALL_CHUNK", "toolCallId": "c1", "delta": "}"},
    ),
    "an interrupt": run(START_CALL, END_CALL, outcome=interrupt({"id": "i", "toolCallId": "c1"})),
}


@pytest.mark.parametrize("name", SOUND)
def test_a_sound_stream_is_left_in_peace(name: str) -> None:
    assert found(*SOUND[name]) == []


def test_an_interrupt_that_was_answered_must_not_come_back() -> None:
    told = found(*run(outcome=interrupt({"id": "i1"})), resumed=("i1",))
    assert told == ["interrupt i1 was answered and is open again"]


def test_a_thousand_breaches_are_told_in_short() -> None:
    told = found(*run(*({**CONTENT, "messageId": f"m{n}"} for n in range(1000))))
    assert len(told) == 21
    assert told[-1] == "and 980 more"


async def test_a_breach_is_reported_but_does_not_fail_the_turn() -> None:
    async with serving(*replies_with(run(CONTENT))) as server, talking_to(server.url) as talk:
        reply = await talk.say("go")
    assert (reply.status, reply.text) == (ExchangeStatus.SUCCESS, "Hi")
    assert reply.violations == ("TEXT_MESSAGE_CONTENT for message m1, which is not open",)
