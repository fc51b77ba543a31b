"""promptfoo's configurations."""

from pathlib import Path
from typing import Any

import msgspec
import pytest

from vivavoce.imports.found import CodeFile, FoundCase, ImportOptions, Note, Refused
from vivavoce.imports.promptfoo.config import read

DATA = Path(__file__).parents[3] / "data" / "imports" / "promptfoo"


def found(path: Path) -> list[FoundCase | Refused | Note | CodeFile]:
    return list(read(path, ImportOptions(folder=path.parent)))


def cases_in(tmp_path: Path, config: dict[str, Any]) -> list[dict[str, Any]]:
    path = tmp_path / "promptfooconfig.json"
    path.write_bytes(msgspec.json.encode(config))
    cases = found(path)
    assert all(isinstance(case, FoundCase) for case in cases), cases
    return [case.case for case in cases if isinstance(case, FoundCase)]


def test_the_example_becomes_what_it_should():
    cases = {case.case["id"]: case.case for case in found(DATA / "promptfooconfig.yaml") if isinstance(case, FoundCase)}
    assert list(cases) == [
        "refunds the order",
        "answers in JSON",
        "both languages",
        "both languages-2",
        "greets",
        "careful",
        "exact",
    ]
    assert cases["refunds the order"]["input"] == "Customer: Refund order A-17, please"
    assert [one["type"] for one in cases["refunds the order"]["assert"]] == [
        "contains",
        "contains",
        "regex",
        "agent",
        "javascript",
        "not_contains",
        "latency",
    ]
    assert cases["both languages"]["min_score"] == 0.6
    assert cases["both languages"]["runs"] == 3
    assert cases["greets"]["assert"][:2] == [
        {"type": "contains", "value": "help", "ignore_case": True},
        {"type": "not_contains", "value": "error"},
    ]
    assert cases["careful"]["assert"][0] == {"type": "agent", "value": "asks before it cancels"}


def test_every_prompt_makes_a_case_of_its_own(tmp_path: Path):
    config = {"prompts": [{"label": "short", "raw": "Hi {{x}}"}, "Hello {{x}}"], "tests": [{"vars": {"x": "A"}}]}
    cases = cases_in(tmp_path, config)
    assert [(case["id"], case["input"]) for case in cases] == [("@short", "Hi A"), ("@prompt2", "Hello A")]


def test_chat_prompts_become_messages(tmp_path: Path):
    chat = '[{"role": "system", "content": "Be kind."}, {"role": "user", "content": "{{x}}"}]'
    (case,) = cases_in(tmp_path, {"prompts": [chat], "tests": [{"vars": {"x": 'a "quoted" word'}}]})
    assert case["messages"][1] == {"role": "user", "content": 'a "quoted" word'}


def test_prompts_and_variables_come_from_files(tmp_path: Path):
    (tmp_path / "p.txt").write_text("One {{x}}\n---\nTwo {{x}}\n")
    (tmp_path / "x.txt").write_text("from a file\n")
    cases = cases_in(tmp_path, {"prompts": ["file://p.txt"], "tests": [{"vars": {"x": "file://x.txt"}}]})
    assert [case["input"] for case in cases] == ["One from a file", "Two from a file"]


def test_default_assertions_can_be_switched_off(tmp_path: Path):
    config = {
        "prompts": ["Hi"],
        "defaultTest": {"assert": [{"type": "is-json"}]},
        "tests": [{"options": {"disableDefaultAsserts": True}}, {}],
    }
    assert [case["assert"] for case in cases_in(tmp_path, config)] == [[], [{"type": "is_json"}]]


def test_templates_of_assertions_are_filled_in_and_references_followed(tmp_path: Path):
    config = {
        "prompts": ["Hi"],
        "assertionTemplates": {"names": {"type": "contains", "value": "{{who}}"}},
        "tests": [{"vars": {"who": "Ada"}, "assert": [{"$ref": "#/assertionTemplates/names"}]}],
    }
    assert cases_in(tmp_path, config)[0]["assert"] == [{"type": "contains", "value": "Ada"}]


def test_scenarios_are_multiplied_out(tmp_path: Path):
    config = {
        "prompts": ["{{a}}{{b}}"],
        "scenarios": [{"config": [{"vars": {"a": "1"}}, {"vars": {"a": "2"}}], "tests": [{"vars": {"b": "x"}}]}],
    }
    assert [case["input"] for case in cases_in(tmp_path, config)] == ["1x", "2x"]


@pytest.mark.parametrize(
    ("config", "why"),
    [
        ({"prompts": ["{{ x | mine }}"], "tests": [{"vars": {"x": "a"}}]}, "only promptfoo can fill in"),
        ({"prompts": ["file://prompt.py"], "tests": [dict[str, Any]()]}, "made by a script"),
        ({"prompts": ["Hi"], "tests": ["file://tests.py:make"]}, "script tests.py:make (--run-code runs it)"),
        ({"prompts": ["Hi"], "tests": [{"vars": {"x": "file://x.py"}}]}, "made by the script x.py"),
        ({"prompts": ["Hi"], "tests": [{"path": "file://tests.js", "config": None}]}, "made by the script tests.js"),
        ({"prompts": ["Hi"], "tests": ["https://example.org/t.csv"]}, "at an address"),
        ({"prompts": ["Hi"], "tests": ["file://t.xlsx"]}, "spreadsheet"),
        ({"prompts": ["Hi"], "tests": ["file://none.csv"]}, "does not exist"),
        ({"prompts": ["Hi"], "tests": list[Any](), "redteam": {"plugins": ["x"]}}, "redteam"),
        ({"prompts": ['[{"role": "assistant", "content": "x"}]'], "tests": [dict[str, Any]()]}, "assistant message"),
    ],
)
def test_what_cannot_be_taken_over_is_told_with_its_line(config: dict[str, Any], why: str, tmp_path: Path):
    path = tmp_path / "promptfooconfig.json"
    path.write_bytes(msgspec.json.format(msgspec.json.encode(config)))
    refused = [one for one in found(path) if isinstance(one, Refused)]
    assert any(why in one.what for one in refused), refused
    assert all(one.at.line for one in refused)


def test_a_variable_that_cannot_be_read_costs_its_test_and_not_the_others(tmp_path: Path):
    (tmp_path / "cat.jpg").write_bytes(b"\xff\xd8")
    tests = [{"vars": {"x": name}} for name in ("file://cat.jpg", "file://gone.txt", "file://b/*", "ok")]
    path = tmp_path / "promptfooconfig.json"
    path.write_bytes(msgspec.json.encode({"prompts": ["{{x}}"], "tests": tests}))
    *refused, last = found(path)
    assert [one.what for one in refused if isinstance(one, Refused)] == [
        "a variable: file://cat.jpg is not UTF-8 text",
        "a variable: file://gone.txt cannot be read: No such file or directory",
        "a variable: nothing matches file://b/*",
    ]
    assert isinstance(last, FoundCase)
    assert last.case["input"] == "ok"


def test_a_pattern_of_files_is_a_list_of_their_texts(tmp_path: Path):
    (tmp_path / "articles").mkdir()
    for name in ("a.txt", "b[1].txt"):
        (tmp_path / "articles" / name).write_text(f"text of {name}\n")
    cases = cases_in(tmp_path, {"prompts": ["{{x}}"], "tests": [{"vars": {"x": "file://articles/*"}}]})
    assert [case["input"] for case in cases] == ["text of a.txt", "text of b[1].txt"]


def test_only_lists_of_texts_make_several_tests(tmp_path: Path):
    variables = {"name": ["A", "B"], "said": [{"user": "Hi"}], "empty": []}
    cases = cases_in(tmp_path, {"prompts": ["{{name}} {{said}} {{empty}}"], "tests": [{"vars": variables}]})
    assert [case["input"] for case in cases] == ['A [{"user":"Hi"}] []', 'B [{"user":"Hi"}] []']


def test_a_list_in_a_file_stays_a_list(tmp_path: Path):
    (tmp_path / "names.json").write_text('["A", "B"]')
    (case,) = cases_in(tmp_path, {"prompts": ["{{names}}"], "tests": [{"vars": {"names": "file://names.json"}}]})
    assert case["input"] == '["A","B"]'


def test_a_template_that_becomes_a_chat_is_one(tmp_path: Path):
    said = [{"role": "system", "content": "Be kind."}, {"role": "user", "content": "Hi"}]
    (case,) = cases_in(tmp_path, {"prompts": ["{{ said | dump }}"], "tests": [{"vars": {"said": said}}]})
    assert case["messages"] == said


def test_checks_of_a_test_that_cannot_be_taken_are_counted(tmp_path: Path):
    several = {"type": "assert-set", "assert": [{"type": "is-json"}, {"type": "is-json"}]}
    config = {"prompts": ["{{gone}}"], "tests": [{"assert": [{"type": "is-json"}, several]}]}
    path = tmp_path / "promptfooconfig.json"
    path.write_bytes(msgspec.json.encode(config))
    (refused,) = found(path)
    assert isinstance(refused, Refused)
    assert refused.checks == 3
