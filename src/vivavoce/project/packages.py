"""Agent packages: their folders and ids."""

from pathlib import Path

from vivavoce.containment.working_folder import here
from vivavoce.project.files import whole_path
from vivavoce.project.project import Project

PACKAGE_FILE = "package.yao"
_SHIPPED_PREFIX = "viva."
_SHIPPED_FOLDER = Path(__file__).parents[1] / "prompts"


def find_package(name: str, project: Project) -> Path | None:
    """Returns the folder of an agent package by dotted id or path; `viva.NAME` may be one that viva ships."""
    candidates = [package_dir(name, project), project.root / name, here() / name]
    if name.startswith(_SHIPPED_PREFIX):
        candidates.append(_SHIPPED_FOLDER / name.removeprefix(_SHIPPED_PREFIX))
    return next((folder for folder in candidates if (folder / PACKAGE_FILE).is_file()), None)


def package_id(folder: Path, project: Project) -> str:
    """Returns `workers.system.keyword` for `assistants/workers/system/keyword`, `viva.NAME` for one that viva ships."""
    if folder.parent == _SHIPPED_FOLDER:
        return f"{_SHIPPED_PREFIX}{folder.name}"
    parts = whole_path(folder).parts
    name = Path(project.config.assistants).name
    if name in parts:
        below = parts[len(parts) - 1 - parts[::-1].index(name) + 1 :]
        if below:
            return ".".join(below)
    return folder.name


def package_dir(agent_id: str, project: Project) -> Path:
    """Returns the folder for a package with this id; a leading `assistants.` is accepted."""
    steps = agent_id.removeprefix("assistants.").split(".")
    return project.assistants_dir.joinpath(*steps)


def list_packages(project: Project) -> list[Path]:
    """Returns every agent package below the assistants folder, sorted."""
    if not project.assistants_dir.is_dir():
        return []
    return sorted(found.parent for found in project.assistants_dir.rglob(PACKAGE_FILE))


def nearest_package(start: Path) -> Path | None:
    """Returns the folder of the nearest `package.yao`, from a file or folder upward."""
    start = whole_path(start)
    for folder in (start, *start.parents):
        if (folder / PACKAGE_FILE).is_file():
            return folder
    return None
