from itertools import islice
from typing import Any

import pytest

from vivavoce.model.case import FrontendTool
from vivavoce.model.message import Message
from vivavoce.targets.ag_ui.agent_run_input import (
    Envelope,
    Extras,
    agent_run_ids,
    wire_content,
    wire_messages,
    wire_tools,
)

PNG = "data:image/png;base64,AAAA"


def test_ids_are_unique_and_have_the_length_of_a_uuid():
    ids = list(islice(agent_run_ids(), 100)) + list(islice(agent_run_ids(), 100))
    assert len(set(ids)) == 200
    assert {len(one) for one in ids} == {32}
    assert all(int(one, 16) for one in ids)


def test_a_tool_without_parameters_takes_an_empty_object():
    assert wire_tools([FrontendTool(name="pick", description="Picks.")]) == [
        {"name": "pick", "description": "Picks.", "parameters": {"type": "object", "properties": {}}}
    ]


def test_every_message_has_an_id_that_stays_the_same_from_turn_to_turn():
    first = [Message(role="user", content="a"), Message(role="assistant", content="b", id="own")]
    later = [*first, Message(role="user", content="c")]
    ids = [[message["id"] for message in wire_messages(said, Extras())] for said in (first, later)]
    assert ids == [["message-1", "own"], ["message-1", "own", "message-3"]]


def test_calls_results_errors_and_encrypted_values_travel_with_their_messages():
    call = {"id": "c1", "type": "function", "function": {"name": "pick", "arguments": "{}"}}
    said = [
        Message(role="user", content="pick", name="ann"),
        Message(role="assistant", content="", id="m1", tool_calls=[call]),
        Message(role="tool", content="no", name="pick", tool_call_id="c1"),
    ]
    extras = Extras(errors={"c1": "declined"}, encrypted={"m1": "secret-m", "c1": "secret-c"})
    user, assistant, tool = wire_messages(said, extras)
    assert user["name"] == "ann"
    assert assistant["toolCalls"] == [{**call, "encryptedValue": "secret-c"}]
    assert assistant["encryptedValue"] == "secret-m"
    assert (tool["toolCallId"], tool["error"], "name" in tool) == ("c1", "declined", False)


@pytest.mark.parametrize(
    ("content", "wire"),
    [
        ("hi", "hi"),
        ([{"type": "text", "text": "hi"}], "hi"),
        (
            [{"type": "image_url", "image_url": {"url": PNG}}],
            [{"type": "image", "source": {"type": "data", "value": "AAAA", "mimeType": "image/png"}}],
        ),
        (
            [{"type": "image_url", "image_url": {"url": "https://x/y"}}],
            [{"type": "image", "source": {"type": "url", "value": "https://x/y"}}],
        ),
        (
            [{"type": "input_audio", "input_audio": {"data": "BB", "format": "mp3"}}],
            [{"type": "audio", "source": {"type": "data", "value": "BB", "mimeType": "audio/mp3"}}],
        ),
        (
            [{"type": "file", "file": {"file_data": "data:;base64,CC", "filename": "c.bin"}}],
            [
                {
                    "type": "document",
                    "source": {"type": "data", "value": "CC", "mimeType": "application/octet-stream"},
                    "metadata": {"filename": "c.bin"},
                }
            ],
        ),
        ([{"type": "map", "zoom": 3}], [{"type": "map", "zoom": 3}]),
    ],
)
def test_content_is_text_wherever_it_can_be(content: Any, wire: Any):
    assert wire_content(content) == wire


def test_the_envelope_names_the_agent():
    assert Envelope(agent_id="shop").around({"a": 1}) == {
        "method": "agent/run",
        "params": {"agentId": "shop"},
        "body": {"a": 1},
    }
