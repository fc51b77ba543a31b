import threading

import pytest
from tests.fakes.surroundings import write_files

from vivavoce.errors import UsageError
from vivavoce.project.project import Project
from vivavoce.targets.agent_package.loader import load_package
from vivavoce.targets.agent_package.tools import Tool, ToolFailed, local_tools
from vivavoce.targets.call_payload import Context

TOOLS = '''
import asyncio, math, sys, threading
from json import dumps

def create_expense(amount: float, kind: str = "travel", tags: list[str] | None = None, *, ctx=None) -> dict:
    """Files an expense.

    Args:
        amount: how much,
            in dollars
        kind (str): what for
    """
    return {"amount": amount, "kind": kind, "tags": tags, "by": ctx.user_id, "thread": threading.current_thread().name}

async def later(text):
    await asyncio.sleep(0)
    return text

def anything(**wishes):
    return wishes

def boom(): raise ValueError("no money")
def leave(): sys.exit(3)
def odd(): return math.nan
def _private(): ...
'''


def tools_of(root, text: str = TOOLS, package: str = '{"name": "K"}') -> dict[str, Tool]:
    write_files(root, {"package.yao": package, "src/tools.py": text})
    project = Project(root=root)
    return local_tools(load_package(root, project), project)


async def run(tool: Tool, args, **ctx):
    assert tool.run is not None
    return await tool.run(args, Context(ctx))


def test_every_public_function_of_the_file_is_a_tool(tmp_path):
    assert list(tools_of(tmp_path)) == ["create_expense", "later", "anything", "boom", "leave", "odd"]


async def test_a_function_gets_typed_arguments_and_the_context_off_the_loop(tmp_path):
    result = await run(tools_of(tmp_path)["create_expense"], {"amount": "12.5", "tags": ["a"]}, user_id="ann")
    thread = result.pop("thread")
    assert result == {"amount": 12.5, "kind": "travel", "tags": ["a"], "by": "ann"}
    assert thread != threading.current_thread().name


async def test_async_functions_and_open_arguments_work(tmp_path):
    tools = tools_of(tmp_path)
    assert await run(tools["later"], {"text": "x"}) == "x"
    assert await run(tools["anything"], {"a": 1}) == {"a": 1}


@pytest.mark.parametrize(
    ("name", "args", "words"),
    [
        ("create_expense", {}, "bad arguments: the field 'amount' is missing"),
        ("create_expense", {"amount": "much"}, "bad arguments: amount: wanted a number, found text"),
        ("create_expense", {"amount": 1, "color": 2}, "unknown field 'color'"),
        ("create_expense", "{broken", "no JSON object"),
        ("boom", {}, "ValueError: no money"),
        ("leave", {}, "sys.exit(3) was called"),
        ("odd", {}, "the result is not JSON: $ is NaN"),
    ],
)
async def test_what_goes_wrong_is_told_to_the_model(tmp_path, name, args, words):
    with pytest.raises(ToolFailed) as caught:
        await run(tools_of(tmp_path)[name], args, user_id="ann")
    assert words in str(caught.value)


def test_a_package_chooses_its_tools_by_name(tmp_path):
    assert list(tools_of(tmp_path, package='{"name": "K", "tools": ["later", "boom"]}')) == ["later", "boom"]
    with pytest.raises(UsageError, match=r"tool 'latr' is not in .*did you mean 'later'"):
        tools_of(tmp_path, package='{"name": "K", "tools": ["latr"]}')


async def test_a_declared_tool_is_run_by_its_function_or_by_nobody(tmp_path):
    package = """{"name": "K", "tools": [{"type": "function", "function": {"name": "ask_user", "description": "asks"}},
                 {"name": "later", "parameters": {"type": "object", "properties": {"text": {}}}}]}"""
    tools = tools_of(tmp_path, package=package)
    assert tools["ask_user"].run is None
    assert tools["ask_user"].spec.description == "asks"
    assert tools["later"].spec.parameters == {"type": "object", "properties": {"text": {}}}
    assert await run(tools["later"], {"text": "x"}) == "x"
    with pytest.raises(UsageError, match="needs a name"):
        tools_of(tmp_path, package='{"name": "K", "tools": [{}]}')


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("def f(*args): ...", "cannot be used"),
        ("def f(x: 'Missing'): ...", "its type hints cannot be read"),
        ("import threading\ndef f(x: dict[threading.Lock, int]): ...", "have no JSON form"),
        ("def f(:", "syntax error"),
    ],
)
def test_a_function_no_model_can_call_is_a_usage_error(tmp_path, text, words):
    with pytest.raises(UsageError, match=words):
        tools_of(tmp_path, text)
