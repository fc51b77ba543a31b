"""A package's words by language: `locales/en-us.yml` fills `{{ name }}` in `package.yao` and in the prompts."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TypeAlias

from vivavoce.containment.working_folder import path_from_here
from vivavoce.errors import UsageError
from vivavoce.model.case import Origin
from vivavoce.model.json_value import JsonObject, is_object
from vivavoce.notation.yaml_reader import read_yaml_documents
from vivavoce.project.files import read_text

FOLDER = "locales"
SUFFIXES = (".yml", ".yaml")
USUAL = "en-us"

Locales: TypeAlias = Mapping[str, JsonObject]
"""The messages of each language file, by the file's name in lower case."""


def read_locales(package: Path) -> Locales:
    """Every language file of a package. Raises UsageError for one that is not a mapping."""
    files = sorted(file for file in (package / FOLDER).glob("*") if file.suffix in SUFFIXES)
    return {file.stem.lower(): _messages(file) for file in files}


def messages_in(locales: Locales, locale: str) -> JsonObject:
    """The messages for a locale: its own file, one of the same language, English, or the first there is."""
    best = next(_by_preference(locales, locale), None)
    return {} if best is None else locales[best]


def _by_preference(locales: Locales, locale: str) -> Iterator[str]:
    for wanted in (locale.lower(), USUAL):
        if wanted in locales:
            yield wanted
        language = wanted.partition("-")[0]
        yield from (name for name in locales if name.partition("-")[0] == language)
    yield from locales


def _messages(file: Path) -> JsonObject:
    shown = path_from_here(file)
    document = next(iter(read_yaml_documents(read_text(file), shown)), None)
    if document is None or document.value is None:
        return {}
    if not is_object(document.value):
        raise UsageError("a mapping of names to texts is expected", at=Origin(shown, document.line))
    return document.value
