"""Pytest prints what it is given as it is, and so it does with what an agent logs, warns of or writes past viva.

Here all of that is made harmless: nothing acts on a terminal or on the log of GitHub Actions, and no secret is shown.
"""

import logging
import os
from collections.abc import Generator
from contextlib import contextmanager
from typing import Any
from warnings import WarningMessage

import pytest

from vivavoce.containment.safe_stream import harmless, without_secrets

_FORMATTER = logging.Formatter()


def shown(text: str) -> str:
    """The text as pytest may print it."""
    return harmless(without_secrets(text), os.environ)


def clean_report(report: pytest.TestReport) -> None:
    """What was logged, and what was written to descriptors, where viva does not stand in between."""
    report.sections = [(title, shown(content)) for title, content in report.sections]
    words = report.longreprtext
    if (cleaned := shown(words)) != words:  # as of a thread that the agent left behind
        report.longrepr = cleaned


def clean_warning(warning: WarningMessage) -> None:
    words = str(warning.message)
    if (cleaned := shown(words)) != words:
        warning.message = cleaned


@contextmanager
def clean_logs() -> Generator[None]:
    """Pytest may also print log records while a test runs, and write them to a file."""
    handlers = logging.getLogger().handlers[:]
    for handler in handlers:
        handler.addFilter(_clean_record)
    try:
        yield
    finally:
        for handler in handlers:
            handler.removeFilter(_clean_record)


def _clean_record(record: logging.LogRecord) -> bool:
    record.msg, record.args = shown(record.getMessage()), None
    record.name = shown(record.name)
    if record.exc_info:
        raised: Any = record.exc_info
        record.exc_text = shown(record.exc_text or _FORMATTER.formatException(raised))
    if record.stack_info:
        record.stack_info = shown(record.stack_info)
    return True
