"""Files and folders that only their owner may read: results hold whole conversations."""

import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

FILE_MODE = 0o600
FOLDER_MODE = 0o700


def private_opener(path: str, flags: int) -> int:
    """For `open(…, opener=private_opener)`: a new file is the owner's alone, one that exists keeps its mode."""
    return os.open(path, flags, FILE_MODE)


def opener_like(path: Path) -> Callable[[str, int], int]:
    """The same for a file that is to replace `path`: it keeps the mode of what was there."""
    try:
        mode = path.stat().st_mode & 0o777
    except OSError:
        return private_opener

    def opened(fresh: str, flags: int) -> int:
        descriptor = os.open(fresh, flags, FILE_MODE)
        os.fchmod(descriptor, mode)
        return descriptor

    return opened


def make_private_folder(folder: Path) -> None:
    """Makes a folder and those above it that are missing, for the owner alone."""
    if folder.is_dir():
        return
    make_private_folder(folder.parent)
    folder.mkdir(mode=FOLDER_MODE, exist_ok=True)


def make_state_folder(folder: Path) -> None:
    """viva's own folder: the owner's alone, also when an older viva made it, and not for version control."""
    make_private_folder(folder)
    if folder.stat().st_mode & 0o077:
        with suppress(OSError):  # somebody else's: it can be used all the same
            folder.chmod(FOLDER_MODE)
    ignore = folder / ".gitignore"
    if not ignore.exists():
        ignore.write_text("*\n", encoding="utf-8")
