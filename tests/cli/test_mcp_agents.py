"""`viva test` against a real MCP server."""

import json

import pytest
from tests.cli.conftest import VivaProject
from tests.fakes.mcp_exam_server import COMMAND, LIAR

pytestmark = pytest.mark.process

CASES = """
{"id": "adds", "input": {"call": "add", "args": {"a": 2, "b": 3}}, "assert": [
  {"type": "equals", "value": 5}, {"type": "tool_called", "value": "add"}]}
{"id": "counts", "turns": [
  {"input": {"call": "order", "args": {"item": "tea"}}},
  {"input": {"call": "order", "args": {"item": "tea"}}, "assertions": [
    {"type": "json_path", "path": "$.count", "value": 2}]},
  {"input": {"list": "tools"}}]}
"""


def project_of(tmp_path, command: list[str], cases: str = CASES) -> VivaProject:
    project = VivaProject(tmp_path)
    project.write("viva.yaml", f"agents: {{shop: {{mcp: {{cmd: {json.dumps(command)}}}}}, bot: {{python: a.py:f}}}}\n")
    project.write("a.py", "def f(messages):\n    return 'hi'\n")
    project.write("cases.jsonl", cases)
    return project


def test_requests_are_sent_judged_and_kept(tmp_path):
    project = project_of(tmp_path, COMMAND)
    done = project.viva("test", "-i", "cases.jsonl", "-n", "shop", "-o", "out.jsonl")
    assert done.code == 0, done.text
    frozen = project.viva("test", "-i", "cases.jsonl", "-n", "shop", "--dry-run", "-o", "again.jsonl")
    assert frozen.code == 0, frozen.text
    assert '"call":"add"' in (tmp_path / "again.jsonl").read_text().replace(" ", "")
    assert project.viva("test", "-i", "again.jsonl", "-n", "shop").code == 0


def test_a_server_that_breaks_its_promises_fails_without_assertions(tmp_path):
    project = project_of(tmp_path, LIAR, '{"id": "lies", "input": {"call": "count", "args": {"n": 1}}}\n')
    done = project.viva("test", "-i", "cases.jsonl", "-n", "shop")
    assert (done.code, "does not fit its schema" in done.text) == (1, True), done.text


def test_requests_are_refused_elsewhere_and_words_here(tmp_path):
    project = project_of(tmp_path, COMMAND)
    done = project.viva("test", "-i", "cases.jsonl", "-n", "bot")
    assert (
        done.code,
        "cases.jsonl:2: add({a: 2, b: 3}) is a request" in done.text,
        "the agent is not one" in done.text,
    ) == (2, True, True), done.text
    done = project.viva("test", "-i", "hello there", "-n", "shop")
    assert (done.code, "takes requests, not words" in done.text) == (2, True), done.text
