"""Which files a run writes: those it is asked for, else one beside its input."""

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from vivavoce.project.settings import RunDefaults
from vivavoce.protocols import Source


def wanted_outputs(flags: dict[str, Any], defaults: RunDefaults) -> list[str]:
    """What `-o` and `--junitxml` name; without either, what the configuration does."""
    paths = list(flags["outputs"])
    if flags["junitxml"]:
        paths.append(flags["junitxml"])
    if not paths and defaults.output:
        paths = [defaults.output] if isinstance(defaults.output, str) else list(defaults.output)
    return paths


def default_output(sources: Sequence[Source], now: datetime) -> Path | None:
    """Beside the first input that is a file or folder; a direct message writes no file."""
    from vivavoce.reporters.formats import default_output_path

    file = next((source.label for source in sources if Path(source.label).exists()), None)
    return None if file is None else default_output_path(file, now)
