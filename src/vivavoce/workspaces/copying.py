"""Copies a folder for an attempt. What cannot be copied safely is refused, with the reason."""

import errno
import hashlib
import os
import shutil
import stat
from contextlib import suppress

from msgspec import structs

from vivavoce.errors import UsageError
from vivavoce.model.workspace import Entry
from vivavoce.workspaces.reading import CannotLook, opened
from vivavoce.workspaces.survey import Limits, Survey, survey

_CHUNK = 2**20
_REMOVAL_ROUNDS = 3
"""A process that is still at work may write while the copy is removed."""


def checked_survey(folder: str, limits: Limits) -> Survey:
    """Looks through a folder that is to be copied. Raises UsageError for what cannot be copied safely."""
    try:
        found = survey(folder, limits)
    except NotADirectoryError:
        raise UsageError(f"the workspace {folder} is not a folder") from None
    except FileNotFoundError:
        raise UsageError(f"there is no folder {folder} to copy as the workspace") from None
    except OSError as error:
        raise UsageError(f"the workspace {folder} cannot be read: {error.strerror}") from None
    if found.too_large:
        hint = "make a smaller folder for the test: it is copied for each attempt"
        raise UsageError(f"the workspace {folder} has {found.too_large}", hint=hint)
    for path, entry in found.entries.items():
        if entry.kind == "unreadable":
            raise UsageError(f"the workspace {folder} cannot be copied: {path} cannot be read")
        if entry.kind == "special":
            what = f"the workspace {folder} cannot be copied: {path} is neither a file, a folder nor a link"
            raise UsageError(what)
        if entry.kind == "link" and not _leads_inside(folder, path, entry.link):
            what = f"in the workspace {folder} the link {path} leads out of it, to {entry.link}"
            raise UsageError(
                what, hint="an agent would write there: put a copy in its place, or a relative link inside"
            )
    return found


def copy_folder(folder: str, copy: str, limits: Limits) -> dict[str, Entry]:
    """Copies a folder to a path that does not exist yet; returns what was copied, with digests. Raises UsageError."""
    found = checked_survey(folder, limits)
    copied: dict[str, Entry] = {}
    try:
        os.mkdir(copy, 0o700)
        for path, entry in found.entries.items():
            copied[path] = _copied(entry, os.path.join(folder, path), os.path.join(copy, path))
        for path, entry in found.entries.items():
            if entry.kind == "folder":
                os.chmod(os.path.join(copy, path), entry.mode)
    except (OSError, CannotLook) as error:
        remove_copy(copy)
        raise UsageError(f"the workspace {folder} could not be copied: {_why(error)}") from None
    return copied


def remove_copy(folder: str) -> str | None:
    """Removes a copy and all in it; returns why something is left, or None."""
    why: str | None = None
    for _ in range(_REMOVAL_ROUNDS):
        try:
            shutil.rmtree(folder)
        except FileNotFoundError:
            return None
        except OSError as error:
            why = f"{error.filename or folder}: {error.strerror}"
            _make_removable(folder)
        else:
            return None
    return why if os.path.lexists(folder) else None


def _copied(entry: Entry, source: str, target: str) -> Entry:
    if entry.kind == "folder":
        os.mkdir(target, 0o700)
        return entry
    if entry.kind == "link":
        os.symlink(entry.link, target)
        return entry
    digest = hashlib.sha256()
    with opened(source) as read, open(target, "xb", buffering=0) as written:
        while chunk := read.read(_CHUNK):
            digest.update(chunk)
            written.write(chunk)
        os.fchmod(written.fileno(), entry.mode)
    os.utime(target, ns=(entry.mtime_ns, entry.mtime_ns))
    return structs.replace(entry, digest=digest.hexdigest())


def _leads_inside(folder: str, path: str, link: str) -> bool:
    if os.path.isabs(link):
        return False
    root, leads_to = os.path.realpath(folder), os.path.realpath(os.path.join(folder, path))
    return leads_to == root or leads_to.startswith(root + os.sep)


def _why(error: OSError | CannotLook) -> str:
    if isinstance(error, CannotLook):
        return str(error)
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return "there is no room left on the disk"
    return f"{error.strerror} ({error.filename})" if error.filename else str(error.strerror)


def _make_removable(folder: str) -> None:
    """Gives back the rights that an agent may have taken from its folders."""
    for root, folders, _ in os.walk(folder):
        for path in (root, *(os.path.join(root, name) for name in folders)):
            with suppress(OSError):
                if not stat.S_ISLNK(os.lstat(path).st_mode):
                    os.chmod(path, 0o700)
