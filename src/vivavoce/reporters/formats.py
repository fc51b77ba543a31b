"""Which format a file's suffix stands for, and where reports go when nobody says."""

from datetime import datetime
from pathlib import Path

from vivavoce.errors import UsageError
from vivavoce.plugins.catalog import JOURNAL, JOURNAL_SUFFIX, REPORTS

TEXT = "text"
"""A file whose suffix nobody knows: only a reporter agent can write it."""


def format_of(path: str | Path) -> str:
    """The name of the format a suffix stands for, JOURNAL or TEXT. Raises UsageError when two plug-ins claim it."""
    suffix = Path(path).suffix.lower()
    if suffix == JOURNAL_SUFFIX:
        return JOURNAL
    for names in (REPORTS.near(), REPORTS):
        found = [name for name in names if suffix in REPORTS.load(name).suffixes]
        if len(found) > 1:
            raise UsageError(f"the report formats {' and '.join(found)} both have the suffix {suffix}")
        if found:
            return found[0]
    return TEXT


def document_suffixes() -> list[str]:
    """One suffix of every format that is written once the run is over."""
    formats = [REPORTS.load(name) for name in REPORTS]
    return [declared.suffixes[0] for declared in formats if declared.suffixes]


def no_format(path: str | Path, known: list[str]) -> UsageError:
    """The complaint about a report whose suffix none of the `known` ones is."""
    *first, last = known
    return UsageError(f"no report format for {path}", at="-o", hint=f"use {' '.join(first)} or {last}")


def default_output_path(input_file: str | Path, now: datetime) -> Path:
    """`{input_dir}/output-{YYYYMMDDHHMMSS}.jsonl`, in local time."""
    path = Path(input_file)
    folder = path if path.is_dir() else path.parent
    return folder / f"output-{now:%Y%m%d%H%M%S}{JOURNAL_SUFFIX}"


def unused(path: Path) -> Path:
    """The path itself, or with `-2`, `-3`, … added when something of that name is there already."""
    candidate, number = path, 2
    while candidate.exists():
        candidate, number = path.with_stem(f"{path.stem}-{number}"), number + 1
    return candidate
