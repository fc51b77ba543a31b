"""The project around the tests: its root, its configuration, its packages and folders."""

from pathlib import Path

from msgspec import Struct

from vivavoce.containment.working_folder import here, path_from_here
from vivavoce.errors import UsageError
from vivavoce.model.case import Origin
from vivavoce.model.json_value import is_object
from vivavoce.project.config_check import checked_config
from vivavoce.project.files import read_text, whole_path
from vivavoce.project.settings import Config

CONFIG_NAMES = ("viva.yaml", "viva.yml", "aguitest.config.yaml", "aguitest.config.yml")
PACKAGE_FILE = "package.yao"


class Project(Struct, frozen=True, kw_only=True):
    """Where the project lies and what its configuration says."""

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
        """Where something stands in the configuration. The file is read again: only who complains wants to know."""
        if self.config_path is None:
            return ""
        shown = path_from_here(self.config_path)
        if self.config_path.suffix == ".toml":
            return shown
        from vivavoce.notation.yaml_reader import read_yaml_documents

        document = next(iter(read_yaml_documents(read_text(self.config_path), shown)), None)
        return shown if document is None else Origin(shown, document.line_of(steps))

    def shown(self, path: Path | str) -> str:
        """A path as a person at the project's root would write it."""
        full = here() / path
        for base in (here(), self.root):
            if full.is_relative_to(base):
                return str(full.relative_to(base))
        return str(path)


def find_project(start: Path, config_file: str | None = None, inputs_at: Path | None = None) -> Project:
    """The nearest configuration upward; without one, the nearest folder that holds `assistants/`.

    Where there is none around `start`, the one around `inputs_at` counts: the folder of what is to be tested.
    """
    if config_file:
        path = Path(config_file)
        if not path.is_file():
            raise UsageError(f"no such configuration file: {config_file}")
        return Project(root=path.absolute().parent, config=read_config(path), config_path=path.absolute())
    places = [whole_path(place) for place in (start, inputs_at) if place is not None]
    for find in (_configured_around, _laid_out_around):
        for place in places:
            if (found := find(place)) is not None:
                return found
    return Project(root=places[0])


def _configured_around(place: Path) -> Project | None:
    for folder in (place, *place.parents):
        for name in CONFIG_NAMES:
            if (folder / name).is_file():
                return Project(root=folder, config=read_config(folder / name), config_path=folder / name)
        if (config := _from_pyproject(folder / "pyproject.toml")) is not None:
            return Project(root=folder, config=config, config_path=folder / "pyproject.toml")
    return None


def _laid_out_around(place: Path) -> Project | None:
    """The application that agent packages lie in."""
    if (package := nearest_package(place)) is not None:
        return Project(root=_application_root(package) or package)
    folders = (folder for folder in (place, *place.parents) if (folder / "assistants").is_dir())
    return next((Project(root=folder) for folder in folders), None)


def read_config(path: Path) -> Config:
    """A configuration file, checked field by field."""
    from vivavoce.notation.yaml_reader import read_yaml_documents

    shown = path_from_here(path)
    documents = list(read_yaml_documents(read_text(path), shown))
    if not documents or documents[0].value is None:
        return Config()
    value = documents[0].value
    if not is_object(value):
        raise UsageError("the configuration must be a mapping", at=Origin(shown, 1))
    return checked_config(value, shown, documents[0].line_of)


def _from_pyproject(path: Path) -> Config | None:
    if not path.is_file():
        return None
    import tomllib

    try:
        value = tomllib.loads(read_text(path)).get("tool", {}).get("viva")
    except tomllib.TOMLDecodeError as error:
        raise UsageError(f"bad TOML: {error}", at=path_from_here(path)) from None
    return None if value is None else checked_config(value, path_from_here(path), _no_line)


def _no_line(_path: tuple[str | int, ...]) -> int:
    return 0


def _application_root(package: Path) -> Path | None:
    for folder in package.parents:
        if folder.name == "assistants":
            return folder.parent
    return None


def nearest_package(start: Path) -> Path | None:
    """The folder of the nearest `package.yao`, from a file or folder upward."""
    start = whole_path(start)
    for folder in (start, *start.parents):
        if (folder / PACKAGE_FILE).is_file():
            return folder
    return None
