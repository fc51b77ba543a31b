"""Which saved files matter: not those that tools, editors and viva itself write."""

import re
from collections.abc import AsyncGenerator, Collection, Iterable
from importlib import import_module
from pathlib import Path
from typing import Any

from vivavoce.errors import UsageError, VivaError
from vivavoce.sources.reading.result_files import RESULT_NAME

_NEVER_FOLDERS = re.compile(
    r"\..+|__pycache__|__snapshots__|node_modules|venv|env|site-packages|.+\.egg-info|htmlcov", re.IGNORECASE
)
_NEVER_FILES = re.compile(
    rf"{RESULT_NAME}|.*~|\.#.*|#.*#|.*\.(py[co]|sw[a-z]|tmp|log|db|sqlite3?|lock|part|bak|orig)"
    r"|.*-(journal|wal|shm)|4913",
    re.IGNORECASE,
)
_QUIET_MS = 60
"""Editors write a file in several steps: after this time without a change the files count as saved."""


class SavedFiles:
    """The files below some folders that a person may have saved."""

    def __init__(self, folders: Iterable[Path], written: Collection[Path] = ()) -> None:
        """`written` are the reports of the run itself."""
        every = sorted({folder.resolve() for folder in folders})
        self.folders = [one for one in every if not any(one != other and one.is_relative_to(other) for other in every)]
        self._written = {path.resolve() for path in written}

    def matter(self, path: Path) -> bool:
        """Whether a change of this file may be somebody's work."""
        root = next((folder for folder in self.folders if path.is_relative_to(folder)), None)
        if root is None or path in self._written:
            return False
        *around, name = path.relative_to(root).parts or ("",)
        if name != ".env" and (name.startswith(".") or _NEVER_FILES.fullmatch(name)):
            return False
        return not any(_NEVER_FOLDERS.fullmatch(part) for part in around)

    def _wanted(self, _change: object, path: str) -> bool:
        return self.matter(Path(path))

    async def changes(self) -> AsyncGenerator[set[Path]]:
        """Sets of files that were saved, made or removed at about the same time. Raises VivaError."""
        awatch = _watchfiles().awatch
        try:
            async for found in awatch(
                *self.folders,
                watch_filter=self._wanted,
                step=_QUIET_MS,
                debounce=800,
                recursive=True,
                ignore_permission_denied=True,
            ):
                if saved := _files_of(found):
                    yield saved
        except OSError as error:
            raise VivaError(
                f"the files cannot be watched: {error}",
                hint="raise fs.inotify.max_user_watches, or set WATCHFILES_FORCE_POLLING=1",
            ) from None


def _files_of(found: Iterable[tuple[object, str]]) -> set[Path]:
    return {path for _, text in found if not (path := Path(text)).is_dir()}


def _watchfiles() -> Any:
    try:
        return import_module("watchfiles")
    except ImportError:
        raise UsageError("--watch needs watchfiles", at="--watch", hint="pip install 'vivavoce[watch]'") from None


def require_watchfiles() -> None:
    """Raises UsageError when it is not installed."""
    _watchfiles()
