import time
import tracemalloc
from pathlib import Path

import pytest

from vivavoce.errors import UsageError
from vivavoce.model.case import Case, Origin
from vivavoce.sources.reading.jsonl import JsonlSource


def write(folder: Path, text: str) -> JsonlSource:
    file = folder / "cases.jsonl"
    file.write_text(text, encoding="utf-8")
    return JsonlSource(file, "tests/cases.jsonl")


def test_each_case_knows_its_file_and_line(tmp_path: Path):
    source = write(tmp_path, '{"id": "a", "input": "x"}\n\n{\n"id": "b", "input": "y"}\n')
    assert [(c.id, c.origin) for c in source.read() if isinstance(c, Case)] == [
        ("a", Origin("tests/cases.jsonl", 1)),
        ("b", Origin("tests/cases.jsonl", 3)),
    ]


def test_a_turn_knows_its_line_in_a_case_over_several_lines(tmp_path: Path):
    spread = '{"id": "a", "input": "x"}\n{"id": "b",\n "turns": [\n {"input": "x"},\n {"input": "y"}]}\n'
    one_line = '{"id": "c", "turns": [{"input": "x"}]}\n'
    found = [case for case in write(tmp_path, spread + one_line).read() if isinstance(case, Case)]
    assert [[turn.line for turn in case.turns] for case in found] == [[0], [4, 5], [0]]


def test_a_duplicate_id_names_both_lines(tmp_path: Path):
    source = write(tmp_path, '{"id": "a", "input": "x"}\n{"id": "b", "input": "x"}\n{"id": "a", "input": "y"}\n')
    assert [str(found) for found in source.read() if isinstance(found, UsageError)] == [
        "tests/cases.jsonl:3: duplicate id 'a', first used in line 1"
    ]


def test_a_result_file_given_as_cases_is_one_error_with_advice(tmp_path: Path):
    source = write(tmp_path, '{"type": "start", "agent_id": "x"}\n{"type": "result", "id": "T1"}\n')
    (only,) = source.read()
    assert isinstance(only, UsageError)
    assert "these are results, not cases" in str(only)
    assert "viva report tests/cases.jsonl" in str(only)


def test_a_file_that_cannot_be_read_is_an_error(tmp_path: Path):
    (only,) = JsonlSource(tmp_path / "gone.jsonl", "gone.jsonl").read()
    assert str(only) == "gone.jsonl: cannot be read: No such file or directory"


def test_a_folder_named_like_a_file_is_an_error(tmp_path: Path):
    (tmp_path / "d.jsonl").mkdir()
    (only,) = JsonlSource(tmp_path / "d.jsonl", "d.jsonl").read()
    assert isinstance(only, UsageError)
    assert "cannot be read" in str(only)


def test_an_empty_file_is_a_problem(tmp_path: Path):
    (only,) = write(tmp_path, "# nothing yet\n").read()
    assert "no cases found in it" in str(only)


@pytest.fixture
def long_file(tmp_path: Path) -> JsonlSource:
    lines = [f'{{"id": "T{n}", "input": "hello {n}"}}' for n in range(50_000)]
    lines[39_999] = '{"id": "T39999", "input": }'
    return write(tmp_path, "\n".join(lines))


def test_broken_json_deep_in_a_long_file_is_reported_with_its_line_quickly(long_file: JsonlSource):
    started = time.thread_time()
    (problem,) = [found for found in long_file.read() if isinstance(found, UsageError)]
    assert problem.at == Origin("tests/cases.jsonl", 40_000)
    assert time.thread_time() - started < 10


@pytest.mark.memory
def test_a_long_file_does_not_sit_in_memory(long_file: JsonlSource):
    tracemalloc.start()
    try:
        assert sum(1 for _ in long_file.read()) == 50_000
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    # The file alone has more; what is kept are a few bytes per id.
    assert peak < 4_000_000
