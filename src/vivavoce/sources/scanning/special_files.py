"""Recognises pipes, sockets and devices, which are read like files but may never end."""

import os
import stat
from pathlib import Path


def may_never_end(path: Path) -> bool:
    """Whether it is a pipe, a socket or a device: reading it may never end."""
    try:
        mode = os.stat(path).st_mode
    except OSError:
        return False  # reading it will say why it cannot be read
    return not stat.S_ISREG(mode) and not stat.S_ISDIR(mode)
