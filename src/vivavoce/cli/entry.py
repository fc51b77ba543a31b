"""Where `viva` begins: as little as possible before it is known what is wanted."""

import gc
import os
import sys


def main() -> None:
    """The command's entry point."""
    # Modules stay: to look for garbage again and again while they are loaded cost a tenth of the start.
    gc.disable()
    if sys.argv[1:] in (["--version"], ["-V"]) and _told_version():
        return
    from vivavoce.cli.main import main as whole_command

    whole_command()


def _told_version() -> bool:
    """The one answer that needs no command line parser; whatever is unusual about it is left to that."""
    from vivavoce.version import __version__

    try:
        os.write(1, f"viva {__version__}\n".encode())
    except OSError:
        return False
    return True
