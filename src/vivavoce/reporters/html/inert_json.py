"""JSON that can stand inside a page: ASCII only, no `<`, and nothing a browser's parser refuses."""

import json
import math
from typing import Any

from vivavoce.model.json_value import is_array, is_object


def inert_json(value: Any) -> str:
    """One line of JSON. Lone surrogates stay what they are; numbers JSON lacks are spelled out as text."""
    try:
        text = json.dumps(value, separators=(",", ":"), allow_nan=False)
    except ValueError:
        text = json.dumps(_spelled_out(value), separators=(",", ":"))
    return text.replace("<", "\\u003c")


def _spelled_out(value: Any) -> Any:
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    if is_object(value):
        return {key: _spelled_out(inner) for key, inner in value.items()}
    return [_spelled_out(inner) for inner in value] if is_array(value) else value
