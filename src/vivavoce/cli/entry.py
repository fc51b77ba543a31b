"""Where `viva` begins: as little as possible before it is known what is wanted."""

import gc
import os
import sys

FRONT_PAGE = "front_page.txt"
"""`viva --help` as the whole command makes it where a line has room; a test holds it to that."""
_ROOM = 80
_RUN_USER_CODE = frozenset({"test", "record", "list", "validate", "agents", "chat"})
_STDOUT, _STDERR = 1, 2


def main() -> None:
    """The command's entry point."""
    _hold_standard_descriptors()
    # Modules stay: to look for garbage again and again while they are loaded cost a tenth of the start.
    gc.disable()
    if _answered_at_once(sys.argv[1:]):
        return
    if _RUN_USER_CODE.intersection(sys.argv[1:2]):
        from vivavoce.containment.guard_process import run_in_a_guarded_child

        run_in_a_guarded_child()
    from vivavoce.cli.main import main as whole_command

    whole_command()


def _hold_standard_descriptors() -> None:
    """Where viva was started without 0, 1 or 2, no file may get the number: anybody may read or close it."""
    while (descriptor := os.open(os.devnull, os.O_RDWR)) <= _STDERR:
        os.set_inheritable(descriptor, True)
    os.close(descriptor)


def _answered_at_once(asked: list[str]) -> bool:
    """The two answers that need no command line parser; whatever is unusual about them is left to that."""
    try:
        if asked in (["--version"], ["-V"]):
            from vivavoce.version import __version__

            os.write(_STDOUT, f"viva {__version__}\n".encode())
            return True
        if asked in (["--help"], ["-h"]) and _has_room():
            with open(os.path.join(os.path.dirname(__file__), FRONT_PAGE), "rb") as page:
                os.write(_STDOUT, page.read())
            return True
    except OSError:
        pass
    return False


def _has_room() -> bool:
    """Whether no line of the front page would be broken; into a pipe it is written as it is."""
    if "COLUMNS" in os.environ:
        return False
    return not os.isatty(_STDOUT) or os.get_terminal_size(_STDOUT).columns >= _ROOM
