"""Scripts in an agent's own folder: `env_test.Before` means `src/env_test.py` of the agent's package first."""

from pathlib import Path

from vivavoce.errors import UsageError
from vivavoce.project.project import Project
from vivavoce.scripts.finder import require_file

_NOT_PYTHON = (".ts", ".js")


def own_script(ref: str, folder: Path, project: Project) -> str:
    """Returns `FILE.py:FUNCTION` when the folder has the script that `ref` names, else `ref` as it is.

    Raises UsageError when the script exists only as TypeScript or JavaScript.
    """
    module, _, function = ref.removeprefix("src/").rpartition(".")
    if not module or ":" in ref or "/" in module or function == "py":
        return ref
    # Yao also reads `env.Before` as `src/env_test`.
    stems = [folder.joinpath(*name.split(".")) for name in (module, f"{module}_test")]
    for stem in stems:
        if (file := stem.with_name(f"{stem.name}.py")).is_file():
            return f"{_from_root(file, project)}:{function}"
    foreign = [file for stem in stems for end in _NOT_PYTHON if (file := stem.with_name(stem.name + end)).is_file()]
    if foreign:
        _refuse_foreign(ref, foreign[0], function, project)
    return ref


def _refuse_foreign(ref: str, file: Path, function: str, project: Project) -> None:
    """Raises UsageError, unless the project's own scripts have what `ref` names."""
    try:
        require_file(ref, project)
    except UsageError:
        python = project.shown(file.with_suffix(".py"))
        raise UsageError(
            f"script {ref!r}: {project.shown(file)} is not Python, and viva runs Python scripts only",
            hint=f"write {python} with a function {function}",
        ) from None


def _from_root(file: Path, project: Project) -> str:
    return file.relative_to(project.root).as_posix() if file.is_relative_to(project.root) else str(file)
