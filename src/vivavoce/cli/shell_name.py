"""How this `viva` is called from the user's shell."""

import shlex
import shutil
import sys
from pathlib import Path


def shell_name(started_as: str | None = None) -> str:
    """Returns words that start this very viva: `viva` where the shell finds it, else its full path."""
    command = Path(sys.argv[0] if started_as is None else started_as)
    if command.stem == "__main__":
        return f"{shlex.quote(sys.executable)} -m vivavoce"
    found = shutil.which(command.name)
    if found is not None and Path(found).exists() and command.exists() and Path(found).samefile(command):
        return command.name
    return shlex.quote(str(command.absolute())) if command.exists() else "viva"
