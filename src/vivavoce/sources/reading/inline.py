"""Cases without a file: a message on the command line, or lines on standard input."""

import os
import shutil
import tempfile
import weakref
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO

from vivavoce.errors import UsageError
from vivavoce.model.case import Case, Origin, ScriptedTurn
from vivavoce.project.left_behind import lock_in_use, remove_left_behind
from vivavoce.sources.reading.case_file import FileSettings
from vivavoce.sources.reading.jsonl import JsonlSource


class MessageSource:
    """One message as one case, which only checks that the agent answers."""

    def __init__(self, text: str, number: int = 1) -> None:
        self._text = text
        self._id = f"T{number:03}"

    @property
    def label(self) -> str:
        return "<message>"

    def read(self) -> Iterator[Case | UsageError]:
        if self._text.strip():
            yield Case(id=self._id, origin=Origin(self.label), turns=(ScriptedTurn(content=self._text),))
        else:
            yield UsageError("an empty message", at=self.label)


class StdinSource:
    """Cases on standard input, kept in a temporary file because they may be read more than once."""

    def __init__(self, stdin: BinaryIO) -> None:
        handle, name = tempfile.mkstemp(prefix="viva-", suffix=".jsonl")
        remove_left_behind(Path(name).parent.glob("viva-*.jsonl"))
        lock_in_use(handle)
        # The file stays open as long as this object lives, because closing it would unlock it.
        weakref.finalize(self, _remove, name, handle)
        with os.fdopen(handle, "wb", closefd=False) as spool:
            shutil.copyfileobj(stdin, spool)
        self._cases = JsonlSource(Path(name), self.label, FileSettings(folder=Path.cwd()))

    @property
    def label(self) -> str:
        return "<stdin>"

    def read(self) -> Iterator[Case | UsageError]:
        return self._cases.read()


def _remove(name: str, handle: int) -> None:
    Path(name).unlink(missing_ok=True)
    with suppress(OSError):  # user code closes what it likes
        os.close(handle)
