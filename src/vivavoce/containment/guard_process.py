"""A small parent process, so that the code under test cannot choose the exit code of `viva`.

User code can end the process it runs in (`posix._exit(0)`, `os.execv`, a crash in C code, `sys.exit` replaced). The
command therefore runs in a child that is forked before anything heavy is imported. The child signs off with its exit
code; when it ends without doing so, the parent says what is known and exits with 3. This guards against accidents,
not against malice.

When commands are started, the parent starts a third process, which ends them should the parent be killed (kill -9).
"""

import fcntl
import os
import signal
import sys
from _thread import start_new_thread
from contextlib import suppress
from typing import NoReturn

_BROKEN = 3
_INTERRUPTED = 130
_OUT_OF_THE_WAY = 100
"""User code that closes low descriptors does not meet ours."""
_ASKED_TO_END = frozenset({signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT})
_WATCHED = _ASKED_TO_END | {signal.SIGCHLD, signal.SIGUSR1, signal.SIGUSR2, signal.SIGURG}
RUN = "VIVA_RUN"
"""The environment variable that names the run to all its processes: the parent's number, a dot, and a random part."""

_to_parent: int | None = None
_commands_noted = False


def run_in_a_guarded_child() -> None:
    """Returns in the child only. The parent waits here and exits with the code that the child reported."""
    if not hasattr(os, "fork"):
        return
    os.environ[RUN] = f"{os.getpid()}.{os.urandom(8).hex()}"
    said, say = os.pipe()
    alive, lifeline = os.pipe()
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, _WATCHED)
    child = os.fork()
    if child:
        os.close(say)
        os.close(alive)
        _guard(child, said)
    signal.pthread_sigmask(signal.SIG_SETMASK, mask)
    os.close(said)
    os.close(lifeline)
    global _to_parent
    _to_parent = _out_of_the_way(say)
    _end_with_the_parent(_out_of_the_way(alive))


def sign_off(code: int) -> None:
    """Tells the parent that the command came to its own end, and the exit code. Does nothing without a parent."""
    _say(f"exit {code}\n")


def note_results(path: str) -> None:
    """Tells the parent where results are kept, for its message should this process vanish."""
    _say(f"results {path!a}\n")


def run_of_commands() -> str:
    """Returns the name of this run, which is part of the mark of each command; "" where no parent guards it.

    The first time it is asked, the parent is told that there are commands to end. The signal is one that any other
    process ignores: the parent may have ended, and its number belong to another one.
    """
    global _commands_noted
    run = os.environ.get(RUN, "")
    if run and not _commands_noted:
        _commands_noted = True
        with suppress(OSError, ValueError):
            os.kill(int(run.partition(".")[0]), signal.SIGURG)
    return run


def _say(line: str) -> None:
    if _to_parent is not None:
        with suppress(OSError):  # closed by user code: the parent reports that nothing was said
            os.write(_to_parent, line.encode())


def _out_of_the_way(descriptor: int) -> int:
    moved = fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, _OUT_OF_THE_WAY)
    os.close(descriptor)
    return moved


def _end_with_the_parent(alive: int) -> None:
    """Ends the run when the parent is killed (kill -9): its end of the pipe closes.

    On Linux the kernel itself sends the signal, however busy this process is. Elsewhere a thread waits for it.
    """
    if not hasattr(fcntl, "F_SETSIG"):
        start_new_thread(_wait_for_the_end, (alive,))
        return
    fcntl.fcntl(alive, fcntl.F_SETOWN, os.getpid())
    fcntl.fcntl(alive, fcntl.F_SETSIG, signal.SIGKILL)
    fcntl.fcntl(alive, fcntl.F_SETFL, fcntl.fcntl(alive, fcntl.F_GETFL) | os.O_ASYNC | os.O_NONBLOCK)
    with suppress(BlockingIOError):  # as it should be: the parent lives
        _wait_for_the_end(alive)


def _wait_for_the_end(alive: int) -> None:
    if os.read(alive, 1) == b"":
        os.kill(os.getpid(), signal.SIGKILL)


# ── in the parent ───────────────────────────────────────────────────────────────────


def _guard(child: int, said: int) -> NoReturn:
    over = _Reaper()
    status = _wait(child, over)
    code, results = _reported(said)
    if code is None or code == _INTERRUPTED:
        _end_commands()
    if code is None:
        code = _without_sign_off(status, results)
    over.dismiss()
    os._exit(code)


def _wait(child: int, reaper: "_Reaper") -> int:
    """The child's wait status. Signals sent to this process alone are passed on."""
    while True:
        number = _next_signal()
        if number == signal.SIGCHLD:
            ended, status = os.waitpid(child, os.WNOHANG)
            if ended:
                return status
        elif number == signal.SIGURG:
            reaper.start()
        elif number:
            os.kill(child, number)


class _Reaper:
    """A process that does nothing but wait for the death of this one, and then ends what commands started."""

    def __init__(self) -> None:
        self._line: int | None = None

    def start(self) -> None:
        """Only Linux shows which processes belong to a run."""
        if self._line is not None or not os.path.isdir("/proc/self"):
            return
        waits, self._line = os.pipe()
        if os.fork() == 0:
            _wait_and_reap(waits)
        os.close(waits)

    def dismiss(self) -> None:
        """The commands have ended, or may go on: there is nothing left to do."""
        if self._line is not None:
            with suppress(OSError):
                os.write(self._line, b".")


def _wait_and_reap(waits: int) -> NoReturn:
    """Holds no descriptor but its own: the child must see the end of its lifeline, and a reader the end of output."""
    with suppress(OSError):
        os.setsid()
    last = 3
    os.dup2(waits, last)
    nothing = os.open(os.devnull, os.O_RDWR)
    for standard in range(last):
        os.dup2(nothing, standard)
    os.closerange(last + 1, max(nothing, waits, _OUT_OF_THE_WAY) + 1)
    if os.read(last, 1) == b"":
        _end_commands()
    os._exit(0)


def _end_commands() -> None:
    """Ends all that commands, agents and scripts of this run started, and names what could not be ended."""
    from vivavoce.containment.process_tree import end_run

    left = end_run(os.environ[RUN])
    if left:
        sys.stderr.write(f"viva: could not end what commands started: {', '.join(left)}\n")


def _next_signal() -> int:
    """The next signal to act on; 0 for one from the terminal, which the child gets as well."""
    if hasattr(signal, "sigwaitinfo"):
        info = signal.sigwaitinfo(_WATCHED)
        from_terminal = info.si_code > 0 and info.si_signo != signal.SIGCHLD
        return 0 if from_terminal else info.si_signo
    number = signal.sigwait(_WATCHED)
    return 0 if number in (signal.SIGINT, signal.SIGQUIT) and os.isatty(0) else number


def _reported(said: int) -> tuple[int | None, str]:
    """(exit code, results file) from the child. Never waits: a process left behind may hold the other end."""
    os.set_blocking(said, False)
    try:
        lines = os.read(said, 1 << 16).decode(errors="replace").splitlines()
    except BlockingIOError:
        lines = []
    told: dict[str, str] = {}
    for line in lines:
        what, _, value = line.partition(" ")
        told[what] = value
    return int(told["exit"]) if "exit" in told else None, told.get("results", "")


def _without_sign_off(status: int, results: str) -> int:
    if os.WIFSIGNALED(status) and os.WTERMSIG(status) in _ASKED_TO_END:
        number = os.WTERMSIG(status)
        signal.signal(number, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {number})
        os.kill(os.getpid(), number)
    if os.WIFSIGNALED(status):
        why = f"was ended by signal {os.WTERMSIG(status)} ({signal.strsignal(os.WTERMSIG(status))})"
    else:
        why = f"ended with exit code {os.WEXITSTATUS(status)} and did not sign off (did the code under test end it?)"
    # Rows are written a fiftieth of a second late, several at a time.
    moment = "but for its last moment, which --resume runs again"
    kept = f"; what finished is in {results}, {moment} (go on with --resume {results})" if results else ""
    sys.stderr.write(f"viva: the process {why}: the run is not complete{kept}\n")
    sys.stderr.flush()
    return _BROKEN
