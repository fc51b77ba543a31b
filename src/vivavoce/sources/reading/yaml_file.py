"""YAML tests: one or more documents in a file, each a case."""

from collections.abc import Iterator
from pathlib import Path

from vivavoce.errors import UsageError
from vivavoce.model.case import Case
from vivavoce.model.json_value import is_object
from vivavoce.notation.yaml_reader import YamlDocument, read_yaml_documents
from vivavoce.project.files import read_text
from vivavoce.sources.decoding.case_decoder import decode_yaml_case
from vivavoce.sources.reading.case_file import CaseFile
from vivavoce.sources.reading.seen_ids import SeenIds


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
        several = len(documents) > 1 or (bool(documents) and problem is not None)
        seen = SeenIds()
        for number, document in enumerate(documents, start=1):
            found = self._case(document, number if several else None, seen)
            yield from found.each() if isinstance(found, UsageError) else [found]
        if problem is not None:
            yield problem

    def _case(self, document: YamlDocument, number: int | None, seen: SeenIds) -> Case | UsageError:
        try:
            case = decode_yaml_case(document, self._shown, self._id(document, number))
        except UsageError as error:
            return error
        earlier = seen.add(case.id, document.line)
        if earlier is None:
            return case
        return self._duplicate(case, document.line, earlier, "give each test a 'name' of its own")

    def _id(self, document: YamlDocument, number: int | None) -> str:
        stem = stem_of(self._path)
        if number is None:
            return stem
        name = document.value.get("name") if is_object(document.value) else None
        return f"{stem}[{name or number}]"


def stem_of(path: Path) -> str:
    """`refund.viva.yaml` → `refund`."""
    return path.stem.removesuffix(".viva") or path.stem
