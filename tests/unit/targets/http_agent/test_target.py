"""Plain HTTP agents, against real servers on loopback."""

import asyncio
import json

import pytest
from aiohttp import web
from tests.contract import target_contract
from tests.fakes.surroundings import surroundings_at
from tests.fakes.web_server import Seen, WebServer, in_pieces

from vivavoce.errors import CallFailed, TurnedAway, UsageError
from vivavoce.model.case import FrontendTool
from vivavoce.model.message import AgentReply, Message
from vivavoce.model.transcript import Line, Transcript, Turn
from vivavoce.project.settings import Config
from vivavoce.protocols import CallContext, TargetSpec
from vivavoce.targets.http_agent.target import HttpAgentTarget

BODY = {"text": "{{ message }}", "all": "{{ messages }}", "who": "{{ context.identity }}", "meta": "{{ metadata }}"}


@pytest.fixture
async def around(tmp_path):
    async with surroundings_at(tmp_path, Config(variables={"TENANT": "blue {{ 1 }}"})) as lent:
        yield lent


def target_at(url: str, around, **call) -> HttpAgentTarget:
    written = {"url": url, "body": BODY, "reply": "$.answer", **call}
    config = {"http": {name: value for name, value in written.items() if value is not None}}
    return HttpAgentTarget(TargetSpec(id="shop", kind="http", config=config), around)


async def talk(target: HttpAgentTarget, *texts, history=(), **context) -> list[AgentReply]:
    session = await target.open(CallContext(session_id="s1", case_id="T1", **context))
    transcript = Transcript(history=tuple(history))
    for number, text in enumerate(texts, 1):
        line = Line(content=text)
        transcript = transcript.plus(Turn(number=number, line=line, reply=await session.send(line, transcript)))
    return [turn.reply for turn in transcript.turns]


async def ask(answer, around, text="hello", **call) -> AgentReply:
    """The reply to one line, when the server answers this."""
    async with WebServer(lambda seen: answer(seen) if callable(answer) else answer) as server:
        (reply,) = await talk(target_at(server.url, around, **call), text)
    return reply


# ── the contract ──


def behave(behaviour: str, seen: Seen):
    body = seen.json
    match behaviour:
        case "echo":
            return {"answer": f"you said: {body['text']}"}
        case "count":
            return {"answer": str(len(body["all"]))}
        case "whoami":
            who = body["who"]
            return {"answer": f"{who['user_id']} {who['team_id']} {who['locale']} {body['meta']['colour']}"}
        case "hang":
            return hanging()
        case _:
            return web.json_response({"error": "broken"}, status=500)


async def hanging() -> web.StreamResponse:
    await asyncio.sleep(60)
    raise AssertionError


@pytest.mark.parametrize("promise", target_contract.PROMISES)
async def test_it_keeps_the_promises_of_a_target(promise, around):
    chosen = [""]

    def make(behaviour: str) -> HttpAgentTarget:
        chosen[0] = behaviour
        return target_at(server.url, around)

    async with WebServer(lambda seen: behave(chosen[0], seen)) as server:
        await promise(make)


async def test_its_card_tells_what_it_is(around):
    async with WebServer(lambda _: {}) as server:
        await target_contract.its_card_tells_what_it_is(lambda _: target_at(server.url, around), "http")


# ── what is sent ──


async def test_url_query_headers_and_body_are_filled_in(around):
    async with WebServer(lambda _: {"answer": "ok"}) as server:
        target = target_at(
            f"{server.url}/chat/{{{{ thread_id }}}}/{{{{ message }}}}",
            around,
            method="PUT",
            query={"turn": "{{ turn }}", "none": "{{ session }}"},
            session="$.sid",
            headers={"X-Tenant": "${TENANT}", "X-Turn": "turn {{ turn }}"},
            body={"n": "{{ turn }}", "text": "Say: {{ message }}", "deep": [{"ids": "{{ session_id }}"}]},
        )
        await talk(target, "a/b & c?", thread_id="t 1")
    (seen,) = server.seen
    assert (seen.method, seen.path) == ("PUT", "/chat/t%201/a%2Fb%20&%20c%3F?turn=1")
    # What a variable holds is never a template.
    assert (seen.headers["X-Tenant"], seen.headers["X-Turn"]) == ("blue {{ 1 }}", "turn 1")
    assert seen.headers["Content-Type"] == "application/json"
    assert seen.json == {"n": 1, "text": "Say: a/b & c?", "deep": [{"ids": "s1"}]}


async def test_what_the_user_says_is_never_a_template_or_a_variable(around):
    said = "{{ context }} ${TENANT} {% for %}"
    async with WebServer(lambda _: {"answer": "ok"}) as server:
        await talk(target_at(server.url, around), said)
    assert server.seen[0].json["text"] == said


async def test_a_get_request_has_a_query_and_no_body(around):
    async with WebServer(lambda _: {"answer": "ok"}) as server:
        await talk(target_at(server.url, around, method="GET", body=None, query={"q": "{{ message }}"}), "a&b=c")
    assert (server.seen[0].path, server.seen[0].body) == ("/?q=a%26b%3Dc", b"")


async def test_a_form_is_sent_as_one(around):
    headers = {"content-type": "application/x-www-form-urlencoded"}
    async with WebServer(lambda _: {"answer": "ok"}) as server:
        await talk(target_at(server.url, around, headers=headers, body={"q": "{{ message }}"}), "a&b")
    assert server.seen[0].body == b"q=a%26b"


async def test_a_body_of_text_is_sent_as_it_is(around):
    async with WebServer(lambda _: {"answer": "ok"}) as server:
        await talk(target_at(server.url, around, body='{"q": {{ message | tojson }}}'), 'say "hi"\n')
        await talk(target_at(server.url, around, body="q={{ message }}"), "plain")
    assert server.seen[0].json == {"q": 'say "hi"\n'}
    assert (server.seen[1].body, server.seen[1].headers["Content-Type"]) == (b"q=plain", "text/plain; charset=utf-8")


async def test_a_message_that_breaks_the_json_of_the_body_is_the_tests_fault(around):
    with pytest.raises(CallFailed, match="no JSON once it is filled in") as failed:
        await ask({"answer": "ok"}, around, 'say "hi"', body='{"q": "{{ message }}"}')
    assert failed.value.fault == "test"
    assert "tojson" in (failed.value.hint or "")


async def test_attachments_are_sent_with_name_type_and_bytes(around):
    parts = [
        {"type": "text", "text": "see"},
        {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}},
        {"type": "file", "file": {"url": "data:application/pdf;base64,BBBB", "filename": "a.pdf"}},
        {"type": "input_audio", "input_audio": {"data": "CCCC", "format": "mp3"}},
    ]
    async with WebServer(lambda _: {"answer": "ok"}) as server:
        await talk(target_at(server.url, around, body={"q": "{{ message }}", "files": "{{ attachments }}"}), parts)
    assert server.seen[0].json["q"] == "see"
    told = [(file["type"], file["name"], file["media_type"], file["data"]) for file in server.seen[0].json["files"]]
    assert told == [
        ("image", None, "image/png", "AAAA"),
        ("file", "a.pdf", "application/pdf", "BBBB"),
        ("audio", None, "audio/mp3", "CCCC"),
    ]


@pytest.mark.parametrize(
    ("what", "said", "history"),
    [
        ("attachments", [{"type": "image_url", "image_url": {"url": "https://x/y.png"}}], ()),
        ("earlier messages", "hi", (Message(role="user", content="before"),)),
    ],
)
async def test_what_the_request_has_no_place_for_is_refused(what, said, history, around):
    async with WebServer(lambda _: {"answer": "ok"}) as server:
        with pytest.raises(CallFailed, match=f"{what} would never be sent"):
            await talk(target_at(server.url, around, body={"q": "{{ message }}"}), said, history=history)
    assert server.seen == []


async def test_front_end_tools_are_refused(around):
    with pytest.raises(CallFailed, match="front-end tools"):
        await talk(target_at("http://x", around), "hi", frontend_tools=(FrontendTool(name="t"),))


# ── the conversation ──


async def test_the_session_id_of_the_answer_goes_with_the_next_line(around):
    body = {"q": "{{ message }}", "sid": "{{ session }}"}
    async with WebServer(lambda seen: {"answer": "ok", "sid": f"n{len(server.seen)}"}) as server:
        await talk(target_at(server.url, around, body=body, session="$.sid"), "one", "two", "three")
    assert [seen.json["sid"] for seen in server.seen] == [None, "n1", "n2"]


async def test_a_session_id_may_come_in_a_header_and_cookies_are_kept(around):
    def decide(seen: Seen) -> web.Response:
        response = web.json_response({"answer": "ok"}, headers={"X-Chat": "c9"})
        response.set_cookie("who", f"u{len(server.seen)}")
        return response

    body = {"q": "{{ message }}", "sid": "{{ session }}"}
    async with WebServer(decide) as server:
        await talk(target_at(server.url, around, body=body, session_header="x-chat", cookies=True), "one", "two")
    assert server.seen[1].json["sid"] == "c9"
    assert ("Cookie" not in server.seen[0].headers, server.seen[1].headers["Cookie"]) == (True, "who=u1")


async def test_a_second_turn_that_names_no_conversation_is_a_warning(around):
    async with WebServer(lambda _: {"answer": "ok"}) as server:
        first, second = await talk(target_at(server.url, around, body={"q": "{{ message }}"}), "one", "two")
    assert first.warnings == ()
    assert "which conversation" in second.warnings[0]


# ── what comes back ──


async def test_reply_calls_usage_and_data_are_found_by_their_paths(around):
    answer = {
        "out": {"answer": "Done.", "order": {"id": 7}},
        "steps": [{"tool": "refund", "parameters": {"id": 7}, "output": {"ok": True}}, {"tool": "mail"}],
        "tokens": {"prompt_tokens": 3, "completion_tokens": 4},
    }
    paths = {"reply": "$.out.answer", "tool_calls": "$.steps", "usage": "$.tokens", "data": "$.out.order"}
    reply = await ask(answer, around, **paths)
    assert (reply.text, reply.data, reply.output) == ("Done.", {"id": 7}, {"id": 7})
    assert [(call.name, call.args) for call in reply.calls] == [("refund", {"id": 7}), ("mail", {})]
    assert reply.calls[0].result == {"ok": True}
    assert reply.usage is not None
    assert (reply.usage.input_tokens, reply.usage.output_tokens) == (3, 4)
    assert (reply.shows_calls, reply.unread) == (True, ())


async def test_calls_in_a_form_of_their_own_are_picked_by_paths(around):
    answer = {"answer": "ok", "log": [{"kind": "act", "what": {"n": "pay"}, "with": {"eur": 3}, "gave": None}, {}]}
    paths = {"path": "$.log[?@.kind == 'act']", "name": "$.what.n", "args": "$.with", "result": "$.gave"}
    (call,) = (await ask(answer, around, tool_calls=paths)).calls
    assert (call.name, call.args, call.result) == ("pay", {"eur": 3}, None)


async def test_without_a_path_of_the_calls_nobody_can_tell_them(around):
    assert not (await ask({"answer": "ok", "tool_calls": [{"name": "pay"}]}, around)).shows_calls


async def test_calls_where_no_path_leads_to_are_unread(around):
    reply = await ask(
        {"answer": "ok", "calls": [], "actions": {"tool_calls": [{"name": "x"}]}}, around, tool_calls="$.calls"
    )
    assert [piece.where for piece in reply.unread] == ["$.actions"]


async def test_calls_are_unread_also_where_no_path_of_calls_was_written(around):
    """`shows_calls: true` says that the agent calls nothing: an answer that shows calls is doubt, not a pass."""
    answer = {"answer": "ok", "more": {"tool_calls": [{"name": "delete_all", "args": {}}]}}
    assert [(piece.where, piece.may_hold) for piece in (await ask(answer, around)).unread] == [("$.more", "call")]
    assert (await ask(answer, around, ignore=["$.more"])).unread == ()
    assert (await ask({"answer": "ok", "more": {"tool_calls": []}}, around)).unread == ()


@pytest.mark.parametrize("calls", [[], None])
@pytest.mark.parametrize("path", ["$.calls", "$.calls[?@.type == 'tool']", "$..calls[*]"])
async def test_an_empty_place_of_calls_shows_that_there_were_none(calls, path, around):
    reply = await ask({"answer": "ok", "calls": calls}, around, tool_calls=path)
    assert (reply.calls, reply.shows_calls, reply.not_shown, reply.unread) == ((), True, "", ())


@pytest.mark.parametrize("path", ["$.tols", "$.tols[?@.type == 'tool']", "$..tols", "$.tols[*].x", {"path": "$.tols"}])
@pytest.mark.parametrize("reply", ["$.answer", None])
async def test_a_path_of_calls_that_finds_nothing_shows_no_calls(path, reply, around):
    told = await ask({"answer": "ok", "content": "ok", "model": "m"}, around, tool_calls=path, reply=reply)
    assert (told.calls, told.shows_calls) == ((), False)
    named = path["path"] if isinstance(path, dict) else path
    assert f"tool_calls: {named} finds nothing in the answer, which has answer, content, model" in told.not_shown
    assert "`shows_calls: true`" in told.not_shown


@pytest.mark.parametrize(("path", "shows"), [("$.call", True), ("$.cal", False)])
async def test_one_event_with_a_place_for_calls_is_enough(path, shows, around):
    stream = 'data: {"delta": "a"}\n\ndata: {"call": null}\n\ndata: {"delta": "b"}\n\n'
    told = await ask(lambda seen: in_pieces(seen, stream), around, reply="$.delta", tool_calls=path)
    assert (told.text, told.shows_calls) == ("ab", shows)
    assert shows or "$.cal finds nothing in the stream, which has delta, call" in told.not_shown


@pytest.mark.parametrize(
    ("answer", "text", "shows"),
    [
        ("plain words", "plain words", False),
        ({"content": "hi", "tool_calls": [{"name": "pay"}]}, "hi", True),
        ({"choices": [{"message": {"role": "assistant", "content": "hi"}}]}, "hi", True),
        ({"total": 3}, '{"total":3}', False),
    ],
)
async def test_without_a_path_of_the_reply_the_form_of_the_answer_decides(answer, text, shows, around):
    reply = await ask(answer, around, reply=None)
    assert (reply.text, reply.shows_calls) == (text, shows)


async def test_a_path_that_finds_nothing_is_the_tests_fault_and_shows_what_came(around):
    with pytest.raises(CallFailed, match=r'reply: \$.answer finds nothing in the answer: {"text":"hi"}') as failed:
        await ask({"text": "hi"}, around)
    assert (failed.value.fault, failed.value.hint) == ("test", "the answer has text")


async def test_an_error_in_the_answer_is_told_as_one(around):
    with pytest.raises(CallFailed, match="reports an error: out of tokens") as failed:
        await ask({"error": {"message": "out of tokens"}}, around)
    assert failed.value.fault == "target"


async def test_several_texts_are_joined_and_parts_are_read(around):
    assert (await ask({"m": [{"t": "one"}, {"t": "two"}]}, around, reply="$.m[*].t")).text == "one\ntwo"
    assert (await ask({"answer": [{"type": "text", "text": "hi"}]}, around)).text == "hi"
    assert (await ask({"answer": {"total": 3}}, around)).data == {"total": 3}


# ── streams ──


async def test_events_are_joined(around):
    events = [{"delta": "Hel"}, {"delta": "lo"}, {"call": {"id": "1", "name": "pay", "args": {"n": 1}}}]
    events += [{"call": {"id": "1", "name": "pay", "result": "paid"}}, {"usage": {"input_tokens": 2}}]
    stream = "".join(f"data: {json.dumps(event)}\n\n" for event in events) + "data: [DONE]\n\n"
    paths = {"reply": "$.delta", "tool_calls": "$.call", "usage": "$.usage"}
    reply = await ask(lambda seen: in_pieces(seen, stream[:30], stream[30:]), around, **paths)
    (call,) = reply.calls
    assert (reply.text, call.args, call.result) == ("Hello", {"n": 1}, "paid")
    assert call.started_ms is not None
    assert call.completed_ms is not None
    assert reply.usage is not None


@pytest.mark.parametrize("content_type", ["application/x-ndjson", "text/plain"])
async def test_lines_of_json_are_read_whatever_their_content_type(content_type, around):
    def decide(seen: Seen):
        return in_pieces(seen, '{"t": "a"}\n{"t"', ': "b"}\n\n{"t": "c"}', content_type=content_type)

    reply = await ask(decide, around, reply="$.t", stream="ndjson")
    assert reply.text == "abc"


@pytest.mark.parametrize(
    ("body", "form"), [('{"t": "a"}\n{"t": "b"}\n', "ndjson"), ('event: x\ndata: {"t": "a"}\n\n', "sse"), ("{a", None)]
)
async def test_a_stream_under_another_name_is_told_how_to_be_read(body, form, around):
    with pytest.raises(CallFailed, match="is no JSON") as caught:
        await ask(lambda seen: in_pieces(seen, body, content_type="application/json"), around, reply="$.t")
    assert caught.value.hint == (form and f"is it a stream? Then write `stream: {form}` at the agent")


async def test_of_a_stream_that_repeats_itself_the_last_text_is_the_reply(around):
    def decide(seen: Seen):
        return in_pieces(seen, 'data: {"t": "He"}\n\ndata: {"t": "Hello"}\n\ndata: {"end": true}\n\n')

    reply = await ask(decide, around, reply="$.t", stream={"format": "sse", "take": "last"})
    assert reply.text == "Hello"


async def test_a_stream_of_plain_words_needs_no_path(around):
    reply = await ask(lambda seen: in_pieces(seen, "data: Hel\n\ndata: lo\n\n"), around, reply=None)
    assert reply.text == "Hello"
    with pytest.raises(CallFailed, match="nothing says where its text is"):
        await ask(lambda seen: in_pieces(seen, 'data: {"t": 1}\n\n'), around, reply=None)


async def test_an_agent_that_streams_may_answer_in_one_piece(around):
    assert (await ask({"answer": "whole"}, around, stream="sse")).text == "whole"


@pytest.mark.parametrize(
    ("stream", "what"),
    [
        ('data: {"other": 1}\n\n', "finds nothing in the stream"),
        ("", "without a single event"),
        ("data: not json\n\n", "is no JSON"),
        ('data: {"error": "boom"}\n\n', "reports an error: boom"),
    ],
)
async def test_a_stream_without_a_reply_is_an_error(stream, what, around):
    with pytest.raises(CallFailed, match=what):
        await ask(lambda seen: in_pieces(seen, stream), around)


async def test_a_stream_that_is_cut_off_is_an_error_that_keeps_the_calls(around):
    piece = 'data: {"answer": "Hel", "call": {"name": "pay"}}\n\n'
    async with WebServer(lambda seen: in_pieces(seen, piece, hang_up=True)) as server:
        session = await target_at(server.url, around, tool_calls="$.call").open(
            CallContext(session_id="s", case_id="T")
        )
        with pytest.raises(CallFailed, match="broke"):
            await session.send(Line(content="hi"), Transcript())
        assert [call.name for call in session.so_far().calls] == ["pay"]


# ── hostile servers ──


@pytest.mark.parametrize(
    ("answer", "what", "fault"),
    [
        (
            lambda _: web.Response(text="<html>login</html>", content_type="text/html"),
            "answered with a web page",
            "target",
        ),
        (lambda _: web.Response(body=b""), "empty body", "target"),
        (lambda _: web.Response(text="not json"), "is no JSON", "target"),
        (lambda _: web.Response(text='{"answer": "a", "answer": "b"}'), "key written twice", "target"),
        (lambda _: web.Response(status=404, text="no such page"), "answered HTTP 404: no such page", "target"),
        (lambda _: web.Response(status=302, headers={"Location": "/x"}), "answered HTTP 302", "target"),
        ({"answer": "a", "calls": [{"no": "name"}]}, "has no name", "agent"),
        ({"answer": "a", "calls": "[{"}, "no tool's name", "agent"),
    ],
)
async def test_what_is_no_answer_is_an_error_that_says_so(answer, what, fault, around):
    with pytest.raises(CallFailed, match=what) as failed:
        await ask(answer, around, tool_calls="$.calls")
    assert failed.value.fault == fault


async def test_a_busy_server_turns_away(around):
    with pytest.raises(TurnedAway) as failed:
        await ask(lambda _: web.Response(status=503, headers={"Retry-After": "2"}), around)
    assert failed.value.retry_after_s == 2


async def test_a_huge_answer_is_read(around):
    reply = await ask(lambda _: {"answer": "x" * 50_000_000}, around)
    assert len(reply.text) == 50_000_000


async def test_nobody_there(around):
    with pytest.raises(CallFailed, match="cannot connect"):
        await talk(target_at("http://127.0.0.1:9", around), "hi")


# ── what is refused before anything is sent ──


@pytest.mark.parametrize(
    ("call", "what"),
    [
        ({"body": {"q": "hello"}}, "the user's message is never sent"),
        ({"body": "{{ mesage }}"}, "unknown name 'mesage'"),
        ({"body": "{{ message"}, "bad template"),
        ({"body": "{{ message ~ '${X}' }}"}, "inside a template"),
        ({"reply": "$.a["}, "http.reply: bad JSON path"),
        ({"tool_calls": {"path": "$", "name": "$["}}, "http.tool_calls.name: bad JSON path"),
        ({"method": "GET"}, "a GET request has no body"),
        ({"body": "{{ message }} {{ session }}"}, "nothing says where it comes from"),
        ({"url": "http://x/{{ message | urlencode }}"}, "percent-encoded already"),
        ({"replay": "$.a"}, "unknown field"),
    ],
)
def test_a_request_that_cannot_work_is_refused(call, what, around):
    with pytest.raises(UsageError, match=what):
        target_at(call.pop("url", "http://x"), around, **call)


async def test_an_undefined_variable_is_refused(around):
    with pytest.raises(UsageError, match="undefined variable"):
        await target_at("http://${NOWHERE}/x", around).open(CallContext(session_id="s"))


async def test_an_unknown_value_in_a_template_is_the_tests_fault(around):
    with pytest.raises(CallFailed, match="cannot be written") as failed:
        await ask({"answer": "ok"}, around, body={"q": "{{ message }}", "c": "{{ metadata.colour }}"})
    assert failed.value.fault == "test"


@pytest.mark.parametrize("name", ["delete_order", "tool:delete_order"])
@pytest.mark.parametrize("reply", ["$.answer", None])
async def test_the_name_of_an_event_may_be_that_of_a_called_tool(name, reply, around):
    data = '{"answer": "done"}' if reply else "done"
    sent = web.Response(text=f"event: {name}\ndata: {data}\n\n", content_type="text/event-stream")
    told = await ask(sent, around, reply=reply, stream=True)
    assert told.text == "done"
    assert [(piece.where, piece.may_hold) for piece in told.unread] == [("the names of events", "name")]
    assert "delete_order" in told.unread[0].tool.split()
