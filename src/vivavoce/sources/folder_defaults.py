"""The `defaults:` that hold for a case file: of the project, and of every folder between it and the file."""

from pathlib import Path

from vivavoce.errors import UsageError, did_you_mean
from vivavoce.model.case import Case, Origin
from vivavoce.model.json_value import is_object
from vivavoce.notation.place import Place
from vivavoce.project.files import read_text
from vivavoce.project.project import Project
from vivavoce.sources.decoding.case_defaults import DEFAULTS, decode_defaults

FOLDER_FILES = ("viva.yaml", "viva.yml")


class FolderDefaults:
    """Reads each file once. The innermost folder's defaults come last: what they say wins."""

    def __init__(self, project: Project) -> None:
        self._project = project
        self._read: dict[Path, Case | None] = {}

    def above(self, file: Path) -> tuple[Case, ...]:
        """From the project's down to the file's own folder. Raises UsageError for what is wrong in one of them."""
        found = [self._of_project()]
        root = self._project.root.absolute()
        folders = [folder for folder in reversed(file.absolute().parents) if folder.is_relative_to(root)]
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
            self._read[path] = _defaults_in(path)
        return self._read[path]


def _defaults_in(path: Path) -> Case | None:
    from vivavoce.containment.working_folder import path_from_here
    from vivavoce.notation.yaml_reader import read_yaml_documents

    shown = path_from_here(path)
    document = next(iter(read_yaml_documents(read_text(path), shown)), None)
    if document is None or not is_object(document.value):
        return None
    if document.value.get(DEFAULTS) is None:
        for key in document.value:
            if key != DEFAULTS and (hint := did_you_mean(str(key), [DEFAULTS])) is not None:
                raise UsageError(f"unknown field {str(key)!r}", at=Origin(shown, document.line), hint=hint)
        return None
    return decode_defaults(document.value[DEFAULTS], Place(Origin(shown, document.line), document).at(DEFAULTS))
