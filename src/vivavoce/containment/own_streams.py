"""viva's output goes through descriptors of its own: user code may close 1 and 2, or `sys.__stdout__`."""

import atexit
import io
import os
import sys
from collections.abc import Generator
from contextlib import contextmanager, suppress
from fcntl import F_DUPFD_CLOEXEC, fcntl
from typing import Any

from vivavoce.containment.safe_stream import SafeStream

_OUT_OF_THE_WAY = 100
"""Viva's own descriptors begin here: user code that closes low ones does not meet them."""


@contextmanager
def own_streams() -> Generator[None]:
    before = sys.stdout, sys.stderr
    sys.stdout, sys.stderr = own = _own(sys.stdout, "stdout"), _own(sys.stderr, "stderr")
    for stream, old in zip(own, before, strict=True):
        if stream is not old:
            # Closed last of all: libraries remember sys.stdout, and write to it once more when the process ends.
            atexit.register(_close, stream)
    try:
        yield
    finally:
        sys.stdout, sys.stderr = before
        for stream in own:
            with suppress(OSError, ValueError):  # an error that matters was raised by an earlier flush
                stream.flush()


def _close(stream: Any) -> None:
    with suppress(OSError):
        stream.close()


def _own(stream: Any, name: str) -> Any:
    """The same stream through another descriptor; what is no file stays as it is, a missing one takes everything."""
    if stream is None:
        return open(os.devnull, "w")
    if not isinstance(stream, io.TextIOWrapper):
        return stream
    text: Any = stream  # pyright: ignore[reportUnknownVariableType] - of some buffer
    try:
        output = _Output(fcntl(text.fileno(), F_DUPFD_CLOEXEC, _OUT_OF_THE_WAY), "w")
    except (OSError, ValueError):
        return text
    output.called = name
    unbuffered = text.write_through
    own = SafeStream(
        output if unbuffered else io.BufferedWriter(output),
        encoding=text.encoding,
        errors=text.errors,
        line_buffering=text.line_buffering,
        write_through=unbuffered,
    )
    own.pass_own(os.environ)
    own.masks = name == "stderr"
    return own


class _Output(io.FileIO):
    """Says which output it was that could not be written."""

    called = ""

    def write(self, data: Any, /) -> int:
        try:
            return super().write(data)
        except OSError as error:
            raise OSError(error.errno, error.strerror, self.called) from None
