"""Recognises files that viva wrote: result files may lie beside the cases."""

import re
from pathlib import Path

from vivavoce.errors import UsageError
from vivavoce.model.json_value import JsonValue, is_object
from vivavoce.sources.scanning.object_reader import Found, ObjectReader
from vivavoce.sources.scanning.special_files import may_never_end

CASE_TYPES = ("single_turn", "multi_turn")
"""The values of `type` in a case."""
RESULT_NAME = r"output-\d{14}(-\d+)?\.jsonl"
"""A pattern of the names that result files get when `-o` does not name one."""
_OWN_JSON = rb"""(?x) \s* \{ \s* (?:
    "summary"                                                # a report
  | "type": \s* "(?:coverage|mutation_score)"
  | "before": \s* \{ \s* "id"                               # viva diff
  | "agent": \s* "[^"]*+", \s* "seed": \s* \d++, \s* "cases"  # viva fuzz
)"""


def is_start_event(value: JsonValue) -> bool:
    return is_object(value) and value.get("type") == "start"


def is_json_report(value: JsonValue) -> bool:
    return is_object(value) and "summary" in value and "results" in value


def begins_as_own_json(path: Path) -> bool:
    """Whether a `.json` file may be a report or table that viva wrote: it is not read to its end."""
    with path.open("rb") as file:
        return bool(re.match(_OWN_JSON, file.read(1000)))


def is_result_file(path: Path) -> bool:
    """Whether a `.jsonl` file holds results: its first object is a `start` event."""
    return is_start_event(_first_object(path))


def is_own_file(path: Path) -> bool:
    """Whether viva wrote a `.jsonl` file (results, tapes, baselines, labels): it begins with `{"type": …}`.

    Also true for an empty file with the name of a result file: its run was killed before the first line.
    """
    if re.fullmatch(RESULT_NAME, path.name) and path.is_file() and not path.stat().st_size:
        return True
    first = _first_object(path)
    if not is_object(first) or next(iter(first), None) != "type":
        return False
    return isinstance(first["type"], str) and first["type"] not in CASE_TYPES and "id" not in first


def _first_object(path: Path) -> JsonValue:
    """None without an object, and for a file that cannot be read: reading its cases will say why."""
    if may_never_end(path):
        return None
    try:
        with path.open("rb") as file:
            first = next(iter(ObjectReader(file)), None)
    except OSError:
        return None
    return first.value if isinstance(first, Found) else None


def result_given_as_cases(shown: str) -> UsageError:
    return UsageError(
        "these are results, not cases",
        at=shown,
        hint=f"give the case file they came from, or look at them with: viva report {shown}",
    )
