"""promptfoo's prompts."""

import json
from pathlib import Path
from typing import Any

import pytest

from vivavoce.errors import UsageError
from vivavoce.imports.found import Refused
from vivavoce.imports.promptfoo.prompts import Prompt, prompts_in
from vivavoce.notation.yaml_reader import YamlDocument

CHAT = [{"role": "system", "content": "Be kind."}, {"role": "user", "content": "{{q}}"}]


def prompts(folder: Path, *values: Any, run_code: bool = False) -> list[Prompt | Refused]:
    document = YamlDocument({}, 1, {})
    return list(prompts_in(list(values), document, folder / "promptfooconfig.yaml", run_code=run_code))


def test_without_a_prompt_the_variable_of_that_name_is_sent(tmp_path: Path):
    assert prompts(tmp_path) == [Prompt("prompt", "{{prompt}}")]


def test_texts_and_chats_are_templates(tmp_path: Path):
    assert prompts(tmp_path, "Hi {{x}}", json.dumps(CHAT), {"label": "mine", "raw": "Ho"}, "[1, 2]") == [
        Prompt("prompt1", "Hi {{x}}"),
        Prompt("prompt2", CHAT),
        Prompt("mine", "Ho"),
        Prompt("prompt4", "[1, 2]"),
    ]


def test_a_file_may_hold_several(tmp_path: Path):
    (tmp_path / "p.txt").write_text("One\n---\nTwo\n")
    (tmp_path / "chat.json").write_text(json.dumps(CHAT))
    (tmp_path / "chat.yaml").write_text("- {role: user, content: Hi}\n")
    assert prompts(tmp_path, "file://p.txt", "chat.json", "file://chat.yaml") == [
        Prompt("p1", "One"),
        Prompt("p2", "Two"),
        Prompt("chat", CHAT),
        Prompt("chat", [{"role": "user", "content": "Hi"}]),
    ]


def test_a_pattern_stands_for_every_file_it_fits(tmp_path: Path):
    for name in ("a.txt", "b.txt"):
        (tmp_path / name).write_text(name)
    assert prompts(tmp_path, "file://*.txt") == [Prompt("a", "a.txt"), Prompt("b", "b.txt")]


def test_a_file_that_is_not_there_is_told(tmp_path: Path):
    (told,) = prompts(tmp_path, "file://no.txt")
    assert isinstance(told, Refused)
    assert told.what == "the prompt no.txt does not exist"


@pytest.mark.parametrize(("script", "can_run"), [("make.py", True), ("make.js", False)])
def test_a_script_is_told_and_runs_only_when_asked(script: str, can_run: bool, tmp_path: Path):
    (told,) = prompts(tmp_path, f"file://{script}:build")
    assert isinstance(told, Refused)
    assert ("--run-code" in told.what) is can_run
    (asked,) = prompts(tmp_path, f"file://{script}:build", run_code=True)
    assert isinstance(asked, Prompt if can_run else Refused)


def test_no_script_outside_the_folder_is_run(tmp_path: Path):
    with pytest.raises(UsageError, match="outside the folder"):
        prompts(tmp_path, "file://../make.py", run_code=True)
