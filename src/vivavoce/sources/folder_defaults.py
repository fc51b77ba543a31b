"""The `defaults:` of a case file: those of the project and of every folder down to the file."""

import os
from pathlib import Path

from vivavoce.errors import UsageError, did_you_mean
from vivavoce.model.case import Case, Origin
from vivavoce.model.json_value import JsonObject, is_object
from vivavoce.notation.place import Place
from vivavoce.project.files import read_text
from vivavoce.project.project import Project
from vivavoce.sources.decoding.case_defaults import DEFAULTS, FIELDS, decode_defaults

FOLDER_FILES = ("viva.yaml", "viva.yml")


class FolderDefaults:
    """Reads each file once. The defaults of the innermost folder come last and win."""

    def __init__(self, project: Project) -> None:
        self._project = project
        self._read: dict[Path, Case | None] = {}

    def above(self, file: Path) -> tuple[Case, ...]:
        """The defaults from the project down to the folder of the file. Raises UsageError for bad ones."""
        found = [self._of_project()]
        root = self._project.root.absolute()
        # Without `normpath`, `root/../tests` would count as a folder of the project.
        parents = Path(os.path.normpath(file.absolute())).parents
        folders = [folder for folder in reversed(parents) if folder.is_relative_to(root)]
        found += [self._of_folder(folder / name) for folder in folders for name in FOLDER_FILES]
        return tuple(case for case in found if case is not None)

    def _of_project(self) -> Case | None:
        path = self._project.config_path
        if path is None or not self._project.config.defaults:
            return None
        if path.suffix.lower() in (".yaml", ".yml"):
            return self._of_file(path)
        return decode_defaults(self._project.config.defaults, Place(Origin(str(path))).at(DEFAULTS))

    def _of_folder(self, path: Path) -> Case | None:
        config = self._project.config_path
        if (config is not None and path == config.absolute()) or not path.is_file():
            return None
        return self._of_file(path)

    def _of_file(self, path: Path) -> Case | None:
        if path not in self._read:
            self._read[path] = self._defaults_in(path)
        return self._read[path]

    def _defaults_in(self, path: Path) -> Case | None:
        from vivavoce.containment.working_folder import path_from_here
        from vivavoce.notation.yaml_reader import read_yaml_documents

        shown = path_from_here(path)
        document = next(iter(read_yaml_documents(read_text(path), shown)), None)
        if document is None or not is_object(document.value):
            return None
        at = Origin(shown, document.line)
        if path.parent != self._project.root.absolute():
            _refuse_fields_beside(document.value, at)
        if document.value.get(DEFAULTS) is None:
            _refuse_misspelling(document.value, at)
            return None
        return decode_defaults(document.value[DEFAULTS], Place(at, document).at(DEFAULTS))


def _refuse_fields_beside(written: JsonObject, at: Origin) -> None:
    """Raises UsageError for fields of cases outside of `defaults:`, where they have no effect."""
    beside = [key for key in written if key != DEFAULTS]
    # A file with other fields is the configuration of a project inside this one.
    if beside and all(key in FIELDS for key in beside):
        what = f"{beside[0]!r} holds for the cases of a folder only under `{DEFAULTS}:`"
        raise UsageError(what, at=at, hint=f"write `{DEFAULTS}: {{{beside[0]}: …}}`")


def _refuse_misspelling(written: JsonObject, at: Origin) -> None:
    for key in written:
        if key != DEFAULTS and (hint := did_you_mean(key, [DEFAULTS])) is not None:
            raise UsageError(f"unknown field {key!r}", at=at, hint=hint)
