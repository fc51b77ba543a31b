"""Finding words in a run's cases, as the report finds them in its own."""

import re
from collections.abc import Callable, Iterable, Iterator
from itertools import takewhile

import msgspec

from vivavoce.model.json_value import JsonObject, JsonValue, is_number, iter_leaves

# The same fields as in the front end's case_rows.js.
SEARCHED_FIELDS = (
    *("name", "description", "tags", "file", "metadata", "history", "error", "skip_reason"),
    *("warnings", "retries", "logs", "input", "speaker", "note", "output", "response", "texts", "exchange_error"),
    *("violations", "tool_calls", "late_results", "trace", "state", "assertions", "final_assertions", "checkpoints"),
)
_SPACES = re.compile(r"\s+")


def positions_with(query: str, rows: Iterable[bytes], *, unwanted: Callable[[], bool] = bool) -> list[int]:
    """Where every word of the query is found, in whatever case, and none of those after a minus sign.

    It ends early when the reader has gone.
    """
    asked = [word for word in _SPACES.split(query.lower()) if word]
    left_out = [word[1:] for word in asked if _is_left_out(word)]
    words = [word for word in asked if not _is_left_out(word)]
    # A word that is not in the line at all is not in any field of it: most lines need not be read.
    needles = [msgspec.json.encode(word).decode()[1:-1] for word in words]
    return [
        position
        for position, row in enumerate(takewhile(lambda _: not unwanted(), rows))
        if _all_in(needles, row.decode("utf-8", "replace").lower()) and _fits(words, left_out, _every_word(row))
    ]


def _is_left_out(word: str) -> bool:
    return word.startswith("-") and len(word) > 1


def _fits(words: list[str], left_out: list[str], text: str) -> bool:
    return _all_in(words, text) and not any(word in text for word in left_out)


def _all_in(words: list[str], text: str) -> bool:
    return all(word in text for word in words)


def _every_word(line: bytes) -> str:
    row: JsonValue = msgspec.json.decode(line)
    return "\n".join(_words_of(row)).lower()


def _words_of(row: JsonObject) -> Iterator[str]:
    yield str(row.get("id", ""))
    for part in (row, *row.get("run_details", ())):
        for place in (part, *part.get("turns", ())):
            for field in SEARCHED_FIELDS:
                yield from _texts(place.get(field))


def _texts(value: JsonValue) -> Iterator[str]:
    """The texts and numbers inside, as a person would search for them."""
    return (str(leaf) for leaf in iter_leaves(value) if isinstance(leaf, str) or is_number(leaf))
