"""Whether a run that has not ended still goes on."""

import os
import platform
import time

HEARTBEAT_S = 5.0
"""So often a run says that it is there, also when no case finishes."""
_SILENT_S = 6 * HEARTBEAT_S


def is_alive(finished: int, host: str, pid: int, seen_at: float) -> bool:
    # Seen in the future: the clock was set back, and nothing was heard since.
    if finished or abs(time.time() - seen_at) > _SILENT_S:
        return False
    # Elsewhere (another machine, another container) only the heartbeat can be heard.
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
    """Whether it has ended and only waits to be collected; in a container nobody may ever do that."""
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            return file.read().rpartition(b")")[2].split()[:1] in ([b"Z"], [b"X"])
    except OSError:
        return False
