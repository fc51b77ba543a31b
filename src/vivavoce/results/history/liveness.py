"""Whether a run without an end is still running."""

import os
import platform
import time

HEARTBEAT_S = 5.0
"""Seconds between heartbeats, also when no case finishes."""
_SILENT_S = 6 * HEARTBEAT_S


def is_alive(finished: int, host: str, pid: int, seen_at: float) -> bool:
    # abs: a heartbeat in the future means that the clock was set back.
    if finished or abs(time.time() - seen_at) > _SILENT_S:
        return False
    # On another machine or in another container only the heartbeat can be seen.
    return host != platform.node() or _process_exists(pid)


def _process_exists(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return not _is_zombie(pid)


def _is_zombie(pid: int) -> bool:
    """Whether the process is a zombie. In a container it may stay one forever."""
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            return file.read().rpartition(b")")[2].split()[:1] in ([b"Z"], [b"X"])
    except OSError:
        return False
