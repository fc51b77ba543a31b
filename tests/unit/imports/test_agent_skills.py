"""Agent Skills' `evals.json`."""

import json
from pathlib import Path
from typing import Any

import pytest
from tests.unit.imports.example_files import DATA, case_in, cases_of, found_in, imported, left_out

from vivavoce.imports.found import Note


def written(tmp_path: Path, **entry: Any) -> Path:
    (tmp_path / "evals").mkdir(exist_ok=True)
    file = tmp_path / "evals" / "evals.json"
    file.write_text(json.dumps({"skill_name": "shop", "evals": [{"id": 1, "prompt": "Refund it", **entry}]}))
    return file


def test_expectations_become_questions_for_a_judge(tmp_path: Path):
    (account,) = imported(tmp_path, None, DATA / "agent-skills" / "evals.json")
    cases = cases_of(account.target)
    assert list(cases) == ["shop-refunds-1", "asks-first"]
    asks = [spec.fields["value"] for spec in cases["shop-refunds-1"].assertions]
    assert asks == ["A note with the amount and the order", "refund.md exists", "The amount in the note is 30 EUR"]
    assert cases["shop-refunds-1"].tags == ("shop-refunds",)
    assert account.checks("exact") == 6


def test_files_are_attached_from_the_skill_s_folder(tmp_path: Path):
    (tmp_path / "order.json").write_text("{}")
    case = case_in("skills", written(tmp_path, files=["order.json"]))
    assert case["turns"][0]["attachments"] == [{"type": "file", "source": "file://../../order.json"}]


def test_a_file_that_is_not_there_is_told(tmp_path: Path):
    (note, _) = found_in("skills", written(tmp_path, files=["order.json"]))
    assert isinstance(note, Note)
    assert "order.json is missing" in note.what


@pytest.mark.parametrize("file", ["/etc/passwd", "../../secret.txt", "a\0b"])
def test_no_other_file_is_sent_to_an_agent(file: str, tmp_path: Path):
    (tmp_path.parent / "secret.txt").write_text("root:x:0")
    evals = written(tmp_path, files=[file])
    assert "attachments" not in str(case_in("skills", evals))
    assert left_out("skills", evals) == [f"{file} lies outside the skill's folder: attach it by hand"]


def test_an_expectation_without_words_is_left_out(tmp_path: Path):
    assert left_out("skills", written(tmp_path, expectations=[{"weight": 2}])) == [
        'an expectation without words: {"weight":2}'
    ]


def test_an_eval_without_a_prompt_is_refused(tmp_path: Path):
    assert left_out("skills", written(tmp_path, prompt=None)) == ["the eval has no `prompt`"]
