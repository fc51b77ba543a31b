"""Ctrl-C before a command has begun or after its end: exit code 130, and no traceback of an import."""

import os
import sys

# The C module: `signal` itself takes a while to import, and Ctrl-C may come meanwhile.
_c = __import__("_signal")
_INTERRUPTED = 130
_really_exit = os._exit


def leave_on_ctrl_c() -> None:
    """From now on Ctrl-C ends the process at once: nothing is open that could be lost."""
    # Where Ctrl-C is ignored (a job in the background), it stays ignored.
    try:
        if _c.getsignal(_c.SIGINT) is _c.default_int_handler:
            _c.signal(_c.SIGINT, _leave)
    except KeyboardInterrupt:  # it came while Python loaded this
        _really_exit(_INTERRUPTED)


def raise_on_ctrl_c() -> None:
    """From now on Ctrl-C is a KeyboardInterrupt again."""
    if _c.getsignal(_c.SIGINT) is _leave:
        _c.signal(_c.SIGINT, _c.default_int_handler)


def _leave(_number: int, _frame: object) -> None:
    guard = sys.modules.get("vivavoce.containment.guard_process")
    sign_off = getattr(guard, "sign_off", None)
    if sign_off is not None:
        sign_off(_INTERRUPTED)
    _really_exit(_INTERRUPTED)
