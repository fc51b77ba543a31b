"""What differs from run to run although nothing changed: ids, UUIDs and times get a name instead of their value."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Literal, TypeAlias

from vivavoce.model.json_value import JsonValue, is_array, is_number, is_object
from vivavoce.notation.patterns import compile_pattern, compile_regex
from vivavoce.project.settings import SnapshotReplacement

Known: TypeAlias = Literal["uuid", "time", "id", "date"]
DEFAULTS: tuple[Known, ...] = ("uuid", "time", "id")
_PATTERNS: dict[Known, str] = {
    "uuid": r"\b[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}\b",
    "time": (
        r"\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?(?: ?(?:Z|UTC|GMT|[+-]\d\d:?\d\d))?"
        r"|\b(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d? [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d(?: (?:GMT|UTC|[+-]\d{4}))?"
    ),
    # What model providers and frameworks make: call_abc…, toolu_01…, chatcmpl-…, and long hexadecimal numbers.
    "id": (
        r"\b(?:call|toolu|tooluse|chatcmpl|msg|resp|run|thread|asst|step|fc|rs|req|ctc|item|lc_run|task|ctx|evt|sess)"
        r"[_-]+[A-Za-z0-9_-]{12,}"
        r"|\b[0-9a-f]{16,64}\b"
        r"|\b[0-7][0-9A-HJKMNP-TV-Z]{25}\b"
    ),
    "date": r"\b\d{4}-\d\d-\d\d\b",
}
_NUMBERED = frozenset({"uuid", "id"})
"""The same one twice stays recognisable as the same: `<uuid-1>`. Equal times are a coincidence."""
_TIME_KEYS = r"(?i)(?:^|_)(?:time|timestamp|ts|date)$|_at$|_ts$|_ms$|^(?:created|updated|createdAt|updatedAt)$"
_UNIX_SECONDS, _UNIX_MILLISECONDS = (1_000_000_000, 4_000_000_000), (1_000_000_000_000, 4_000_000_000_000)


Rule: TypeAlias = Known | SnapshotReplacement


def normalised(value: JsonValue, rules: Sequence[Rule]) -> JsonValue:
    """Returns the value with everything the rules mean replaced, in all its texts; keys stay as they are."""
    return _Normalising(rules).visit(value)


class _Normalising:
    """One value: ids are numbered in the order in which they appear in it."""

    def __init__(self, rules: Sequence[Rule]) -> None:
        self._changes = [self._change(rule) for rule in rules]
        self._times = "time" in rules
        self._seen: dict[str, dict[str, int]] = {}

    def visit(self, value: JsonValue, key: str = "") -> JsonValue:
        if is_object(value):
            return {name: self.visit(inner, str(name)) for name, inner in value.items()}
        if is_array(value):
            return [self.visit(inner, key) for inner in value]
        if isinstance(value, str):
            for change in self._changes:
                value = change(value)
            return value
        return "<time>" if self._times and is_number(value) and _is_time(value, key) else value

    def _change(self, rule: Rule) -> Callable[[str], str]:
        if isinstance(rule, SnapshotReplacement):
            becomes = rule.becomes

            def own_name(_: Any) -> str:
                return becomes

            return partial(compile_pattern(rule.match).sub, own_name)

        def name(found: Any) -> str:
            return self._name(rule, str(found.group(0)))

        return partial(compile_regex(_PATTERNS[rule]).sub, name)

    def _name(self, rule: Known, found: str) -> str:
        if rule not in _NUMBERED:
            return f"<{rule}>"
        if rule == "id" and not (any(map(str.isdigit, found)) and any(map(str.isalpha, found))):
            return found  # a long number or a long word
        seen = self._seen.setdefault(rule, {})
        return f"<{rule}-{seen.setdefault(found, len(seen) + 1)}>"


def _is_time(value: float, key: str) -> bool:
    """Whether a number is a Unix time, by its size and by what it is called."""
    a_time = any(low <= value < high for low, high in (_UNIX_SECONDS, _UNIX_MILLISECONDS))
    return a_time and compile_regex(_TIME_KEYS).search(key) is not None
