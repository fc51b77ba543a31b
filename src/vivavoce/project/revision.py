"""The commit that is checked out, as git itself says."""

import re
import subprocess
from pathlib import Path

_COMMIT = re.compile(r"[0-9a-f]{40}([0-9a-f]{24})?")
_LONGEST_WAIT_S = 10.0


def checked_out(folder: Path) -> str | None:
    """Returns the commit's full name; None outside a repository, before its first commit, or without git.

    It starts a process: call it beside the run, never before it.
    """
    if not any((at / ".git").exists() for at in (folder, *folder.parents)):
        return None
    try:
        git = subprocess.run(
            ["git", "rev-parse", "--verify", "--quiet", "HEAD"],
            cwd=folder,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=_LONGEST_WAIT_S,
        )
    except (OSError, subprocess.SubprocessError, UnicodeDecodeError):
        return None
    commit = git.stdout.strip()
    return commit if _COMMIT.fullmatch(commit) else None
