"""The texts inside structured output, for negative checks: JSON text writes quotes and line breaks in another way."""

from collections.abc import Iterator

from vivavoce.model.json_value import JsonValue, is_array, is_object, iter_texts
from vivavoce.notation.json_text import whole_json


def inner_texts(value: JsonValue) -> Iterator[str]:
    """Yields every text that stands as a value inside an object or array, also inside one that was sent as text."""
    if isinstance(value, str):
        value = whole_json(value)
    if is_object(value) or is_array(value):
        yield from iter_texts(value)
