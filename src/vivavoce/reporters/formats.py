"""Which file a report goes to, and what its suffix says it is."""

from datetime import datetime
from pathlib import Path
from typing import Literal

Format = Literal["jsonl", "json", "markdown", "html", "xml", "text"]

_BY_SUFFIX: dict[str, Format] = {
    ".jsonl": "jsonl",
    ".json": "json",
    ".md": "markdown",
    ".markdown": "markdown",
    ".html": "html",
    ".htm": "html",
    ".xml": "xml",
}


def format_of(path: str | Path) -> Format:
    """The format a suffix stands for; one that nobody knows is `text`, which only a reporter agent can write."""
    return _BY_SUFFIX.get(Path(path).suffix.lower(), "text")


def default_output_path(input_file: str | Path, now: datetime) -> Path:
    """`{input_dir}/output-{YYYYMMDDHHMMSS}.jsonl`, in local time."""
    path = Path(input_file)
    folder = path if path.is_dir() else path.parent
    return folder / f"output-{now:%Y%m%d%H%M%S}.jsonl"


def unused(path: Path) -> Path:
    """The path itself, or with `-2`, `-3`, … added when something of that name is there already."""
    candidate, number = path, 2
    while candidate.exists():
        candidate, number = path.with_stem(f"{path.stem}-{number}"), number + 1
    return candidate
