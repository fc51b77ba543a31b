"""The first and the last line of a result file, without reading what lies between."""

import os
from pathlib import Path

import msgspec

from vivavoce.model.result import RunInfo, Summary
from vivavoce.results.restore import info_of, summary_of
from vivavoce.results.wire import StartRow, SummaryRow

_start = msgspec.json.Decoder(StartRow)
_summary = msgspec.json.Decoder(SummaryRow)
_LONGEST_SUMMARY = 1 << 20


def info_at_start(path: Path) -> RunInfo | None:
    """What was run; None when this is no result file."""
    try:
        with path.open("rb") as file:
            return info_of(_start.decode(file.readline()))
    except (OSError, ValueError, RecursionError):
        return None


def summary_at_end(path: Path) -> Summary | None:
    """How it ended; None when it did not come to its end."""
    try:
        with path.open("rb") as file:
            size = file.seek(0, os.SEEK_END)
            file.seek(max(0, size - _LONGEST_SUMMARY))
            last = file.read().rstrip(b"\n").rpartition(b"\n")[2]
        return summary_of(_summary.decode(last))
    except (OSError, ValueError, RecursionError):
        return None
