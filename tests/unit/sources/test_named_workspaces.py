from pathlib import Path

import pytest

from vivavoce.project.project import Project
from vivavoce.sources.discover import sources_for
from vivavoce.sources.named_workspaces import workspaces_named_in


@pytest.fixture
def tests(tmp_path: Path) -> Path:
    for name in ("tests", "tests/shop", "tests/other"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "inner.jsonl").write_text('{"id": "a", "input": "x"}\n')
    return tmp_path / "tests"


@pytest.mark.parametrize(
    ("name", "text", "found"),
    [
        ("a.jsonl", '{"id": "a", "workspace": "shop"}', ["shop"]),
        ("a.jsonl", '{"id": "a", "input": "\\"workspace\\": \\"shop\\""}', []),
        ("a.jsonl", '{"id": "a", "workspace": "."}', []),
        ("a.jsonl", '{"id": "a", "workspace": "nowhere"}', []),
        ("a.jsonl", "", []),
        ("a.yaml", "workspace: shop # theirs\nturns: []\n", ["shop"]),
        ("a.yaml", "description: |\n  workspace: shop\n", []),
    ],
)
def test_folders_named_as_workspaces(tests: Path, name: str, text: str, found: list[str]):
    (tests / name).write_text(text)
    assert [Path(folder).name for folder in workspaces_named_in(tests / name)] == found


def test_a_workspace_is_not_searched_for_tests_and_that_is_said(tests: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tests.parent)
    (tests / "a.jsonl").write_text('{"id": "a", "input": "x", "workspace": "shop"}\n')
    (tests / "shop" / "nearly.yaml").write_text("name: x\nturn: []\n")
    (tests / "other" / "foreign.yaml").write_text("a: 1\n")
    said: list[str] = []
    found = sources_for(["tests"], Project(root=tests.parent), notice=said.append)
    assert [source.label for source in found] == ["tests/a.jsonl", "tests/inner.jsonl", "tests/other/inner.jsonl"]
    assert said[0] == "tests/shop: a workspace of a case, so it is not searched for tests"
    assert len(said) == 2
