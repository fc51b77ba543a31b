"""Where two JSON values differ: in anything, or only in what the author wrote."""

from msgspec import UNSET

from vivavoce.model.json_value import JsonObject, JsonValue, is_array, is_object, json_equal, text_of
from vivavoce.notation.patterns import refuse_bad_pattern, search
from vivavoce.wording.quoting import quote, quote_apart, slashed

Difference = JsonObject
"""{"path", "expected"?, "actual"?}: a side that has nothing there is left out."""

REGEX_PREFIX = "regex:"
ENOUGH = 20


def differences(expected: JsonValue, actual: JsonValue, path: str = "") -> list[Difference]:
    """What keeps two values from being equal, at most ENOUGH places."""
    if is_object(expected) and is_object(actual):
        found: list[Difference] = []
        for key in {**expected, **actual}:
            left, right = expected.get(key, UNSET), actual.get(key, UNSET)
            if left is UNSET or right is UNSET:
                found.append(_difference(_below(path, key), left, right))
            else:
                found += differences(left, right, _below(path, key))
            if len(found) >= ENOUGH:
                break
        return found[:ENOUGH]
    if is_array(expected) and is_array(actual) and len(expected) == len(actual):
        return [
            difference
            for index, (left, right) in enumerate(zip(expected, actual, strict=True))
            for difference in differences(left, right, f"{path}[{index}]")
        ][:ENOUGH]
    return [] if json_equal(expected, actual) else [_difference(path, expected, actual)]


def mismatches(expected: JsonValue, actual: JsonValue, path: str = "") -> list[Difference]:
    """The same for a partial match: other keys do not matter, and `regex:` strings are patterns."""
    if is_object(expected) and is_object(actual):
        found: list[Difference] = []
        for key, inner in expected.items():
            if key in actual:
                found += mismatches(inner, actual[key], _below(path, key))
            else:
                found.append(_difference(_below(path, key), inner, UNSET))
        return found
    if is_array(expected) and is_array(actual) and len(expected) == len(actual):
        return [
            difference
            for index, (left, right) in enumerate(zip(expected, actual, strict=True))
            for difference in mismatches(left, right, f"{path}[{index}]")
        ]
    if isinstance(expected, str) and expected.startswith(REGEX_PREFIX):
        matched = search(expected.removeprefix(REGEX_PREFIX), text_of(actual)) is not None
    else:
        matched = json_equal(expected, actual)
    return [] if matched else [_difference(path, expected, actual)]


def check_patterns(expected: JsonValue) -> None:
    """Raises ValueError when a `regex:` string inside is no valid pattern, or an empty one."""
    if isinstance(expected, str) and expected.startswith(REGEX_PREFIX):
        refuse_bad_pattern(expected.removeprefix(REGEX_PREFIX))
    elif is_object(expected):
        for inner in expected.values():
            check_patterns(inner)
    elif is_array(expected):
        for inner in expected:
            check_patterns(inner)


def describe(difference: Difference, whole: str) -> str:
    """A difference in words: `amount was 3400, wanted 3500`. `whole` names the value itself."""
    place = difference["path"] or whole
    if "expected" not in difference:
        return f"{place} was {quote(difference['actual'])}, which was not wanted"
    wanted = difference["expected"]
    found, said = quote_apart(difference.get("actual"), wanted)
    if isinstance(wanted, str) and wanted.startswith(REGEX_PREFIX):
        said = slashed(wanted.removeprefix(REGEX_PREFIX))
    return f"{place} was {found if 'actual' in difference else 'missing'}, wanted {said}"


def _below(path: str, key: str) -> str:
    return f"{path}.{key}" if path else key


def _difference(path: str, expected: JsonValue, actual: JsonValue) -> Difference:
    sides = {"expected": expected, "actual": actual}
    return {"path": path, **{side: value for side, value in sides.items() if value is not UNSET}}
