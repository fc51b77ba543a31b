"""Creates files and folders that only their owner may read, because results contain whole conversations."""

import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

FILE_MODE = 0o600
FOLDER_MODE = 0o700


def private_opener(path: str, flags: int) -> int:
    """For `open(…, opener=private_opener)`: only the owner can read a new file; an existing one keeps its mode."""
    return os.open(path, flags, FILE_MODE)


def opener_like(path: Path) -> Callable[[str, int], int]:
    """The same for a file that will replace `path`: it gets the mode of the old file."""
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
    """Creates a folder and its missing parents, for the owner only."""
    if folder.is_dir():
        return
    make_private_folder(folder.parent)
    folder.mkdir(mode=FOLDER_MODE, exist_ok=True)


def make_state_folder(folder: Path) -> None:
    """Creates viva's own folder, for the owner only and ignored by git. Also corrects the mode of an old one."""
    make_private_folder(folder)
    if folder.stat().st_mode & 0o077:
        with suppress(OSError):  # it belongs to another user, and can still be used
            folder.chmod(FOLDER_MODE)
    ignore = folder / ".gitignore"
    if not ignore.exists():
        ignore.write_text("*\n", encoding="utf-8")
