"""`viva mcp` and a real MCP client: the loop of a coding agent."""

import json
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from mcp import ClientSession, StdioServerParameters, stdio_client
from tests.cli.conftest import VIVA, VivaProject

from vivavoce.cli.help_page import COMMANDS

pytestmark = pytest.mark.process

Call = Callable[..., Any]
CASES = (
    {"id": "one", "input": "hello", "assertions": {"type": "contains", "value": "echo"}},
    {"id": "two", "input": "print", "assertions": {"type": "contains", "value": "goodbye"}},
)


@asynccontextmanager
async def coding_agent(root: Path) -> AsyncGenerator[tuple[ClientSession, Call]]:
    server = StdioServerParameters(command=str(VIVA), args=["mcp"], cwd=str(root))
    async with stdio_client(server) as (read, write), ClientSession(read, write) as session:
        await session.initialize()

        async def call(tool: str, **arguments: Any) -> tuple[bool, str]:
            answer: Any = await session.call_tool(tool, arguments)
            return bool(answer.is_error), answer.content[0].text

        yield session, call


async def test_list_run_read_the_failure_fix_and_judge_again(project: VivaProject):
    project.cases(*CASES)
    async with coding_agent(project.root) as (_, call):
        _, listed = await call("list", paths=["cases.jsonl"])
        assert listed.splitlines() == ["cases.jsonl::one", "cases.jsonl::two", "2 of 2 cases selected"]
        failed, told = await call("run", paths=["cases.jsonl"])
        assert not failed
        assert "FAILED cases.jsonl:2 [two]" in told
        assert 'expected: "goodbye"\n  actual: "echo: print"' in told
        assert told.splitlines()[-1].startswith("FAIL: 1 of 2 passed")
        _, shown = await call("show", case="two")
        assert "agent: echo: print" in shown
        project.cases(CASES[0], {**CASES[1], "assertions": {"type": "contains", "value": "echo: print"}})
        if "rejudge" in COMMANDS:
            _, judged = await call("rejudge", run="last")
            assert "PASS: 2 of 2 passed" in judged
        _, again = await call("run", paths=["cases.jsonl::two"])
        assert again.splitlines()[-1].startswith("PASS: 1 of 1 passed")
        _, compared = await call("diff")
        assert "fixed (1): two" in compared
    assert not list(project.root.glob("output-*.jsonl"))


async def test_changed_code_of_the_agent_counts_at_once(project: VivaProject):
    project.cases(CASES[1])
    async with coding_agent(project.root) as (_, call):
        assert "FAIL: 0 of 1" in (await call("run", paths=["cases.jsonl"]))[1]
        project.write("agent.py", "def echo(messages):\n    print('noise')\n    return 'goodbye'\n")
        project.write("viva.yaml", "agents:\n  echo: {python: agent.py:echo}\nagent: echo\n")
        assert "PASS: 1 of 1" in (await call("run", paths=["cases.jsonl"]))[1]


async def test_errors_are_errors_of_the_tool_in_words(project: VivaProject):
    project.write("cases.jsonl", '{"id": "a", "input": "x", "assertions": {"type": "contians", "value": "x"}}\n')
    async with coding_agent(project.root) as (session, call):
        failed, told = await call("validate", paths=["cases.jsonl"])
        assert failed
        assert "cases.jsonl:1" in told
        assert "did you mean 'contains'?" in told
        failed, told = await call("run", paths=["../outside.jsonl"])
        assert failed
        assert "outside the project" in told
        failed, told = await call("run", agent="python:os:system", message="ls")
        assert failed
        assert "not the name of an agent" in told
        project.write("viva.yaml", "agents: [")
        failed, told = await call("list")
        assert failed
        assert "viva.yaml:2: bad YAML" in told
        assert {tool.name for tool in (await session.list_tools()).tools} >= {"list", "validate", "run", "show", "diff"}


KEY = 'sk-planted/9+"key'
TELLTALE = """
import base64, json, os, urllib.parse

def tell(text):
    key = os.environ["SHOP_KEY"]
    print(key)
    if text == "raise":
        raise ValueError(key)
    said = [key, json.dumps(json.dumps(key)), urllib.parse.quote(key, safe=""), "dir-password"]
    call = {"name": "pay", "args": {"key": key, key: 1}, "result": key}
    return {"content": " ".join(said), "tool_calls": [call]}
"""


async def test_no_answer_has_a_secret_in_it(project: VivaProject):
    project.write(".env", f"SHOP_KEY='{KEY}'\n")
    project.write("telltale.py", TELLTALE)
    http = {"url": "http://me:dir-password@127.0.0.1:9/", "headers": {"X-Key": "${ENV.SHOP_KEY}"}}
    agents = {"a": {"python": "telltale.py:tell"}, "b": {"http": {**http, "body": "{{ message }}"}}}
    project.write("viva.yaml", json.dumps({"agents": agents, "agent": "a"}))
    wrong = {"type": "equals", "value": "y ${ENV.SHOP_KEY}"}
    cases = ({"id": "one", "input": "hi ${ENV.SHOP_KEY}", "assertions": wrong}, {"id": "two", "input": "raise"})
    project.cases(*cases, {"id": "three", "input": "hi", "agent": "b"})
    asked: list[tuple[str, dict[str, Any]]] = [
        *(("list", {"paths": ["cases.jsonl"]}), ("validate", {"paths": ["cases.jsonl"]})),
        *(("run", {"paths": ["cases.jsonl"]}), ("run", {"message": f"say {KEY}"})),
        *(("show", {"case": name}) for name in ("one", "two", "three", KEY)),
        *(("rejudge", {"run": "last"}), ("diff", {}), ("coverage", {"run": "last"})),
    ]
    async with coding_agent(project.root) as (session, call):
        assert {tool.name for tool in (await session.list_tools()).tools} == {tool for tool, _ in asked}
        for tool, arguments in asked:
            _, told = await call(tool, **arguments)
            # The agent did say it.
            assert "***" in told or tool not in ("run", "rejudge") or "message" in arguments, told
            for spelling in (KEY, json.dumps(KEY)[1:-1], quote(KEY, safe=""), "dir-password"):
                assert spelling not in told, (tool, arguments, told)


NEVER_GREEN = {
    "nothing is selected": ({"keywords": "zzz"}, True, "none of the 2 cases found is selected"),
    "a path that is not there": ({"paths": ["test"]}, True, "no such file"),
    "words as a path": ({"paths": ["hello world"]}, True, "no such file"),
    "a case that is not there": ({"paths": ["cases.jsonl::three"]}, True, "no case 'three'"),
    "no runs at all": ({"runs": 0}, True, "0 is too small: at least 1"),
    "an agent that nobody knows": ({"agent": "nobody"}, True, "unknown agent"),
    "an agent that ends the process": ({"agent": "ends"}, True, "the run is not complete"),
    "an agent that breaks": ({"agent": "breaks"}, False, "\nFAIL: 0 of 2 passed, 2 broke"),
}


async def test_no_attack_on_a_run_reads_pass(project: VivaProject):
    project.cases(*CASES)
    project.write("bad.py", "import os\n\n\ndef ends(m):\n    os._exit(0)\n\n\ndef breaks(m):\n    raise OSError\n")
    agents = "  ends: {python: bad.py:ends}\n  breaks: {python: bad.py:breaks}\n"
    project.write("viva.yaml", (project.root / "viva.yaml").read_text().replace("agents:\n", f"agents:\n{agents}"))
    async with coding_agent(project.root) as (_, call):
        for what, (arguments, is_error, words) in NEVER_GREEN.items():
            failed, told = await call("run", **{"paths": ["cases.jsonl"], **arguments})
            assert (failed, words in told) == (is_error, True), (what, told)
            assert "PASS:" not in told, what


async def test_a_recording_that_is_no_pass_ends_with_fail(project: VivaProject):
    project.cases(CASES[0], {**CASES[1], "assertions": {"type": "contains", "value": "echo"}})
    assert project.viva("test", "-i", "cases.jsonl", "-o", "out.jsonl").code == 0
    lines = (project.root / "out.jsonl").read_text().splitlines(keepends=True)
    project.write("killed.jsonl", "".join(lines[:2]))
    async with coding_agent(project.root) as (_, call):
        assert (await call("rejudge", run="out.jsonl"))[1].startswith("PASS: 2 of 2 passed")
        _, told = await call("rejudge", run="killed.jsonl")
        assert told.splitlines()[-1] == "FAIL: exit code 1"


@pytest.mark.parametrize(
    ("tool", "arguments", "words"),
    [
        ("run", {"path": "bad.jsonl"}, "unknown argument 'path' (did you mean 'paths'?)"),
        ("run", {"case": "two"}, "unknown argument 'case'"),
        ("run", {"paths": []}, "paths is empty"),
        ("run", {"keywords": " "}, "keywords is empty"),
        ("run", {"message": ""}, "message is empty"),
        ("run", {"agent": ""}, "agent is empty"),
        ("rejudge", {"run": ""}, "run is empty"),
        ("rejudge", {"path": "cases.jsonl"}, "unknown argument 'path'"),
        ("validate", {"path": "bad.jsonl"}, "unknown argument 'path'"),
        ("diff", {"a": "last"}, "unknown argument 'a'"),
    ],
    ids=str,
)
async def test_arguments_that_a_tool_would_drop_are_refused(
    project: VivaProject, tool: str, arguments: dict[str, Any], words: str
):
    project.cases(CASES[0])
    async with coding_agent(project.root) as (_, call):
        failed, told = await call(tool, **arguments)
        assert failed
        assert words in told
