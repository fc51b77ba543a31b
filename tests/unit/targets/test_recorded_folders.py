"""Which cases have their answers in a folder of recordings."""

from pathlib import Path

import pytest
from msgspec import structs

from vivavoce.model.case import Case, ScriptedTurn
from vivavoce.targets.recorded_folders import RecordingsThere
from vivavoce.targets.recording_folder import folder_of


def case(name: str) -> Case:
    return Case(id=name, turns=(ScriptedTurn(content="hi"),))


def test_a_case_that_is_skipped_needs_no_answer(tmp_path: Path):
    there = RecordingsThere(str(tmp_path))
    assert there.hold(structs.replace(case("a"), skip="not now"))
    assert list(there.words()) == []


def test_without_a_folder_nothing_is_missing():
    there = RecordingsThere(None)
    assert there.hold(case("a"))
    assert list(there.words()) == []


@pytest.mark.parametrize("file", ["01.sse", "01.answer.json"])
def test_a_case_needs_an_answer_in_its_own_folder(tmp_path: Path, file: str):
    folder = tmp_path / folder_of("a b/c")
    folder.mkdir()
    (folder / file).write_text("")
    (tmp_path / "empty").mkdir()
    there = RecordingsThere(str(tmp_path))
    assert [there.hold(case(name)) for name in ("a b/c", "empty", "none")] == [True, False, False]
    assert list(there.words()) == [f"{tmp_path} has no recorded answers of 2 cases"]
