"""YAML tests: a file of one or more documents, each a case."""

from collections.abc import Iterator
from pathlib import Path

from vivavoce.errors import UsageError
from vivavoce.model.case import Case, Origin
from vivavoce.model.json_value import is_object
from vivavoce.notation.place import Place
from vivavoce.notation.yaml_reader import YamlDocument, read_yaml_documents
from vivavoce.project.files import read_text
from vivavoce.sources.decoding.case_decoder import decode_yaml_case, yaml_defaults
from vivavoce.sources.decoding.case_defaults import DEFAULTS, decode_defaults, with_defaults
from vivavoce.sources.reading.case_file import CaseFile
from vivavoce.sources.reading.foreign_tests import foreign_file
from vivavoce.sources.scanning.seen_ids import SeenIds


class YamlSource(CaseFile):
    """A file whose tests are named after it: `stem`, or `stem[name]` when there are several."""

    def _read(self) -> Iterator[Case | UsageError]:
        documents: list[YamlDocument] = []
        problem: UsageError | None = None
        try:
            for document in read_yaml_documents(read_text(self._path), self._shown):
                if document.value is not None:
                    documents.append(document)
        except UsageError as error:
            problem = UsageError(error.what, at=error.at or self._shown, hint=error.hint)
        if documents and (foreign := foreign_file(documents[0].value, self._shown)) is not None:
            yield foreign
            return
        shared: Case | None = None
        if documents and _holds_only_defaults(documents[0]):
            try:
                shared = self._defaults(documents.pop(0))
            except UsageError as error:
                yield from error.each()
        several = len(documents) > 1 or (bool(documents) and problem is not None)
        seen = SeenIds()
        for number, document in enumerate(documents, start=1):
            for found in self._cases(document, number if several else None, seen):
                if isinstance(found, Case) and shared is not None:
                    yield with_defaults(found, shared)
                else:
                    yield found
        if problem is not None:
            yield problem

    def _cases(self, document: YamlDocument, number: int | None, seen: SeenIds) -> Iterator[Case | UsageError]:
        case_id = self._id(document, number)
        if is_object(document.value) and document.value.get("each") is not None:
            place = Place(Origin(self._shown, document.line), document)
            yield from self._rows(document.value, place, seen, yaml_defaults(case_id))
            return
        try:
            case = decode_yaml_case(document, self._shown, case_id)
        except UsageError as error:
            yield from error.each()
            return
        earlier = seen.add(case.id, document.line)
        hint = "give each test a 'name' of its own"
        yield case if earlier is None else self._duplicate(case, document.line, earlier, hint)

    def _defaults(self, document: YamlDocument) -> Case:
        place = Place(Origin(self._shown, document.line), document)
        return decode_defaults(document.value[DEFAULTS], place.at(DEFAULTS))

    def _id(self, document: YamlDocument, number: int | None) -> str:
        stem = stem_of(self._path)
        if number is None:
            return stem
        name = document.value.get("name") if is_object(document.value) else None
        return f"{stem}[{number if not name or '${' in str(name) else name}]"


def _holds_only_defaults(document: YamlDocument) -> bool:
    return is_object(document.value) and document.value.keys() == {DEFAULTS}


def stem_of(path: Path) -> str:
    """`refund.viva.yaml` → `refund`."""
    return path.stem.removesuffix(".viva") or path.stem
