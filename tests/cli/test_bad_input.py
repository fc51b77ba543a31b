# ruff: noqa: E501 - a table reads better in one line a row
"""Whatever a user gets wrong: one line that says what and where, exit 2, no traceback, no agent called."""

import os
import sys
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from vivavoce.cli.main import main

CONFIG = "agents:\n  echo: {python: agent.py:echo}\nagent: echo\n"
AGENT = "def echo(messages):\n    raise SystemExit('the agent must not be called')\n"


@dataclass
class Bad:
    """What is written, what is run, and what must be said."""

    case: str | bytes | None
    says: str
    at: str = "cases.jsonl:1"
    config: str = CONFIG
    args: tuple[str, ...] = ("test", "-i", "cases.jsonl")
    files: dict[str, str] = field(default_factory=dict)


def line(fields: str) -> str:
    return '{"id": "T1", ' + fields + "}\n"


def asserting(spec: str) -> str:
    return line(f'"input": "x", "assert": {spec}')


NO_FILE = {"case": None, "at": ""}

BAD: dict[str, Bad] = {
    # files
    "missing file": Bad(
        None, "no such file", "", args=("test", "-i", "casess.jsonl"), files={"cases.jsonl": line('"input": "x"')}
    ),
    "missing folder": Bad(None, "no such", "", args=("test", "-i", "./nowhere/")),
    "folder without tests": Bad(None, "no test", "", args=("test", "-i", "empty"), files={"empty/readme.txt": "x"}),
    "empty file": Bad("", "cases.jsonl: no cases found in it", ""),
    "a key twice": Bad(
        line('"input": "x", "assert": {"type": "contains", "value": "y"}, "assert": []'), "key 'assert'"
    ),
    "assert left empty": Bad(line('"input": "x", "assert": null'), "write []"),
    "a line beyond the end": Bad(
        None, "no case at line 9", "c.jsonl", args=("test", "-i", "c.jsonl:9"), files={"c.jsonl": line('"input": "x"')}
    ),
    "no such connector": Bad(
        None, "unknown connector 'nosuch'", "-c", args=("test", "--message", "hi", "-c", "nosuch")
    ),
    "no such simulator": Bad(
        None, "unknown agent 'nosuch'", "--simulator", args=("test", "--message", "hi", "--simulator", "nosuch")
    ),
    "not an address": Bad(None, "not an address", "-n", args=("test", "--message", "hi", "-n", "agui:notaurl")),
    "missing attachment": Bad(
        line('"turns": [{"input": "x", "attachments": [{"type": "file", "source": "file://no.txt"}]}]'),
        "no such file",
        args=("validate", "-i", "cases.jsonl"),
    ),
    "only comments": Bad("// nothing\n# here\n", "no cases", ""),
    "invalid UTF-8": Bad(b'{"id": "T1", "input": "\xff\xfe"}\n', "UTF-8"),
    "truncated JSON": Bad('{"id": "T1", "input": "x"', "JSON"),
    "not JSON": Bad("hello there\n", "JSON"),
    "a list": Bad("[1, 2]\n", "object"),
    "trailing comma": Bad('{"id": "T1", "input": "x",}\n', "JSON"),
    "single quotes": Bad("{'id': 'T1'}\n", "JSON"),
    "a result file": Bad('{"type":"start","timestamp":"x","agent_id":"a","total_cases":1}\n', "result", ""),
    "broken line far down": Bad(
        line('"input": "x"').replace("T1", "T0") + "\n" * 400 + "{broken\n", "JSON", "cases.jsonl:402"
    ),
    "duplicate ids": Bad(line('"input": "x"') + line('"input": "y"'), "T1", "cases.jsonl:2"),
    # the case itself
    "no id": Bad('{"input": "x"}\n', "id"),
    "empty id": Bad('{"id": "", "input": "x"}\n', "id"),
    "id is a number": Bad('{"id": 5, "input": "x"}\n', "id"),
    "no input": Bad('{"id": "T1"}\n', "input"),
    "unknown field": Bad(line('"input": "x", "assrt": {}'), "assrt"),
    "unknown field of a turn": Bad(line('"turns": [{"input": "x", "assertion": {}}]'), "assert"),
    "input is a number": Bad(line('"input": 5'), "input"),
    "message without content": Bad(line('"input": {"role": "user"}'), "content"),
    "message list of strings": Bad(line('"input": ["hello"]'), "index 0"),
    "messages is a string": Bad(line('"messages": "hi"'), "messages"),
    "skip is a number": Bad(line('"input": "x", "skip": 3'), "skip"),
    "timeout is a number": Bad(line('"input": "x", "timeout": 30'), "timeout"),
    "bad duration": Bad(line('"input": "x", "timeout": "30 parsecs"'), "30 parsecs"),
    "zero duration": Bad(line('"input": "x", "timeout": "0s"'), "0s"),
    "tags is a string": Bad(line('"input": "x", "tags": 7'), "tags"),
    "metadata is a list": Bad(line('"input": "x", "metadata": []'), "metadata"),
    "user is a number": Bad(line('"input": "x", "user": 1'), "user"),
    "options is a string": Bad(line('"input": "x", "options": "fast"'), "options"),
    "unknown option": Bad(line('"input": "x", "options": {"conector": "a"}'), "conector"),
    "unknown type": Bad(line('"input": "x", "type": "multiturn"'), "multi"),
    "runs is zero": Bad(line('"input": "x", "runs": 0'), "runs"),
    "min_pass over runs": Bad(line('"input": "x", "runs": 2, "min_pass": 3'), "min_pass"),
    "on_missing_input unknown": Bad(line('"turns": [{"input": "x"}], "on_missing_input": "wait"'), "on_missing_input"),
    "max_turns negative": Bad(line('"turns": [{"input": "x"}], "max_turns": -1'), "max_turns"),
    "turns is an object": Bad(line('"turns": {"input": "x"}'), "turns"),
    "simulator without use": Bad(line('"simulator": {}, "checkpoints": []'), "use"),
    "interactive is a bool": Bad(line('"input": "x", "interactive": true'), "interactive"),
    "hook without cmd": Bad(line('"input": "x", "hooks": [{}]'), "cmd"),
    # checkpoints
    "checkpoint without assertion": Bad(
        line('"input": "x", "simulator": {"use": "echo"}, "checkpoints": [{"id": "a"}]'), "assert"
    ),
    "after unknown": Bad(
        line(
            '"input": "x", "simulator": {"use": "echo"}, "checkpoints": [{"id": "a", "after": ["zz"], "assert": {"type": "contains", "value": "x"}}]'
        ),
        "zz",
    ),
    "after in a circle": Bad(
        line(
            '"input": "x", "simulator": {"use": "echo"}, "checkpoints": ['
            '{"id": "a", "after": ["b"], "assert": {"type": "contains", "value": "x"}},'
            '{"id": "b", "after": ["a"], "assert": {"type": "contains", "value": "x"}}]'
        ),
        "circle",
    ),
    # assertions
    "unknown assertion": Bad(asserting('{"type": "contians", "value": "x"}'), "contains"),
    "assertion without type": Bad(asserting('{"value": "x"}'), "type"),
    "assertion is a string": Bad(asserting('["contains"]'), "assert"),
    "bad regex": Bad(asserting('{"type": "regex", "value": "("}'), "regex"),
    "bad JSONPath": Bad(asserting('{"type": "json_path", "path": "$[?(", "value": 1}'), "$[?("),
    "negate is a string": Bad(asserting('{"type": "contains", "value": "x", "negate": "true"}'), "negate"),
    "unknown assertion field": Bad(asserting('{"type": "contains", "valeu": "x"}'), "valu"),
    "bad schema": Bad(asserting('{"type": "json_schema", "schema": {"type": "strnig"}}'), "schema"),
    "bad regex in an AssertBlock": Bad(asserting('{"text": {"must_match": "("}}'), "regex"),
    "typo in an AssertBlock": Bad(asserting('{"tools": {"forbidd": ["x"]}}'), "forbid"),
    "script not found": Bad(asserting('{"type": "script", "script": "scripts:nope.check"}'), "nope"),
    "judge not found": Bad(asserting('{"type": "agent", "use": "agents:nope", "value": "x"}'), "nope"),
    # agents and configuration
    "unknown agent by flag": Bad(line('"input": "x"'), "ecoh", "", args=("test", "-i", "cases.jsonl", "-n", "ecoh")),
    "unknown agent in the case": Bad(line('"input": "x", "agent": "ecoh"'), "ecoh"),
    "no agent at all": Bad(line('"input": "x"'), "no agent", config="{}\n"),
    "agent function missing": Bad(
        line('"input": "x"'), "eko", "", config="agents: {a: {python: 'agent.py:eko'}}\nagent: a\n"
    ),
    "agent file missing": Bad(
        line('"input": "x"'), "gone.py", "", config="agents: {a: {python: 'gone.py:f'}}\nagent: a\n"
    ),
    "agent with two kinds": Bad(
        line('"input": "x"'), "exactly one", "viva.yaml", config="agents: {a: {python: 'x:y', cmd: [z]}}\nagent: a\n"
    ),
    "agent without a kind": Bad(
        line('"input": "x"'), "exactly one", "viva.yaml", config="agents: {a: {model: m}}\nagent: a\n"
    ),
    "unknown config key": Bad(line('"input": "x"'), "agent", "viva.yaml:1", config="agnets: {}\n"),
    "config is a list": Bad(line('"input": "x"'), "mapping", "viva.yaml:1", config="- a\n"),
    "bad YAML in config": Bad(line('"input": "x"'), "YAML", "viva.yaml:2", config="a: 1\n\tb: 2\n"),
    "duplicate config key": Bad(line('"input": "x"'), "duplicate", "viva.yaml:2", config="agent: a\nagent: b\n"),
    "bad duration in config": Bad(line('"input": "x"'), "forever", "", config=CONFIG + "run: {timeout: forever}\n"),
    "runs less than once in config": Bad(line('"input": "x"'), "run.runs", "", config=CONFIG + "run: {runs: -1}\n"),
    "none at once in config": Bad(line('"input": "x"'), "run.parallel", "", config=CONFIG + "run: {parallel: -3}\n"),
    "no turns in config": Bad(line('"input": "x"'), "run.max_turns", "", config=CONFIG + "run: {max_turns: -2}\n"),
    "undefined variable in config": Bad(
        line('"input": "x"'),
        "NOT_SET_ANYWHERE",
        "",
        config="agents: {a: {openai: 'http://${NOT_SET_ANYWHERE}/v1', model: m}}\nagent: a\n",
    ),
    "unknown connector": Bad(
        line('"input": "x"'),
        "nope.model",
        "",
        config="agent: p\n",
        files={
            "assistants/p/package.yao": '{"name": "P", "connector": "nope.model"}',
            "assistants/p/prompts.yml": "[]",
        },
    ),
    "package without a name": Bad(
        line('"input": "x"'),
        "name",
        "package.yao",
        config="agent: p\n",
        files={"assistants/p/package.yao": '{"connector": "c"}'},
    ),
    # YAML tests
    "YAML without turns": Bad(
        None, "turns", "t.viva.yaml", args=("test", "-i", "t.viva.yaml"), files={"t.viva.yaml": "name: x\n"}
    ),
    "YAML typo": Bad(
        None,
        "usr",
        "t.viva.yaml:2",
        args=("test", "-i", "t.viva.yaml"),
        files={"t.viva.yaml": "turns:\n  - usr: hello\n"},
    ),
    "YAML bad regex": Bad(
        None,
        "regex",
        "t.viva.yaml",
        args=("test", "-i", "t.viva.yaml"),
        files={"t.viva.yaml": "turns:\n  - user: hi\n    assert: {text: {must_match: '('}}\n"},
    ),
    # flags
    "bad --timeout": Bad(line('"input": "x"'), "soon", "", args=("test", "-i", "cases.jsonl", "--timeout", "soon")),
    "bad --parallel": Bad(line('"input": "x"'), "parallel", "", args=("test", "-i", "cases.jsonl", "--parallel", "0")),
    "bad --shard": Bad(line('"input": "x"'), "shard", "", args=("test", "-i", "cases.jsonl", "--shard", "5/3")),
    "bad --run": Bad(line('"input": "x"'), "regex", "", args=("test", "-i", "cases.jsonl", "--run", "(")),
    "unknown flag": Bad(line('"input": "x"'), "--paralel", "", args=("test", "-i", "cases.jsonl", "--paralel", "2")),
    "unknown command": Bad(None, "test", "", args=("tset",)),
    "bad output format": Bad(line('"input": "x"'), ".pdf", "", args=("test", "-i", "cases.jsonl", "-o", "report.pdf")),
    "missing context file": Bad(
        line('"input": "x"'), "ctx.json", "", args=("test", "-i", "cases.jsonl", "--ctx", "ctx.json")
    ),
    "missing config file": Bad(
        line('"input": "x"'), "other.yaml", "", args=("test", "-i", "cases.jsonl", "--config", "other.yaml")
    ),
    "no input given": Bad(None, "nothing to test", "", args=("test",)),
    "unknown case by id": Bad(line('"input": "x"'), "T9", "", args=("test", "-i", "cases.jsonl::T9")),
    "report of no result file": Bad(line('"input": "x"'), "result", "", args=("report", "cases.jsonl")),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_input(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    bad = BAD[name]
    for path, content in {"viva.yaml": bad.config, "agent.py": AGENT, **bad.files}.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(content)
    if bad.case is not None:
        (tmp_path / "cases.jsonl").write_bytes(bad.case.encode() if isinstance(bad.case, str) else bad.case)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", ["viva", *bad.args])
    with pytest.raises(SystemExit) as left:
        main()
    said = capsys.readouterr().err
    assert left.value.code == 2, said
    first = said.splitlines()[0]
    assert first.startswith("viva: "), said
    assert bad.says in said
    assert bad.at in first
    assert "Traceback" not in said


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads everything")
def test_an_unreadable_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    (tmp_path / "cases.jsonl").write_text(line('"input": "x"'))
    (tmp_path / "cases.jsonl").chmod(0)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", ["viva", "test", "-i", "cases.jsonl"])
    with pytest.raises(SystemExit) as left:
        main()
    assert left.value.code == 2
    assert "ermission" in capsys.readouterr().err


def test_every_problem_of_every_file_is_told_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    (tmp_path / "viva.yaml").write_text(CONFIG)
    (tmp_path / "agent.py").write_text(AGENT)
    (tmp_path / "a.jsonl").write_text('{"id": 1}\n{"id": "ok", "input": "x"}\n{"id": "b", "input": 5}\n')
    (tmp_path / "b.viva.yaml").write_text("turns:\n  - usr: hello\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", ["viva", "validate", "-i", "a.jsonl", "-i", "b.viva.yaml"])
    with pytest.raises(SystemExit) as left:
        main()
    said = capsys.readouterr().err
    assert left.value.code == 2
    assert all(place in said for place in ("a.jsonl:1", "a.jsonl:3", "b.viva.yaml:2"))
