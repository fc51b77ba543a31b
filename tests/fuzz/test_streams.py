"""Streams from hostile servers: any chunking gives the same frames, no event sequence breaks the reader."""

import json
from itertools import pairwise
from typing import Any

import msgspec
from hypothesis import example, given
from hypothesis import strategies as st
from tests.fuzz.damage import damaged, token_soup
from tests.fuzz.effort import tries
from tests.fuzz.seeds import SEEDS

from vivavoce.model.message import AgentReply, ExchangeStatus
from vivavoce.net.server_sent_events import FrameTooLarge, SseSplitter
from vivavoce.targets.ag_ui.agent_run_reader import AgentRunEnd, AgentRunReader
from vivavoce.targets.ag_ui.protocol_rules import ProtocolRules
from vivavoce.targets.ag_ui.turn_builder import TurnBuilder

LINES = st.sampled_from(
    [b"data: a", b"data:", b"data", b"dat", b": c", b"id: 1", b"\n", b"\r", b"\r\n", b"\xef\xbb\xbf", b"x"]
)
STREAMS = st.lists(LINES, max_size=30).map(b"".join) | st.binary(max_size=80) | damaged(SEEDS["stream"][0])


def frames(*chunks: bytes) -> list[bytes]:
    splitter = SseSplitter()
    found = [frame for chunk in chunks for frame in splitter.feed(chunk)]
    return [*found, splitter.rest()]


@tries(200)
@given(data=STREAMS, cuts=st.lists(st.integers(0, 100), max_size=8))
def test_any_chunking_gives_the_same_frames(data: bytes, cuts: list[int]):
    places = [0, *sorted(min(cut, len(data)) for cut in cuts), len(data)]
    chunks = [data[a:b] for a, b in pairwise(places)]
    assert frames(*chunks) == frames(data) == frames(*(data[at : at + 1] for at in range(len(data))))


@tries(60)
@given(chunks=st.lists(st.binary(max_size=40) | LINES, max_size=30), most=st.integers(1, 60))
def test_no_stream_makes_the_splitter_hold_more_than_it_may(chunks: list[bytes], most: int):
    splitter = SseSplitter(max_frame_bytes=most)
    held = 0
    for chunk in chunks:
        held += len(chunk)
        try:
            if splitter.feed(chunk):
                held = len(chunk)
        except FrameTooLarge:
            assert held > most
            return


# ── the reader of runs ──────────────────────────────────────────────────────────────

KINDS = [
    *("RUN_STARTED", "RUN_FINISHED", "RUN_ERROR", "TEXT_MESSAGE_START", "TEXT_MESSAGE_CONTENT", "TEXT_MESSAGE_END"),
    *("TEXT_MESSAGE_CHUNK", "TOOL_CALL_START", "TOOL_CALL_ARGS", "TOOL_CALL_END", "TOOL_CALL_CHUNK", "RAW", "CUSTOM"),
    *("TOOL_CALL_RESULT", "STATE_SNAPSHOT", "STATE_DELTA", "MESSAGES_SNAPSHOT", "STEP_STARTED", "STEP_FINISHED"),
    *("REASONING_MESSAGE_START", "REASONING_MESSAGE_CONTENT", "REASONING_MESSAGE_CHUNK", "REASONING_MESSAGE_END"),
    *("REASONING_ENCRYPTED_VALUE", "ACTIVITY_SNAPSHOT", "ACTIVITY_DELTA", "THINKING_START", "SUBAGENT_STARTED"),
    *("SUBAGENT_FINISHED", "SUBAGENT_ERROR", "unknown", ""),
]
KEYS = [
    *("messageId", "toolCallId", "toolCallName", "delta", "role", "content", "messages", "snapshot", "name", "value"),
    *("outcome", "usage", "message", "code", "stepName", "subagentRunId", "parentMessageId", "id", "type", "toolCalls"),
    *(
        "interrupts",
        "pendingToolCallIds",
        "function",
        "arguments",
        "inputTokens",
        "outputTokens",
        "op",
        "path",
        "error",
    ),
    *("entityId", "encryptedValue", "subtype", "timestamp", "rawEvent", "result", "input", "tool_calls", "toolName"),
]
WORDS = st.sampled_from(
    [
        *("", "a", "m1", "c1", "c2", "assistant", "user", "tool", "interrupt", "success", "cancelled", "on_interrupt"),
        *('{"a": 1}', "[1]", "{", '"', "null", "add", "remove", "replace", "/", "/a/0", "/-", "~2", "\ud800", "\x00"),
    ]
)
SCALARS = (
    st.none() | st.booleans() | st.integers(-(2**70), 2**70) | st.floats(allow_nan=True, allow_infinity=True) | WORDS
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(KEYS), inner, max_size=4),
    max_leaves=8,
)
EVENTS = st.builds(
    lambda kind, fields: {**fields, "type": kind},
    st.sampled_from(KINDS),
    st.dictionaries(st.sampled_from(KEYS), VALUES, max_size=5),
)
FRAMES = EVENTS.map(lambda event: json.dumps(event).encode()) | token_soup() | st.binary(max_size=20)
BEGUN = b'{"type":"RUN_STARTED","threadId":"t","runId":"r"}'


def read(parts: list[bytes], rest: bytes = b"", cause: str | None = None) -> tuple[AgentRunEnd, TurnBuilder]:
    builder = TurnBuilder(user_text="hi")
    reader = AgentRunReader(builder, ProtocolRules(builder.calls))
    for number, frame in enumerate(parts):
        if reader.is_unreadable:
            break
        reader.feed([frame], float(number))
    reader.finish(rest, float(len(parts)))
    return reader.end(cause), builder


def told(end: AgentRunEnd, builder: TurnBuilder) -> Any:
    """Everything a turn takes from the builder; it must be fit for a result file."""
    reply = AgentReply(
        texts=tuple(builder.messages.texts()),
        calls=tuple(draft.as_call() for draft in builder.calls.made()),
        interrupts=end.interrupts,
        state=builder.state.value,
        usage=end.usage,
        messages=builder.messages.history(builder.calls),
        trace=builder.trace(),
    )
    msgspec.json.decode(msgspec.json.encode(reply), type=AgentReply)
    return end, reply


@tries(300)
@given(parts=st.lists(FRAMES, max_size=12), rest=FRAMES | st.just(b""), begun=st.booleans())
@example(parts=[], rest=b"\xff", begun=True)
@example(parts=[], rest=b"[" * 5000, begun=True)
@example(parts=[b'{"type":"RUN_FINISHED","usage":[{"inputTokens":1e999}]}'], rest=b"", begun=True)
def test_no_sequence_of_events_breaks_the_reader(parts: list[bytes], rest: bytes, begun: bool):
    frames = [BEGUN, *parts] if begun else parts
    assert repr(told(*read(frames, rest))) == repr(told(*read(frames, rest)))


@tries(100)
@given(parts=st.lists(FRAMES, max_size=8), names=st.lists(st.sampled_from(["pay", "refund"]), min_size=1, max_size=4))
def test_every_started_call_is_counted_whatever_happens_around_it(parts: list[bytes], names: list[str]):
    started = [
        json.dumps({"type": "TOOL_CALL_START", "toolCallId": f"own{n}", "toolCallName": name}).encode()
        for n, name in enumerate(names)
    ]
    end, builder = read([BEGUN, *started, *parts])
    _, reply = told(end, builder)
    assert [call.name for call in reply.calls if str(call.id).startswith("own")] == names


@tries(100)
@given(parts=st.lists(FRAMES.filter(lambda frame: b"RUN_FINISHED" not in frame), max_size=8))
def test_a_run_without_its_end_is_never_a_success(parts: list[bytes]):
    end, _ = read([BEGUN, *parts])
    assert end.status not in (ExchangeStatus.SUCCESS, ExchangeStatus.INTERRUPTED)
    assert end.error
