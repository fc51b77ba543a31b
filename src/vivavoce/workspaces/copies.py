"""The copies of one process: each in a folder of its own, removed after use or kept for the user."""

import os
import re
import tempfile
from contextlib import suppress
from itertools import count
from pathlib import Path

from vivavoce.model.workspace import Workspace
from vivavoce.project.left_behind import A_MOMENT_S, is_left_behind, lock_in_use
from vivavoce.workspaces.copying import copy_folder, remove_copy
from vivavoce.workspaces.survey import Limits

PREFIX, KEPT_PREFIX = "viva-workspaces-", "viva-kept-workspaces-"
_LOCK = "in-use"
_NOT_IN_NAMES = r"[^\w.-]+"


class Copies:
    """Makes and removes the copies. The folder they are in is made with the first of them."""

    def __init__(self, *, keep: bool = False, limits: Limits | None = None) -> None:
        self.keep = keep
        self.limits = limits or Limits()
        self._root: str | None = None
        self._lock: int | None = None
        self._numbers = count(1)

    def make(self, original: str, name: str, case_id: str) -> Workspace:
        """Copies a folder for one attempt. Raises UsageError when it cannot be copied."""
        place = os.path.join(self._opened(), f"{next(self._numbers)}-{re.sub(_NOT_IN_NAMES, '-', case_id)[:40]}")
        os.mkdir(place, 0o700)
        copy = os.path.join(place, os.path.basename(original.rstrip(os.sep)) or "workspace")
        try:
            before = copy_folder(original, copy, self.limits)
        except BaseException:
            remove_copy(place)
            raise
        return Workspace(folder=copy, original=original, name=name, before=before)

    def remove(self, workspace: Workspace) -> str | None:
        """Removes a copy and what lies beside it; returns why something is left, or None."""
        return None if self.keep else remove_copy(os.path.dirname(workspace.folder))

    def close(self) -> None:
        """Removes the folder of the copies."""
        if self._root is None or self._lock is None:
            return
        os.close(self._lock)
        if not self.keep:
            remove_copy(self._root)
        self._root = self._lock = None

    def _opened(self) -> str:
        if self._root is None:
            folder = os.path.realpath(tempfile.gettempdir())
            _sweep(Path(folder))
            self._root = tempfile.mkdtemp(prefix=KEPT_PREFIX if self.keep else PREFIX, dir=folder)
            self._lock = os.open(os.path.join(self._root, _LOCK), os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o600)
            lock_in_use(self._lock)
        return self._root


def _sweep(folder: Path) -> None:
    """Removes the copies of a viva that was killed."""
    for root in folder.glob(f"{PREFIX}*"):
        with suppress(OSError):
            if is_left_behind(root / _LOCK, older_than_s=A_MOMENT_S):
                remove_copy(str(root))
