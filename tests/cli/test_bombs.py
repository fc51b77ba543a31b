"""Small inputs that would keep a check busy for hours: each costs its own check, with the limit named, and no other."""

import json
from typing import Any

import pytest
from tests.cli.conftest import VivaProject

AGENT = """
import asyncio, json

async def reply(text: str):
    if text == "wait":
        await asyncio.sleep(0.5)
        return "waited"
    if text == "deep":
        value = 1
        for _ in range(60):
            value = {"a": value, "b": [value]} if _ % 10 == 0 else {"a": value}
        return json.dumps(value)
    if text == "long":
        return "a" * 300_000
    if text == "list":
        return json.dumps([{"n": n, "of": [n]} for n in range(20_000)])
    return "{}"
"""
LIMIT = "took longer than 2s, the limit"


def doubling(keyword: str, leaf: Any) -> dict[str, Any]:
    """A schema of forty short lines that means 2**40 subschemas."""
    rules: dict[str, Any] = {"s0": leaf}
    for n in range(1, 40):
        before = {"$ref": f"#/$defs/s{n - 1}"}
        rules[f"s{n}"] = {"if": before, "else": before} if keyword == "if" else {keyword: [before, before]}
    return {"$defs": rules, "$ref": "#/$defs/s39"}


SCHEMAS = {
    "allOf": doubling("allOf", {"type": "object"}),
    "anyOf": doubling("anyOf", {"type": "string"}),
    "oneOf": doubling("oneOf", {"type": "string"}),
    "if": doubling("if", {"type": "string"}),
    "unevaluated": {**doubling("allOf", {"type": "object"}), "unevaluatedProperties": False},
}
PATHS = ["$..a..a..a..a..a..a", "$..*..*..*..*..*", "$..[?@..a..a..a..a..zz]"]


def bombs() -> list[dict[str, Any]]:
    schemas = [
        {"id": f"schema {name}", "input": "x", "assert": {"type": "json_schema", "schema": schema}}
        for name, schema in SCHEMAS.items()
    ]
    paths = [
        {"id": f"path {path}", "input": "deep", "assert": {"type": "json_path", "path": path, "value": 0}}
        for path in PATHS
    ]
    parts = [
        {"id": f"part {path}", "input": "deep", "assert": {"type": "contains", "path": path, "value": "never"}}
        for path in PATHS
    ]
    patterns = [
        {"id": f"pattern {kind} {number}", "input": "long", "assert": {"type": kind, "value": pattern}}
        for kind in ("regex", "must_match", "must_not_match")
        for number, pattern in enumerate(("[a-z]" * 100_000, "(?P<n>a)" * 10_000))
    ]
    return [*schemas, *paths, *parts, *patterns]


def test_a_bomb_costs_one_check_and_no_other_case(project: VivaProject):
    project.write("agent.py", AGENT)
    project.write("viva.yaml", "agents: {a: {python: 'agent.py:reply'}}\nagent: a\nrun: {judge_timeout: 2s}\n")
    cases: list[dict[str, Any]] = []
    for number, bomb in enumerate(bombs()):
        waiting = {"id": f"wait {number}", "input": "wait", "assert": {"type": "contains", "value": "waited"}}
        cases += [bomb, {**waiting, "timeout": "20s"}]
    project.cases(*cases)
    done = project.viva("test", "-i", "cases.jsonl", "-o", "out.jsonl", "--parallel", "4")
    assert done.code == 1, done.text
    rows = {row["id"]: row for row in project.rows() if row["type"] == "result"}
    for name, row in rows.items():
        if name.startswith("wait"):
            assert row["status"] == "passed", row
        else:
            assert row["status"] == "error", name
            assert row["fault"] == "test", name
            assert any(words in row["error"] for words in (LIMIT, "the limit for a JSON path", "recursion")), row[
                "error"
            ]
    assert any(LIMIT in row.get("error", "") for row in rows.values())


def test_unique_items_of_a_long_list_are_compared_in_linear_time(project: VivaProject):
    project.write("agent.py", AGENT)
    project.write("viva.yaml", "agents: {a: {python: 'agent.py:reply'}}\nagent: a\n")
    schema = {"type": "array", "uniqueItems": True}
    project.cases({"id": "a", "input": "list", "assert": {"type": "json_schema", "schema": schema}})
    done = project.viva("test", "-i", "cases.jsonl")
    assert done.code == 0, done.text


BAD_PATTERNS = [
    "(a{1000}){1000}",
    "(" * 5000 + "a" + ")" * 5000,
    "a{99999}",
    "[" * 100_000,
    "(?:a|" * 3000 + "b" + ")" * 3000,
]


@pytest.mark.parametrize("pattern", BAD_PATTERNS, ids=lambda text: text[:12])
@pytest.mark.parametrize("kind", ["regex", "json_schema", "json_path"])
def test_a_giant_pattern_is_refused_or_judged_at_once(project: VivaProject, pattern: str, kind: str):
    checks = {
        "regex": {"type": "regex", "value": pattern},
        "json_schema": {"type": "json_schema", "schema": {"type": "string", "pattern": pattern}},
        "json_path": {"type": "json_path", "path": f"$[?match(@.a, {json.dumps(pattern)})]"},
    }
    project.cases({"id": "a", "input": "aaaa", "assert": checks[kind]})
    done = project.viva("test", "-i", "cases.jsonl")
    assert done.code in (0, 1, 2), done.text
    assert "Traceback" not in done.text


def laughs(levels: int) -> str:
    """A few lines of YAML whose aliases mean ten to the power of `levels` values."""
    lines = ["a0: &a0 [lol, lol, lol, lol, lol, lol, lol, lol, lol, lol]"]
    for n in range(1, levels):
        lines.append(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]")
    return "\n".join(lines)


ALIASES = "\n".join(f"  {line}" for line in laughs(12).splitlines())
FILES = {
    "aliases in a case": ("bomb.viva.yaml", f"name: x\nturns: [{{user: hi}}]\nmetadata:\n{ALIASES}"),
    "aliases in the configuration": ("viva.yaml", f"variables:\n{ALIASES}"),
    "depth in YAML": ("bomb.viva.yaml", "name: x\nturns: [{user: hi}]\nmetadata: " + "[" * 20_000 + "]" * 20_000),
    "depth in JSON": ("bomb.jsonl", '{"id": "a", "input": ' + "[" * 100_000 + "]" * 100_000 + "}"),
    "a number of a million digits": (
        "bomb.jsonl",
        '{"id": "a", "input": "x", "metadata": {"n": ' + "9" * 1_000_000 + "}}",
    ),
    "an exponent beyond all numbers": ("bomb.jsonl", '{"id": "a", "input": "x", "metadata": {"n": 1e999999999}}'),
}


@pytest.mark.parametrize("what", FILES)
def test_a_file_that_unfolds_without_end_is_an_error_at_once(project: VivaProject, what: str):
    name, content = FILES[what]
    project.write(name, content)
    done = project.viva("validate", "-i", name if name != "viva.yaml" else "hi")
    assert done.code in (0, 2), done.text
    assert "Traceback" not in done.text
    assert len(done.text) < 10_000


DEEP_AGENT = """
def reply(text: str):
    value = 1
    for _ in range(int(text)):
        value = {"a": value} if text[0] != "9" else [value]
    return {"content": "x", "data": value, "tool_calls": [{"name": "pay", "arguments": {"a": value}, "result": value}]}
"""


@pytest.mark.parametrize("depth", [120, 250, 330, 480, 700, 950])
def test_a_deep_answer_costs_its_own_case_alone(project: VivaProject, depth: int):
    (project.root / "agent.py").write_text(DEEP_AGENT)
    checks = [
        {"type": "equals", "value": 1},
        {"type": "tool_called", "value": {"name": "pay", "arguments": {"b": 1}}},
        {"type": "json_path", "path": "$.a", "value": 3},
    ]
    project.cases({"id": "deep", "input": str(depth), "assertions": checks}, {"id": "next", "input": "1"})
    for report in ("out.jsonl", "out.html", "out.md", "out.xml"):
        done = project.viva("test", "-i", "cases.jsonl", "-n", "python:agent.py:reply", "-v", "-o", report)
        assert done.code == 1, done.text
    done = project.viva("test", "-i", "cases.jsonl", "-n", "python:agent.py:reply", "-o", "out.jsonl")
    assert project.statuses()["next"] == "passed", done.text


@pytest.mark.parametrize("depth", [120, 250, 330, 480, 700, 950, 1500])
def test_a_deep_case_is_judged_or_refused_with_its_line(project: VivaProject, depth: int):
    value = '{"a":' * depth + "1" + "}" * depth
    written = f'{{"id": "t", "input": "hi", "assertions": [{{"type": "equals", "value": {value}}}]}}\n'
    schema = f'{{"id": "s", "input": "hi", "assertions": [{{"type": "json_schema", "schema": {{"not": {value}}}}}]}}\n'
    for text in (written, schema):
        (project.root / "cases.jsonl").write_text(text)
        done = project.viva("test", "-i", "cases.jsonl")
        assert done.code in (1, 2), done.text
        assert done.code == 1 or "cases.jsonl:1" in done.text
