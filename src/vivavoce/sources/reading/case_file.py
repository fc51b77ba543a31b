"""The common part of all kinds of case files: path, label, defaults, tables and duplicate ids."""

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
from vivavoce.sources.scanning.seen_ids import SeenIds
from vivavoce.sources.scanning.special_files import may_never_end


class FileSettings(Struct, frozen=True, kw_only=True):
    """The settings of the project for the cases of a file."""

    folder: Path | None = None
    """The folder of its tables; None: the folder of the file."""
    root: Path | None = None
    """The project's folder."""
    variables: frozenset[str] = frozenset()
    """The names of the project's variables."""
    defaults: tuple[Case, ...] = ()
    """The defaults of its cases: those of the project first, those of the nearest folder last."""


class CaseFile(ABC):
    """A file of cases; `shown` is its path in messages."""

    def __init__(self, path: Path, shown: str, settings: FileSettings | None = None) -> None:
        self._path = path
        self._shown = shown
        self._settings = settings or FileSettings()

    @property
    def label(self) -> str:
        return self._shown

    def read(self) -> Iterator[Case | UsageError]:
        """Each case in order; an error in place of a bad one."""
        if may_never_end(self._path):
            return iter((UsageError("not a regular file", at=self._shown, hint="-i - reads cases from a pipe"),))
        shared = self._settings.defaults
        found = self._read_something()
        return (_sharing(one, shared) for one in found) if shared else found

    def _rows(
        self, raw: JsonObject, place: Place, seen: SeenIds, defaults: Defaults = PLAIN
    ) -> Iterator[Case | UsageError]:
        """The cases of a table (`each:`). Checks their ids and adds them to `seen`."""
        from vivavoce.sources.tables.each_row import Folders, cases_of_rows

        settings = self._settings
        folders = Folders(settings.folder or self._path.parent, settings.root, settings.variables)
        return cases_of_rows(raw, place, defaults, folders, seen)

    def _read_something(self) -> Iterator[Case | UsageError]:
        """Reads the cases. A file without any is a problem: nobody would notice that it tests nothing."""
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
    """The case with its defaults. The nearest are applied first, so that they win."""
    if isinstance(found, UsageError):
        return found
    for defaults in reversed(shared):
        found = with_defaults(found, defaults)
    return found
