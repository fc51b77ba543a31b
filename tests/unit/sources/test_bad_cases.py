"""Everything a person can write wrong in a case file: one line of reason, the right place, and no traceback."""

from pathlib import Path

import pytest

from vivavoce.errors import UsageError
from vivavoce.model.case import Case, Origin
from vivavoce.sources.reading.json_file import JsonSource
from vivavoce.sources.reading.jsonl import JsonlSource
from vivavoce.sources.reading.yaml_file import YamlSource

GOOD = '{"id": "good", "input": "hi"}'

FIELDS = [
    # the case itself
    ('{"input": "a"}', "'id' is missing"),
    ('{"id": null, "input": "a"}', "'id' is missing"),
    ('{"id": "", "input": "a"}', "id: wanted text that is not empty"),
    ('{"id": 5, "input": "a"}', "id: wanted text, found 5"),
    ('{"id": "T", "input": "a", "assrt": []}', "unknown field 'assrt' (did you mean 'assert'?)"),
    ('{"id": "T", "input": "a", "zzz": 1}', "unknown field 'zzz' (known: after, agent"),
    ('{"id": "T", "input": "a", "name": 1}', "name: wanted text, found 1"),
    ('{"id": "T", "input": "a", "description": []}', "description: wanted text, found an empty list"),
    ('{"id": "T", "input": "a", "tags": "smoke"}', 'tags: wanted a list, found "smoke" (write it like ["smoke"])'),
    ('{"id": "T", "input": "a", "tags": [1]}', "tags[0]: wanted text, found 1"),
    ('{"id": "T", "input": "a", "metadata": []}', "metadata: wanted an object, found an empty list"),
    ('{"id": "T", "input": "a", "skip": "yes"}', 'skip: wanted true, false or a reason, found "yes"'),
    ('{"id": "T", "input": "a", "skip": 1}', "skip: wanted true or false or text, found 1"),
    ('{"id": "T", "input": "a", "agent": {}}', "agent: wanted text, found an empty object"),
    ('{"id": "T", "input": "a", "user": 7}', "user: wanted text, found 7"),
    ('{"id": "T", "input": "a", "team": true}', "team: wanted text, found true"),
    ('{"id": "T", "input": "a", "locale": 1.5}', "locale: wanted text, found 1.5"),
    ('{"id": "T", "input": "a", "timeout": 30}', 'timeout: wanted text, found 30 (write it like "30s" or "2m")'),
    ('{"id": "T", "input": "a", "timeout": "30"}', "timeout: bad duration '30': write it like 500ms"),
    ('{"id": "T", "input": "a", "timeout": "0s"}', "timeout: bad duration '0s': it must be longer than zero"),
    ('{"id": "T", "input": "a", "type": "multi"}', 'type: wanted multi_turn or single_turn, found "multi" (did'),
    ('{"id": "T", "input": "a", "stop_on_failure": "x"}', 'stop_on_failure: wanted true or false, found "x"'),
    ('{"id": "T", "input": "a", "on_missing_input": "end it"}', "on_missing_input: wanted end or fail or skip"),
    ('{"id": "T", "input": "a", "max_turns": -1}', "max_turns: wanted a whole number, 0 or more, found -1"),
    ('{"id": "T", "input": "a", "max_turns": 2.5}', "max_turns: wanted a whole number, found 2.5"),
    ('{"id": "T", "input": "a", "runs": 0}', "runs: wanted a whole number, 1 or more, found 0"),
    ('{"id": "T", "input": "a", "runs": 3, "min_pass": 4}', "min_pass: 4 of only 3 runs cannot pass"),
    ('{"id": "T", "input": "a", "before": ""}', "before: wanted text that is not empty"),
    # what is said
    ('{"id": "T", "messages": [{"role": "user", "content": ""}]}', "no input: the user says nothing"),
    ('{"id": "T", "input": 5}', "input: unsupported input type: 5"),
    ('{"id": "T", "input": ["hello"]}', 'input: message at index 0: wanted an object, found "hello"'),
    ('{"id": "T", "input": {"role": "user"}}', "input: a message needs 'content'"),
    ('{"id": "T", "input": {"role": "usr", "content": "x"}}', "input.role: wanted assistant or developer or system"),
    ('{"id": "T", "input": {"content": "x", "rle": "user"}}', "input: unknown field 'rle' (did you mean 'role'?)"),
    ('{"id": "T", "input": {"content": 5}}', "input.content: wanted text or content parts, found 5"),
    ('{"id": "T", "input": {"content": ["x"]}}', 'input.content: part at index 0: wanted an object, found "x"'),
    (
        '{"id": "T", "input": {"cal": "add", "args": {}}}',
        "(did you mean 'call'? a request of an MCP server has one of call, list, read, prompt)",
    ),
    ('{"id": "T", "input": {"content": [{"text": "x"}]}}', "input.content[0]: a content part needs a 'type'"),
    ('{"id": "T", "input": {"content": [{"type": "text"}]}}', "input.content[0].text: wanted text, found null"),
    ('{"id": "T", "input": {"content": [{"type": "image"}]}}', "an image needs a 'source' (file://…) or a 'url'"),
    (
        '{"id": "T", "input": {"content": [{"type": "image", "source": "https://e/x.png"}]}}',
        "input.content[0].source: wanted a file:// path",
    ),
    ('{"id": "T", "input": {"content": [{"type": "image_url"}]}}', "input.content[0].image_url: wanted an object"),
    ('{"id": "T", "input": {"content": [{"type": "audio"}]}}', "audio needs a 'source'"),
    ('{"id": "T", "input": {"content": [{"type": "file"}]}}', "a file needs a 'source'"),
    (
        '{"id": "T", "input": {"content": [{"type": "image", "ulr": "https://e/x.png"}]}}',
        "input.content[0]: unknown field 'ulr' (did you mean 'url'?)",
    ),
    ('{"id": "T", "messages": {"role": "user"}}', "messages: wanted a list, found an object"),
    ('{"id": "T", "messages": [{"tool_calls": [{"id": "c"}]}]}', "each of 'tool_calls' needs a 'function'"),
    # options
    ('{"id": "T", "input": "a", "options": []}', "options: wanted an object, found an empty list"),
    ('{"id": "T", "input": "a", "options": {"conector": "x"}}', "options: unknown field 'conector' (did you mean"),
    ('{"id": "T", "input": "a", "options": {"connector": 5}}', "options.connector: wanted text, found 5"),
    ('{"id": "T", "input": "a", "options": {"skip": {"history": "x"}}}', "options.skip.history: wanted true or false"),
    # assertions
    ('{"id": "T", "input": "a", "assert": {"type": "contians", "value": 1}}', "unknown assertion type 'contians'"),
    ('{"id": "T", "input": "a", "assert": "contains"}', "assert: an assertion must be an object"),
    ('{"id": "T", "input": "a", "assert": {"value": 1}}', "assert: an assertion needs a 'type'"),
    ('{"id": "T", "input": "a", "assertions": [{"type": "regex", "value": "("}]}', "assertions[0]: "),
    ('{"id": "T", "input": "a", "assert": {"type": "json_path", "path": "$["}}', "assert: "),
    ('{"id": "T", "input": "a", "assert": {"type": "contains", "vlaue": 1}}', "unknown field 'vlaue'"),
    ('{"id": "T", "input": "a", "final_assertions": [5]}', "final_assertions[0]: an assertion must be an object"),
    # turns
    ('{"id": "T", "turns": "a"}', 'turns: wanted a list, found "a"'),
    ('{"id": "T", "turns": ["a"]}', 'turns[0]: wanted an object, found "a"'),
    ('{"id": "T", "turns": [{"input": "a"}, {"inptu": "b"}]}', "turns[1]: unknown field 'inptu' (did you mean 'input'"),
    ('{"id": "T", "turns": [{}]}', "turns[0]: no input"),
    ('{"id": "T", "turns": [{"input": ""}]}', "turns[0]: no input"),
    ('{"id": "T", "turns": [{"input": "a", "user": "b"}]}', "turns[0]: 'input' and 'user' say the same thing"),
    ('{"id": "T", "turns": [{"input": 5}]}', "turns[0].input: wanted text or content parts, found 5"),
    ('{"id": "T", "turns": [{"input": {"role": "assistant", "content": "a"}}]}', "turns[0].input.role: wanted user"),
    ('{"id": "T", "turns": [{"input": "a", "attachments": {}}]}', "turns[0].attachments: wanted a list"),
    ('{"id": "T", "turns": [{"input": "a", "assert": {"type": "nope"}}]}', "turns[0].assert: unknown assertion type"),
    ('{"id": "T", "turns": [{"input": "a", "resume": {"aproved": true}}]}', "turns[0].resume: unknown field 'aproved'"),
    ('{"id": "T", "type": "single_turn", "turns": [{"input": "a"}, {"input": "b"}]}', "type: a single_turn case ends"),
    # simulator
    ('{"id": "T", "simulator": "sim"}', 'simulator: wanted an object, found "sim"'),
    ('{"id": "T", "simulator": {}}', "simulator: 'use' is missing"),
    ('{"id": "T", "simulator": {"use": ""}}', "simulator.use: wanted text that is not empty"),
    ('{"id": "T", "simulator": {"use": "agents:"}}', "simulator.use: wanted the id of an agent"),
    ('{"id": "T", "simulator": {"use": "s", "goal": "x"}}', "simulator: unknown field 'goal'"),
    ('{"id": "T", "simulator": {"use": "s", "metadata": {"max_turns": "ten"}}}', "max_turns: wanted a whole number"),
    # checkpoints
    ('{"id": "T", "input": "a", "checkpoints": {}}', "checkpoints: wanted a list"),
    ('{"id": "T", "input": "a", "checkpoints": [{"id": "c"}]}', "checkpoints[0]: checkpoint 'c' has no assertion"),
    ('{"id": "T", "input": "a", "checkpoints": [{"assert": {"type": "contains", "value": "x"}}]}', "'id' is missing"),
    ('{"id": "T", "input": "a", "checkpoints": [{"id": "c", "assert": []}]}', "checkpoint 'c' has no assertion"),
    (
        '{"id": "T", "input": "a", "checkpoints": ['
        '{"id": "c", "after": "d", "assert": {"type": "contains", "value": 1}}]}',
        "checkpoints[0].after: there is no checkpoint 'd'",
    ),
    (
        '{"id": "T", "input": "a", "checkpoints": ['
        '{"id": "c", "after": ["d"], "assert": {"type": "contains", "value": 1}}, '
        '{"id": "d", "after": ["c"], "assert": {"type": "contains", "value": 1}}]}',
        "checkpoints: 'after' goes round in a circle: ",
    ),
    (
        '{"id": "T", "input": "a", "checkpoints": ['
        '{"id": "c", "assert": {"type": "contains", "value": 1}}, '
        '{"id": "c", "assert": {"type": "contains", "value": 2}}]}',
        "checkpoints[1]: duplicate checkpoint id 'c'",
    ),
    # the rest
    ('{"id": "T", "input": "a", "interactive": true}', "interactive: wanted an object, found true"),
    ('{"id": "T", "input": "a", "interactive": {"enable": true}}', "interactive: unknown field 'enable' (did you mean"),
    ('{"id": "T", "input": "a", "interactive": {"timeout": "soon"}}', "interactive.timeout: bad duration 'soon'"),
    ('{"id": "T", "input": "a", "hooks": [{"cmd": "bash x"}]}', 'hooks[0].cmd: wanted a list, found "bash x"'),
    ('{"id": "T", "input": "a", "hooks": [{"cmd": []}]}', "hooks[0].cmd: wanted a list that is not empty"),
    ('{"id": "T", "input": "a", "hooks": [{"cmd": ["x"], "timeout_ms": 0}]}', "timeout_ms: wanted a number above 0"),
    ('{"id": "T", "input": "a", "hooks": [{"cmd": ["x"], "timeout": 5}]}', "hooks[0]: unknown field 'timeout'"),
    (
        '{"id": "T", "input": "a", "tools": [{"name": "t", "answers": [{"value": 1, "error": "x"}]}]}',
        "`value` and `error` exclude each other",
    ),
    ('{"id": "T", "input": "a", "tools": [{"name": "t"}, {"name": "t"}]}', "'t' is declared twice"),
    (
        '{"id": "T", "input": "a", "tools": [{"name": "t", "answers": [{"value": 1, "when": {"a": "("}}]}]}',
        "argument a: bad regex",
    ),
]


@pytest.mark.parametrize(("text", "reason"), FIELDS, ids=[reason[:40] for _, reason in FIELDS])
def test_a_wrong_field_is_named_with_its_line_and_the_others_are_still_read(tmp_path: Path, text: str, reason: str):
    file = tmp_path / "cases.jsonl"
    file.write_text(f"{GOOD}\n\n{text}\n{GOOD.replace('good', 'later')}\n", encoding="utf-8")
    first, bad, later = JsonlSource(file, "tests/cases.jsonl").read()
    assert isinstance(first, Case)
    assert isinstance(later, Case)
    assert isinstance(bad, UsageError)
    assert reason in str(bad)
    assert bad.at == Origin("tests/cases.jsonl", 3)
    assert "\n" not in str(bad)


SYNTAX = [
    (b'{"id": "T", "input": }', 3, "bad JSON"),
    (b'{"id": "T", "input": "a",}', 3, "bad JSON"),
    (b"{'id': 'T'}", 3, "bad JSON"),
    (b'{"id": "T", "input": NaN}', 3, "bad JSON: NaN is no JSON value (column 22)"),
    (b'{"id": "T",\n "input": [1, -Infinity]}', 4, "bad JSON: Infinity is no JSON value (column 16)"),
    (b'{"id": "T", "max_turns": 1' + b"0" * 5000 + b"}", 3, "bad JSON: a number too large to be read (column 26)"),
    (b'{"id": "T",\n "input": "1e999", "max_turns": 1e999}', 4, "a number too large to be read (column 33)"),
    (b'  {"id": "T", "input": ?}', 3, "bad JSON: invalid character (column 24)"),
    (b'{"id": "T", "input": "a", "assert": {"type": "contains", "value": "b"}, "assert": []}', 3, "key 'assert'"),
    (b'{"id": "T", "input": "a",\n "assert": {"type": "contains",\n "value": "b", "value": ""}}', 5, "key 'value'"),
    (b'{"id": "T", "input": "a\\u003a", "metadata": {"x": 1, "\\u0078": 2}}', 3, "duplicate key 'x'"),
    (b'{"id": "T", "input": "a"}}', 3, "wanted an object, found '}'"),
    (b'{"id": "T", "assert": [}', 3, "bad JSON"),
    (b'{"id": "T", "input": "a"', 3, "not closed before line 4"),
    (b'{"id": "T", "assert": [', 3, "not closed before"),
    (b'{\n  "id": "T",\n  "input": "a"\n  "name": "n"\n}', 6, "bad JSON"),
    (b'{\n  "id": "T",\n  "input": "open\n}', 5, "bad JSON"),
    (b'{"id": "T", "input": "caf\xe9"}', 3, "not UTF-8 text: byte 0xe9"),
    (b'{\n"id": "T",\n"input": "\xff"}', 5, "not UTF-8 text: byte 0xff"),
    (b"hello", 3, "wanted an object, found 'hello'"),
    (b'"hello"', 3, 'wanted an object, found "hello"'),
    (b"[]", 3, "wanted an object, found an empty list"),
    (b'{"id": ' + b"[" * 100_000, 3, "bad JSON"),
    (b'{"id": ' + b"[" * 100_000 + b"]" * 100_000 + b"}", 3, "nested too deeply"),
]


@pytest.mark.parametrize(("text", "line", "reason"), SYNTAX)
def test_broken_json_is_reported_at_its_exact_line_and_reading_goes_on(
    tmp_path: Path, text: bytes, line: int, reason: str
):
    file = tmp_path / "cases.jsonl"
    file.write_bytes(GOOD.encode() + b"\n\n" + text + b"\n" + GOOD.replace("good", "later").encode() + b"\n")
    found = list(JsonlSource(file, "cases.jsonl").read())
    assert [case.id for case in found if isinstance(case, Case) and case.id != "T"] == ["good", "later"]
    problems = [problem for problem in found if isinstance(problem, UsageError)]
    assert len(problems) == 1
    assert reason in str(problems[0])
    assert problems[0].at == Origin("cases.jsonl", line)


SPREAD = [
    ('{"id": "T",\n "input": "a",\n "assrt": []}', 3, "unknown field 'assrt'"),
    ('{"id": "T",\n "input": "a",\n "timeout":\n 30}', 3, "timeout: wanted text, found 30"),
    ('{"id": "T", "turns": [\n{"input": "a"},\n\n// a remark\n{"input": 5}]}', 5, "turns[1].input: wanted text"),
    ('{"id": "T", "input": "a",\n "tags": ["a",\n "b", [],\n "d"]}', 3, "tags[2]: wanted text"),
    ('{"id": "T", "input": "a",\n "assert": [\n{"type": "contans"}]}', 3, "assert[0]: unknown assertion type"),
    ('{"id": "T", "input": "{[\\n",\n "tools": [{"name": "t"},\n {"name": "t"}]}', 3, "declared twice"),
    ('{"id": "T",\n "input": "a",\n "assert": null}', 3, "assert: it is empty (write [] if nothing is to be checked)"),
]


@pytest.mark.parametrize(("text", "line", "reason"), SPREAD, ids=[reason for *_, reason in SPREAD])
@pytest.mark.parametrize("kind", ["jsonl", "json"])
def test_a_wrong_field_of_a_case_on_several_lines_is_named_with_its_own_line(
    tmp_path: Path, kind: str, text: str, line: int, reason: str
):
    file = tmp_path / f"cases.{kind}"
    if kind == "jsonl":
        file.write_text(f"{GOOD}\n{text}\n", encoding="utf-8")
        found = list(JsonlSource(file, "cases").read())
    else:
        file.write_text(f"[{GOOD},\n{text}]\n", encoding="utf-8")
        found = list(JsonSource(file, "cases").read())
    (bad,) = [problem for problem in found if isinstance(problem, UsageError)]
    assert reason in str(bad)
    assert bad.at == Origin("cases", 1 + line)


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be"])
def test_a_file_in_utf_16_is_called_so_once(tmp_path: Path, encoding: str):
    file = tmp_path / "cases.jsonl"
    file.write_text(f"{GOOD}\n{GOOD}\n", encoding=encoding)
    (bad,) = JsonlSource(file, "cases.jsonl").read()
    assert "UTF-16" in str(bad)
    assert "save the file as UTF-8" in str(bad)


def test_a_yaml_test_in_utf_16_is_called_so(tmp_path: Path):
    file = tmp_path / "flow.viva.yaml"
    file.write_text("turns:\n  - user: hi\n", encoding="utf-16")
    (bad,) = YamlSource(file, "flow.viva.yaml").read()
    assert "this is UTF-16" in str(bad)


YAML = [
    ("name: t\nturns:\n  - user: hi\n    assert:\n", 4, "turns[0].assert: it is empty (write [] if nothing"),
    ("turns:\n  - user: hi\nassert:\n  tools:\n    require:\n", 5, "assert.tools.require: it is empty"),
    ("turns:\n  - user: hi\nfinal_assertions:\n", 3, "final_assertions: it is empty"),
    ("name: t\nturns:\n  - user: hi\n    asert: {}\n", 4, "turns[0]: unknown field 'asert' (did you mean 'assert'?)"),
    ("name: t\nturns:\n  - user: hi\n    assert:\n      tool: {}\n", 4, "turns[0].assert: "),
    ("name: t\nturns:\n  - user: hi\n  - user: 5\n", 4, "turns[1].user: wanted text or content parts, found 5"),
    ("name: t\nturns:\n  - user: hi\nhooks:\n  - cmd: bash x.sh\n", 5, "hooks[0].cmd: wanted a list"),
    ("name: t\nturns:\n  - user: hi\ntimeout: 30\n", 4, "timeout: wanted text, found 30"),
    ("name: t\nturns:\n  - user: hi\nskip: yes\n", 4, 'skip: wanted true, false or a reason, found "yes"'),
    ("- user: hi\n", 1, "wanted a mapping with 'turns', found a list"),
    ("name: t\nname: u\nturns:\n  - user: hi\n", 2, "duplicate key 'name'"),
    ("name: [t\nturns:\n", 2, "bad YAML"),
    ("turns:\n  - user: hi\nassert:\n  text:\n    must_match: '('\n", 5, "assert.text.must_match: "),
]


@pytest.mark.parametrize(("text", "line", "reason"), YAML)
def test_a_wrong_yaml_test_is_reported_at_the_line_of_the_field(tmp_path: Path, text: str, line: int, reason: str):
    file = tmp_path / "flow.viva.yaml"
    file.write_text(text, encoding="utf-8")
    (bad,) = YamlSource(file, "flow.viva.yaml").read()
    assert isinstance(bad, UsageError)
    assert reason in str(bad)
    assert bad.at == Origin("flow.viva.yaml", line)


JSON = [
    ('{"input": "x"}', 1, "'id' is missing"),
    ('[{"id": "a", "input": "x"},\n {"input": "b"}]', 2, "'id' is missing"),
    ('{"cases": [\n\n{"id": "a", "input": "x"},\n{"id": "a", "input": "x"}]}', 4, "first used in line 3"),
    ('[{"id": "a", "input": "x",\n "assert": [], // none\n "assert": []}]', 3, "duplicate key 'assert'"),
    ('{"cases": {}}', 1, "unknown field 'cases'"),
    ('[{"id": "a", "input": "x"},\n 5]', 2, "wanted a case, found 5"),
    ("5", 1, "wanted a case, found 5"),
    ('{\n"id": \n}', 3, "bad JSON"),
]


@pytest.mark.parametrize(("text", "line", "reason"), JSON)
def test_a_wrong_json_file_is_reported_with_its_line(tmp_path: Path, text: str, line: int, reason: str):
    file = tmp_path / "cases.json"
    file.write_text(text, encoding="utf-8")
    bad = next(found for found in JsonSource(file, "cases.json").read() if isinstance(found, UsageError))
    assert reason in str(bad)
    assert bad.at == Origin("cases.json", line)
