"""What every kind of case file has in common: where it lies, how it is called, that its ids are its own."""

import os
import stat
from abc import ABC, abstractmethod
from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct

from vivavoce.errors import UsageError
from vivavoce.model.case import Case, Origin
from vivavoce.model.json_value import JsonObject
from vivavoce.notation.place import Place
from vivavoce.sources.decoding.case_decoder import PLAIN, Defaults
from vivavoce.sources.decoding.case_defaults import with_defaults
from vivavoce.sources.reading.seen_ids import SeenIds


class FileSettings(Struct, frozen=True, kw_only=True):
    """What the project says about the cases of a file."""

    folder: Path | None = None
    """Where its tables are looked for; None: beside it."""
    root: Path | None = None
    """The project's folder."""
    variables: frozenset[str] = frozenset()
    """Names that the project gives a value."""
    defaults: tuple[Case, ...] = ()
    """What its cases share: of the project first, of the nearest folder last."""


class CaseFile(ABC):
    """A file of cases under the name the user knows it by."""

    def __init__(self, path: Path, shown: str, settings: FileSettings | None = None) -> None:
        self._path = path
        self._shown = shown
        self._settings = settings or FileSettings()

    @property
    def label(self) -> str:
        return self._shown

    def read(self) -> Iterator[Case | UsageError]:
        """Each case in order; a bad one comes as the error it is."""
        if may_never_end(self._path):
            return iter((UsageError("not a regular file", at=self._shown, hint="-i - reads cases from a pipe"),))
        shared = self._settings.defaults
        found = self._read_something()
        return (_sharing(one, shared) for one in found) if shared else found

    def _rows(
        self, raw: JsonObject, place: Place, seen: SeenIds, defaults: Defaults = PLAIN
    ) -> Iterator[Case | UsageError]:
        """The cases of a table (`each:`). Their ids are checked here, and remembered for the rest of the file."""
        from vivavoce.sources.tables.each_row import Folders, cases_of_rows

        settings = self._settings
        folders = Folders(settings.folder or self._path.parent, settings.root, settings.variables)
        return cases_of_rows(raw, place, defaults, folders, seen)

    def _read_something(self) -> Iterator[Case | UsageError]:
        """A file without a case is a problem: it would be left out and nobody would notice."""
        found = self._read()
        first = next(found, None)
        if first is None:
            yield UsageError("no cases found in it", at=self._shown, hint="write a case into it, or remove the file")
        else:
            yield first
            yield from found

    @abstractmethod
    def _read(self) -> Iterator[Case | UsageError]: ...

    def _duplicate(self, case: Case, line: int, earlier: int, hint: str | None = None) -> UsageError:
        first = f"first used in line {earlier}" if earlier > 0 else f"the id of a row too: line {-earlier} of its table"
        what = f"duplicate id {case.id!r}, {first}"
        return UsageError(what, at=Origin(self._shown, line), hint=hint)


def _sharing(found: Case | UsageError, shared: tuple[Case, ...]) -> Case | UsageError:
    """The case with its defaults; the nearest are put in first, so that what they say wins."""
    if isinstance(found, UsageError):
        return found
    for defaults in reversed(shared):
        found = with_defaults(found, defaults)
    return found


def may_never_end(path: Path) -> bool:
    """Whether it is a pipe, a socket or a device: reading it may wait for ever or never end."""
    try:
        mode = os.stat(path).st_mode
    except OSError:
        return False  # reading it will say why it cannot be read
    return not stat.S_ISREG(mode) and not stat.S_ISDIR(mode)
