"""A process that has viva's modules loaded and none of the user's. Each round of `--watch` is forked from it.

So a round starts in milliseconds and still sees the code of the agents as it is now: nothing has to be reloaded.
Requests come as JSON lines on standard input: a Round, `"stop"` (Ctrl-C for the round) or `"kill"`. When it closes,
the watching process is gone: the round ends. Replies are exit codes, a line each, on the descriptor that the first
argument names.
"""

import gc
import os
import select
import signal
import sys
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import NoReturn

import msgspec

from vivavoce.cli.watching.rounds import Round, RoundOutcome, run_round

_OFTEN_S = 0.02
"""How soon the end of a round is seen."""


class WarmProcess:
    """Runs one round at a time."""

    def __init__(self, requests: int, replies: int) -> None:
        self._requests, self._replies = requests, replies
        self._unread = b""
        self._child = 0
        self._round: Round | None = None

    def serve(self) -> None:
        """Works until the requests end."""
        while True:
            ready, _, _ = select.select([self._requests], [], [], _OFTEN_S if self._child else None)
            if ready:
                data = os.read(self._requests, 1 << 16)
                if not data:
                    self._signal(signal.SIGKILL)
                    return
                *lines, self._unread = (self._unread + data).split(b"\n")
                for line in lines:
                    self._obey(line)
            if self._child:
                ended, status = os.waitpid(self._child, os.WNOHANG)
                if ended:
                    self._end(os.waitstatus_to_exitcode(status))

    def _obey(self, line: bytes) -> None:
        if line == b'"stop"':
            self._signal(signal.SIGINT)
        elif line == b'"kill"':
            self._signal(signal.SIGKILL)
        else:
            self._round = msgspec.json.decode(line, type=Round)
            self._child = os.fork()
            if not self._child:
                os.close(self._replies)
                _work(self._round)

    def _signal(self, number: int) -> None:
        if self._child:
            with suppress(ProcessLookupError):
                os.kill(self._child, number)

    def _end(self, code: int) -> None:
        os.write(self._replies, b"%d\n" % code)
        self._child = 0
        if self._round is not None:
            _warm_up(Path(self._round.reply_to))


def _warm_up(reply: Path) -> None:
    """Loads what the round had to load. These are viva's own modules; those of the user are never loaded here."""
    try:
        modules = msgspec.json.decode(reply.read_bytes(), type=RoundOutcome).modules
    except (OSError, ValueError):
        return
    for name in modules:
        if name not in sys.modules:
            with suppress(ImportError):
                import_module(name)
    gc.freeze()


def _work(wanted: Round) -> NoReturn:
    """The forked child: the whole of a `viva test`, from its first line on."""
    from vivavoce.containment.early_interrupt import leave_on_ctrl_c
    from vivavoce.containment.forked_child import go_on_as_viva
    from vivavoce.containment.guard_process import run_in_a_guarded_child

    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    leave_on_ctrl_c()
    run_in_a_guarded_child()
    go_on_as_viva()
    from vivavoce.cli.main import main as whole_command

    code = 1
    try:
        whole_command(lambda: run_round(wanted))
    except SystemExit as ended:
        code = ended.code if isinstance(ended.code, int) else 1
    finally:
        os._exit(code)


def main() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    gc.disable()
    WarmProcess(0, int(sys.argv[1])).serve()


if __name__ == "__main__":
    main()
