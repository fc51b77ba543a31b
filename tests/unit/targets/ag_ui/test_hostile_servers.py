"""Servers that break off, stall, lie or babble: each gives its status and its reason, within its time limit."""

import asyncio
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import pytest
from tests.fakes.agui_server import Event, Piece, Reply, call, run, serving, sse, text
from tests.fakes.agui_talk import talking_to

from vivavoce.errors import CallFailed
from vivavoce.model.message import AgentReply, ExchangeStatus

WHOLE = sse(*run(*text("Hello there.")))
STARTED = sse(run()[0])
CALLED = sse(run()[0], *call("c1", "charge_card", '{"amount": 5}', "paid"))

IDLE = {"idle_timeout": "700ms", "turn_timeout": "60s"}


@dataclass
class Case:
    reply: Reply
    status: ExchangeStatus
    reason: str
    limits: Mapping[str, str] = field(default_factory=dict[str, str])
    """The time limit that alone can end it."""


def _body(*pieces: Piece, ending: str = "close", status: int = 200, kind: str | None = "text/event-stream") -> Reply:
    return Reply(pieces, status=status, content_type=kind, ending=ending)


CASES = {
    "truncated": Case(
        _body(CALLED),
        ExchangeStatus.TRUNCATED,
        "the stream ended without RUN_FINISHED or RUN_ERROR: 5 events, the last TOOL_CALL_RESULT",
    ),
    "truncated inside an event": Case(_body(WHOLE[:-20]), ExchangeStatus.TRUNCATED, "(then one cut off in the middle)"),
    "connection dropped": Case(_body(CALLED, ending="abort"), ExchangeStatus.TRUNCATED, "the connection broke"),
    "empty body": Case(
        _body(), ExchangeStatus.TRUNCATED, "the stream ended without RUN_FINISHED or RUN_ERROR: no event"
    ),
    "HTML with 200": Case(
        _body(b"<html><body>Sign in</body></html>", kind="text/html; charset=utf-8"),
        ExchangeStatus.PROTOCOL_ERROR,
        "HTTP 200 with content type 'text/html; charset=utf-8' instead of text/event-stream: <html><body>Sign in",
    ),
    "422": Case(
        _body(b'{"detail":[{"loc":["body","runId"],"msg":"Field required"}]}', status=422, kind="application/json"),
        ExchangeStatus.HTTP_ERROR,
        'HTTP 422: {"detail":[{"loc":["body","runId"],"msg":"Field required"}]}',
    ),
    "500": Case(
        _body(b"Internal Server Error", status=500, kind="text/plain"),
        ExchangeStatus.HTTP_ERROR,
        "HTTP 500: Internal Server Error",
    ),
    "500 that calls itself a stream": Case(_body(WHOLE, status=500), ExchangeStatus.HTTP_ERROR, "HTTP 500"),
    "wrong content type": Case(
        _body(WHOLE, kind="application/json"),
        ExchangeStatus.PROTOCOL_ERROR,
        "HTTP 200 with content type 'application/json' instead of text/event-stream",
    ),
    "no content type": Case(_body(WHOLE, kind=None), ExchangeStatus.PROTOCOL_ERROR, "with no content type"),
    "protobuf": Case(
        _body(b"\x08\x01\x12\x05", kind="application/vnd.ag-ui.event+proto"),
        ExchangeStatus.PROTOCOL_ERROR,
        "(protobuf, although text/event-stream was asked for) instead of text/event-stream",
    ),
    "comments only, for ever": Case(
        _body(STARTED, b": ping\n\n", ending="repeat"),
        ExchangeStatus.TRUNCATED,
        "nothing came for 700ms without RUN_FINISHED or RUN_ERROR: 1 event, the last RUN_STARTED",
        limits=IDLE,
    ),
    "comments before anything": Case(
        _body(b": ping\n\n", ending="repeat"), ExchangeStatus.TRUNCATED, "nothing came for 700ms", limits=IDLE
    ),
    "an endless stream": Case(
        _body(STARTED, sse(text("a")[0]), sse(text("a")[1]), ending="repeat"),
        ExchangeStatus.TRUNCATED,
        "the turn took longer than 600ms without RUN_FINISHED or RUN_ERROR",
        limits={"idle_timeout": "60s", "turn_timeout": "600ms"},
    ),
    "a stall in the middle": Case(
        _body(CALLED, ending="hang"), ExchangeStatus.TRUNCATED, "nothing came for 700ms", limits=IDLE
    ),
    "a head and nothing else": Case(_body(3600.0), ExchangeStatus.TRUNCATED, "nothing came for 700ms", limits=IDLE),
    "silence": Case(_body(3600.0, status=0), ExchangeStatus.TRUNCATED, "nothing came for 700ms", limits=IDLE),
    "invalid UTF-8": Case(
        _body(STARTED + b'data: {"type":"TEXT_MESSAGE_CONTENT","delta":"\xff\xfe"}\n\n'),
        ExchangeStatus.PROTOCOL_ERROR,
        "a frame that is not UTF-8",
    ),
    "no JSON": Case(
        _body(STARTED + b"data: oops\n\n" + WHOLE), ExchangeStatus.PROTOCOL_ERROR, "a frame that is no JSON: 'oops'"
    ),
    "JSON, but no event": Case(
        _body(STARTED + b"data: [1, 2]\n\n"), ExchangeStatus.PROTOCOL_ERROR, "a frame that is no event: '[1, 2]'"
    ),
    "no JSON, for ever": Case(
        _body(STARTED, b"data: oops\n\n", ending="repeat"), ExchangeStatus.PROTOCOL_ERROR, "no JSON"
    ),
    "an event without a proper type": Case(
        _body(STARTED + b'data: {"type": {}}\n\n'), ExchangeStatus.PROTOCOL_ERROR, "a frame that is no event"
    ),
    "wrong first event": Case(
        _body(sse(*run(*text("Hi"))[1:])),
        ExchangeStatus.PROTOCOL_ERROR,
        "the first event is TEXT_MESSAGE_START, not RUN_STARTED or RUN_ERROR",
    ),
    "an error as the first event": Case(
        _body(sse({"type": "RUN_ERROR", "message": "no model", "code": "E1"})), ExchangeStatus.ERROR, "no model (E1)"
    ),
    "an error after the end": Case(
        _body(WHOLE, 0.05, sse({"type": "RUN_ERROR", "message": "the store is down"})),
        ExchangeStatus.ERROR,
        "the store is down",
    ),
    "an outcome nobody knows": Case(
        _body(sse(*run(outcome={"type": "paused"}))), ExchangeStatus.PROTOCOL_ERROR, "unknown outcome 'paused'"
    ),
    "cancelled": Case(
        _body(sse(*run(outcome={"type": "cancelled"}))), ExchangeStatus.CANCELLED, "the run was cancelled"
    ),
}


@pytest.mark.parametrize("name", CASES)
async def test_a_bad_server_is_named_for_what_it_did(name: str) -> None:
    case = CASES[name]
    reply = await asyncio.wait_for(_answer_of(case.reply, **case.limits), 60)
    assert reply.status is case.status
    assert case.reason in (reply.error or "")


FINE: dict[str, Sequence[Piece]] = {
    "CRLF": [sse(*run(*text("Hello there.")), end="\r\n")],
    "CR": [sse(*run(*text("Hello there.")), end="\r")],
    "mixed line ends": [
        sse(run()[0], end="\n"),
        sse("ping", end="\r\n"),
        sse(*text("Hello there."), end="\r"),
        sse(run()[-1], end="\r\n"),
    ],
    "one byte at a time": [bytes([byte]) for byte in WHOLE],
    "no blank line at the end": [WHOLE.rstrip(b"\n")],
    "event and id lines": [b"event: message\nid: 1\nretry: 5\n" + WHOLE],
    "a byte order mark": [b"\xef\xbb\xbf" + WHOLE],
    "comments in between": [sse(run()[0], "ping", *text("Hello there."), "ping", run()[-1], "bye")],
    "unknown events": [sse(*run({"type": "SPARKLE", "strength": 3}, *text("Hello there.")))],
    "NaN in an event": [
        sse(run()[0]),
        b'data: {"type":"CUSTOM","name":"x","value":NaN}\n\n',
        sse(*text("Hello there."), run()[-1]),
    ],
}


@pytest.mark.parametrize("name", FINE)
async def test_odd_but_readable_streams_are_read(name: str) -> None:
    reply = await _answer_of(Reply(FINE[name]))
    assert (reply.status, reply.text, reply.error) == (ExchangeStatus.SUCCESS, "Hello there.", None)


async def test_an_event_of_ten_megabytes_is_read() -> None:
    reply = await _answer_of(Reply([sse(*run(*text("x" * 10_000_000)))]))
    assert len(reply.text) == 10_000_000
    assert reply.status is ExchangeStatus.SUCCESS


@pytest.mark.memory
async def test_an_answer_that_never_ends_is_cut_off() -> None:
    babble = b": " + b"x" * 1_000_000 + b"\n"
    reply = await _answer_of(Reply([STARTED, babble], ending="repeat"), idle_timeout="60s")
    assert (reply.status, reply.error) == (
        ExchangeStatus.PROTOCOL_ERROR,
        "the server sent an answer of more than 64 MB",
    )


@pytest.mark.memory
async def test_events_without_end_are_cut_off() -> None:
    """They are small, and all of them are kept: 64 MB of them would take a gigabyte."""
    babble = b'data: {"type":"CUSTOM","name":"x","value":1}\n\n' * 10_000
    reply = await _answer_of(Reply([STARTED, babble], ending="repeat"), idle_timeout="60s")
    assert (reply.status, reply.error) == (
        ExchangeStatus.PROTOCOL_ERROR,
        "the server sent an answer of more than 250,000 events",
    )


async def test_what_was_seen_before_the_break_is_kept() -> None:
    reply = await _answer_of(CASES["a stall in the middle"].reply, **IDLE)
    assert [(made.name, made.args, made.result) for made in reply.calls] == [("charge_card", {"amount": 5}, "paid")]


async def test_a_duplicated_id_is_a_call_each_time_and_a_breach() -> None:
    twice = [*call("c1", "charge_card", '{"amount": 5}', "paid"), *call("c1", "charge_card", '{"amount": 5}', "paid")]
    reply = await _answer_of(Reply([sse(*run(*twice))]))
    assert [made.args for made in reply.calls] == [{"amount": 5}, {"amount": 5}]
    assert "TOOL_CALL_START for tool call c1, which this run started already" in reply.violations


async def test_two_calls_that_share_an_id_by_mistake_are_two_calls() -> None:
    twice = [*call("c1", "charge_card", '{"amount": 5}'), *call("c1", "charge_card", '{"amount": 7}')]
    reply = await _answer_of(Reply([sse(*run(*twice))]))
    assert [made.args for made in reply.calls] == [{"amount": 5}, {"amount": 7}]


async def test_a_connection_dropped_after_the_end_is_only_a_warning() -> None:
    reply = await _answer_of(Reply([WHOLE], ending="abort"))
    assert (reply.status, reply.text) == (ExchangeStatus.SUCCESS, "Hello there.")
    assert "the connection broke after the run's end" in reply.warnings[0]


async def test_a_connection_left_open_after_the_end_is_only_a_warning() -> None:
    reply = await _answer_of(Reply([WHOLE], ending="hang"))
    assert (reply.status, reply.text) == (ExchangeStatus.SUCCESS, "Hello there.")
    assert "stayed open" in reply.warnings[0]


async def test_nothing_is_ever_sent_twice() -> None:
    async with serving(Reply([CALLED], ending="abort")) as server:
        async with talking_to(server.url) as talk:
            await talk.say("pay")
        assert len(server.bodies) == 1


@pytest.mark.parametrize(
    ("status", "location", "reason"),
    [
        (302, "/other", "/run has moved to http://127.0.0.1:{port}/other: name that address"),
        (302, "/run", "/run has moved to http://127.0.0.1:{port}/run: name that address"),
        (307, "/run", "/run redirects without end: check the address"),
    ],
)
async def test_a_server_that_points_elsewhere_is_named_for_it(status: int, location: str, reason: str) -> None:
    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        asked = await reader.readuntil(b"\r\n\r\n")
        head = f"HTTP/1.1 {status} Moved\r\nLocation: {location}\r\n" if b" /run " in asked else "HTTP/1.1 200 OK\r\n"
        writer.write(f"{head}Content-Length: 0\r\nConnection: close\r\n\r\n".encode())
        writer.close()

    async with await asyncio.start_server(answer, "127.0.0.1", 0) as server:
        port = server.sockets[0].getsockname()[1]
        async with talking_to(f"http://127.0.0.1:{port}/run") as talk:
            reply = await talk.say("hello")
    assert (reply.status, reply.error) == (
        ExchangeStatus.HTTP_ERROR,
        f"http://127.0.0.1:{port}" + reason.format(port=port),
    )


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
async def test_nothing_is_sent_to_another_host(status: int) -> None:
    async with serving(Reply([WHOLE])) as stranger:

        async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            await reader.readuntil(b"\r\n\r\n")
            writer.write(f"HTTP/1.1 {status} Moved\r\nLocation: {stranger.url}\r\nContent-Length: 0\r\n\r\n".encode())
            writer.close()

        async with await asyncio.start_server(answer, "127.0.0.1", 0) as server:
            port = server.sockets[0].getsockname()[1]
            async with talking_to(f"http://127.0.0.1:{port}/run") as talk:
                reply = await talk.say("hello")
        assert stranger.bodies == []
    assert reply.status is ExchangeStatus.HTTP_ERROR
    assert "redirects to another host" in (reply.error or "")


async def test_a_redirect_on_the_same_server_is_followed_with_the_message() -> None:
    bodies: list[bytes] = []

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        asked = await reader.readuntil(b"\r\n\r\n")
        length = re.search(rb"(?i)content-length: (\d+)", asked)
        assert length is not None
        bodies.append(await reader.readexactly(int(length[1])))
        if b" /old " in asked:
            writer.write(b"HTTP/1.1 307 Moved\r\nLocation: /new\r\nConnection: close\r\nContent-Length: 0\r\n\r\n")
        else:
            writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n" + WHOLE)
        await writer.drain()
        writer.close()

    async with await asyncio.start_server(answer, "127.0.0.1", 0) as server:
        port = server.sockets[0].getsockname()[1]
        async with talking_to(f"http://127.0.0.1:{port}/old") as talk:
            reply = await talk.say("hello")
    assert (reply.status, reply.text) == (ExchangeStatus.SUCCESS, "Hello there.")
    assert len(bodies) == 2
    assert bodies[0] == bodies[1]


async def test_a_server_that_is_not_there_is_a_target_fault() -> None:
    async with serving(Reply([WHOLE])) as server:
        url = server.url
    async with talking_to(url) as talk:
        with pytest.raises(CallFailed, match="cannot connect to http://127") as failed:
            await talk.say("hello")
    assert (failed.value.fault, failed.value.retryable) == ("target", True)
    assert str(failed.value).endswith("(is the app running?)")


async def _answer_of(reply: Reply, **config: str) -> AgentReply:
    async with serving(reply) as server, talking_to(server.url, **config) as talk:
        return await talk.say("hello")


# ── calls told in a way of their own ──


async def heard(*events: Event) -> AgentReply:
    async with serving(Reply([sse(*run(*events, *text("Done.")))])) as server, talking_to(server.url) as talk:
        return await talk.say("go")


def in_snake_case(event: Event) -> Event:
    return {"".join(f"_{c.lower()}" if c.isupper() else c for c in key): value for key, value in event.items()}


async def test_keys_in_snake_case_are_read_and_told():
    reply = await heard(*map(in_snake_case, call("c1", "delete_all", '{"sure": true}', "gone")))
    (made,) = reply.calls
    assert (made.id, made.name, made.args, made.result) == ("c1", "delete_all", {"sure": True}, "gone")
    assert "TOOL_CALL_START with tool_call_name, wanted toolCallName" in reply.violations
    assert not any("not open" in told or "never started" in told for told in reply.violations)


@pytest.mark.parametrize(
    "spelt", [str.lower, lambda kind: kind.title().replace("_", ""), lambda k: k.replace("_", "-")]
)
async def test_event_types_spelt_otherwise_are_taken_for_what_they_mean(spelt: Callable[[str], str]):
    told = [{**event, "type": spelt(event["type"])} for event in call("c1", "delete_all", '{"sure": true}', "gone")]
    reply = await heard(*told)
    assert [(made.name, made.args, made.result) for made in reply.calls] == [("delete_all", {"sure": True}, "gone")]
    assert f"an event of type {spelt('TOOL_CALL_START')}, wanted TOOL_CALL_START" in reply.violations


async def test_an_unknown_event_about_tool_calls_is_a_breach():
    reply = await heard({"type": "TOOL_CALL_BEGIN", "toolCallId": "c1", "toolCallName": "delete_all"})
    assert "an event of type TOOL_CALL_BEGIN, which AG-UI does not have" in reply.violations


@pytest.mark.parametrize("at", [0, 1, 2, 3])
async def test_a_call_whose_name_was_not_told_is_a_call_without_a_name(at: int):
    start, *rest = call("c1", "delete_all", "{}", "gone")
    told = [{"type": "TOOL_CALL_START", "toolCallId": "c1"}, *rest] if at == 0 else [start, *rest][at:]
    reply = await heard(*told)
    assert [(made.id, made.name, made.result) for made in reply.calls] == [("c1", "", "gone")]
    assert reply.violations


async def test_a_name_that_comes_late_is_taken():
    start, *rest = call("c1", "pay", "{}", "paid")
    assert [made.name for made in (await heard(*rest, start)).calls] == ["pay"]
    chunks = [
        {"type": "TOOL_CALL_CHUNK", "toolCallId": "c1", "delta": "{"},
        {"type": "TOOL_CALL_CHUNK", "toolCallId": "c1", "toolCallName": "pay", "delta": "}"},
    ]
    assert [(made.name, made.args) for made in (await heard(*chunks)).calls] == [("pay", {})]


@pytest.mark.parametrize(
    "told",
    [
        {"toolCalls": [{"id": "c1", "function": {"name": "pay", "arguments": '{"n": 5}'}}]},
        {"tool_calls": [{"id": "c1", "function": {"name": "pay", "arguments": '{"n": 5}'}}]},
        {"toolCalls": [{"function": {"name": "pay", "arguments": '{"n": 5}'}}]},
        {"toolCalls": [{"id": "c1", "name": "pay", "arguments": {"n": 5}}]},
    ],
)
async def test_every_call_of_a_snapshot_is_counted_once(told: Event):
    snapshot = {"type": "MESSAGES_SNAPSHOT", "messages": [{"id": "a1", "role": "assistant", "content": "", **told}]}
    assert [(made.name, made.args) for made in (await heard(snapshot, snapshot)).calls] == [("pay", {"n": 5})]


@pytest.mark.parametrize("count", [-5, "900000", 1e300, True])
async def test_a_token_count_that_is_none_fails_the_run(count: object):
    *events, finished = run(*text("ok"))
    finished["usage"] = [{"inputTokens": 3}, {"inputTokens": count, "outputTokens": 1}]
    async with serving(Reply([sse(*events, finished)])) as server, talking_to(server.url) as talk:
        reply = await talk.say("go")
    assert reply.status is ExchangeStatus.PROTOCOL_ERROR
    assert reply.error == f"RUN_FINISHED with usage.inputTokens {count!r}, wanted a number, 0 or more"


async def test_usage_that_tells_no_tokens_is_none():
    *events, finished = run(*text("ok"))
    finished["usage"] = [{"totalTokens": 900000}]
    async with serving(Reply([sse(*events, finished)])) as server, talking_to(server.url) as talk:
        assert (await talk.say("go")).usage is None
