"""Which saved files matter."""

from pathlib import Path

import pytest

from vivavoce.cli.watching.saved_files import SavedFiles


@pytest.mark.parametrize(
    "name", ["tests/a.jsonl", "viva.yaml", ".env", "agents/shop/prompt.md", "build/agent.py", "data/table.csv"]
)
def test_work_of_people_matters(tmp_path: Path, name: str):
    assert SavedFiles([tmp_path]).matter(tmp_path.resolve() / name)


@pytest.mark.parametrize(
    "name",
    [
        ".viva/history.db",
        ".git/index",
        "a/__pycache__/b.py",
        "a/.hidden/b.py",
        "node_modules/x/y.js",
        "tests/output-20261116201038.jsonl",
        "tests/output-20261116201038-2.jsonl",
        "tests/__snapshots__/a.snap.yaml",
        "a.py~",
        ".a.py.swp",
        "shop.db-wal",
        "server.log",
        "report.html",
    ],
)
def test_what_tools_write_does_not(tmp_path: Path, name: str):
    saved = SavedFiles([tmp_path], written=[tmp_path / "report.html"])
    assert not saved.matter(tmp_path.resolve() / name)


def test_only_the_path_inside_the_project_decides(tmp_path: Path):
    below = tmp_path / "venv" / ".cache" / "project"
    below.mkdir(parents=True)
    saved = SavedFiles([below])
    assert saved.matter(below.resolve() / "agent.py")
    assert not saved.matter(tmp_path.resolve() / "agent.py")


def test_a_folder_inside_another_is_watched_once(tmp_path: Path):
    (tmp_path / "tests").mkdir()
    assert SavedFiles([tmp_path / "tests", tmp_path]).folders == [tmp_path.resolve()]
