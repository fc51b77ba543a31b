"""Finding words in a run's cases, as the report finds them in its own."""

import re
from collections.abc import Callable, Iterable, Iterator
from itertools import takewhile
from typing import Any

import msgspec

from vivavoce.model.json_value import is_array, is_object

# The same fields as in the front end's case_rows.js.
SEARCHED_FIELDS = (
    *("name", "description", "tags", "file", "metadata", "history", "error", "skip_reason"),
    *("warnings", "retries", "logs", "input", "speaker", "note", "output", "response", "texts", "exchange_error"),
    *("violations", "tool_calls", "late_results", "trace", "state", "assertions", "final_assertions", "checkpoints"),
)
_SPACES = re.compile(r"\s+")


def positions_with(query: str, rows: Iterable[bytes], *, unwanted: Callable[[], bool] = bool) -> list[int]:
    """Where every word of the query is found, in whatever case; it ends early when nobody wants to know any more."""
    words = [word for word in _SPACES.split(query.lower()) if word]
    # A word that is not in the line at all is not in any field of it: most lines need not be read.
    needles = [msgspec.json.encode(word).decode()[1:-1] for word in words]
    return [
        position
        for position, row in enumerate(takewhile(lambda _: not unwanted(), rows))
        if _all_in(needles, row.decode("utf-8", "replace").lower()) and _all_in(words, _every_word(row))
    ]


def _all_in(words: list[str], text: str) -> bool:
    return all(word in text for word in words)


def _every_word(line: bytes) -> str:
    row: Any = msgspec.json.decode(line)
    return "\n".join(_words_of(row)).lower()


def _words_of(row: dict[str, Any]) -> Iterator[str]:
    yield str(row.get("id", ""))
    for part in (row, *row.get("run_details", ())):
        for place in (part, *part.get("turns", ())):
            for field in SEARCHED_FIELDS:
                yield from _texts(place.get(field))


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif is_object(value):
        for inner in value.values():
            yield from _texts(inner)
    elif is_array(value):
        for inner in value:
            yield from _texts(inner)
    elif isinstance(value, int | float) and not isinstance(value, bool):
        yield str(value)
