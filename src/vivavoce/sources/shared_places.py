"""Finds the line of the `defaults:` that give a case its agent or hook, for error messages. Reads the files again."""

from pathlib import Path
from typing import Literal

from vivavoce.containment.working_folder import here
from vivavoce.errors import UsageError
from vivavoce.model.case import Case, Origin
from vivavoce.model.json_value import is_object
from vivavoce.notation.yaml_reader import YamlDocument, read_yaml_documents
from vivavoce.project.files import CASE_FILE_SUFFIXES, read_text
from vivavoce.project.project import Project
from vivavoce.sources.decoding.case_defaults import DEFAULTS
from vivavoce.sources.discover import file_source
from vivavoce.sources.folder_defaults import FolderDefaults
from vivavoce.sources.reading.case_file import FileSettings

SharedField = Literal["agent", "before", "after"]


class SharedPlaces:
    """Reads the files once for each wrong name: a million rows may share it."""

    def __init__(self, project: Project) -> None:
        self._project = project
        self._found: dict[tuple[SharedField, str, str], Origin | None] = {}

    def of(self, field: SharedField, name: str, case: Case) -> Origin:
        """Returns the line of `defaults:` that sets this field of the case, or the case's own line."""
        mark = (field, name, case.origin.path)
        if mark not in self._found:
            self._found[mark] = place_in_defaults(field, case, self._project)
        return self._found[mark] or case.origin


def place_in_defaults(field: SharedField, case: Case, project: Project) -> Origin | None:
    """Returns the line of the `defaults:` that set the field for the case; None where the case sets it itself."""
    file = here() / case.origin.path
    if not file.is_file() or file.suffix.lower() not in CASE_FILE_SUFFIXES:
        return None
    try:
        if _is_set_in(file, field, case, project):
            return _in_first_document(field, case, file)
        return _above(field, file, project)
    except UsageError:
        return None  # the file was changed meanwhile


def _is_set_in(file: Path, field: SharedField, case: Case, project: Project) -> bool:
    """Whether the case file sets the field, and not a folder around it."""
    settings = FileSettings(root=project.root, variables=frozenset(project.config.variables))
    for found in file_source(file, case.origin.path, settings).read():
        if isinstance(found, Case) and found.id == case.id:
            return getattr(found, field) is not None
    return True


def _in_first_document(field: SharedField, case: Case, file: Path) -> Origin | None:
    documents = _documents(file)
    own = next((one.value for one in documents if one.line == case.origin.line), None)
    if not documents or (is_object(own) and own.get(field) is not None):
        return None
    return _line_in(documents[0], field, case.origin.path)


def _above(field: SharedField, file: Path, project: Project) -> Origin | None:
    for shared in reversed(FolderDefaults(project).above(file)):
        if getattr(shared, field) is not None:
            documents = _documents(here() / shared.origin.path)
            return _line_in(documents[0], field, shared.origin.path) if documents else shared.origin
    return None


def _documents(file: Path) -> list[YamlDocument]:
    """Returns the documents of a YAML file; none for another kind of file."""
    if file.suffix.lower() not in (".yaml", ".yml"):
        return []
    return [one for one in read_yaml_documents(read_text(file), str(file)) if one.value is not None]


def _line_in(document: YamlDocument, field: SharedField, path: str) -> Origin | None:
    steps = (DEFAULTS, field)
    return Origin(path, document.lines[steps]) if steps in document.lines else None
