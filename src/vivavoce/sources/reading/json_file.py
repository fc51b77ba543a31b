"""`.json` files: one case, a list of cases, or {"cases": [...]}."""

import re
from collections.abc import Iterator
from json import JSONDecoder

from vivavoce.errors import UsageError
from vivavoce.model.case import Case, Origin
from vivavoce.model.json_value import JsonValue, is_array, is_object
from vivavoce.notation.jsonc import read_jsonc, strip_comments
from vivavoce.notation.place import Place, quoted
from vivavoce.project.files import read_text
from vivavoce.sources.decoding.case_decoder import Defaults, decode_case
from vivavoce.sources.reading.case_file import CaseFile
from vivavoce.sources.reading.foreign_tests import foreign_file
from vivavoce.sources.reading.result_files import is_json_report, result_given_as_cases
from vivavoce.sources.reading.yaml_file import stem_of
from vivavoce.sources.scanning.json_places import JsonText, may_repeat_a_key
from vivavoce.sources.scanning.seen_ids import SeenIds

_NEXT_ELEMENT = re.compile(r"[\s,]*(?=[^\s,\]])")


class JsonSource(CaseFile):
    """A file read as a whole; comments and trailing commas are allowed."""

    def _read(self) -> Iterator[Case | UsageError]:
        try:
            text = read_text(self._path)
            value = read_jsonc(text, self._shown)
        except UsageError as error:
            yield UsageError(error.what, at=error.at if isinstance(error.at, Origin) else self._shown, hint=error.hint)
            return
        plain = strip_comments(text)
        if may_repeat_a_key(plain.encode(), value) and (repeated := JsonText(plain).repeated_key()) is not None:
            name, line = repeated
            yield UsageError(f"duplicate key {name!r}", at=Origin(self._shown, line))
        elif is_json_report(value):
            yield result_given_as_cases(self._shown)
        elif (foreign := foreign_file(value, self._shown)) is not None:
            yield foreign
        elif is_array(value) or (is_object(value) and value.keys() == {"cases"} and is_array(value["cases"])):
            yield from self._many(plain)
        else:
            yield from self._cases(value, JsonText(plain), SeenIds(), default_id=self._name_of_a_test())

    def _name_of_a_test(self) -> str | None:
        """`refund.viva.json` is named after its file, like a YAML test."""
        return stem_of(self._path) if self._path.name.endswith(".viva.json") else None

    def _many(self, text: str) -> Iterator[Case | UsageError]:
        seen = SeenIds()
        for value, written in _elements(text):
            yield from self._cases(value, written, seen)

    def _cases(
        self, value: JsonValue, written: JsonText, seen: SeenIds, default_id: str | None = None
    ) -> Iterator[Case | UsageError]:
        origin = Origin(self._shown, written.line)
        if not is_object(value):
            hint = 'write { … }, [ … ] or {"cases": [ … ]}'
            yield UsageError(f"wanted a case, found {quoted(value)}", at=origin, hint=hint)
            return
        if value.get("each") is not None:
            yield from self._rows(value, Place(origin, written), seen, Defaults(default_id))
            return
        try:
            case = decode_case(value, origin, Defaults(default_id), written)
        except UsageError as error:
            yield from error.each()
            return
        earlier = seen.add(case.id, written.line)
        yield case if earlier is None else self._duplicate(case, written.line, earlier)


def _elements(text: str) -> Iterator[tuple[JsonValue, JsonText]]:
    """Each element of the first list of a valid JSON text, with its text."""
    decoder = JSONDecoder()
    position = text.index("[") + 1
    line = 1 + text.count("\n", 0, position)
    while match := _NEXT_ELEMENT.match(text, position):
        line += text.count("\n", position, match.end())
        value, end = decoder.raw_decode(text, match.end())
        yield value, JsonText(text[match.end() : end], line)
        line += text.count("\n", match.end(), end)
        position = end
