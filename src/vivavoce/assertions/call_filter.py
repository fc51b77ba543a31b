"""Which calls a rule means: by what their arguments and results match."""

import re
from collections.abc import Iterator

from msgspec import UNSET, Struct

from vivavoce.assertions.differences import Difference
from vivavoce.assertions.inner_texts import inner_texts
from vivavoce.assertions.tool_calls import CallSeen, answers_of, argument, arguments_of, matchable, read_arguments
from vivavoce.model.json_value import JsonValue, compact_json
from vivavoce.model.message import ToolCall
from vivavoce.notation.patterns import compile_pattern, search
from vivavoce.wording.quoting import quote, slashed

Wanted = dict[str, str | int | float | bool]
"""A pattern for each argument; a number or boolean stands for exactly itself."""


def patterns_of(wanted: Wanted) -> dict[str, str]:
    return {
        key: value if isinstance(value, str) else f"^{re.escape(compact_json(value))}$" for key, value in wanted.items()
    }


class CallFilter(Struct, frozen=True, kw_only=True):
    """Selects calls. A missing argument or result matches no pattern, and arguments that cannot be read none at all.

    The error of a call that failed counts as its result, so `declined` is found in either.
    """

    args_match: dict[str, str] = {}
    args_not_match: dict[str, str] = {}
    result_match: str | None = None
    in_values: bool = False
    """Look for patterns inside the values of objects and arrays, too: for rules that forbid."""

    def check_patterns(self) -> None:
        """Raises ValueError for an invalid one."""
        for pattern in (*self.args_match.values(), *self.args_not_match.values()):
            compile_pattern(pattern)
        if self.result_match is not None:
            compile_pattern(self.result_match)

    def takes(self, call: ToolCall) -> bool:
        return self.takes_arguments(call) and self._takes_result(call)

    def takes_arguments(self, call: ToolCall) -> bool:
        if not (self.args_match or self.args_not_match):
            return True
        arguments = read_arguments(call)
        if arguments is None:
            return False
        return all(
            self._matches(pattern, argument(arguments, key)) for key, pattern in self.args_match.items()
        ) and not any(self._matches(pattern, argument(arguments, key)) for key, pattern in self.args_not_match.items())

    def depends_on_arguments(self, call: ToolCall) -> bool:
        """Whether only the call's arguments can tell if it is meant."""
        return bool(self.args_match or self.args_not_match) and self._takes_result(call)

    def _takes_result(self, call: ToolCall) -> bool:
        return self.result_match is None or any(self._matches(self.result_match, told) for told in answers_of(call))

    def differences(self, call: ToolCall) -> Iterator[Difference]:
        """What keeps a call from being selected."""
        arguments = arguments_of(call)
        for key, pattern in self.args_match.items():
            if not self._matches(pattern, value := argument(arguments, key)):
                yield _difference(key, "expected", pattern, value)
        for key, pattern in self.args_not_match.items():
            if self._matches(pattern, value := argument(arguments, key)):
                yield _difference(key, "not_expected", pattern, value)
        if not self._takes_result(call):
            yield _difference("result", "expected", str(self.result_match), next(answers_of(call), UNSET))

    def _matches(self, pattern: str, value: JsonValue) -> bool:
        if value is UNSET:
            return False
        if search(pattern, matchable(value)) is not None:
            return True
        return self.in_values and any(search(pattern, text) is not None for text in inner_texts(value))

    def described(self) -> str:
        """` with query /hello/ and result /ok/`; nothing when every call is meant."""
        parts = [f"{key} {slashed(pattern)}" for key, pattern in self.args_match.items()]
        parts += [f"{key} not {slashed(pattern)}" for key, pattern in self.args_not_match.items()]
        if self.result_match is not None:
            parts.append(f"result {slashed(self.result_match)}")
        return f" with {' and '.join(parts)}" if parts else ""


class Miss(Struct, frozen=True):
    """The call that came nearest to being selected, and what differed."""

    seen: CallSeen
    diff: list[Difference]

    def describe(self) -> str:
        return "; ".join(_describe(difference) for difference in self.diff[:3])


def nearest_miss(selects: CallFilter, calls: list[CallSeen]) -> Miss | None:
    misses = [Miss(seen, diff) for seen in calls if (diff := list(selects.differences(seen.call)))]
    return min(misses, key=lambda miss: len(miss.diff), default=None)


def _difference(path: str, side: str, pattern: str, value: JsonValue) -> Difference:
    difference: Difference = {"path": path, side: slashed(pattern)}
    return difference if value is UNSET else {**difference, "actual": value}


def _describe(difference: Difference) -> str:
    actual = difference.get("actual")
    # Patterns are matched against all digits of a number.
    was = f"was {quote(actual, digits=isinstance(actual, float))}" if "actual" in difference else "was missing"
    wanted = f"wanted {difference['expected']}" if "expected" in difference else f"not {difference['not_expected']}"
    return f"{difference['path']} {was}, {wanted}"
