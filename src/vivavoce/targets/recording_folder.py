"""The folder of one recorded case: written aside, and put in the place of the last recording when it is whole."""

import hashlib
import os
import re
import shutil
import time
from contextlib import suppress
from glob import escape
from pathlib import Path

from vivavoce.errors import CallFailed
from vivavoce.project.left_behind import lock_in_use, remove_left_behind
from vivavoce.project.locked_files import locked_folder

_RECORDED = re.compile(r"\d{2,}\.(answer\.json|sse|request\.json|meta\.json)")

_ASIDE = ".recording"
"""How folders end that are not whole yet, or not needed any more."""


def folder_of(case_id: str) -> str:
    """A folder name that no two case ids share."""
    plain = re.sub(r"[^\w.-]+", "_", case_id).strip("._") or "case"
    return plain if plain == case_id else f"{plain}-{hashlib.sha1(case_id.encode()).hexdigest()[:8]}"


class RecordingFolder:
    """Where the answers of one conversation go. Raises CallFailed wherever they cannot go there."""

    def __init__(self, root: Path, case_id: str) -> None:
        """Raises CallFailed, before the agent is asked, when the folder of the case holds anything else."""
        self._final = root / folder_of(case_id)
        if (other := _no_recording(self._final)) is not None:
            raise CallFailed(
                f"{other} is no recording of viva, and would be lost: give another folder with -o, or move it",
                fault="test",
            )
        self._fresh = root / f".{self._final.name}.{os.getpid()}-{time.monotonic_ns()}{_ASIDE}"
        self._lock: int | None = None
        self._is_broken = False

    def write(self, name: str, content: bytes) -> None:
        if self._is_broken:
            return  # an earlier write has reported it
        try:
            if self._lock is None:
                remove_left_behind(self._final.parent.glob(f".{escape(self._final.name)}.*{_ASIDE}"))
                self._fresh.mkdir(parents=True)
                self._lock = os.open(self._fresh, os.O_RDONLY)
                lock_in_use(self._lock)
            (self._fresh / name).write_bytes(content)
        except OSError as error:
            self._is_broken = True
            self._give_up()
            raise _not_written(error) from None

    def close(self) -> None:
        """Replaces the last recording, unless nothing was written, or not all of it."""
        if self._lock is None:
            return
        try:
            with locked_folder(self._final.parent):
                # The last one moves aside at once: half of it never stands there, not even after `kill -9`.
                last = self._fresh.with_name(f"{self._fresh.stem}.last{_ASIDE}")
                with suppress(FileNotFoundError):
                    self._final.rename(last)
                self._fresh.rename(self._final)
                shutil.rmtree(last, ignore_errors=True)
        except OSError as error:
            raise _not_written(error) from None
        finally:
            self._give_up()

    def _give_up(self) -> None:
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None
        shutil.rmtree(self._fresh, ignore_errors=True)


def _no_recording(folder: Path) -> Path | None:
    """Returns what is there and was not recorded, if there is anything."""
    if folder.is_symlink() or not folder.is_dir():
        return folder if os.path.lexists(folder) else None
    return next((path for path in sorted(folder.iterdir()) if not _RECORDED.fullmatch(path.name)), None)


def _not_written(error: OSError) -> CallFailed:
    return CallFailed(f"the recording cannot be written: {error.strerror or error}", fault="test")
