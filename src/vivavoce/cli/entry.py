"""Where `viva` begins: as little as possible before it is known what is wanted."""

import gc
import os
import sys

_STDERR = 2


def main() -> None:
    """The command's entry point."""
    _hold_standard_descriptors()
    # Modules stay: to look for garbage again and again while they are loaded cost a tenth of the start.
    gc.disable()
    if sys.argv[1:] in (["--version"], ["-V"]) and _told_version():
        return
    from vivavoce.cli.main import main as whole_command

    whole_command()


def _hold_standard_descriptors() -> None:
    """Where viva was started without 0, 1 or 2, no file may get the number: anybody may read or close it."""
    while (descriptor := os.open(os.devnull, os.O_RDWR)) <= _STDERR:
        os.set_inheritable(descriptor, True)
    os.close(descriptor)


def _told_version() -> bool:
    """The one answer that needs no command line parser; whatever is unusual about it is left to that."""
    from vivavoce.version import __version__

    try:
        os.write(1, f"viva {__version__}\n".encode())
    except OSError:
        return False
    return True
