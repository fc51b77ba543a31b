"""Refuses paths outside the project, for commands from a web page or a coding agent."""

from pathlib import Path

from vivavoce.errors import UsageError


def refuse_outside(path: str, root: Path) -> None:
    """Raises UsageError for a path outside the project, also through `..` or a link."""
    inside_path(path, root)


def inside_path(path: str, root: Path) -> Path:
    """Returns the path with all links followed. Raises UsageError for a path outside the project."""
    try:
        found, home = (root / path).resolve(), root.resolve()
        inside = found.is_relative_to(home)
    except (OSError, ValueError):
        found, inside = root, False
    if not inside:
        raise UsageError(f"{path!r} lies outside the project", hint=f"paths are relative to {root}")
    return found
