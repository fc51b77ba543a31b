"""What user code leaves running (threads, executors, processes) does not keep a finished process for ever.

Python waits at its exit for every thread, executor and child process that nobody ended.
"""

import os
import signal
import sys
from contextlib import suppress
from typing import Any

LIMIT_S = 10.0
_really_exit, _write = os._exit, os.write  # before user code can replace them
_signal, _set_timer = signal.signal, signal.setitimer
_MESSAGE = "viva: warning: what the code under test left running did not end within {:g} s, and was ended: {}\n"


def end_soon(code: int, limit_s: float = LIMIT_S) -> None:
    """Ends this process with that exit code if Python cannot within the limit. To be called last of all."""

    def end(_number: int, _frame: object) -> None:
        try:
            processes = _child_processes()
            words = ", ".join([*_threads(), *(f"process {one.pid}" for one in processes)]) or "a function of atexit"
            _write(2, _MESSAGE.format(limit_s, words).encode())
            for one in processes:
                one.kill()
        finally:
            _really_exit(code)

    with suppress(ValueError):  # not in the main thread
        _signal(signal.SIGALRM, end)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGALRM})
        _set_timer(signal.ITIMER_REAL, limit_s)


def _threads() -> list[str]:
    import threading

    others = {thread.name for thread in threading.enumerate() if thread is not threading.main_thread()}
    return [f"thread {name!a}" for name in sorted(others) if not name.startswith("viva-")]


def _child_processes() -> list[Any]:
    """Those of multiprocessing, for which its exit waits."""
    module = sys.modules.get("multiprocessing")
    return [] if module is None else module.active_children()
