"""A logger for aiohttp's servers that prints nothing and passes each error to a function."""

import logging
from collections.abc import Callable


def server_log(tell: Callable[[str], None] = lambda what: None) -> logging.Logger:
    """A logger for a server of ours; `tell` gets the kind of each error."""
    log = logging.Logger("viva")
    log.addHandler(_Telling(tell))
    return log


class _Telling(logging.Handler):
    def __init__(self, tell: Callable[[str], None]) -> None:
        super().__init__()
        self._tell = tell

    def emit(self, record: logging.LogRecord) -> None:
        error = record.exc_info[1] if record.exc_info else None
        self._tell(record.msg if error is None else type(error).__name__)
