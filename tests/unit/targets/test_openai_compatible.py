import re

import pytest
from tests.contract import target_contract
from tests.fakes.openai_server import OpenAiServer, Recorded, Reply
from tests.fakes.surroundings import surroundings_at

from vivavoce.errors import CallFailed, UsageError
from vivavoce.model.case import CallOptions, FrontendTool, Identity
from vivavoce.model.message import AgentReply, ToolCall
from vivavoce.model.transcript import Line, Transcript, Turn
from vivavoce.project.settings import Config
from vivavoce.protocols import CallContext, TargetSpec
from vivavoce.targets.openai_compatible import OpenAiCompatibleTarget


@pytest.fixture
async def around(tmp_path):
    async with surroundings_at(tmp_path, Config(variables={"TENANT": "from-config"})) as lent:
        yield lent


def target_at(server: OpenAiServer, around, **config) -> OpenAiCompatibleTarget:
    return OpenAiCompatibleTarget(
        TargetSpec(id="shop", kind="openai", config={"openai": f"{server.url}/v1?model=m1", **config}), around
    )


async def send(target: OpenAiCompatibleTarget, text: str = "hello", options=None, **context) -> AgentReply:
    session = await target.open(CallContext(session_id="s1", case_id="T1", **context))
    return await session.send(Line(content=text, options=options or CallOptions()), Transcript())


# ── the contract ──


def behaving(behaviour: str, server: OpenAiServer):
    def decide(body: dict) -> Reply:
        sent: Recorded = server.requests[-1]
        headers = sent.headers
        match behaviour:
            case "echo":
                return Reply(f"you said: {body['messages'][-1]['content']}")
            case "count":
                return Reply(str(len(body["messages"])))
            case "whoami":
                team, locale = headers["X-Viva-Team"], headers["Accept-Language"]
                return Reply(f"{body['user']} {team} {locale} {body['metadata']['colour']}")
            case "hang":
                return Reply("too late", delay_s=60)
            case _:
                return Reply(status=500, body={"error": "broken"})

    return decide


@pytest.mark.parametrize("promise", target_contract.PROMISES)
async def test_it_keeps_the_promises_of_a_target(promise, around):
    server = OpenAiServer(lambda body: behaving(chosen[0], server)(body))
    chosen = [""]

    def make(behaviour: str) -> OpenAiCompatibleTarget:
        chosen[0] = behaviour
        return target_at(server, around)

    async with server:
        await promise(make)


async def test_its_card_tells_what_it_is(around):
    async with OpenAiServer() as server:
        await target_contract.its_card_tells_what_it_is(lambda _: target_at(server, around), "openai")
        card = target_at(server, around, description="sells things").card
        assert (card.description, card.connector, card.where) == ("sells things", "m1", f"{server.url}/v1")


# ── its own ──


async def test_a_file_is_found_by_servers_of_either_habit(around):
    pdf = "data:application/pdf;base64,BBBB"
    parts = [{"type": "text", "text": "see"}, {"type": "file", "file": {"url": pdf, "filename": "a.pdf"}}]
    async with OpenAiServer() as server:
        session = await target_at(server, around).open(CallContext(session_id="s1", case_id="T1"))
        await session.send(Line(content=parts), Transcript())
    assert server.bodies[0]["messages"][0]["content"] == [
        {"type": "text", "text": "see"},
        {"type": "file", "file": {"url": pdf, "file_data": pdf, "filename": "a.pdf"}},
    ]


async def test_options_of_the_configuration_reach_the_endpoint(around, monkeypatch):
    monkeypatch.setenv("VIVA_TEST_KEY", "sk-secret-7")
    async with OpenAiServer() as server:
        target = target_at(
            server,
            around,
            key="${ENV.VIVA_TEST_KEY}",
            headers={"X-Tenant": "${TENANT}"},
            options={"temperature": 0, "tools": [{"type": "function"}]},
        )
        await send(target)
    sent = server.requests[0]
    assert sent.path == "/v1/chat/completions"
    assert (sent.body["model"], sent.body["temperature"], sent.body["tools"]) == ("m1", 0, [{"type": "function"}])
    assert (sent.headers["Authorization"], sent.headers["X-Tenant"]) == ("Bearer sk-secret-7", "from-config")


async def test_variables_of_a_hook_count_for_their_own_conversation_only(around):
    async with OpenAiServer() as server:
        target = target_at(server, around, headers={"X-Tenant": "${TENANT}"})
        await send(target, variables={"TENANT": "from-hook"})
        await send(target)
    assert [sent.headers["X-Tenant"] for sent in server.requests] == ["from-hook", "from-config"]


async def test_an_undefined_variable_is_a_usage_error_that_names_it(around):
    async with OpenAiServer() as server:
        with pytest.raises(UsageError, match=re.escape("undefined variable ${NOBODY}")):
            await send(target_at(server, around, headers={"X": "${NOBODY}"}))


async def test_who_calls_and_with_what_options_reaches_the_endpoint(around):
    options = CallOptions(mode="chat", search=False, skip={"history": True}, connector="x", metadata={"a": {"b": 1}})
    async with OpenAiServer() as server:
        who = Identity(user_id="Zoë\n", referer="agent-test")
        await send(target_at(server, around, yao=True), options=options, identity=who)
        await send(target_at(server, around), options=options, connector="flag")
    first, second = server.requests
    assert first.body["metadata"] == {"a": {"b": 1}}
    assert first.body["user"] == "Zoë\n"
    assert first.headers["X-Viva-User"] == "Zo%C3%AB%0A"
    assert first.headers["X-Viva-Mode"] == "chat"
    assert first.headers["X-Viva-Options"] == '{"search":false,"skip":{"history":true}}'
    assert (first.headers["X-Yao-Chat"], first.headers["X-Yao-Referer"]) == ("s1", "agent-test")
    assert not [name for name in second.headers if name.startswith("X-Yao")]
    assert (first.headers["X-Viva-Connector"], second.headers["X-Viva-Connector"]) == ("x", "flag")


async def test_a_call_without_metadata_sends_none(around):
    async with OpenAiServer() as server:
        await send(target_at(server, around))
    assert "metadata" not in server.bodies[0]


@pytest.mark.parametrize("stream", [False, True])
async def test_tools_the_endpoint_wants_are_recorded_not_run(around, stream):
    usage = {"prompt_tokens": 1, "completion_tokens": 2}
    async with OpenAiServer(Reply(calls=[("pay", {"amount": 3})], usage=usage)) as server:
        reply = await send(target_at(server, around, stream=stream))
    (call,) = reply.calls
    assert (call.name, call.args, bool(call.result)) == ("pay", {"amount": 3}, False)
    assert reply.finish_reason == "tool_calls"
    assert reply.usage is not None
    assert reply.usage.output_tokens == 2


async def test_a_declaration_of_waiting_and_structured_data_are_passed_on(around):
    waiting = {"awaiting_input": False, "input_hint": "none", "reasoning_content": "hmm"}
    async with OpenAiServer(Reply('{"n": 1}', extra=waiting)) as server:
        reply = await send(target_at(server, around, options={"response_format": {"type": "json_object"}}))
    assert (reply.awaiting, reply.input_hint, reply.output) == (False, "none", {"n": 1})
    assert reply.trace == ({"type": "reasoning", "text": "hmm"},)


async def test_cancelling_hangs_up_on_the_server(around):
    async with OpenAiServer(Reply(delay_s=60)) as server:
        await target_contract.a_hanging_agent_can_be_cancelled(lambda _: target_at(server, around))
        assert len(server.requests) == 1


async def test_an_agent_without_an_address_is_a_usage_error(around):
    with pytest.raises(UsageError, match="no address"):
        OpenAiCompatibleTarget(TargetSpec(id="x", kind="openai"), around)


async def test_a_call_nobody_answered_is_not_sent_back_with_an_invented_result(around):
    called = AgentReply(
        text="one moment", calls=(ToolCall(id="c1", name="look"), ToolCall(id="c2", name="pay", result=3))
    )
    turn = Turn(number=1, line=Line(content="hi"), reply=called)
    async with OpenAiServer() as server:
        session = await target_at(server, around).open(CallContext(session_id="s1"))
        await session.send(Line(content="and?"), Transcript(turns=(turn,)))
    sent = server.requests[0].body["messages"]
    assert [message["role"] for message in sent] == ["user", "assistant", "tool", "assistant", "user"]
    assert [call["id"] for call in sent[1]["tool_calls"]] == ["c2"]


async def test_tools_that_would_never_be_sent_are_refused(around):
    async with OpenAiServer() as server:
        target = target_at(server, around)
        with pytest.raises(CallFailed, match="front-end tools would never be sent"):
            await target.open(CallContext(session_id="s1", frontend_tools=(FrontendTool(name="x"),)))


@pytest.mark.parametrize(
    "said",
    [
        '<tool_call>{"name": "f"}</tool_call>',
        '{"tool_calls": [1]}',
        "[TOOL_CALLS] f",
        '{"name": "delete_order", "arguments": {"order": 1}}',
        'Sure:\n```json\n{"name": "delete_order", "parameters": {}}\n```',
        '[{"name": "delete_order", "arguments": {}}]',
    ],
)
@pytest.mark.parametrize("stream", [False, True])
async def test_a_call_left_in_the_text_is_unread(around, said, stream):
    async with OpenAiServer(Reply(text=said)) as server:
        reply = await send(target_at(server, around, stream=stream))
    assert [piece.may_hold for piece in reply.unread] == ["call"]
