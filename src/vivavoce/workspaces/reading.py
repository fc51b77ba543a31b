"""Reads files of a workspace. An agent may have made them to harm the reader: endless, huge, or links elsewhere."""

import hashlib
import os
import stat
from io import BufferedReader

from vivavoce.errors import VivaError

LARGEST_TEXT = 32 * 2**20
"""Bytes of a file that a check reads."""


class CannotLook(VivaError):
    """What was to be looked at cannot be read: nothing can be said about it."""


def opened(path: str) -> BufferedReader:
    """Opens an ordinary file; never waits for a pipe or follows a link. Raises OSError or CannotLook."""
    descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise CannotLook("it is no ordinary file")
    return os.fdopen(descriptor, "rb")


def digest_of(path: str) -> str:
    """Returns a digest of a file's content. Raises OSError or CannotLook."""
    with opened(path) as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def content_of(path: str, limit: int = LARGEST_TEXT) -> bytes:
    """Returns a file's content. Raises OSError or CannotLook, also when it is too large."""
    with opened(path) as file:
        data = file.read(limit + 1)
    if len(data) > limit:
        raise CannotLook(f"it has more than {limit >> 20} MB")
    return data


def is_inside(path: str) -> bool:
    """Whether a path as written stays below the folder it is relative to."""
    return bool(path) and not os.path.isabs(path) and ".." not in path.split("/") and "\0" not in path


def found_inside(folder: str, path: str) -> str | None:
    """Returns the real place of a path in a workspace, or None when nothing is there.

    Raises CannotLook when the workspace is gone or a link leads out of it, OSError when it cannot be looked up.
    """
    if os.path.realpath(folder) != folder or not os.path.isdir(folder):
        raise CannotLook("the workspace itself is gone")
    try:
        real = os.path.realpath(os.path.join(folder, path), strict=True)
    except FileNotFoundError:
        _refuse_outside(folder, os.path.realpath(os.path.join(folder, path)), path)
        if os.path.lexists(os.path.join(folder, path)):
            raise CannotLook("it is a link that leads nowhere") from None
        return None
    except NotADirectoryError:
        return None
    _refuse_outside(folder, real, path)
    return real


def _refuse_outside(folder: str, real: str, path: str) -> None:
    if real != folder and not real.startswith(folder + os.sep):
        raise CannotLook(f"{path} is a link that leads out of the workspace")
