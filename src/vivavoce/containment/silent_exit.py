"""Code under test cannot end viva's process with an exit code of its choice: 0 would read as a pass."""

import os
from collections.abc import Generator
from contextlib import contextmanager
from typing import Any

from vivavoce.containment.guard_process import sign_off

_MESSAGE = b"viva: the code under test ended the process with os._exit(%d): the run is not complete\n"
_BROKEN = 3


@contextmanager
def no_silent_exit() -> Generator[None]:
    """While inside, `os._exit` in this process prints a message and exits with 3; forked processes are not affected."""
    really_exit, here = os._exit, os.getpid()

    def reported_exit(status: int) -> Any:
        if os.getpid() == here:
            os.write(2, _MESSAGE % status)
            status = _BROKEN
            sign_off(status)
        really_exit(status)

    setattr(os, "_exit", reported_exit)  # noqa: B010 - typeshed says it is no variable
    try:
        yield
    finally:
        setattr(os, "_exit", really_exit)  # noqa: B010
