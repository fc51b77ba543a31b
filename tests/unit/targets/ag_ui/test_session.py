"""What a conversation sends, and what becomes of several runs and turns."""

import asyncio
import time
from collections.abc import Callable
from typing import Any

import pytest
from msgspec import UNSET
from tests.fakes.agui_server import Reply, call, replies_with, run, serving, sse, text
from tests.fakes.agui_talk import Talk, talking_to

from vivavoce.errors import UsageError
from vivavoce.model.case import CallOptions
from vivavoce.model.message import AgentReply, ExchangeStatus, Message, Usage
from vivavoce.project.redaction import Secrets

Event = dict[str, Any]


async def test_a_run_carries_everything_that_even_old_servers_require() -> None:
    async with serving(*replies_with(run(*text("Hi")))) as server, talking_to(server.url) as talk:
        await talk.say("hello")
    sent = server.bodies[0]
    assert {key: value for key, value in sent.items() if key != "runId"} == {
        "threadId": "thread-1",
        "state": {},
        "messages": [{"id": "thread-1-u1", "role": "user", "content": "hello"}],
        "tools": [],
        "context": [],
        "forwardedProps": {},
    }
    assert server.headers[0]["accept"] == "text/event-stream"
    assert server.headers[0]["content-type"] == "application/json"


@pytest.mark.parametrize(
    ("agents", "cases", "sent"),
    [("mine-${N}", None, "mine-7"), ("mine", "its-${N}", "its-7"), (None, "its", "its"), (None, None, "thread-1")],
)
async def test_the_thread_id_is_the_cases_or_the_agents(agents: str | None, cases: str | None, sent: str) -> None:
    async with (
        serving(*replies_with(run(*text("Hi")))) as server,
        talking_to(server.url, thread_id=agents, case_thread_id=cases, variables={"N": "7"}) as talk,
    ):
        await talk.say("hello")
    assert server.bodies[0]["threadId"] == sent


async def test_the_whole_history_is_sent_with_the_servers_own_ids() -> None:
    weather = [*call("c1", "get_weather", '{"city": "Rome"}', '{"temp": 21}'), *text("Sunny.", "m9")]
    runs = replies_with(run(*weather), run(*text("You asked once.", "m10")))
    async with serving(*runs) as server, talking_to(server.url) as talk:
        await talk.say("weather?")
        await talk.say("how often did I ask?")
    first, second = server.bodies
    assert first["threadId"] == second["threadId"]
    assert first["runId"] != second["runId"]
    function = {"name": "get_weather", "arguments": '{"city": "Rome"}'}
    assert second["messages"] == [
        {"id": "thread-1-u1", "role": "user", "content": "weather?"},
        {
            "id": "c1",
            "role": "assistant",
            "content": "",
            "toolCalls": [{"id": "c1", "type": "function", "function": function}],
        },
        {"id": "c1-r", "role": "tool", "content": '{"temp": 21}', "toolCallId": "c1"},
        {"id": "m9", "role": "assistant", "content": "Sunny."},
        {"id": "thread-1-u2", "role": "user", "content": "how often did I ask?"},
    ]


async def test_a_calls_parent_message_and_its_text_are_one_message_of_the_history() -> None:
    started, *rest = call("c1", "get_weather", "{}", "sunny")
    told = [*text("Let me look.", "m1"), {**started, "parentMessageId": "m1"}, *rest]
    async with serving(*replies_with(run(*told), run())) as server, talking_to(server.url) as talk:
        await talk.say("weather?")
        await talk.say("and?")
    assistant = server.bodies[1]["messages"][1]
    assert (assistant["id"], assistant["content"]) == ("m1", "Let me look.")
    assert [made["id"] for made in assistant["toolCalls"]] == ["c1"]


async def test_what_was_said_before_the_first_line_is_sent_too() -> None:
    before = [Message(role="system", content="Be brief."), Message(role="assistant", content="Hi!", id="a7")]
    async with serving(*replies_with(run())) as server, talking_to(server.url, history=before) as talk:
        await talk.say("hello")
    ids = [(message["id"], message["role"]) for message in server.bodies[0]["messages"]]
    assert ids == [("thread-1-h1", "system"), ("a7", "assistant"), ("thread-1-u1", "user")]


async def test_history_comes_from_the_last_snapshot_with_its_ids() -> None:
    user = {"id": "thread-1-u1", "role": "user", "content": "weather?"}
    made = {"id": "c1", "type": "function", "function": {"name": "get_weather", "arguments": '{"city": "Rome"}'}}
    snapshot: Event = {
        "type": "MESSAGES_SNAPSHOT",
        "messages": [
            user,
            {"id": "s1", "role": "assistant", "toolCalls": [made]},
            {"id": "s2", "role": "tool", "toolCallId": "c1", "content": "21"},
            {"id": "s3", "role": "activity", "activityType": "plan", "content": {}},
            {"id": "s4", "role": "assistant", "content": "Sunny."},
        ],
    }
    streamed = [
        {"type": "TOOL_CALL_CHUNK", "toolCallId": "c1", "toolCallName": "get_weather", "delta": '{"city": "Rome"}'},
        {"type": "TEXT_MESSAGE_CHUNK", "messageId": "x1", "delta": "Sunny."},
        snapshot,
    ]
    async with serving(*replies_with(run(*streamed), run())) as server, talking_to(server.url) as talk:
        reply = await talk.say("weather?")
        await talk.say("and?")
    assert [(each.name, each.result) for each in reply.calls] == [("get_weather", "21")]
    assert [message["id"] for message in server.bodies[1]["messages"]] == [
        "thread-1-u1", "s1", "s2", "s4", "thread-1-u2",
    ]  # fmt: skip


async def test_a_whole_turn_that_stands_only_in_a_snapshot_is_seen() -> None:
    made = {"id": "c9", "type": "function", "function": {"name": "delete_order", "arguments": '{"id": 4}'}}
    earlier = {"id": "old", "role": "assistant", "content": "Earlier."}
    snapshot: Event = {
        "type": "MESSAGES_SNAPSHOT",
        "messages": [
            {"id": "f0", "role": "user", "content": "hello"},
            earlier,
            {"id": "f1", "role": "user", "content": "delete it"},
            {"id": "f2", "role": "assistant", "content": "Deleting.", "toolCalls": [made]},
            {"id": "f3", "role": "tool", "toolCallId": "c9", "content": "gone", "error": "too late"},
            {"id": "f4", "role": "assistant", "content": "Done."},
        ],
    }
    async with (
        serving(*replies_with(run(*text("Earlier.", "old")), run(snapshot))) as server,
        talking_to(server.url) as talk,
    ):
        await talk.say("hello")
        reply = await talk.say("delete it")
    assert [(each.name, each.args, each.result, each.error) for each in reply.calls] == [
        ("delete_order", {"id": 4}, "gone", "too late")
    ]
    assert (reply.text, reply.texts) == ("Done.", ("Deleting.", "Done."))


async def test_an_id_used_again_in_a_later_turn_is_another_call() -> None:
    first = run(*call("c1", "charge_card", '{"amount": 5}'))
    again = run(*call("c1", "charge_card", '{"amount": 5}', "paid"), *text("Paid."))
    async with serving(*replies_with(first, again, run())) as server, talking_to(server.url) as talk:
        await talk.say("pay")
        reply = await talk.say("go on")
        await talk.say("thanks")
    assert [(made.args, made.result) for made in reply.calls] == [({"amount": 5}, "paid")]
    first_call, second_call = [made for turn in talk.transcript.turns for made in turn.reply.calls]
    assert (first_call.result, second_call.result) == (UNSET, "paid")


async def test_arguments_that_cannot_be_read_are_told() -> None:
    async with (
        serving(*replies_with(run(*call("c1", "search", '{"q": tru')))) as server,
        talking_to(server.url) as talk,
    ):
        reply = await talk.say("search")
    assert reply.calls[0].args == '{"q": tru'
    assert reply.violations == ('the arguments of search are no JSON object: {"q": tru',)


async def test_a_later_call_under_a_used_up_id_is_a_call_of_its_own() -> None:
    """Some models reuse call ids in every turn: a second call with a known id must not be hidden."""
    runs = [run(*call("c1", "charge_card", f'{{"amount": {n}}}', "paid"), *text("Paid.", f"m{n}")) for n in (5, 7)]
    async with serving(*replies_with(*runs, run())) as server, talking_to(server.url) as talk:
        await talk.say("pay 5")
        reply = await talk.say("pay 7")
        await talk.say("thanks")
    assert [made.args for made in reply.calls] == [{"amount": 7}]
    roles = [message["role"] for message in server.bodies[2]["messages"]]
    assert roles == ["user", "assistant", "tool", "assistant", "user", "assistant", "tool", "assistant", "user"]


async def test_the_last_state_goes_back_with_the_next_run() -> None:
    told = [
        {"type": "STATE_SNAPSHOT", "snapshot": {"cart": []}},
        {"type": "STATE_DELTA", "delta": [{"op": "add", "path": "/cart/-", "value": "apple"}]},
    ]
    async with (
        serving(*replies_with(run(*told), run())) as server,
        talking_to(server.url, state={"cart": ["old"]}) as talk,
    ):
        reply = await talk.say("add an apple")
        await talk.say("thanks")
    assert [body["state"] for body in server.bodies] == [{"cart": ["old"]}, {"cart": ["apple"]}]
    assert reply.state == {"cart": ["apple"]}


async def test_a_state_that_is_only_ever_patched_is_told_too() -> None:
    told = {"type": "STATE_DELTA", "delta": [{"op": "replace", "path": "/n", "value": 2}]}
    async with serving(*replies_with(run(told))) as server, talking_to(server.url, state={"n": 1}) as talk:
        assert (await talk.say("go")).state == {"n": 2}


async def test_a_lines_metadata_travels_beside_the_configured_properties() -> None:
    options = CallOptions(metadata={"tier": "gold"})
    async with (
        serving(*replies_with(run())) as server,
        talking_to(server.url, forwarded_props={"lang": "en"}) as talk,
    ):
        await talk.say("hello", options=options)
    assert server.bodies[0]["forwardedProps"] == {"lang": "en", "metadata": {"tier": "gold"}}


async def test_the_turn_ends_with_the_agents_last_word_not_with_the_connection() -> None:
    let_go = asyncio.Event()
    async with serving(Reply([sse(*run(*text("ok"))), let_go])) as server, talking_to(server.url) as talk:
        saying = asyncio.create_task(talk.say("go"))
        heard_ms = await seen(talk, lambda reply: reply.text == "ok")
        await asyncio.sleep(0.05)  # the end of the connection is later than that
        assert not saying.done()
        let_go.set()
        reply = await saying
    assert reply.ended_ms is not None
    assert reply.ended_ms <= heard_ms + 1


async def test_an_event_after_the_end_is_a_breach() -> None:
    late = [*run(*text("ok")), {"type": "STEP_STARTED", "stepName": "late"}]
    async with serving(*replies_with(late)) as server, talking_to(server.url) as talk:
        assert (await talk.say("go")).violations == ("STEP_STARTED after RUN_FINISHED",)


async def test_a_patch_that_does_not_apply_is_a_breach_and_changes_nothing() -> None:
    told = {"type": "STATE_DELTA", "delta": [{"op": "remove", "path": "/nowhere"}]}
    async with serving(*replies_with(run(told, *text("ok")))) as server, talking_to(server.url, state={"n": 1}) as talk:
        reply = await talk.say("go")
    assert reply.status is ExchangeStatus.SUCCESS
    assert "STATE_DELTA does not apply" in reply.violations[0]


async def test_headers_and_address_take_variables_and_become_secrets() -> None:
    secrets = Secrets()
    async with (
        serving(*replies_with(run())) as server,
        talking_to(
            server.url.replace("/agent", "/${PATH_PART}"),
            headers={"Authorization": "Bearer ${TOKEN}"},
            forwarded_props={"user": "${USER_ID}"},
            context=[{"description": "who", "value": "${USER_ID}"}],
            variables={"TOKEN": "tok-123456", "PATH_PART": "agent", "USER_ID": "u1"},
            secrets=secrets,
        ) as talk,
    ):
        await talk.say("hello")
    assert server.headers[0]["authorization"] == "Bearer tok-123456"
    assert server.bodies[0]["forwardedProps"] == {"user": "u1"}
    assert server.bodies[0]["context"] == [{"description": "who", "value": "u1"}]
    assert secrets.mask("it was tok-123456") == "it was ***"


async def test_an_undefined_variable_is_the_users_to_know() -> None:
    with pytest.raises(UsageError, match=r"agent 'shop': undefined variable \$\{TOKEN\}"):
        async with talking_to("http://127.0.0.1:9/", headers={"X": "${TOKEN}"}):
            pass


@pytest.mark.parametrize(
    ("config", "problem"),
    [
        ({"idle_timeout": "soon"}, "idle_timeout: bad duration 'soon'"),
        ({"tools": [{"nme": "x"}]}, "needs a `name`"),
    ],
)
async def test_a_wrong_configuration_is_found_before_anything_is_sent(config: dict[str, Any], problem: str) -> None:
    with pytest.raises(UsageError, match=problem):
        async with talking_to("http://127.0.0.1:9/", **config):
            pass


async def test_an_address_that_is_none_is_refused() -> None:
    with pytest.raises(UsageError, match="not an address: 'localhost:8000'"):
        async with talking_to("localhost:8000"):
            pass


async def test_copilotkits_envelope_wraps_every_run() -> None:
    async with (
        serving(*replies_with(run(*text("Hi")))) as server,
        talking_to(server.url, envelope="copilotkit", options={"agentId": "sales"}) as talk,
    ):
        await talk.say("hello")
    sent = server.bodies[0]
    assert (sent["method"], sent["params"]) == ("agent/run", {"agentId": "sales"})
    assert sent["body"]["messages"][0]["content"] == "hello"


async def test_attachments_become_parts_with_a_source() -> None:
    content = [
        {"type": "text", "text": "what is this?"},
        {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}},
        {"type": "image_url", "image_url": {"url": "https://x.test/a.png"}},
        {"type": "input_audio", "input_audio": {"data": "BBBB", "format": "mp3"}},
        {"type": "file", "file": {"filename": "a.pdf", "file_data": "data:application/pdf;base64,CCCC"}},
    ]
    async with serving(*replies_with(run())) as server, talking_to(server.url) as talk:
        await talk.say(content)  # type: ignore[arg-type]
    assert server.bodies[0]["messages"][0]["content"] == [
        {"type": "text", "text": "what is this?"},
        {"type": "image", "source": {"type": "data", "value": "AAAA", "mimeType": "image/png"}},
        {"type": "image", "source": {"type": "url", "value": "https://x.test/a.png"}},
        {"type": "audio", "source": {"type": "data", "value": "BBBB", "mimeType": "audio/mp3"}},
        {
            "type": "document",
            "source": {"type": "data", "value": "CCCC", "mimeType": "application/pdf"},
            "metadata": {"filename": "a.pdf"},
        },
    ]


async def test_what_a_provider_wants_back_is_sent_back() -> None:
    sealed = {"type": "REASONING_ENCRYPTED_VALUE", "subtype": "message", "entityId": "m1", "encryptedValue": "xyz"}
    async with serving(*replies_with(run(*text("Hi", "m1"), sealed), run())) as server, talking_to(server.url) as talk:
        await talk.say("hello")
        await talk.say("again")
    assert server.bodies[1]["messages"][1] == {
        "id": "m1", "role": "assistant", "content": "Hi", "encryptedValue": "xyz",
    }  # fmt: skip


async def seen(talk: Talk, what: Callable[[AgentReply], object]) -> float:
    """Waits until this is seen of the running turn. Returns the time of now in milliseconds."""
    async with asyncio.timeout(60):
        while not what(talk.session.so_far()):
            await asyncio.sleep(0.01)
    return time.time() * 1000


async def test_times_are_arrival_times_whatever_the_server_claims() -> None:
    started, args, ended, result = ({**event, "timestamp": 17} for event in call("c1", "slow", "{}", "done"))
    go_on = asyncio.Event()
    pieces = [sse(run()[0], started, args), go_on, sse(ended), sse(result, run()[-1])]
    async with serving(Reply(pieces)) as server, talking_to(server.url) as talk:
        before_ms = time.time() * 1000
        saying = asyncio.create_task(talk.say("go"))
        began_ms = await seen(talk, lambda reply: reply.calls)
        go_on.set()
        [made] = (await saying).calls
    assert made.started_ms is not None
    assert made.completed_ms is not None
    assert before_ms - 1 <= made.started_ms <= began_ms + 1
    assert began_ms - 1 <= made.completed_ms <= time.time() * 1000 + 1


async def test_a_call_without_result_is_dated_by_its_end() -> None:
    started, args, ended = call("c1", "slow")
    go_on, finish = asyncio.Event(), asyncio.Event()
    pieces = [sse(run()[0], started, args), go_on, sse(ended), finish, sse(run()[-1])]
    async with serving(Reply(pieces)) as server, talking_to(server.url) as talk:
        saying = asyncio.create_task(talk.say("go"))
        began_ms = await seen(talk, lambda reply: reply.calls)
        go_on.set()
        ended_ms = await seen(talk, lambda reply: reply.calls[0].completed_ms is not None)
        await asyncio.sleep(0.05)  # the end of the turn is later than that
        finish.set()
        [made] = (await saying).calls
    assert made.completed_ms is not None
    assert began_ms - 1 <= made.completed_ms <= ended_ms + 1


async def test_reasoning_steps_subagents_and_custom_events_are_kept_and_raw_is_not() -> None:
    told: list[Event] = [
        {"type": "RAW", "event": {"huge": 1}},
        {"type": "STEP_STARTED", "stepName": "plan"},
        {"type": "REASONING_MESSAGE_START", "messageId": "r1"},
        {"type": "REASONING_MESSAGE_CONTENT", "messageId": "r1", "delta": "I "},
        {"type": "REASONING_MESSAGE_CONTENT", "messageId": "r1", "delta": "think."},
        {"type": "STEP_FINISHED", "stepName": "plan"},
        {"type": "SUBAGENT_STARTED", "subagentRunId": "s1", "name": "helper", "timestamp": 5},
        {"type": "SUBAGENT_FINISHED", "subagentRunId": "s1"},
        {"type": "CUSTOM", "name": "progress", "value": 50},
        {"type": "SPARKLE", "strength": 3},
    ]
    async with serving(*replies_with(run(*told, *text("ok")))) as server, talking_to(server.url) as talk:
        reply = await talk.say("go")
    assert [shown["type"] for shown in reply.trace] == [
        "STEP_STARTED", "REASONING", "STEP_FINISHED", "SUBAGENT_STARTED", "SUBAGENT_FINISHED", "CUSTOM", "SPARKLE",
    ]  # fmt: skip
    assert reply.trace[1]["text"] == "I think."
    assert reply.trace[3]["name"] == "helper"
    assert "timestamp" not in reply.trace[3]
    assert reply.violations == ()


async def test_usage_is_summed_over_models() -> None:
    *events, finished = run(*text("ok"))
    finished["usage"] = [{"inputTokens": 3, "outputTokens": 4}, {"inputTokens": 10}]
    async with serving(*replies_with([*events, finished])) as server, talking_to(server.url) as talk:
        assert (await talk.say("go")).usage == Usage(13, 4)


@pytest.mark.parametrize(
    ("told", "final", "all_texts"),
    [
        ([*text("Let me look.", "m1"), *text("", "m2"), *text("Sunny.", "m3"), *text(" ", "m4")], "Sunny.", 2),
        ([*text("Looking. ", "m1"), *text("Sunny.", "m1")], "Sunny.", 2),
        ([*text("You are a bot.", "m1", role="system"), *text("Hi.", "m2")], "Hi.", 1),
        (
            [
                {"type": "TEXT_MESSAGE_START", "messageId": "late"},
                {"type": "TEXT_MESSAGE_CONTENT", "messageId": "late", "delta": "Preamble"},
                *text("Final.", "m2"),
                {"type": "TEXT_MESSAGE_CONTENT", "messageId": "late", "delta": "."},
                {"type": "TEXT_MESSAGE_END", "messageId": "late"},
            ],
            "Final.",
            2,
        ),
        (
            [
                {"type": "TEXT_MESSAGE_CHUNK", "messageId": "m1", "delta": "One"},
                {"type": "RAW", "event": {}},
                {"type": "TEXT_MESSAGE_CHUNK", "delta": " two"},
                {"type": "TEXT_MESSAGE_CHUNK", "messageId": "m2", "delta": "Three"},
            ],
            "Three",
            2,
        ),
        (
            [
                {"type": "TEXT_MESSAGE_CHUNK", "messageId": "m1", "delta": "Looking."},
                {"type": "TOOL_CALL_CHUNK", "toolCallId": "c1", "toolCallName": "look", "delta": "{}"},
                {"type": "TEXT_MESSAGE_CHUNK", "messageId": "m1", "delta": "Sunny."},
            ],
            "Sunny.",
            2,
        ),
    ],
)
async def test_the_final_text_is_the_last_one_begun_that_says_anything(
    told: list[Event], final: str, all_texts: int
) -> None:
    async with serving(*replies_with(run(*told))) as server, talking_to(server.url) as talk:
        reply = await talk.say("go")
    assert reply.text == final
    assert len(reply.texts or (reply.text,)) == all_texts
