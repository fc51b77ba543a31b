"""Where `viva` begins: imports as little as possible before the command is known."""

import gc
import os
import sys

from vivavoce.containment.early_interrupt import leave_on_ctrl_c

_RUN_USER_CODE = frozenset({"test", "record", "list", "validate", "agents", "chat"})
_STDOUT = 1


def main() -> None:
    """The command's entry point."""
    leave_on_ctrl_c()
    from vivavoce.containment.standard_descriptors import hold_standard_descriptors

    hold_standard_descriptors()
    # Modules are never freed: garbage collection while loading them cost a tenth of the start.
    gc.disable()
    if _prints_version(sys.argv[1:]):
        return
    if _RUN_USER_CODE.intersection(sys.argv[1:2]):
        from vivavoce.containment.guard_process import run_in_a_guarded_child

        run_in_a_guarded_child()
    from vivavoce.cli.main import main as whole_command

    whole_command()


def _prints_version(asked: list[str]) -> bool:
    """`viva --version` needs no command line parser; whatever is unusual about it is left to that."""
    if asked not in (["--version"], ["-V"]):
        return False
    from vivavoce.version import __version__

    try:
        os.write(_STDOUT, f"viva {__version__}\n".encode())
    except OSError:
        return False
    return True
