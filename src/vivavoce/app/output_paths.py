"""Where the result file of a run goes when nobody named one."""

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

from vivavoce.protocols import Source


def default_output(sources: Sequence[Source], now: datetime, folder: str | None = None) -> Path | None:
    """In `folder`, or else beside the first input that is a file or folder; a direct message writes no file."""
    from vivavoce.reporters.formats import default_output_path

    file = next((source.label for source in sources if Path(source.label).exists()), None)
    if file is None:
        return None
    beside = default_output_path(file, now)
    return beside if folder is None else Path(folder) / beside.name
