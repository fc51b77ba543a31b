"""The project around the tests: its root, its configuration, its packages and folders."""

from pathlib import Path

from msgspec import Struct

from vivavoce.containment.working_folder import here, path_from_here
from vivavoce.model.case import Origin
from vivavoce.project.files import read_text
from vivavoce.project.settings import Config


class Project(Struct, frozen=True, kw_only=True):
    """The folder of the project, and its configuration."""

    root: Path
    config: Config = Config()
    config_path: Path | None = None

    @property
    def assistants_dir(self) -> Path:
        return self.root / self.config.assistants

    @property
    def connectors_dir(self) -> Path:
        return self.root / self.config.connectors_dir

    @property
    def scripts_dir(self) -> Path:
        return self.root / self.config.scripts

    @property
    def state_dir(self) -> Path:
        """viva's own folder: last failures, journals."""
        return self.root / ".viva"

    def place(self, *steps: str | int) -> Origin | str:
        """Returns the line of a value in the configuration. Reads the file again, so use it only for error messages."""
        if self.config_path is None:
            return ""
        shown = path_from_here(self.config_path)
        if self.config_path.suffix == ".toml" or not self.config_path.is_file():
            return shown
        from vivavoce.notation.yaml_reader import read_yaml_documents

        document = next(iter(read_yaml_documents(read_text(self.config_path), shown)), None)
        return shown if document is None else Origin(shown, document.line_of(steps))

    def shown(self, path: Path | str) -> str:
        """Returns a path relative to the current folder or to the project's root, if it is below one of them."""
        full = here() / path
        for base in (here(), self.root):
            if full.is_relative_to(base):
                return str(full.relative_to(base))
        return str(path)
