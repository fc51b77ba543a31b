"""One agent run over an exchange: how it ended, whatever the server did."""

from collections.abc import AsyncIterator
from typing import Any

import pytest
from tests.fakes.agui_exchange import OneAnswer
from tests.fakes.agui_server import run, sse, text

from vivavoce.model.message import ExchangeStatus
from vivavoce.targets.ag_ui.agent_run_reader import AgentRunEnd, AgentRunReader
from vivavoce.targets.ag_ui.agent_run_stream import ArrivalClock, read_agent_run
from vivavoce.targets.ag_ui.protocol_rules import ProtocolRules
from vivavoce.targets.ag_ui.turn_builder import TurnBuilder
from vivavoce.targets.http_exchange import ConnectionBroken
from vivavoce.targets.stream_deadline import Deadline, Limits

WHOLE = sse(*run(*text("Hi.")))


class Answer:
    """The chunks in order; an exception among them is raised."""

    is_complete = False

    def __init__(self, *chunks: bytes | Exception, status: int = 200, kind: str = "text/event-stream") -> None:
        self._chunks = chunks
        self.status = status
        self.headers = {"content-type": kind} if kind else {}

    async def chunks(self) -> AsyncIterator[bytes]:
        for chunk in self._chunks:
            if isinstance(chunk, Exception):
                raise chunk
            yield chunk


async def read(answer: Answer, **limits: float) -> tuple[AgentRunEnd, TurnBuilder]:
    builder = TurnBuilder()
    reader = AgentRunReader(builder, ProtocolRules(builder.calls))
    exchange: Any = OneAnswer(answer)
    end = await read_agent_run(exchange, b"{}", reader, Deadline(Limits(**limits)), ArrivalClock())
    return end, builder


@pytest.mark.parametrize("size", [1, 7, len(WHOLE)])
async def test_a_stream_is_read_in_whatever_pieces_it_comes(size: int):
    end, builder = await read(Answer(*(WHOLE[at : at + size] for at in range(0, len(WHOLE), size))))
    assert (end.status, builder.messages.texts()) == (ExchangeStatus.SUCCESS, ["Hi."])


@pytest.mark.parametrize(
    ("answer", "status", "what"),
    [
        (Answer(b"go away", status=403), ExchangeStatus.HTTP_ERROR, "HTTP 403: go away"),
        (Answer(b"", status=500), ExchangeStatus.HTTP_ERROR, "HTTP 500"),
        (Answer(b"{}", kind="application/json"), ExchangeStatus.PROTOCOL_ERROR, "content type 'application/json'"),
        (Answer(b"x", kind=""), ExchangeStatus.PROTOCOL_ERROR, "no content type"),
        (Answer(b"\x00", kind="application/x-protobuf"), ExchangeStatus.PROTOCOL_ERROR, "although text/event-stream"),
        (Answer(WHOLE[:40]), ExchangeStatus.TRUNCATED, ""),
        (Answer(ConnectionBroken("reset")), ExchangeStatus.HTTP_ERROR, "reset"),
        (Answer(sse(*run()[:1]), ConnectionBroken("reset")), ExchangeStatus.TRUNCATED, "the connection broke (reset)"),
    ],
)
async def test_a_run_that_did_not_end_well_says_how(answer: Answer, status: ExchangeStatus, what: str):
    end, _ = await read(answer)
    assert end.status is status
    assert what in str(end.error)


async def test_of_an_error_page_only_the_beginning_is_read():
    pages = [b"x" * 4096, AssertionError("more was read")]
    end, _ = await read(Answer(*pages, status=500))
    assert len(str(end.error)) < 500


async def test_a_connection_that_breaks_after_the_end_is_a_warning():
    end, _ = await read(Answer(WHOLE, ConnectionBroken("reset")))
    assert end.status is ExchangeStatus.SUCCESS
    assert "broke after the run's end: reset" in end.warnings[0]


async def test_bytes_that_belong_to_no_event_are_doubted():
    _, builder = await read(Answer(b"stray line\n\n" + WHOLE))
    assert builder.unread != []
    assert all("stray line" in one.piece for one in builder.unread)
