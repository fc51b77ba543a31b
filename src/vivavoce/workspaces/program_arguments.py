"""Arguments of a program that is started in a workspace instead of its own folder."""

import os
from pathlib import Path


def still_meant(part: str, folder: Path) -> str:
    """Returns the absolute path for an argument that names a file of the program's own folder, else the argument."""
    try:
        is_own = not os.path.isabs(part) and (folder / part).is_file()
    except (OSError, ValueError):
        return part
    return str((folder / part).absolute()) if is_own else part
