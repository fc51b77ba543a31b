"""Which cases of a run have their answers in a folder of recordings (`viva record --resume`)."""

from collections.abc import Iterator
from pathlib import Path

from vivavoce.model.case import Case
from vivavoce.targets.recording_folder import folder_of
from vivavoce.wording.plurals import counted

ANSWERS = ("*.sse", "*.answer.json")
"""The names of files that hold an answer: those of AG-UI agents, and those of all others."""


class RecordingsThere:
    """Looks for recordings. Without a folder nothing is recorded, and nothing is missing."""

    def __init__(self, folder: str | None) -> None:
        self._folder = None if folder is None else Path(folder)
        self._missing = 0

    def hold(self, case: Case) -> bool:
        """False when the folder has no answer of the case: its result alone is of no use to a recording."""
        if self._folder is None or case.skip:
            return True
        there = self._folder / folder_of(case.id)
        found = any(next(there.glob(pattern), None) for pattern in ANSWERS)
        self._missing += not found
        return found

    def words(self) -> Iterator[str]:
        if self._missing:
            yield f"{self._folder} has no recorded answers of {counted(self._missing, 'case')}"
