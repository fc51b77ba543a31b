"""Endpoints of models with tools that viva answers, over all three wires."""

import json

import pytest
from tests.fakes.openai_server import OpenAiServer, Reply
from tests.fakes.surroundings import surroundings_at, write_files

from vivavoce.errors import CallFailed, UsageError
from vivavoce.model.message import AgentReply
from vivavoce.model.transcript import Line, Transcript, Turn
from vivavoce.protocols import CallContext, TargetSpec
from vivavoce.targets.openai_compatible import OpenAiCompatibleTarget
from vivavoce.targets.openai_kind import OPENAI

CODE = '''
def refund(order: int, ctx) -> dict:
    """Pays an order back.

    Args:
        order: its number
    """
    if order == 0:
        raise ValueError("no such order")
    return {"order": order, "who": ctx.identity.user_id}
'''
REFUND = ("refund", {"order": 7})


@pytest.fixture
async def around(tmp_path):
    write_files(tmp_path, {"tools.py": CODE})
    async with surroundings_at(tmp_path) as lent:
        yield lent


def target_at(server: OpenAiServer, around, kind="openai", **config) -> OpenAiCompatibleTarget:
    config = {kind: f"{server.url}/v1?model=m1", **config}
    return OpenAiCompatibleTarget(TargetSpec(id="shop", kind=kind, config=config), around)


async def talk(target: OpenAiCompatibleTarget, *texts: str) -> list[AgentReply]:
    session = await target.open(CallContext(session_id="s1", case_id="T1"))
    transcript = Transcript()
    for number, text in enumerate(texts, 1):
        line = Line(content=text)
        transcript = transcript.plus(Turn(number=number, line=line, reply=await session.send(line, transcript)))
    await target.close()
    return [turn.reply for turn in transcript.turns]


async def test_a_python_function_is_offered_run_and_its_result_goes_back(around):
    async with OpenAiServer(Reply("One moment.", [REFUND]), Reply("Done."), Reply("Bye.")) as server:
        first, _ = await talk(target_at(server, around, tools=["python:tools.py:refund"]), "refund 7", "bye")
    (call,) = first.calls
    assert (call.name, call.args, call.result) == ("refund", {"order": 7}, {"order": 7, "who": "test-user"})
    assert (first.text, first.texts) == ("Done.", ("One moment.", "Done."))
    offered = server.bodies[0]["tools"][0]["function"]
    assert (offered["name"], offered["description"]) == ("refund", "Pays an order back.")
    assert offered["parameters"]["properties"]["order"] == {"type": "integer", "description": "its number"}
    # The next turn shows the model what it did, word for word.
    assert [message["role"] for message in server.bodies[2]["messages"]] == [
        *("user", "assistant", "tool", "assistant", "user"),
    ]


@pytest.mark.parametrize("stream", [True, False])
async def test_nothing_is_invented_on_the_wire(stream, around):
    async with OpenAiServer(Reply(calls=[REFUND]), Reply("Done.")) as server:
        tools = [{"name": "refund", "answer": {"ok": True}}]
        await talk(target_at(server, around, tools=tools, stream=stream, headers={"X-Mine": "1"}), "hi")
    sent = server.requests[1]
    ours = {"Host", "Accept", "Accept-Encoding", "User-Agent", "Content-Length", "Content-Type", "X-Mine"}
    assert set(sent.headers) == ours
    assert set(sent.body) - {"stream_options"} == {"model", "stream", "messages", "tools"}
    assert [message["role"] for message in sent.body["messages"]] == ["user", "assistant", "tool"]
    assert json.loads(sent.body["messages"][2]["content"]) == {"ok": True}


async def test_stub_answers_are_chosen_by_arguments_and_used_up_per_conversation(around):
    stub = {
        "name": "refund",
        "answers": ["first"],
        "when": [{"args": {"order": "^0$"}, "error": "no such order"}],
        "answer": "later",
    }
    zero = ("refund", {"order": 0})
    async with OpenAiServer(Reply(calls=[zero, REFUND]), Reply(calls=[REFUND]), Reply("ok")) as server:
        (reply,) = await talk(target_at(server, around, tools=[stub]), "go")
    assert [(call.result if call.error is None else call.error) for call in reply.calls] == [
        "no such order",
        "first",
        "later",
    ]


async def test_a_call_that_no_stub_answers_is_the_tests_fault(around):
    stub = {"name": "refund", "when": [{"args": {"order": "^0$"}, "answer": 1}]}
    async with OpenAiServer(Reply(calls=[REFUND])) as server:
        with pytest.raises(CallFailed, match="none of its stub answers fits") as failed:
            await talk(target_at(server, around, tools=[stub]), "go")
    assert failed.value.fault == "test"


async def test_a_tool_without_an_answer_is_recorded_and_never_answered(around):
    async with OpenAiServer(Reply("Wait.", [REFUND]), Reply("ok")) as server:
        first, _ = await talk(target_at(server, around, tools=[{"name": "refund"}]), "go", "and now?")
    assert [call.is_answered for call in first.calls] == [False]
    assert [message["role"] for message in server.bodies[1]["messages"]] == ["user", "assistant", "user"]


async def test_a_function_that_raises_and_a_tool_nobody_offered_are_told_to_the_model(around):
    asked = [("refund", {"order": 0}), ("wipe", {})]
    async with OpenAiServer(Reply(calls=asked), Reply("Sorry.")) as server:
        (reply,) = await talk(target_at(server, around, tools=[{"python": "tools.py:refund"}]), "go")
    assert "no such order" in (reply.calls[0].error or "")
    assert "unknown tool 'wipe'" in (reply.calls[1].error or "")


async def test_a_loop_without_end_is_an_error_that_names_the_limit_and_keeps_the_calls(around):
    async with OpenAiServer(Reply(calls=[REFUND])) as server:
        target = target_at(server, around, tools=[{"name": "refund", "answer": 1}])
        session = await target.open(CallContext(session_id="s", case_id="T"))
        with pytest.raises(CallFailed, match="20 model calls, 20 tool calls"):
            await session.send(Line(content="go"), Transcript())
        assert len(session.so_far().calls) == 20


async def test_anthropic_messages_with_tools(around):
    use = {"type": "tool_use", "id": "tu1", "name": "refund", "input": {"order": 7}}
    first = {"type": "message", "content": [{"type": "text", "text": "Hm."}, use], "stop_reason": "tool_use"}
    search = {"type": "server_tool_use", "id": "s1", "name": "web_search", "input": {"query": "x"}}
    found = {"type": "web_search_tool_result", "tool_use_id": "s1", "content": [{"title": "X"}]}
    said = {"type": "text", "text": "Done."}
    last = {"type": "message", "content": [search, found, said], "usage": {"input_tokens": 2, "output_tokens": 1}}
    async with OpenAiServer(Reply(body=first), Reply(body=last)) as server:
        target = target_at(server, around, "anthropic", tools=[{"name": "refund", "answer": "paid"}], key="sk-654321")
        (reply,) = await talk(target, "go")
    assert [(call.name, call.result) for call in reply.calls] == [("refund", "paid"), ("web_search", [{"title": "X"}])]
    assert (reply.text, reply.usage is not None, reply.unread) == ("Done.", True, ())
    sent = server.requests[1]
    assert (sent.path, sent.headers["x-api-key"], "X-Viva-User" in sent.headers) == ("/v1/messages", "sk-654321", False)
    assert sent.body["messages"][2]["content"][0]["type"] == "tool_result"
    assert set(sent.body) == {"model", "max_tokens", "stream", "messages", "tools"}


async def test_anthropic_is_told_that_a_tool_failed(around):
    wanted = [(0, "tu1"), (7, "tu2")]
    uses = [{"type": "tool_use", "id": key, "name": "refund", "input": {"order": order}} for order, key in wanted]
    said = {"type": "message", "content": [{"type": "text", "text": "Sorry."}]}
    stub = {"name": "refund", "when": [{"args": {"order": "^0$"}, "error": "no such order"}], "answer": "paid"}
    answers = (Reply(body={"type": "message", "content": uses}), Reply(body=said), Reply(body=said))
    async with OpenAiServer(*answers) as server:
        await talk(target_at(server, around, "anthropic", tools=[stub]), "go", "and again")
    for body in server.bodies[1:]:
        failed, paid = body["messages"][2]["content"][:2]
        assert (failed["content"][0]["text"], failed["is_error"]) == ("no such order", True)
        assert (paid["content"][0]["text"], "is_error" in paid) == ("paid", False)


async def test_a_failed_tool_adds_no_field_to_the_openai_wire(around):
    stub = {"name": "refund", "error": "no such order"}
    async with OpenAiServer(Reply(calls=[REFUND]), Reply("Sorry.")) as server:
        await talk(target_at(server, around, tools=[stub]), "go")
    told = server.bodies[1]["messages"][2]
    assert told == {"role": "tool", "tool_call_id": told["tool_call_id"], "content": "no such order"}


async def test_the_responses_api_with_tools(around):
    call = {"type": "function_call", "call_id": "c1", "name": "refund", "arguments": '{"order": 7}'}
    said = {"type": "message", "content": [{"type": "output_text", "text": "Done."}]}
    async with OpenAiServer(Reply(body={"output": [call]}), Reply(body={"output": [said]})) as server:
        (reply,) = await talk(target_at(server, around, "openai-responses", tools=["tools.py:refund"]), "go")
    assert (reply.text, [call.args for call in reply.calls]) == ("Done.", [{"order": 7}])
    assert server.bodies[1]["input"][-1]["type"] == "function_call_output"


@pytest.mark.parametrize(
    ("url", "path"),
    [
        ("/openai/deployments/gpt?api-version=2024-10-21", "/openai/deployments/gpt/chat/completions"),
        ("/openai/deployments/gpt/chat/completions?api-version=2024-10-21", "/openai/deployments/gpt/chat/completions"),
    ],
)
async def test_azure_addresses(url, path, around):
    async with OpenAiServer(Reply("hi")) as server:
        config = {"openai": server.url + url, "key": "azure-key-1", "plain": True}
        target = OpenAiCompatibleTarget(TargetSpec(id="az", kind="openai", config=config), around)
        await talk(target, "hi")
    (sent,) = server.requests
    assert sent.path == f"{path}?api-version=2024-10-21"
    assert (sent.headers["api-key"], "Authorization" in sent.headers) == ("azure-key-1", False)
    assert set(sent.body) == {"stream", "messages"}


def test_plain_in_an_address_is_the_agents_field():
    assert OPENAI.read_reference is not None
    fields = OPENAI.read_reference("http://host/v1?model=m&plain=true&temperature=0")
    assert fields == {"openai": "http://host/v1", "model": "m", "options": {"temperature": 0}, "plain": True}


@pytest.mark.parametrize(
    ("tools", "what"),
    [
        ([{"nme": "x"}], "tool 1: needs a `name`"),
        (["tools.py:refund", {"name": "x", "anser": 1}], "tool 'x': unknown field `anser`"),
        ([{"python": "tools.py:refund", "answer": 1}], "tool 1: unknown field 'answer'"),
        (["tools.py:refnd"], "refnd"),
        (["tools.py:refund", {"name": "refund"}], "declared twice"),
    ],
)
def test_tools_that_cannot_work_are_refused(tools, what, around):
    with pytest.raises(UsageError, match=what):
        target_at(OpenAiServer(), around, openai="http://x", tools=tools)


def test_tools_are_written_in_one_place_only(around):
    with pytest.raises(UsageError, match=r"both `tools` and `options\.tools`"):
        target_at(OpenAiServer(), around, openai="http://x", tools=[{"name": "x"}], options={"tools": []})
