"""The commit that is checked out, read from git's own files: starting git would cost more than it tells."""

import re
from pathlib import Path

_COMMIT = re.compile(r"[0-9a-f]{40}([0-9a-f]{24})?")


def checked_out(folder: Path) -> str | None:
    """The commit's full name; None outside a repository, or where it cannot be told cheaply."""
    git = next((at / ".git" for at in (folder, *folder.parents) if (at / ".git").is_dir()), None)
    if git is None:
        return None
    try:
        head = (git / "HEAD").read_text(encoding="utf-8").strip()
        if head.startswith("ref: "):
            head = _of_branch(git, head.removeprefix("ref: "))
    except (OSError, UnicodeDecodeError):
        return None
    return head if _COMMIT.fullmatch(head) else None


def _of_branch(git: Path, ref: str) -> str:
    loose = git / ref
    if loose.is_file():
        return loose.read_text(encoding="utf-8").strip()
    packed = (git / "packed-refs").read_text(encoding="utf-8").splitlines()
    return next((line.partition(" ")[0] for line in packed if line.endswith(f" {ref}")), "")
