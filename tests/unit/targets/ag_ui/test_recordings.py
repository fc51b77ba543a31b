"""Every recorded run of a real server is read as its description says."""

from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec import UNSET
from tests.fakes.agui_exchange import OneAnswer
from tests.unit.targets.ag_ui.recorded_runs import RECORDED, UNANSWERED

from vivavoce.model.message import Message, ToolCall
from vivavoce.notation.hidden_calls import calls_in_text
from vivavoce.notation.json_text import call_arguments
from vivavoce.targets.ag_ui.agent_run_reader import AgentRunEnd, AgentRunReader
from vivavoce.targets.ag_ui.agent_run_stream import ArrivalClock, read_agent_run
from vivavoce.targets.ag_ui.call_book import CallDraft
from vivavoce.targets.ag_ui.protocol_rules import ProtocolRules
from vivavoce.targets.ag_ui.recording import AgentRunMeta
from vivavoce.targets.ag_ui.replay import ReplayedAnswer
from vivavoce.targets.ag_ui.turn_builder import TurnBuilder
from vivavoce.targets.stream_deadline import Deadline, Limits

RECORDINGS = Path(__file__).parents[3] / "data" / "agui"


@pytest.mark.parametrize("name", sorted(RECORDED))
async def test_a_recorded_run_is_read_as_a_person_reads_it(name: str) -> None:
    status, calls, text, *rest = RECORDED[name]
    also: dict[str, Any] = rest[0] if rest else {}
    end, builder = await _read(name)
    texts = builder.messages.texts()
    seen = {
        "status": end.status.value,
        "calls": [_row(draft) for draft in builder.calls.made()],
        "text": texts[-1] if texts else "",
        "late": [_row(draft) for draft in builder.calls.completed_late()],
        "pending": list(end.pending),
        "interrupts": [(each.id, each.reason, each.tool_name) for each in end.interrupts],
        "violations": list(end.violations),
    }
    assert seen == {
        "status": status,
        "calls": calls,
        "text": text,
        "late": also.get("late", []),
        "pending": also.get("pending", []),
        "interrupts": also.get("interrupts", []),
        "violations": [],
    }
    assert texts == also.get("texts", [text] if text else [])
    assert also.get("error", "") in (end.error or "")
    assert (end.error is None) == (status in ("success", "interrupted"))
    assert also.get("warning", "") in " ".join(end.warnings)
    assert bool(end.warnings) == ("warning" in also)
    if "state" in also:
        assert builder.state.value == also["state"]
    if "reasoning" in also:
        assert [shown["text"] for shown in builder.trace() if shown["type"] == "REASONING"] == [also["reasoning"]]


def test_the_table_states_every_recording_there_is() -> None:
    there = {str(path.relative_to(RECORDINGS).with_suffix("")) for path in RECORDINGS.rglob("*.sse")}
    assert there == set(RECORDED)


@pytest.mark.parametrize("name", RECORDED)
async def test_nothing_that_a_real_server_sends_is_unread(name: str) -> None:
    _, builder = await _read(name)
    # Single words, of which one might be a tool's name, concern only checks about a tool of that name.
    assert [piece for piece in builder.unread if not piece.is_name] == []
    assert builder.messages.only_in_snapshot() == []
    assert not any(map(calls_in_text, builder.messages.texts()))


async def _read(name: str) -> tuple[AgentRunEnd, TurnBuilder]:
    path = RECORDINGS / f"{name}.sse"
    asked = _request(path)
    messages: list[dict[str, Any]] = asked.get("messages") or [{}]
    said = [message for message in messages if message.get("role") == "user"]
    is_new = messages[-1].get("role") == "user"
    results = {m["toolCallId"]: m["content"] for m in messages if m.get("role") == "tool"}
    builder = TurnBuilder(
        user_id=said[-1]["id"] if said and is_new else "",
        user_text=said[-1]["content"] if said and is_new else "",
        earlier_calls={
            call["id"]: ToolCall(
                id=call["id"],
                name=call["function"]["name"],
                args=call_arguments(call["function"]["arguments"]),
                result=results.get(call["id"], UNSET) if name != "agno/interrupt_run2_tool_message" else UNSET,
            )
            for message in messages
            for call in message.get("toolCalls") or ()
        },
        earlier_texts={message["id"]: "" for message in messages[:-1] if message.get("role") != "user"},
        sent=[Message(role=m["role"], tool_calls=m.get("toolCalls")) for m in messages if m.get("role")],
        state=asked.get("state"),
    )
    if not is_new:
        for call_id in results:
            builder.calls.answered_by_us(call_id)
    meta = msgspec.json.decode(path.with_suffix(".meta.json").read_bytes(), type=AgentRunMeta)
    exchange = OneAnswer(ReplayedAnswer(meta, path.read_bytes(), in_real_time=False))
    reader = AgentRunReader(builder, ProtocolRules(builder.calls))
    return await read_agent_run(exchange, b"", reader, Deadline(Limits(turn_s=10)), ArrivalClock()), builder


def _request(path: Path) -> dict[str, Any]:
    try:
        return msgspec.json.decode(path.with_suffix(".request.json").read_bytes())
    except msgspec.DecodeError:
        return {}


def _row(draft: CallDraft) -> tuple[str, Any, Any]:
    call = draft.as_call()
    return call.name, call.args, UNANSWERED if call.result is UNSET else call.result
