"""Files that viva wrote are told from files of cases, whatever lies between them."""

from pathlib import Path

import pytest

from vivavoce.sources.reading.result_files import is_own_file, is_result_file, result_given_as_cases

OWN = ('{"type": "start", "run_id": "r1"}', '{"type": "tape", "version": 1}', '\n{"type": "labels"}')
NOT_OWN = (
    '{"type": "multi_turn", "input": "hi"}',
    '{"type": "note", "id": "T1", "input": "hi"}',
    '{"id": "T1", "type": "start"}',
    '{"type": 3}',
    '["type"]',
    '{"type": "sta',
    "",
)


def written(folder: Path, content: str, name: str = "a.jsonl") -> Path:
    path = folder / name
    path.write_text(content)
    return path


@pytest.mark.parametrize("content", OWN)
def test_a_file_that_begins_with_its_type_is_viva_s_own(content: str, tmp_path: Path):
    assert is_own_file(written(tmp_path, content))


@pytest.mark.parametrize("content", NOT_OWN)
def test_cases_and_damaged_files_are_not(content: str, tmp_path: Path):
    assert not is_own_file(written(tmp_path, content))


def test_only_results_begin_with_a_start_event(tmp_path: Path):
    assert is_result_file(written(tmp_path, OWN[0]))
    assert not is_result_file(written(tmp_path, OWN[1]))


@pytest.mark.parametrize("name", ["output-20261118030000.jsonl", "output-20261118030000-2.jsonl"])
def test_an_empty_result_file_of_a_killed_run_is_viva_s_own(name: str, tmp_path: Path):
    assert is_own_file(written(tmp_path, "", name))
    assert not is_own_file(written(tmp_path, '{"id": "T1", "input": "hi"}\n', name))


def test_a_file_that_is_not_there_is_nobody_s(tmp_path: Path):
    assert not is_own_file(tmp_path / "output-20261118030000.jsonl")
    assert not is_result_file(tmp_path / "a.jsonl")


def test_results_given_as_cases_are_refused_with_the_command_that_shows_them():
    problem = result_given_as_cases("r.jsonl")
    assert "results, not cases" in problem.what
    assert problem.hint is not None
    assert "viva report r.jsonl" in problem.hint
