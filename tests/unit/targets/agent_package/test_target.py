import asyncio
import json
from contextlib import asynccontextmanager
from typing import Any

import pytest
from tests.contract import target_contract
from tests.fakes.mcp_server import COMMAND
from tests.fakes.openai_server import OpenAiServer, Reply
from tests.fakes.surroundings import surroundings_at, write_files

from vivavoce.containment.captured_output import capture_user_output
from vivavoce.errors import CallFailed, UsageError
from vivavoce.model.case import CallOptions, Identity
from vivavoce.model.message import AgentReply
from vivavoce.model.transcript import Line, Transcript
from vivavoce.project.run_defaults import RunDefaults
from vivavoce.project.settings import Config
from vivavoce.protocols import CallContext, Partial, Surroundings, TargetSpec
from vivavoce.targets.agent_package.target import AgentPackageTarget

WEATHER_RULES = [
    {"when": r"weather in (?P<city>\w+)", "call": {"name": "get_weather", "args": {"city": "{{ city }}"}}},
    {"after_tool": "get_weather", "say": "{{ result.degrees }} in {{ result.city }}"},
    {"say": "{{ messages[0].content }}"},
]


def scripted(*rules: Any) -> str:
    return json.dumps({"type": "scripted", "options": {"rules": list(rules)}})


@asynccontextmanager
async def agent(root, files: dict[str, str], config: Config | None = None, **package: Any):
    """A live target of a package written for the occasion; its connector `c` answers by the weather rules."""
    described = {"name": "K", "connector": "c", **package}
    write_files(
        root,
        {
            "connectors/c.conn.yao": scripted(*WEATHER_RULES),
            "assistants/k/package.yao": json.dumps({name: v for name, v in described.items() if v is not None}),
            **{name if name.startswith("connectors") else f"assistants/k/{name}": t for name, t in files.items()},
        },
    )
    async with surroundings_at(root, config) as around:
        target = made(around)
        try:
            yield target
        finally:
            await target.close()


def made(around: Surroundings) -> AgentPackageTarget:
    return AgentPackageTarget(TargetSpec(id="k", kind="package", config={"package": "k"}), around)


async def send(target: AgentPackageTarget, text: str = "hello", options=None, **context) -> AgentReply:
    session = await target.open(CallContext(session_id="s1", case_id="T1", **context))
    try:
        return await session.send(Line(content=text, options=options or CallOptions()), Transcript())
    finally:
        await session.close()


TOOLS = """
def get_weather(city: str, ctx) -> dict:
    "Tells the weather."
    print("asked for", city)
    return {"city": city, "degrees": 21, "for": ctx.user_id}
"""


# ── the contract ──

BEHAVIOURS = {
    "echo": {"say": "you said: {{ user }}"},
    "count": {"say": "{{ messages | length }}"},
    "whoami": {"say": "{{ messages[0].content }}"},
    "hang": {"say": "x", "delay": "1h"},
    "fail": {"fail": "no model today"},
}


@pytest.mark.parametrize("promise", target_contract.PROMISES)
async def test_it_keeps_the_promises_of_a_target(promise, tmp_path):
    prompt = [{"role": "system", "content": "{{ user }} {{ team }} {{ locale }} {{ colour }}"}]

    def make(behaviour: str) -> AgentPackageTarget:
        prompts = {"prompts": prompt} if behaviour == "whoami" else {}
        write_files(
            tmp_path,
            {
                f"connectors/{behaviour}.conn.yao": scripted(BEHAVIOURS[behaviour]),
                "assistants/k/package.yao": json.dumps({"name": "K", "connector": behaviour, **prompts}),
            },
        )
        return made(around)

    async with surroundings_at(tmp_path) as around:
        await promise(make)


async def test_its_card_tells_what_it_is(tmp_path):
    async with agent(tmp_path, {"src/tools.py": TOOLS}, description="knows the weather") as target:
        await target_contract.its_card_tells_what_it_is(lambda _: target, "package")
        card = target.card
    assert (card.description, card.connector) == ("knows the weather", "c")
    assert [tool.name for tool in card.tools] == ["get_weather"]
    assert card.where == "assistants/k"


# ── prompts, tools, printing ──


async def test_an_agent_with_tools_answers_from_their_results(tmp_path):
    async with agent(tmp_path, {"src/tools.py": TOOLS}) as target:
        with capture_user_output():
            reply = await send(target, "weather in Rome?", identity=Identity(user_id="ann"))
    assert reply.text == "21 in Rome"
    assert reply.calls[0].result == {"city": "Rome", "degrees": 21, "for": "ann"}
    assert reply.logs == "asked for Rome\n"


async def test_prompts_come_first_and_are_filled(tmp_path):
    prompts = "- role: system\n  content: You speak {{ locale }} to {{ persona }}.\n"
    async with agent(tmp_path, {"prompts.yml": prompts}) as target:
        reply = await send(target, options=CallOptions(metadata={"persona": "kings"}))
    assert reply.text == "You speak en-us to kings."


@pytest.mark.process
async def test_tools_of_an_mcp_server_are_used(tmp_path):
    rules = scripted(
        {"when": "add", "call": {"name": "calc__add", "args": {"a": 2, "b": 3}}},
        {"after_tool": "add", "say": "it is {{ result }}"},
    )
    servers = [{"id": "calc", **COMMAND}]
    async with agent(tmp_path, {"connectors/c.conn.yao": rules}, mcp=servers) as target:
        reply = await send(target, "add them")
        again = await send(target, "add them")
    assert (reply.text, again.text) == ("it is 5", "it is 5")
    assert reply.calls[0].name == "calc__add"


async def test_package_options_reach_the_model_and_its_usage_the_reply(tmp_path):
    async with OpenAiServer(Reply("hi", usage={"prompt_tokens": 3, "completion_tokens": 4})) as server:
        connector = json.dumps({"type": "openai", "options": {"host": server.url, "model": "m"}})
        async with agent(tmp_path, {"connectors/c.conn.yao": connector}, options={"max_tokens": 9}) as target:
            reply = await send(target)
    assert server.bodies[0]["max_tokens"] == 9
    assert reply.usage is not None
    assert reply.usage.output_tokens == 4


async def test_options_of_a_named_agent_beat_those_of_its_package(tmp_path):
    async with OpenAiServer() as server:
        connector = json.dumps({"type": "openai", "options": {"host": server.url, "model": "m"}})
        files = {"connectors/c.conn.yao": connector}
        async with agent(tmp_path, files, options={"max_tokens": 9, "seed": 1}) as plain:
            config = {"package": "k", "options": {"max_tokens": 5}}
            await send(AgentPackageTarget(TargetSpec(id="n", kind="package", config=config), plain.surroundings))
    assert (server.bodies[0]["max_tokens"], server.bodies[0]["seed"]) == (5, 1)


# ── which connector ──


async def test_the_flag_beats_the_lines_options_and_those_beat_the_package(tmp_path):
    others = {f"connectors/{name}.conn.yao": scripted({"say": name}) for name in ("c", "flag", "line")}
    line = CallOptions(connector="line")
    async with agent(tmp_path, others) as target:
        assert (await send(target)).text == "c"
        assert (await send(target, options=line)).text == "line"
        assert (await send(target, options=line, connector="flag")).text == "flag"


async def test_without_a_connector_of_its_own_the_projects_default_is_used(tmp_path):
    async with agent(tmp_path, {}, Config(run=RunDefaults(connector="c")), connector=None) as target:
        assert (await send(target)).text == "hello"
        assert target.card.connector == "c"


async def test_a_missing_or_unknown_connector_is_told(tmp_path):
    async with agent(tmp_path, {}, connector=None) as target:
        with pytest.raises(CallFailed, match="'k' has no connector") as caught:
            await send(target)
        assert caught.value.fault == "test"
        with pytest.raises(CallFailed, match="unknown connector 'nope'") as caught:
            await send(target, options=CallOptions(connector="nope"))
        assert caught.value.fault == "test"
        with pytest.raises(UsageError, match="unknown connector 'nope'"):
            await send(target, connector="nope")


# ── hooks ──


async def test_create_may_change_the_whole_call(tmp_path):
    hooks = """
def Create(ctx, messages, options):
    assert options["mode"] == "chat" and messages[-1]["role"] == "user"
    return {"messages": [{"role": "user", "content": messages[-1]["content"].upper()}],
            "connector": "other", "metadata": {"mood": "kind"}, "temperature": 0.5, "options": {"seed": 1}}
"""
    prompts = "- role: system\n  content: be {{ mood }}\n"
    async with OpenAiServer() as server:
        other = json.dumps({"type": "openai", "options": {"host": server.url}})
        files = {"src/index.py": hooks, "prompts.yml": prompts, "connectors/other.conn.yao": other}
        async with agent(tmp_path, files) as target:
            await send(target, "hello", options=CallOptions(mode="chat"))
    assert server.bodies[0] == {
        "stream": False,
        "temperature": 0.5,
        "seed": 1,
        "messages": [{"role": "system", "content": "be kind"}, {"role": "user", "content": "HELLO"}],
    }


async def test_next_may_give_structured_data(tmp_path):
    hooks = """
async def Next(ctx, payload):
    tool, = payload["tools"]
    return {"data": {"said": payload["completion"]["content"], "from": tool["tool"], "to": ctx.user_id}}
"""
    async with agent(tmp_path, {"src/index.py": hooks, "src/tools.py": TOOLS}) as target:
        reply = await send(target, "weather in Oslo?")
    assert reply.text == "21 in Oslo"
    assert reply.output == {"said": "21 in Oslo", "from": "get_weather", "to": "test-user"}


async def test_what_next_says_about_waiting_counts(tmp_path):
    hooks = "def Next(ctx): return {'awaiting_input': True, 'input_hint': 'a date'}"
    async with agent(tmp_path, {"src/index.py": hooks}) as target:
        reply = await send(target, "hello")
    assert (reply.awaiting, reply.input_hint) == (True, "a date")


async def test_a_turn_that_broke_keeps_the_calls_seen_before(tmp_path):
    hooks = "def Next(ctx): raise KeyError('gone')"
    async with agent(tmp_path, {"src/index.py": hooks, "src/tools.py": TOOLS}) as target:
        session = await target.open(CallContext(session_id="s1"))
        with pytest.raises(CallFailed):
            await session.send(Line(content="weather in Oslo?"), Transcript())
    assert isinstance(session, Partial)
    assert [call.name for call in session.so_far().calls] == ["get_weather"]


async def test_a_call_whose_tool_never_comes_back_is_kept(tmp_path):
    tools = "import asyncio\nasync def get_weather(city: str): await asyncio.sleep(60)"
    async with agent(tmp_path, {"src/tools.py": tools}) as target:
        session = await target.open(CallContext(session_id="s1"))
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(session.send(Line(content="weather in Oslo?"), Transcript()), 0.2)
    assert isinstance(session, Partial)
    assert [(call.name, call.is_answered) for call in session.so_far().calls] == [("get_weather", False)]


async def test_next_may_let_the_model_go_on(tmp_path):
    hooks = """
def Next(c, payload):
    if len(payload["messages"]) < 3:
        return {"messages": [{"role": "user", "content": "weather in Bonn"}]}
"""
    async with agent(tmp_path, {"src/index.py": hooks, "src/tools.py": TOOLS}) as target:
        reply = await send(target, "hello")
    assert reply.texts == ("hello", "21 in Bonn")
    assert [message.role for message in reply.messages] == ["assistant", "user", "assistant", "tool", "assistant"]


@pytest.mark.parametrize(
    ("hooks", "words"),
    [
        ("def Create(ctx): raise KeyError('gone')", r"Create of .*index.py raised KeyError: 'gone'"),
        ("def Create(ctx): return 3", "must be an object or None, not int"),
        ("def Create(ctx): return {'conector': 'x'}", "unknown field `conector`"),
        ("def Create(ctx): return {'connector': 'nope'}", "unknown connector 'nope'"),
        ("def Next(ctx): return {'delegate': {}}", "unknown field `delegate`"),
        ("def Next(ctx): return {'messages': [{'role': 'user', 'content': 'x'}]}", "tool loop did not end"),
    ],
)
async def test_a_hook_that_goes_wrong_is_the_agents_fault(tmp_path, hooks, words):
    async with agent(tmp_path, {"src/index.py": hooks}) as target:
        with pytest.raises(CallFailed, match=words) as caught:
            await send(target)
    assert caught.value.fault == "agent"


async def test_code_that_cannot_be_imported_is_a_usage_error(tmp_path):
    async with agent(tmp_path, {"src/index.py": "import no_such_module_at_all"}) as target:
        with pytest.raises(UsageError, match="no_such_module_at_all"):
            await send(target)


# ── the shipped agents ──


@pytest.mark.parametrize(
    ("name", "metadata", "expected"),
    [
        (
            "viva.simulator",
            {"persona": "a new clerk", "goal": "file 250"},
            ["a new clerk", "file 250", '"goal_achieved"'],
        ),
        ("viva.validator", {"criteria": "be helpful"}, ["be helpful", '"passed"']),
        (
            "viva.generator",
            {"target_agent": "expense", "target_tools": ["pay"], "count": 7},
            ["expense", '["pay"]', "7"],
        ),
    ],
)
async def test_the_shipped_agents_need_only_a_connector(tmp_path, name, metadata, expected):
    write_files(tmp_path, {"connectors/c.conn.yao": scripted({"say": "{{ messages[0].content }}"})})
    async with surroundings_at(tmp_path, Config(run=RunDefaults(connector="c"))) as around:
        target = AgentPackageTarget(TargetSpec(id=name, kind="package", config={"package": name}), around)
        told = (await send(target, "{}", options=CallOptions(metadata=metadata))).text
        silent = (await send(target, "{}")).text
    assert [words for words in expected if words not in told] == []
    assert "{{" not in told + silent
    assert target.card.description
