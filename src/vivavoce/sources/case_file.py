"""What every kind of case file has in common: where it lies, how it is called, that its ids are its own."""

from pathlib import Path

from vivavoce.errors import UsageError
from vivavoce.model.case import Case, Origin


class CaseFile:
    """A file of cases under the name the user knows it by."""

    def __init__(self, path: Path, shown: str) -> None:
        self._path = path
        self._shown = shown

    @property
    def label(self) -> str:
        return self._shown

    def _duplicate(self, case: Case, line: int, earlier: int, hint: str | None = None) -> UsageError:
        what = f"duplicate id {case.id!r}, first used in line {earlier}"
        return UsageError(what, at=Origin(self._shown, line), hint=hint)
