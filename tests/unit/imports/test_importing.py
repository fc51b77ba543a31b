"""Whole files of other tools become cases that viva reads, and every check is accounted for."""

from pathlib import Path
from typing import Any

import pytest
from tests.unit.imports.example_files import DATA, FILES, cases_of, imported

from vivavoce.errors import UsageError
from vivavoce.imports.known import KINDS


def test_a_test_of_which_a_check_is_missing_is_skipped_unless_told_otherwise(tmp_path: Path):
    config = tmp_path / "promptfooconfig.yaml"
    config.write_text("prompts: [Hi]\ntests:\n  - assert: [{type: bleu, value: x}, {type: contains, value: y}]\n")
    (account,) = imported(tmp_path, None, config)
    (case,) = cases_of(account.target).values()
    assert case.skip == "import: bleu: has no counterpart in viva; a script can check it"
    assert (account.checks("exact"), account.checks("left_out"), account.is_whole) == (1, 1, False)
    (account,) = imported(tmp_path, None, config, partial=True)
    (case,) = cases_of(account.target).values()
    assert case.skip is None


def test_importing_again_replaces_and_keeps_the_ids(tmp_path: Path):
    file = DATA / "promptfoo" / "promptfooconfig.yaml"
    first = cases_of(imported(tmp_path, None, file)[0].target)
    again = cases_of(imported(tmp_path, None, file)[0].target)
    assert list(first) == list(again)


def test_files_of_the_same_name_do_not_overwrite_each_other(tmp_path: Path):
    accounts = imported(tmp_path, "table", DATA / "table" / "cases.csv", DATA / "table" / "cases.jsonl")
    assert len({account.target for account in accounts}) == 2


def test_a_file_that_cannot_be_read_leaves_no_half_of_an_import(tmp_path: Path):
    (tmp_path / "bad.json").write_text("{}")
    with pytest.raises(UsageError, match=r"bad\.json"):
        imported(tmp_path / "out", "skills", DATA / "agent-skills" / "evals.json", tmp_path / "bad.json")
    assert list(tmp_path.rglob("*.jsonl")) == []


def test_a_misspelt_kind_is_hinted_at(tmp_path: Path):
    with pytest.raises(UsageError, match="did you mean 'promptfoo'"):
        imported(tmp_path, None, Path("promptfo"), DATA / "promptfoo" / "promptfooconfig.yaml")


@pytest.mark.parametrize("kind", sorted(KINDS))
@pytest.mark.parametrize("text", ["", "{", "[]", "{}", "null", "[1]", '{"evals": 5}', "\x00", "a,b\n1,2,3\n"])
def test_a_broken_file_is_an_error_with_its_name_and_never_a_traceback(kind: str, text: str, tmp_path: Path):
    file = tmp_path / f"broken{'.csv' if kind == 'table' else '.json'}"
    file.write_text(text)
    problems: list[str] = []
    try:
        accounts = imported(tmp_path, kind, file)
        problems += [str(refused.at) for account in accounts for refused in account.refused]
        assert not any(account.cases for account in accounts)
    except UsageError as error:
        problems.append(str(error))
    assert any("broken" in problem for problem in problems)


@pytest.mark.parametrize("kind", sorted(FILES))
def test_what_is_written_is_read_by_viva(kind: str, tmp_path: Path):
    (account,) = imported(tmp_path, kind, DATA / FILES[kind], partial=True)
    assert cases_of(account.target)
    assert account.refused == ()


def test_a_case_that_viva_would_refuse_is_told_and_keeps_no_other_from_being_run(tmp_path: Path):
    samples = tmp_path / "samples.jsonl"
    samples.write_text(
        '{"input": [{"role": "captain", "content": "Hi"}], "ideal": "x"}\n{"input": "2+2=", "ideal": "4"}\n'
    )
    (account,) = imported(tmp_path, "openai", samples)
    assert list(cases_of(account.target)) == ["samples-2"]
    (refused,) = account.refused
    assert str(refused.at).endswith("samples.jsonl:1")
    assert "captain" in refused.what
    assert (account.checks("exact"), account.checks("left_out"), account.is_whole) == (1, 1, False)


def test_no_file_is_written_when_no_case_is_good(tmp_path: Path):
    samples = tmp_path / "samples.jsonl"
    samples.write_text('{"input": [{"role": "captain", "content": "Hi"}], "ideal": "x"}\n')
    (account,) = imported(tmp_path, "openai", samples)
    assert (account.target, (tmp_path / "out").exists()) == (None, False)


@pytest.mark.parametrize(
    ("kind", "options"),
    [("promptfoo", {"delimiter": ";"}), ("table", {"check": "match"}), ("adk", {"columns": {"tools": ("t",)}})],
)
def test_an_option_that_says_nothing_about_a_file_is_an_error(kind: str, options: dict[str, Any], tmp_path: Path):
    with pytest.raises(UsageError, match="has no use for a file of"):
        imported(tmp_path, kind, DATA / FILES[kind], **options)
