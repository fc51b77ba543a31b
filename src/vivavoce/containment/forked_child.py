"""A process that user code forks is the user's: it never lives on as a second viva."""

import os
import posix
from collections.abc import Callable

_is_child = False
_on_fork: list[Callable[[], None]] = []


def leave_if_forked() -> None:
    """Called where user code hands back to viva: a forked child that comes back here ends, and says nothing."""
    if _is_child:
        # Not os._exit, which a run may have replaced; and no flushing: what is buffered is the parent's.
        posix._exit(0)  # pyright: ignore[reportPrivateUsage]


def in_forked_children(action: Callable[[], None]) -> None:
    """Lets go of something, such as a lock, in every child user code forks."""
    _on_fork.append(action)


def go_on_as_viva() -> None:
    """Called in a child that viva itself forked to run tests in: it is no child of user code."""
    global _is_child
    _is_child = False


def _forked() -> None:
    global _is_child
    _is_child = True
    for action in _on_fork:
        action()


os.register_at_fork(after_in_child=_forked)
