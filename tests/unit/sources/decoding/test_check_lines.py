"""Each check of a case that is written over several lines knows its own."""

from pathlib import Path

from vivavoce.model.case import Case
from vivavoce.sources.discover import file_source

SPREAD = """{"id": "a", "input": "x", "assert": [{"type": "contains", "value": "x"}]}
{"id": "b",
 "turns": [
  {"input": "x"},
  {"input": "y", "assertions": [
    {"type": "contains", "value": "x"},
    {"tools": {"forbid": ["a",
      "b"]},
     "text": {"must_match": "x"}}]}],
 "final_assertions": [
  {"type": "contains", "value": "x"}],
 "assert": {"type": "contains", "value": "x"},
 "checkpoints": [
  {"id": "c", "assert": {"type": "contains", "value": "x"}}]}
"""
YAML = """turns:
  - user: x
    assert:
      - {type: contains, value: x}
      - type: contains
        value: y
  - user: y
assert:
  text:
    must_match: [x,
      y]
"""


def lines_in(folder: Path, name: str, text: str) -> list[tuple[tuple[int, ...], ...]]:
    (folder / name).write_text(text)
    found = list(file_source(folder / name, name).read())
    assert all(isinstance(case, Case) for case in found), found
    return [case.origin.checks for case in found if isinstance(case, Case)]


def test_the_checks_of_a_case_of_its_end_and_of_each_turn_know_their_lines(tmp_path: Path):
    one_line, spread = lines_in(tmp_path, "t.jsonl", SPREAD)
    assert one_line == ()
    assert spread == ((12,), (11,), (), (6, 7, 8, 9))


def test_checks_in_yaml_know_their_lines(tmp_path: Path):
    assert lines_in(tmp_path, "t.yaml", YAML) == [((10, 11), (), (4, 5), ())]


def test_every_row_of_a_table_has_the_lines_of_its_case(tmp_path: Path):
    (tmp_path / "rows.csv").write_text("q,a\n1,2\n3,4\n")
    case = '{"id": "r", "each": "rows.csv", "input": "${q}",\n "assert": [\n {"type": "equals", "value": "${a}"}]}'
    assert lines_in(tmp_path, "t.jsonl", case) == [((3,), (), ())] * 2
