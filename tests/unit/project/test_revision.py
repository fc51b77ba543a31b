"""Which commit was examined."""

import subprocess
from pathlib import Path

import pytest

from vivavoce.project.revision import Checkout, GitStatus, checked_out


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    def git(*arguments: str) -> str:
        identity = ["-c", "user.name=a", "-c", "user.email=a@example.org"]
        done = subprocess.run(["git", *identity, *arguments], cwd=tmp_path, capture_output=True, text=True, check=True)
        return done.stdout.strip()

    git("init", "-b", "trunk")
    git("commit", "--allow-empty", "-m", "first")
    (tmp_path / "expected").write_text(git("rev-parse", "HEAD"))
    return tmp_path


def test_a_branch_is_followed_to_its_commit_from_any_folder_inside(repository: Path):
    (repository / "deep" / "down").mkdir(parents=True)
    assert checked_out(repository / "deep" / "down") == (repository / "expected").read_text()


def test_packed_references_are_read(repository: Path):
    subprocess.run(["git", "pack-refs", "--all"], cwd=repository, check=True)
    assert checked_out(repository) == (repository / "expected").read_text()


def test_a_detached_head_is_the_commit_itself(repository: Path):
    subprocess.run(["git", "checkout", "-q", "--detach"], cwd=repository, check=True)
    assert checked_out(repository) == (repository / "expected").read_text()


def test_what_cannot_be_told_is_none(tmp_path: Path):
    (tmp_path / ".git").mkdir()
    assert checked_out(tmp_path) is None
    (tmp_path / ".git" / "HEAD").write_text("ref: refs/heads/unborn\n")
    assert checked_out(tmp_path) is None


def test_a_worktree_has_its_own(repository: Path):
    subprocess.run(["git", "worktree", "add", "-q", "other"], cwd=repository, check=True)
    assert checked_out(repository / "other") == (repository / "expected").read_text()


def test_without_git_nothing_is_said(repository: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("PATH", str(repository))
    assert checked_out(repository) is None


def test_branch_and_changed_files_are_told(repository: Path):
    commit = (repository / "expected").read_text()
    assert GitStatus(repository).checkout({}) == Checkout(commit, "trunk", False)
    subprocess.run(["git", "add", "expected"], cwd=repository, check=True)
    assert GitStatus(repository).checkout({}) == Checkout(commit, "trunk", True)


def test_a_commit_without_a_branch_takes_its_name_from_the_ci_system(repository: Path):
    subprocess.run(["git", "checkout", "-q", "--detach"], cwd=repository, check=True)
    assert GitStatus(repository).checkout({}).branch is None
    assert GitStatus(repository).checkout({"GITHUB_HEAD_REF": "feature"}).branch == "feature"


def test_outside_a_repository_nothing_is_known(tmp_path: Path):
    assert GitStatus(tmp_path).checkout() == Checkout()
