"""Whether the programs that `viva.yaml` names can be started, for `viva validate`."""

import os
import shlex
import shutil

from vivavoce.errors import UsageError
from vivavoce.model.json_value import JsonObject, JsonValue, is_array
from vivavoce.project.project import Project


def require_program(label: str, fields: JsonObject, project: Project, steps: tuple[str, ...] = ()) -> None:
    """Raises UsageError if the program of `cmd` is not found. Does not check commands with a `${VAR}`.

    `fields` has `cmd` and maybe `cwd` and `env`; `label` begins the message; `steps` lead to `cmd` in viva.yaml.
    """
    program = _program_of(fields.get("cmd"))
    env: dict[str, str] = fields.get("env") or {}
    folder = str(fields.get("cwd") or "")
    if not program or "${" in program + folder + env.get("PATH", ""):
        return
    there = project.root / folder / program if os.sep in program else program
    if shutil.which(there, path=env.get("PATH")) is None:
        hint = "paths go from the folder of viva.yaml" if os.sep in program else "is it installed, and on the PATH?"
        raise UsageError(f"{label}: no such program: {program}", at=project.place(*steps) if steps else None, hint=hint)


def _program_of(command: JsonValue) -> str:
    """Returns the first word of a command; "" if there is none or it cannot be split, which is reported elsewhere."""
    if is_array(command):
        return str(command[0]) if command else ""
    try:
        return next(iter(shlex.split(str(command or ""))), "")
    except ValueError:
        return ""
