"""A generator's answer → the raw cases in it, in any wrapping."""

import re

from msgspec import Struct

from vivavoce.model.json_value import JsonArray, JsonValue, is_array, is_object
from vivavoce.notation.json_text import find_json, mend_json

_WRAPPERS = ("cases", "test_cases")
_AN_ID = r"""["']id["']\s*:"""


class FoundCases(Struct, frozen=True):
    items: JsonArray
    repaired: bool = False
    """The reply was broken JSON: cases may be missing or cut short."""


def found_cases(said: JsonValue) -> FoundCases | None:
    """Reads `{"cases": […]}` (or `test_cases`), a list or a single case, also in a text. None without JSON."""
    if not isinstance(said, str):
        return FoundCases(_listed(said))
    found = find_json(said)
    if found is None:
        return None
    if len(re.findall(_AN_ID, said)) > _ids_in(found.value):
        # The JSON as a whole is broken: what was found is only a sound piece of it.
        mended = mend_json(said)
        if _ids_in(mended) > _ids_in(found.value):
            return FoundCases(_listed(mended), repaired=True)
        return FoundCases(_listed(found.value), repaired=True)
    return FoundCases(_listed(found.value), found.repaired)


def _listed(value: JsonValue) -> JsonArray:
    if is_object(value):
        for name in _WRAPPERS:
            if is_array(inside := value.get(name)):
                return inside
    return list(value) if is_array(value) else [value]


def _ids_in(value: JsonValue) -> int:
    if is_object(value):
        return ("id" in value) + sum(map(_ids_in, value.values()))
    return sum(map(_ids_in, value)) if is_array(value) else 0
