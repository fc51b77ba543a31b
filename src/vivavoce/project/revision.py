"""Asks git for the current commit, its branch, and whether files differ from it."""

import os
import re
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

_COMMIT = r"[0-9a-f]{40}([0-9a-f]{24})?"
_LONGEST_WAIT_S = 1.0
_STATUS = ("git", "--no-optional-locks", "status", "--porcelain=v2", "--branch", "--untracked-files=no")
_HEAD = ("git", "rev-parse", "--verify", "--quiet", "HEAD")
_BRANCH_VARIABLES = ("GITHUB_HEAD_REF", "GITHUB_REF_NAME", "CI_COMMIT_REF_NAME", "BUILD_SOURCEBRANCHNAME", "GIT_BRANCH")
"""Variables with the name of the branch in CI systems, which check out a commit without its branch."""


class Checkout(NamedTuple):
    """What is checked out; None for what is unknown."""

    commit: str | None = None
    branch: str | None = None
    dirty: bool | None = None
    """Whether files under version control differ from the commit."""


class GitStatus:
    """Runs git in the background, so that the caller can do other things meanwhile."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._git: subprocess.Popen[str] | None = None
        if not any((at / ".git").exists() for at in (folder, *folder.parents)):
            return
        try:
            self._git = subprocess.Popen(
                _STATUS,
                cwd=folder,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                text=True,
                errors="replace",
            )
        except OSError:
            self._git = None

    def checkout(self, environment: Mapping[str, str] = os.environ) -> Checkout:
        """Returns git's answer; without the dirty flag if git is slow, empty outside a repository."""
        git, self._git = self._git, None
        if git is None:
            return Checkout()
        try:
            said, _ = git.communicate(timeout=_LONGEST_WAIT_S)
        except subprocess.TimeoutExpired:
            git.kill()
            git.communicate()
            return Checkout(checked_out(self._folder), _branch_in(environment))
        return _read(said.splitlines(), environment)


def _read(lines: list[str], environment: Mapping[str, str]) -> Checkout:
    heads = dict(line[2:].split(" ", 1) for line in lines if line.startswith("# branch.") and line.count(" ") > 1)
    commit, branch = heads.get("branch.oid", ""), heads.get("branch.head")
    if not re.fullmatch(_COMMIT, commit):
        return Checkout()
    if branch is None or branch == "(detached)":
        branch = _branch_in(environment)
    return Checkout(commit, branch, any(not line.startswith("#") for line in lines))


def _branch_in(environment: Mapping[str, str]) -> str | None:
    return next((value for name in _BRANCH_VARIABLES if (value := environment.get(name))), None)


def checked_out(folder: Path) -> str | None:
    """Returns the full hash of the commit; None outside a repository, before its first commit, or without git."""
    if not any((at / ".git").exists() for at in (folder, *folder.parents)):
        return None
    try:
        git = subprocess.run(
            _HEAD,
            cwd=folder,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=10 * _LONGEST_WAIT_S,
        )
    except (OSError, subprocess.SubprocessError, UnicodeDecodeError):
        return None
    commit = git.stdout.strip()
    return commit if re.fullmatch(_COMMIT, commit) else None
