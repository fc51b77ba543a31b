"""Files that were written to harm whoever imports them."""

import json
from pathlib import Path
from typing import Any

import pytest
from tests.unit.imports import example_files

from vivavoce.errors import UsageError
from vivavoce.imports.importing import Account
from vivavoce.model.case import Case
from vivavoce.sources.reading.jsonl import JsonlSource


def imported(tmp_path: Path, kind: str, name: str, content: Any) -> Account:
    file = tmp_path / "in" / name
    file.parent.mkdir(exist_ok=True)
    file.write_text(content if isinstance(content, str) else json.dumps(content))
    return example_files.imported(tmp_path, kind, file, partial=True)[0]


def ids_of(account: Account) -> list[str]:
    assert account.target is not None
    return [case.id for case in JsonlSource(account.target, "x").read() if isinstance(case, Case)]


def test_a_line_break_in_a_remark_starts_no_case(tmp_path: Path):
    planted = 'x\n{"id": "planted", "input": "x", "hooks": [{"cmd": ["touch", "owned"]}]}\n//'
    config = {"prompts": ["Hi"], "tests": [{"description": "mine", "assert": [{"type": planted}]}]}
    assert ids_of(imported(tmp_path, "promptfoo", "c.json", config)) == ["mine"]


def test_no_text_can_name_a_variable_of_the_environment(tmp_path: Path):
    config = {"prompts": ["\ue000SECRET_TOKEN\ue001 ${ENV.SECRET_TOKEN}"], "tests": [{}]}
    account = imported(tmp_path, "promptfoo", "c.json", config)
    assert account.target is not None
    assert "${ENV." not in account.target.read_text().replace("$${ENV.", "")


@pytest.mark.parametrize("name", ["/etc/passwd", "../../../../etc/passwd", "../secret.txt"])
def test_files_outside_the_folder_are_not_copied_into_cases(name: str, tmp_path: Path):
    (tmp_path / "secret.txt").write_text("root:x:0")
    for config in (
        {"prompts": ["{{x}}"], "tests": [{"vars": {"x": f"file://{name}"}}]},
        {"prompts": [f"file://{name}"], "tests": [{}]},
        {"prompts": ["Hi"], "tests": [f"file://{name}"]},
    ):
        with pytest.raises(UsageError, match="outside the folder"):
            imported(tmp_path, "promptfoo", "c.json", config)


@pytest.mark.parametrize("pattern", ["../*.txt", "/etc/pass*"])
@pytest.mark.parametrize("field", ["prompts", "tests"])
def test_neither_are_those_that_a_pattern_finds(pattern: str, field: str, tmp_path: Path):
    (tmp_path / "secret.txt").write_text("root:x:0")
    config = {"prompts": ["Hi"], "tests": [{}], field: [f"file://{pattern}"]}
    with pytest.raises(UsageError, match="outside the folder"):
        imported(tmp_path, "promptfoo", "c.json", config)


BOMB = "a0: &a0 [x, x]\n" + "".join(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]\n" for n in range(1, 12))


@pytest.mark.fuzz
@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("evalview", BOMB),
        *(
            (kind, text)
            for kind in ("agenteval", "pydantic-evals", "openai")
            for text in ("a: &a [*a]\n", "[" * 20_000)
        ),
    ],
    ids=lambda value: value[:16],
)
def test_yaml_bombs_are_errors(kind: str, text: str, tmp_path: Path):
    with pytest.raises(UsageError):
        imported(tmp_path, kind, "c.yaml", text)


def test_too_many_combinations_are_refused(tmp_path: Path):
    variables = {name: list(map(str, range(60))) for name in "abcd"}
    account = imported(tmp_path, "promptfoo", "c.json", {"prompts": ["Hi"], "tests": [{"vars": variables}]})
    assert [refused.what for refused in account.refused] == ["more than 10000 combinations of its variables"]


@pytest.mark.parametrize(
    "config",
    [
        {"prompts": ["Hi"], "tests": [{"assert": [{"type": 5}]}]},
        {"prompts": ["Hi"], "tests": [{"assert": ["contains: x"]}]},
        {"prompts": ["Hi"], "tests": [{"assert": [{"type": "assert-set", "assert": ["x"]}]}]},
        {"prompts": ["Hi"], "tests": [{"assertScoringFunction": "file://x.js", "assert": []}]},
        {"prompts": ["Hi"], "tests": [], "scenarios": [1]},
    ],
)
def test_what_is_no_assertion_is_told_and_never_dropped(config: dict[str, Any], tmp_path: Path):
    assert not imported(tmp_path, "promptfoo", "c.json", config).is_whole


def test_an_empty_ideal_is_no_check(tmp_path: Path):
    account = imported(tmp_path, "openai", "samples.jsonl", '{"input": "x", "ideal": ["", "yes"]}\n')
    assert account.cases[0].case["assert"] == [{"type": "regex", "value": "^(?:yes)"}]


def test_names_of_tools_are_split_at_commas(tmp_path: Path):
    account = imported(tmp_path, "table", "t.csv", 'question,forbidden_tools\nHi,"delete_order, refund"\n')
    names = [assertion["name"] for assertion in account.cases[0].case["assert"]]
    assert names == ["delete_order", "refund"]
