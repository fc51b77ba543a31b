"""MCP servers as agents under test: real servers over stdio and HTTP, and one that breaks its promises."""

import pytest
from tests.fakes.mcp_exam_server import COMMAND, LIAR
from tests.fakes.mcp_server import http_server
from tests.fakes.surroundings import surroundings_at

from vivavoce.errors import CallFailed, UsageError
from vivavoce.model.message import AgentReply
from vivavoce.model.server_request import content_of_request
from vivavoce.model.transcript import Line, Transcript
from vivavoce.protocols import CallContext, TargetSpec
from vivavoce.targets.mcp.target import McpTarget, wanted_request

pytestmark = pytest.mark.process


@pytest.fixture
async def around(tmp_path):
    async with surroundings_at(tmp_path) as lent:
        yield lent


async def ask(around, *requests, judged: bool = True, **server) -> list[AgentReply]:
    target = McpTarget(TargetSpec(id="shop", kind="mcp", config={"mcp": server or {"cmd": COMMAND}}), around)
    session = await target.open(CallContext(session_id="s", case_id="T", judged=judged))
    try:
        lines = [Line(content=r if isinstance(r, str) else content_of_request(r)) for r in requests]
        return [await session.send(line, Transcript()) for line in lines]
    finally:
        await target.close()
        await target.close()


async def test_calls_are_answered_and_seen_as_tool_calls(around):
    replies = await ask(
        around,
        {"call": "add", "args": {"a": 2, "b": 3}},
        {"call": "order", "args": {"item": "tea"}},
        '{"call": "order", "args": {"item": "tea"}}',
    )
    assert [reply.output for reply in replies] == [5, {"item": "tea", "count": 1}, {"item": "tea", "count": 2}]
    (call,) = replies[0].calls
    assert (call.name, call.args, call.result, call.error) == ("add", {"a": 2, "b": 3}, 5, None)
    assert call.started_ms is not None
    assert all(reply.violations == () and reply.shows_calls for reply in replies)


async def test_errors_are_errors(around):
    failed, refused, bad = await ask(
        around, {"call": "explode"}, {"call": "nothing"}, {"call": "add", "args": {"a": "many"}}
    )
    assert "boom" in failed.text or "explode" in failed.text
    for reply in (failed, refused, bad):
        (call,) = reply.calls
        assert (call.error, reply.violations) == (reply.text, ())


async def test_an_error_that_nothing_judges_is_a_breach(around):
    (reply,) = await ask(around, {"call": "explode"}, judged=False)
    assert "the server answered with an error" in reply.violations[0]


async def test_lists_resources_and_prompts(around):
    tools, resources, read, prompt = await ask(
        around,
        {"list": "tools"},
        {"list": "resources"},
        {"read": "shop://hours"},
        {"prompt": "greet", "args": {"name": "Ann"}},
    )
    assert [tool["name"] for tool in tools.output] == ["add", "order", "explode", "die"]
    assert tools.violations == ()
    assert resources.output[0]["uri"] == "shop://hours"
    assert read.output == {"monday": "9-17"}
    assert prompt.text == "Say hello to Ann."
    assert prompt.output["messages"][0]["role"] == "user"


async def test_a_resource_that_is_not_there_is_an_error(around):
    (reply,) = await ask(around, {"read": "shop://nowhere"}, judged=False)
    assert reply.text
    assert reply.violations


@pytest.mark.parametrize(
    ("request_", "what"),
    [
        ({"call": "count", "args": {"n": 1}}, "the result of count does not fit its schema: $.n: 'many'"),
        ({"call": "count", "args": {}}, "count took arguments that its schema refuses"),
        ({"call": "silent"}, "returned no structured content"),
        ({"call": "traced"}, "did not call it an error"),
        ({"call": "nobody"}, "is not among the server's tools, and calling it was no error"),
        ({"call": "broken"}, "the schema of the arguments of broken: bad JSON schema"),
        ({"list": "tools"}, "the schema of the arguments of broken: bad JSON schema"),
    ],
)
async def test_broken_promises_are_found_without_any_assertion(request_, what, around):
    (reply,) = await ask(around, request_, cmd=LIAR)
    assert what in " ".join(reply.violations)


async def test_what_the_sdk_drops_is_kept_for_negative_checks(around):
    (reply,) = await ask(around, {"call": "silent"}, cmd=LIAR)
    assert reply.text == "done"
    assert reply.texts == ("from the cache\ndelete_order", "done")


async def test_a_server_over_http(around):
    async with http_server() as (url, seen):
        (reply,) = await ask(around, {"call": "add", "args": {"a": 1, "b": 1}}, url=url, headers={"X-Who": "me-myself"})
    assert reply.output == 2
    assert seen[0]["x-who"] == "me-myself"


async def test_a_server_that_dies_or_never_starts_is_the_targets_fault_with_its_last_words(around):
    with pytest.raises(CallFailed, match=r"did not answer(.|\n)*out of memory") as failed:
        await ask(around, {"call": "die"})
    assert failed.value.fault == "target"
    with pytest.raises(CallFailed, match="did not start"):
        await ask(around, {"list": "tools"}, cmd=["/no/such/program"])


async def test_an_answer_that_the_protocol_does_not_allow_is_called_so(around):
    with pytest.raises(CallFailed, match="sent an answer that MCP does not allow") as failed:
        await ask(around, {"list": "resources"}, cmd=LIAR)
    assert failed.value.fault == "target"


@pytest.mark.parametrize("content", ["hello", '{"call": 3}', '{"call": "x", "read": "y"}', "[]"])
def test_words_and_bad_requests_are_the_tests_fault(content):
    with pytest.raises(CallFailed) as failed:
        wanted_request(content)
    assert failed.value.fault == "test"


@pytest.mark.parametrize("server", [{}, {"cmd": ["x"], "url": "http://x"}])
def test_a_server_has_a_command_or_an_address(server, around):
    with pytest.raises(UsageError, match="either a `cmd` or a `url`"):
        McpTarget(TargetSpec(id="shop", kind="mcp", config={"mcp": server}), around)


async def test_a_misspelt_tool_is_a_warning_with_the_right_name(around):
    misspelt, unlike = await ask(around, {"call": "ordr", "args": {"item": "tea"}}, {"call": "nothing-like-it"})
    assert misspelt.warnings == ("the server has no tool 'ordr': did you mean 'order'?",)
    assert "did you mean" not in misspelt.text
    assert unlike.warnings == ()


async def test_an_address_where_nobody_listens_is_told_in_plain_words(around):
    with pytest.raises(CallFailed) as failed:
        await ask(around, {"list": "tools"}, url="http://127.0.0.1:9/mcp")
    assert failed.value.what == "MCP server 'shop': nobody answers at http://127.0.0.1:9/mcp"
    assert failed.value.hint == "start the server, or correct its `url`"
