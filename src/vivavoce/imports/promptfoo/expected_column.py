"""The short language of promptfoo's tables: `contains-any(0.5): a, b` in a column `__expected`."""

import math
import re

from vivavoce.model.json_value import JsonObject, JsonValue
from vivavoce.notation.json_text import json_or_text

_WRITTEN = re.compile(
    r"^(?P<type>(?:not-)?(?:trajectory:)?[a-z][a-z0-9-]*)(?:\((?P<threshold>[\d.]+)\))?(?::(?P<value>.*))?$", re.DOTALL
)
_BY_PREFIX = {"fn": "javascript", "eval": "javascript", "grade": "llm-rubric", "similar": "similar"}
_KNOWN = re.compile(
    r"^(?:not-)?(?:equals|i?contains(?:-any|-all|-json|-sql|-xml)?|starts-with|regex|is-[a-z-]+|javascript|python|latency|"
    r"cost|llm-rubric|g-eval|factuality|model-graded-[a-z]+|answer-relevance|context-[a-z]+|similar|levenshtein|rouge-n|"
    r"bleu|word-count|webhook|moderation|classifier|perplexity(?:-score)?|trajectory:[a-z-]+|fn|eval|grade)$"
)
_LISTS = frozenset({"is-json", "contains-json"})


def read_expected(text: str) -> JsonObject | None:
    """Reads a field as an assertion; plain text is an exact answer; None for an empty field.

    Raises ValueError for a limit that is not a number.
    """
    text = text.strip()
    if not text:
        return None
    found = _WRITTEN.match(text)
    is_known = found is not None and _KNOWN.match(found["type"]) is not None
    if found is None or not is_known or (found["value"] is None and not _stands_alone(found["type"])):
        return {"type": "equals", "value": text}
    kind = _BY_PREFIX.get(found["type"], found["type"])
    value: JsonValue = (found["value"] or "").strip() or None
    if kind.removeprefix("not-") in _LISTS and value is not None:
        value = json_or_text(str(value))
    entry: JsonObject = {"type": kind}
    if value is not None:
        entry["value"] = value
    if kind.removeprefix("not-") in ("latency", "cost") and found["threshold"] is None and value is not None:
        entry["threshold"] = number_in(kind, str(value))
    elif found["threshold"] is not None:
        entry["threshold"] = number_in(kind, found["threshold"])
    return entry


def number_in(name: str, text: str) -> float:
    """The number that a field holds. Raises ValueError with the field's name for anything else."""
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise ValueError(f"{name}: wanted a number, found {text!r}")
    return number


def _stands_alone(kind: str) -> bool:
    return kind.removeprefix("not-") in {"is-json", "contains-json", "is-refusal", "latency", "cost"}
