"""Runs `viva` to its end: a process of its own, forked from one that has viva's modules loaded."""

import atexit
import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Thread

VIVA = Path(sys.executable).parent / "viva"
PYTEST = [sys.executable, "-m", "pytest", "-p", "no:langsmith_plugin", "-p", "no:hypothesispytest"]
"""Without the plug-ins of others, which take longer to load than pytest and viva together."""
TEMPLATE = Path(__file__).with_name("viva_template.py")
READ_BY_THE_INTERPRETER = ("PYTHON", "LC_", "LANG", "LD_", "MALLOC_")
"""Variables that mean something before the first line of viva runs: with others than ours, viva is started anew."""
PIPE_HOLDS = 1 << 14
"""Characters that a command's standard input takes before anybody reads it."""


def run_viva(
    arguments: Sequence[str], *, cwd: Path, env: Mapping[str, str], stdin: str | None = None, timeout: float = 120
) -> "subprocess.CompletedProcess[str]":
    """What `subprocess.run([VIVA, *arguments], …)` returns, for a tenth of the work."""
    if _read_at_start(env) != AT_START or len(stdin or "") > PIPE_HOLDS:
        return subprocess.run(
            [str(VIVA), *arguments],
            cwd=cwd,
            input=stdin,
            stdin=subprocess.DEVNULL if stdin is None else None,
            capture_output=True,
            text=True,
            timeout=timeout,
            env=env,
        )
    return _Command(arguments, cwd, env, stdin).end(timeout)


def environment(**extra: str) -> dict[str, str]:
    """Variables for a viva of a test: nothing of the machine that changes what it does, and a warning is an error."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("VIVA_", "GITHUB_", "CI", "OPENAI", "ANTHROPIC"))}
    return {**kept, "PYTHONWARNINGS": "error", "COLUMNS": "100", **extra}


def _read_at_start(env: Mapping[str, str]) -> dict[str, str]:
    return {name: value for name, value in env.items() if name.startswith(READ_BY_THE_INTERPRETER)}


def _not_read_at_start(env: Mapping[str, str]) -> dict[str, str]:
    return {name: value for name, value in env.items() if not name.startswith(READ_BY_THE_INTERPRETER)}


AT_START = _read_at_start(environment())
"""A test may change the environment of its own process: the template has what it was before."""


@cache
def _template() -> socket.socket:
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    ours.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1 << 20)
    with theirs:
        # Through a pipe, as its commands write: Python asks once what its standard streams are.
        process = subprocess.Popen(
            [sys.executable, str(TEMPLATE), str(theirs.fileno())],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            cwd="/",
            env=_not_read_at_start(environment()) | AT_START,
            pass_fds=[theirs.fileno()],
        )

    def end() -> None:
        ours.close()
        process.communicate()

    atexit.register(end)
    return ours


class _Command:
    """A command that runs: the pipes at its ends, and one that tells its process id, then its wait status."""

    def __init__(self, arguments: Sequence[str], cwd: Path, env: Mapping[str, str], stdin: str | None) -> None:
        (to_read, to_write), *outputs = [os.pipe() for _ in range(4)]
        with os.fdopen(to_write, "w") as typed:
            typed.write(stdin or "")
        if stdin is None:
            os.close(to_read)
            to_read = os.open(os.devnull, os.O_RDONLY)
        theirs = [to_read, *(write for _, write in outputs)]
        request = {"arguments": list(map(str, arguments)), "cwd": str(cwd), "env": dict(env)}
        try:
            socket.send_fds(_template(), [json.dumps(request).encode()], theirs)
        finally:
            for number in theirs:
                os.close(number)
        self._arguments = arguments
        *streams, (answer, _) = outputs
        self._texts = [_text_of(number) for number, _ in streams]
        self._answer = os.fdopen(answer)
        self._process = int(self._answer.readline())

    def end(self, timeout: float) -> "subprocess.CompletedProcess[str]":
        with self._answer:
            try:
                out, err = (text.get(timeout=timeout) for text in self._texts)
            except Empty:
                with suppress(ProcessLookupError):
                    os.kill(self._process, signal.SIGKILL)
                raise subprocess.TimeoutExpired(["viva", *self._arguments], timeout) from None
            code = os.waitstatus_to_exitcode(int(self._answer.readline()))
        return subprocess.CompletedProcess([str(VIVA), *self._arguments], code, out, err)


def _text_of(number: int) -> "SimpleQueue[str]":
    """Reads to the end, also that of processes left behind, as `subprocess.run` does."""
    text: SimpleQueue[str] = SimpleQueue()

    def read() -> None:
        with os.fdopen(number) as stream:
            text.put(stream.read())

    Thread(target=read, daemon=True).start()
    return text


def text_of(path: Path) -> str:
    """What stands in a file by now; nothing while viva makes it and removes it again, to see whether it can."""
    try:
        return path.read_text()
    except FileNotFoundError:
        return ""
