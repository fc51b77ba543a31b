"""What every kind of case file has in common: where it lies, how it is called, that its ids are its own."""

import os
import stat
from abc import ABC, abstractmethod
from collections.abc import Iterator
from pathlib import Path

from vivavoce.errors import UsageError
from vivavoce.model.case import Case, Origin


class CaseFile(ABC):
    """A file of cases under the name the user knows it by."""

    def __init__(self, path: Path, shown: str) -> None:
        self._path = path
        self._shown = shown

    @property
    def label(self) -> str:
        return self._shown

    def read(self) -> Iterator[Case | UsageError]:
        """Each case in order; a bad one comes as the error it is."""
        if may_never_end(self._path):
            return iter((UsageError("not a regular file", at=self._shown, hint="-i - reads cases from a pipe"),))
        return self._read()

    @abstractmethod
    def _read(self) -> Iterator[Case | UsageError]: ...

    def _duplicate(self, case: Case, line: int, earlier: int, hint: str | None = None) -> UsageError:
        what = f"duplicate id {case.id!r}, first used in line {earlier}"
        return UsageError(what, at=Origin(self._shown, line), hint=hint)


def may_never_end(path: Path) -> bool:
    """Whether it is a pipe, a socket or a device: nobody may ever write to it, or it has no end."""
    try:
        mode = os.stat(path).st_mode
    except OSError:
        return False  # whoever reads it will say why it cannot be read
    return not stat.S_ISREG(mode) and not stat.S_ISDIR(mode)
