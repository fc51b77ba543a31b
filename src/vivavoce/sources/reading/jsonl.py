"""JSONL case files, read as a stream: a million lines are never in memory together."""

from collections.abc import Iterable, Iterator
from functools import partial

from vivavoce.errors import UsageError
from vivavoce.model.case import Case, Origin
from vivavoce.model.json_value import is_object
from vivavoce.notation.place import Place, quoted
from vivavoce.sources.decoding.case_decoder import decode_case
from vivavoce.sources.reading.case_file import CaseFile
from vivavoce.sources.reading.line_decoder import decode_lines
from vivavoce.sources.reading.result_files import is_start_event, result_given_as_cases
from vivavoce.sources.scanning.json_places import JsonText
from vivavoce.sources.scanning.object_reader import Broken, Found, ObjectReader
from vivavoce.sources.scanning.seen_ids import SeenIds


class JsonlSource(CaseFile):
    """One file of cases; every bad object comes as an error with its line, and reading goes on."""

    def _read(self) -> Iterator[Case | UsageError]:
        seen = SeenIds()
        try:
            with self._path.open("rb") as file:
                reader = ObjectReader(file, decode_lines=partial(decode_lines, self._shown))
                for position, found in enumerate(reader):
                    if isinstance(found, Case):
                        cases: Iterable[Case | UsageError] = (found,)
                    elif position == 0 and isinstance(found, Found) and is_start_event(found.value):
                        yield result_given_as_cases(self._shown)
                        return
                    elif isinstance(found, Found) and is_object(found.value) and found.value.get("each") is not None:
                        yield from self._rows(found.value, self._place(found), seen)
                        continue
                    else:
                        cases = self._cases(found)
                    for case in cases:
                        if isinstance(case, UsageError):
                            yield from case.each()
                        elif (earlier := seen.add(case.id, case.origin.line)) is None:
                            yield case
                        else:
                            yield self._duplicate(case, case.origin.line, earlier)
        except OSError as error:
            yield UsageError(f"cannot be read: {error.strerror}", at=self._shown)

    def _cases(self, found: Found | Broken) -> Iterable[Case | UsageError]:
        """Decodes slowly, with messages about what is wrong."""
        origin = Origin(self._shown, found.line)
        if isinstance(found, Broken):
            return [UsageError(found.what, at=origin, hint=found.hint)]
        if not is_object(found.value):
            what = f"wanted an object, found {quoted(found.value)}"
            return [UsageError(what, at=origin, hint="one case is one { … }")]
        try:
            return [decode_case(found.value, origin, document=_written(found))]
        except UsageError as error:
            return [error]

    def _place(self, found: Found) -> Place:
        return Place(Origin(self._shown, found.line), _written(found))


def _written(found: Found) -> JsonText | None:
    return None if found.spread is None else JsonText(found.spread, found.line)
