"""What faults make of the stream of an AG-UI server."""

from collections.abc import AsyncIterator, Mapping
from types import MappingProxyType
from typing import Any

import pytest
from tests.fakes.agui_exchange import OneAnswer

from vivavoce.model.json_value import JsonValue
from vivavoce.notation.fault_notation import read_fault
from vivavoce.sight.interventions import CaseInterventions
from vivavoce.targets.ag_ui.faulty_exchange import FaultyExchange
from vivavoce.targets.http_exchange import ConnectionBroken

FIRST, LAST = b'data: {"type": "RUN_STARTED"}\n\n', b'data: {"type": "RUN_FINISHED"}\n\n'


class Ready:
    status = 200
    headers: Mapping[str, str] = MappingProxyType({})
    is_complete = True

    async def chunks(self) -> AsyncIterator[bytes]:
        yield FIRST + LAST
        yield b": bye\n\n"


async def no_script(_ref: str, _args: JsonValue) -> JsonValue:
    raise AssertionError


def faulty(fault: Any) -> FaultyExchange:
    return FaultyExchange(OneAnswer(Ready()), CaseInterventions((read_fault(fault),), (), no_script))


async def sent(exchange: FaultyExchange) -> list[bytes]:
    async with exchange.post(b"{}") as answer:
        return [chunk async for chunk in answer.chunks()]


async def test_a_cut_stream_breaks_after_its_first_event():
    async with faulty("stream:cut").post(b"{}") as answer:
        pieces = answer.chunks()
        assert await anext(pieces) == FIRST
        with pytest.raises(ConnectionBroken, match="a fault of the test"):
            await anext(pieces)


async def test_a_stalled_stream_goes_on_when_its_time_is_over():
    assert b"".join(await sent(faulty({"at": "stream", "kind": "stall", "for": "1ms"}))) == FIRST + LAST + b": bye\n\n"


async def test_a_malformed_event_comes_between_two_good_ones():
    pieces = await sent(faulty("stream:malformed"))
    assert (pieces[0], pieces[2]) == (FIRST, LAST)
    assert pieces[1].startswith(b"data: {")
    assert not pieces[1].strip().endswith(b"}")


async def test_only_the_run_that_is_meant_is_struck():
    exchange = faulty("stream:malformed@2")
    assert len(await sent(exchange)) == 2
    assert len(await sent(exchange)) == 4
