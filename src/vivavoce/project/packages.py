"""Agent packages: where they lie and how they are named."""

from pathlib import Path

from vivavoce.project.files import whole_path
from vivavoce.project.project import PACKAGE_FILE, Project


def package_id(folder: Path, project: Project) -> str:
    """`assistants/workers/system/keyword` → `workers.system.keyword`."""
    parts = whole_path(folder).parts
    name = Path(project.config.assistants).name
    if name in parts:
        below = parts[len(parts) - 1 - parts[::-1].index(name) + 1 :]
        if below:
            return ".".join(below)
    return folder.name


def package_dir(agent_id: str, project: Project) -> Path:
    """Where a package with this id would lie; a leading `assistants.` is accepted."""
    steps = agent_id.removeprefix("assistants.").split(".")
    return project.assistants_dir.joinpath(*steps)


def list_packages(project: Project) -> list[Path]:
    """Every agent package below the assistants folder, in order of id."""
    if not project.assistants_dir.is_dir():
        return []
    return sorted(found.parent for found in project.assistants_dir.rglob(PACKAGE_FILE))
