"""Where `viva` begins: imports as little as possible before the command is known."""

import gc
import os
import sys

from vivavoce.containment.early_interrupt import leave_on_ctrl_c
from vivavoce.version import __version__

_RUN_USER_CODE = frozenset({"test", "record", "list", "validate", "agents", "chat"})
_STDOUT = 1


def main() -> None:
    """The command's entry point."""
    leave_on_ctrl_c()
    from vivavoce.containment.standard_descriptors import hold_standard_descriptors

    hold_standard_descriptors()
    # Modules are never freed: garbage collection while loading them cost a tenth of the start.
    gc.disable()
    if _prints_at_once(sys.argv[1:]):
        return
    if _RUN_USER_CODE.intersection(sys.argv[1:2]):
        from vivavoce.containment.guard_process import run_in_a_guarded_child

        run_in_a_guarded_child()
    from vivavoce.cli.main import main as whole_command
    from vivavoce.containment.last_moments import end_soon

    try:
        whole_command()
    except SystemExit as ended:
        end_soon(ended.code if isinstance(ended.code, int) else 1)
        raise


def _prints_at_once(asked: list[str]) -> bool:
    """`viva --version` and `viva --help` need no command line parser; whatever is unusual about it is left to that."""
    if asked in (["--version"], ["-V"]):
        text = f"viva {__version__}\n"
    elif asked in (["--help"], ["-h"]):
        from vivavoce.cli.help_page import help_page

        text = f"{help_page()}\n"
    else:
        return False
    rest = text.encode()
    try:
        while rest:
            rest = rest[os.write(_STDOUT, rest) :]
    except OSError:
        return False
    return True
