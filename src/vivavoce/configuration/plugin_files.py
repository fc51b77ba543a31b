"""`plugins: [file.py]`: files of the project that add names of their own."""

from pathlib import Path

from vivavoce.containment.working_folder import path_from_here
from vivavoce.errors import UsageError
from vivavoce.plugins.registering import registering
from vivavoce.project.project import Project
from vivavoce.scripts.finder import load_module_anew

_loaded: dict[Path, int] = {}
"""Each file that was loaded, and when it was changed last."""


def load_plugins(project: Project) -> None:
    """Loads the project's plug-ins in a process that did not read its configuration, as a worker elsewhere."""
    named = project.config.plugins
    for file in [named] if isinstance(named, str) else named:
        load_plugin_file(file, project.root)


def load_plugin_file(file: str, root: Path) -> None:
    """Runs the file, which registers its names; once, as long as it does not change. Raises UsageError."""
    path = (root / file).resolve()
    if not path.is_file():
        raise UsageError(f"plugins: no such file: {file}", hint="paths go from the folder of viva.yaml")
    changed_ns = path.stat().st_mtime_ns
    if _loaded.get(path) == changed_ns:
        return
    with registering(path_from_here(path)):
        load_module_anew(path, Project(root=root))
    _loaded[path] = changed_ns
