from pathlib import Path

import pytest
from tests.fakes.agents import FakeTarget
from tests.fakes.examining import attempt_once, case_of

from vivavoce.engine.attempt.workspace import workspace_folder
from vivavoce.errors import UsageError
from vivavoce.model.result import Status
from vivavoce.project.project import Project


async def test_an_attempt_carries_what_was_left_and_is_judged_by_it(tmp_path: Path):
    (tmp_path / "shop").mkdir()
    (tmp_path / "shop" / "a.txt").write_text("x")
    case = case_of(
        input="hi",
        workspace="shop",
        assertions=[{"type": "file", "path": "a.txt", "unchanged": True}],
    )
    attempt = await attempt_once(case, FakeTarget("done"), root=tmp_path)
    assert attempt.status is Status.PASSED, attempt.error
    assert attempt.workspace is not None
    assert attempt.workspace.files == ("a.txt",)


async def test_a_folder_that_is_gone_is_an_error_of_its_case(tmp_path: Path):
    attempt = await attempt_once(case_of(input="hi", workspace="shop"), FakeTarget("done"), root=tmp_path)
    assert (attempt.status, attempt.fault) == (Status.ERROR, "test")
    assert attempt.error is not None
    assert attempt.error.startswith("cases.jsonl:1: there is no folder")


async def test_a_variable_without_a_value_is_an_error_of_its_case(tmp_path: Path):
    attempt = await attempt_once(case_of(input="hi", workspace="${SHOP}"), FakeTarget("done"), root=tmp_path)
    assert attempt.status is Status.ERROR
    assert "SHOP" in (attempt.error or "")


def test_a_folder_outside_the_project_is_refused(tmp_path: Path):
    with pytest.raises(UsageError, match="lies outside the project"):
        workspace_folder(case_of(input="hi"), "../elsewhere", Project(root=tmp_path))
