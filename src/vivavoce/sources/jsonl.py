"""JSONL case files, read as a stream: a million lines never sit in memory."""

from collections.abc import Iterator
from typing import BinaryIO

from vivavoce.errors import UsageError
from vivavoce.model.case import Case, Origin
from vivavoce.model.json_value import is_object
from vivavoce.sources.case_decoder import decode_case
from vivavoce.sources.case_file import CaseFile
from vivavoce.sources.json_places import JsonText
from vivavoce.sources.object_reader import Broken, Found, ObjectReader
from vivavoce.sources.place import quoted
from vivavoce.sources.result_files import is_start_event, result_given_as_cases
from vivavoce.sources.seen_ids import SeenIds


class JsonlSource(CaseFile):
    """One file of cases; every bad object comes as an error with its line, and reading goes on."""

    def read(self) -> Iterator[Case | UsageError]:
        try:
            file = self._path.open("rb")
        except OSError as error:
            yield UsageError(f"cannot be read: {error.strerror}", at=self._shown)
            return
        with file:
            yield from self._cases(file)

    def _cases(self, file: BinaryIO) -> Iterator[Case | UsageError]:
        seen = SeenIds()
        try:
            for position, found in enumerate(ObjectReader(file)):
                if position == 0 and isinstance(found, Found) and is_start_event(found.value):
                    yield result_given_as_cases(self._shown)
                    return
                yield self._case(found, seen)
        except OSError as error:
            yield UsageError(f"cannot be read: {error.strerror}", at=self._shown)

    def _case(self, found: Found | Broken, seen: SeenIds) -> Case | UsageError:
        origin = Origin(self._shown, found.line)
        if isinstance(found, Broken):
            return UsageError(found.what, at=origin, hint=found.hint)
        if not is_object(found.value):
            return UsageError(f"wanted an object, found {quoted(found.value)}", at=origin, hint="one case is one { … }")
        try:
            if found.spread is None:
                case = decode_case(found.value, origin)
            else:
                case = decode_case(found.value, origin, document=JsonText(found.spread, found.line))
        except UsageError as error:
            return error
        earlier = seen.add(case.id, found.line)
        return case if earlier is None else self._duplicate(case, found.line, earlier)
