"""ResultBatcher what viva wrote from what it reads: result files lie next to the cases they came from."""

from pathlib import Path
from typing import Any

from vivavoce.errors import UsageError
from vivavoce.model.json_value import is_object
from vivavoce.sources.reading.case_file import may_never_end
from vivavoce.sources.reading.object_reader import Found, ObjectReader


def is_start_event(value: Any) -> bool:
    return is_object(value) and value.get("type") == "start"


def is_json_report(value: Any) -> bool:
    return is_object(value) and "summary" in value and "results" in value


def is_result_file(path: Path) -> bool:
    """Whether a `.jsonl` file holds results: its first object is a `start` event."""
    if may_never_end(path):
        return False
    try:
        with path.open("rb") as file:
            first = next(iter(ObjectReader(file)), None)
    except OSError:
        # Whoever reads it as cases will say why it cannot be read.
        return False
    return isinstance(first, Found) and is_start_event(first.value)


def result_given_as_cases(shown: str) -> UsageError:
    return UsageError(
        "these are results, not cases",
        at=shown,
        hint=f"give the case file they came from, or look at them with: viva report {shown}",
    )
