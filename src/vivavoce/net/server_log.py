"""A logger for aiohttp's servers that prints nothing and passes each error to a function."""

import logging
from collections.abc import Callable


def server_log(on_error: Callable[[str], None] = lambda what: None) -> logging.Logger:
    """Returns a logger for one of our servers; calls `on_error` with the name of each error."""
    log = logging.Logger("viva")
    log.addHandler(_ErrorHandler(on_error))
    return log


class _ErrorHandler(logging.Handler):
    def __init__(self, on_error: Callable[[str], None]) -> None:
        super().__init__()
        self._on_error = on_error

    def emit(self, record: logging.LogRecord) -> None:
        error = record.exc_info[1] if record.exc_info else None
        self._on_error(record.msg if error is None else type(error).__name__)
