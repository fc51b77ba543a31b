"""Reading the frames of one run: words are taken together, and nothing else is taken for words."""

from typing import Any

import msgspec

from vivavoce.targets.ag_ui.agent_run_reader import AgentRunEnd, AgentRunReader
from vivavoce.targets.ag_ui.protocol_rules import ProtocolRules
from vivavoce.targets.ag_ui.turn_builder import TurnBuilder

STARTED = {"type": "RUN_STARTED", "threadId": "t", "runId": "r"}
FINISHED = {"type": "RUN_FINISHED", "threadId": "t", "runId": "r"}


def start(message: str) -> dict[str, Any]:
    return {"type": "TEXT_MESSAGE_START", "messageId": message, "role": "assistant"}


def words(message: Any, delta: Any) -> dict[str, Any]:
    return {"type": "TEXT_MESSAGE_CONTENT", "messageId": message, "delta": delta}


def end(message: str) -> dict[str, Any]:
    return {"type": "TEXT_MESSAGE_END", "messageId": message}


def read(*events: dict[str, Any] | bytes) -> tuple[TurnBuilder, AgentRunEnd, AgentRunReader]:
    builder = TurnBuilder()
    reader = AgentRunReader(builder, ProtocolRules(builder.calls))
    reader.feed([each if isinstance(each, bytes) else msgspec.json.encode(each) for each in events], 1.0)
    return builder, reader.end(), reader


def test_words_of_two_messages_in_turn_stay_apart():
    told = [words("a", "A1"), words("a", "A2"), words("b", "B1"), words("a", "A3"), words("b", "B2")]
    builder, ended, reader = read(STARTED, start("a"), start("b"), *told, end("a"), end("b"), FINISHED)
    assert builder.messages.texts() == ["A1A2A3", "B1B2"]
    assert [message.content for message in builder.messages.history(builder.calls)] == ["A1A2A3", "B1B2"]
    assert ended.violations == ()
    assert reader.seen == "11 events, the last RUN_FINISHED"


def test_every_word_of_a_cut_stream_is_counted():
    *_, reader = read(STARTED, start("a"), words("a", "one"), words("a", "two"))
    assert reader.seen == "4 events, the last TEXT_MESSAGE_CONTENT"


def test_words_after_the_end_of_their_message_are_a_breach_and_kept():
    builder, ended, _ = read(STARTED, start("a"), words("a", "one"), end("a"), words("a", " two"), FINISHED)
    assert builder.messages.texts() == ["one two"]
    assert ended.violations == ("TEXT_MESSAGE_CONTENT for message a, which is not open",)


def test_words_after_the_end_of_the_run_are_a_breach():
    _, ended, _ = read(STARTED, start("a"), words("a", "one"), FINISHED, words("a", "two"), words("a", "three"))
    assert "TEXT_MESSAGE_CONTENT after RUN_FINISHED" in ended.violations


def test_words_written_in_another_way_are_read_among_plain_ones():
    odd = {"type": "TEXT_MESSAGE_CONTENT", "message_id": "a", "delta": "2"}
    raw = b'{"type":"RAW","event":not even json'
    told = [words("a", "1"), odd, words("a", "3"), raw, words("a", {"n": 4}), words("a", "5")]
    builder, ended, _ = read(STARTED, start("a"), *told, end("a"), FINISHED)
    assert builder.messages.texts() == ['123{"n":4}5']
    assert ended.violations == ("TEXT_MESSAGE_CONTENT with message_id, wanted messageId",)


def test_words_after_a_snapshot_go_on_from_the_message_as_it_tells_it():
    snapshot = {"type": "MESSAGES_SNAPSHOT", "messages": [{"id": "a", "role": "assistant", "content": "ONE"}]}
    builder, _, _ = read(STARTED, start("a"), words("a", "one"), snapshot, words("a", " two"), end("a"), FINISHED)
    assert builder.messages.texts() == ["one two"]
    assert [message.content for message in builder.messages.history(builder.calls)] == ["ONE two"]


def test_a_call_between_words_is_seen():
    call = {"type": "TOOL_CALL_START", "toolCallId": "c", "toolCallName": "pay"}
    builder, _, _ = read(STARTED, start("a"), words("a", "one"), call, words("a", "two"), FINISHED)
    assert [draft.name for draft in builder.calls.made()] == ["pay"]


def test_a_frame_that_is_no_event_among_words_ends_the_reading():
    _, ended, reader = read(STARTED, start("a"), words("a", "one"), b"nonsense", words("a", "two"))
    assert reader.is_unreadable
    assert ended.error == "a frame that is no JSON: 'nonsense'"


def test_words_that_a_key_written_twice_hides_are_unread():
    twice = b'{"type":"TEXT_MESSAGE_CONTENT","messageId":"a","delta":"no","delta":"two"}'
    for before in ([], [words("a", "one"), words("a", '"delta"')]):
        builder, *_ = read(STARTED, start("a"), *before, twice, words("a", "three"), end("a"), FINISHED)
        assert len(builder.unread) == 1
    builder, *_ = read(STARTED, start("a"), words("a", '"delta"'), words("delta", "delta"), end("a"), FINISHED)
    assert builder.unread == []
