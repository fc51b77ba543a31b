"""Suggested checks in the case files."""

from pathlib import Path

import pytest

from vivavoce.app.writing_checks import WrittenChecks, write_checks
from vivavoce.insight.mutants.score import CaseScore, Survivor
from vivavoce.model.mutant_kinds import MutantKind

CHECK = {"type": "contains", "value": "a"}


def written(file: str, text: str, case_id: str) -> WrittenChecks:
    Path(file).write_text(text)
    survivor = Survivor(kind=MutantKind.REPLY_CUT, turn=1, element="reply", change="cut", suggestion=CHECK)
    score = CaseScore(key=f"{file}::{case_id}", id=case_id, file=file, run=1, kinds={}, survivors=(survivor,))
    (found,) = write_checks([score], Path.cwd())
    return found


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize(
    ("file", "text", "case_id"),
    [
        ("c.jsonl", '// about a\n{"id": "a", "input": "x"}\n{"id": "b", "input": "y"}\n', "b"),
        ("c.json", '[\n  // about a\n  {"id": "a", "input": "x"}\n]\n', "a"),
        ("c.yaml", "# about it\nturns:\n  - user: x\n", "c"),
    ],
)
def test_the_check_is_added_and_comments_stay(file: str, text: str, case_id: str):
    assert written(file, text, case_id).added == 1
    after = Path(file).read_text()
    assert '{"type":"contains","value":"a"}' in after
    assert "about" in after


def test_a_table_is_not_changed_and_the_check_is_told():
    Path("rows.csv").write_text("id,word\n1,x\n2,y\n")
    text = '{"id": "a-${id}", "each": "rows.csv", "input": "${word}"}\n'
    found = written("c.jsonl", text, "a-1")
    assert (found.added, found.refused) == (0, ('turn 1: {"type":"contains","value":"a"}',))
    assert Path("c.jsonl").read_text() == text


def test_expected_stays_in_force():
    written("c.jsonl", '{"id": "a", "input": "x", "expected": "y"}\n', "a")
    assert '"final_assertions"' in Path("c.jsonl").read_text()
