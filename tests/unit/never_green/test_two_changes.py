"""A forbidden call in what each reader knows, with two things changed at once: it is seen, or nothing is green.

One change often drops or renames what the reader looks for, and the other hides the rest.
"""

import asyncio
import json
from collections.abc import Awaitable, Callable, Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import UNSET, structs
from tests.fakes.a2a_exchange import a2a_reply
from tests.fakes.bending import bend
from tests.fakes.planting import NAME, SAID, SHAPES, outcome_of
from tests.unit.never_green import test_planted_in_a2a as a2a
from tests.unit.never_green import test_planted_in_ag_ui as ag_ui
from tests.unit.never_green import test_planted_in_completions as completions
from tests.unit.never_green import test_planted_in_http as http
from tests.unit.never_green import test_planted_on_wires as wires

from vivavoce.errors import CallFailed
from vivavoce.model.json_value import is_array, is_object
from vivavoce.model.message import AgentReply, ExchangeStatus
from vivavoce.model.verdict import Outcome
from vivavoce.model_wires.written_calls import calls_in_words
from vivavoce.targets.chunk_reading import read_chunks
from vivavoce.targets.command_output import read_output
from vivavoce.targets.reply_reading import read_reply

Read = Callable[[Any], AgentReply | Awaitable[AgentReply]]


class NotTold(Exception):
    """What came out of the changes cannot be sent in this way, or tells no call."""


def listed(value: Any) -> list[Any]:
    return value if is_array(value) else [value]


def events(value: Any) -> list[Any]:
    """Events of AG-UI; the fake server writes a text as a comment, which is no event."""
    if any(isinstance(event, str) for event in listed(value)):
        raise NotTold
    return listed(value)


def in_spans(value: Any) -> AgentReply:
    if not is_object(value):
        raise NotTold
    return wires.through_spans(value)


async def in_deltas(value: Any) -> AgentReply:
    reply = await completions.streamed(*listed(value))
    return completions.as_reply(structs.replace(reply, unread=(*reply.unread, *calls_in_words(reply.text, None))))


def in_a2a(interface: Any, stream: bool) -> Read:
    async def read(value: Any) -> AgentReply:
        told = (listed(value) or [value])[: None if stream else 1]
        if NAME not in json.dumps(told):
            raise NotTold
        return structs.replace(await a2a_reply(interface, *told, stream=stream), shows_calls=True)

    return read


def vouched(read: Callable[[Any], AgentReply]) -> Read:
    """The user says that the agent shows its calls. Structured output is not doubted then: it may name anything."""

    def vouching(value: Any) -> AgentReply:
        messages: Any = value.get("messages") if is_object(value) else value
        if is_array(messages) and messages and NAME in json.dumps(messages[0]):
            raise NotTold  # calls before the user's line are taken for those of an earlier turn
        reply = read(value)
        if reply.data is not UNSET or any(NAME in str(call.result) for call in reply.calls):
            raise NotTold  # results and structured output may name anything
        return structs.replace(reply, shows_calls=True)

    return vouching


def readers() -> Iterator[tuple[str, list[tuple[Any, Read]]]]:
    yield "spans", [(attributes, in_spans) for attributes in wires.SPANS]
    yield "proxy", [(body, lambda told, d=d: wires.through_the_proxy(d, told)) for d, body in wires.WIRES]
    yield "chat", [(told, in_deltas) for told in completions.READ.values() if NAME in json.dumps(told)]
    yield (
        "http",
        [
            *((told, vouched(lambda value, at=at: http.whole(at, value))) for at, told in http.WHOLE.values()),
            (http.STREAM, vouched(http.streamed)),
        ],
    )
    yield (
        "ag-ui",
        [
            *((told, lambda value: ag_ui.heard(ag_ui.stream(events(value)))) for told in ag_ui.STREAMS.values()),
            *((told, lambda value: ag_ui.heard_later(events(value), resumes=True)) for told in ag_ui.LATER.values()),
            *((told, lambda value: ag_ui.heard_later(events(value), resumes=False)) for told in ag_ui.LATER.values()),
        ],
    )
    yield "a2a", [(shape.values[1], in_a2a(shape.values[0], bool(shape.values[2]))) for shape in a2a.SHAPES]
    yield "python", [(told, vouched(lambda value: read_reply(value, SAID))) for told in SHAPES.values()]
    yield "chunks", [(told, vouched(lambda value: read_chunks(listed(value), SAID))) for told in SHAPES.values()]
    yield (
        "command",
        [(told, vouched(lambda value: read_output(json.dumps(value).encode(), SAID))) for told in SHAPES.values()],
    )


READERS = dict(readers())


async def is_green(read: Read, value: Any) -> bool:
    try:
        reply = read(value)
        reply = reply if isinstance(reply, AgentReply) else await reply
    except (CallFailed, NotTold):
        return False
    return reply.status is ExchangeStatus.SUCCESS and await outcome_of(reply) is Outcome.PASSED


@pytest.mark.parametrize("reader", READERS)
def test_a_call_is_never_green_after_two_changes(reader: str):
    @settings(deadline=None, max_examples=150)
    @given(data=st.data())
    def tried(data: st.DataObject) -> None:
        told, read = data.draw(st.sampled_from(READERS[reader]))
        bent = data.draw(st.composite(lambda draw: bend(draw, told, NAME, 2))())
        # What stands under `data` is structured output, which may name anything.
        if NAME in json.dumps(bent) and '"data": [' not in json.dumps(bent):
            assert not asyncio.run(is_green(read, bent)), bent

    tried()
