"""Where a project's configuration lies, and what it says."""

from pathlib import Path

from vivavoce.containment.working_folder import path_from_here
from vivavoce.errors import UsageError
from vivavoce.model.json_value import is_object
from vivavoce.project.files import read_text, whole_path
from vivavoce.project.packages import nearest_package
from vivavoce.project.project import Project
from vivavoce.project.settings import Config

CONFIG_NAMES = ("viva.yaml", "viva.yml", "aguitest.config.yaml", "aguitest.config.yml")


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


def project_root(start: Path, config_file: str | None = None) -> Path:
    """The folder of the same project, without reading its configuration, which may be broken."""
    if config_file:
        return Path(config_file).absolute().parent
    place = whole_path(start)
    for folder in (place, *place.parents):
        named = (folder / name for name in CONFIG_NAMES)
        if any(path.is_file() and not _holds_only_defaults(path) for path in named):
            return folder
        pyproject = folder / "pyproject.toml"
        if pyproject.is_file() and "[tool.viva" in read_text(pyproject):
            return folder
    found = _laid_out_around(place)
    return place if found is None else found.root


def _configured_around(place: Path) -> Project | None:
    for folder in (place, *place.parents):
        for name in CONFIG_NAMES:
            if (folder / name).is_file() and not _holds_only_defaults(folder / name):
                return Project(root=folder, config=read_config(folder / name), config_path=folder / name)
        if (config := _from_pyproject(folder / "pyproject.toml")) is not None:
            return Project(root=folder, config=config, config_path=folder / "pyproject.toml")
    return None


def _holds_only_defaults(path: Path) -> bool:
    """Whether it is a folder's `defaults:` for its cases, which never ends the search for the project's own."""
    from vivavoce.notation.yaml_reader import read_yaml_documents

    text = read_text(path)
    if "defaults" not in text:
        return False
    try:
        documents = list(read_yaml_documents(text, str(path)))
    except UsageError:
        return False
    return len(documents) == 1 and is_object(documents[0].value) and documents[0].value.keys() == {"defaults"}


def _laid_out_around(place: Path) -> Project | None:
    """The application that agent packages lie in."""
    if (package := nearest_package(place)) is not None:
        return Project(root=_application_root(package) or package)
    folders = (folder for folder in (place, *place.parents) if (folder / "assistants").is_dir())
    return next((Project(root=folder) for folder in folders), None)


def read_config(path: Path) -> Config:
    """A configuration file, checked field by field."""
    from vivavoce.configuration.config_check import checked_config
    from vivavoce.notation.yaml_reader import read_yaml_documents

    shown = path_from_here(path)
    documents = list(read_yaml_documents(read_text(path), shown))
    if not documents or documents[0].value is None:
        return Config()
    return checked_config(documents[0].value, shown, documents[0].line_of, path.absolute().parent)


def _from_pyproject(path: Path) -> Config | None:
    if not path.is_file():
        return None
    import tomllib

    try:
        value = tomllib.loads(read_text(path)).get("tool", {}).get("viva")
    except tomllib.TOMLDecodeError as error:
        raise UsageError(f"bad TOML: {error}", at=path_from_here(path)) from None
    if value is None:
        return None
    from vivavoce.configuration.config_check import checked_config

    return checked_config(value, path_from_here(path), _no_line, path.absolute().parent)


def _no_line(_path: tuple[str | int, ...]) -> int:
    return 0


def _application_root(package: Path) -> Path | None:
    for folder in package.parents:
        if folder.name == "assistants":
            return folder.parent
    return None
