"""A check that did not pass, explained: what was wanted, what was there, which call came nearest."""

from collections.abc import Iterable

from msgspec import UNSET

from vivavoce.model.json_value import JsonObject, JsonValue, is_array, is_object, rounding_hides
from vivavoce.model.verdict import Outcome, Verdict
from vivavoce.notation.json_text import json_or_text
from vivavoce.reporters.terminal.style import Look, hanging
from vivavoce.wording.results import call_shown, check_title, score_text
from vivavoce.wording.terminal_text import clip, clip_lines, columns, json_diff, neutral, one_line, quoted

_LONGEST_REASON = 2_000
_LINES_PER_TEXT = 4


def verdict_lines(verdict: Verdict, look: Look, indent: int) -> list[str]:
    """The check's line; for one that did not pass, the explanation below it."""
    title = clip(check_title(verdict.spec), max(look.width - indent - 2, 20))
    lines = [f"{look.verdict_sign(verdict)} {title}"]
    if verdict.passed:
        judged = verdict.spec is not None and verdict.spec.type == "agent"
        return lines if not look.verbose and not judged else [*lines, *_below(_reason_lines(verdict, look, indent + 2))]
    return [*lines, *_below(_explained(verdict, look, indent + 2))]


def judge_lines(verdicts: Iterable[Verdict], look: Look, indent: int) -> list[str]:
    """The criteria, scores and reasons of judges that passed; other passed checks are not explained."""
    lines: list[str] = []
    for verdict in verdicts:
        if verdict.passed and verdict.spec is not None and verdict.spec.type == "agent":
            lines += verdict_lines(verdict, look, indent)
    return lines


def _explained(verdict: Verdict, look: Look, indent: int) -> list[str]:
    lines = _reason_lines(verdict, look, indent)
    diff = verdict.details.get("diff")
    called, call = call_shown(verdict.details)
    if call:
        lines.append(f"{look.dim(f'{called}:')} {clip(call, look.width - indent - len(called) - 2)}")
    if is_array(diff) and diff:
        for difference in filter(is_object, diff):
            lines += _difference(difference, look, indent)
    elif shows_actual(verdict):
        lines += _expected_and_actual(verdict.expected, verdict.actual, look, indent)
    if suggestions := verdict.details.get("suggestions"):
        lines += look.wrapped(f"suggestion: {neutral(_joined(suggestions))}", indent)
    return lines


def shows_actual(verdict: Verdict) -> bool:
    """Whether the explanation quotes what was found, beside what was wanted."""
    if call_shown(verdict.details)[1] or verdict.details.get("diff"):
        return False
    return verdict.expected is not UNSET and verdict.actual is not UNSET


def _reason_lines(verdict: Verdict, look: Look, indent: int) -> list[str]:
    said = clip_lines(verdict.reason, _LONGEST_REASON)
    if verdict.outcome is Outcome.BROKEN:
        said = f"could not be checked: {said}"
    if verdict.score is not None:
        said += f" ({score_text(verdict)})"
    lines = look.wrapped(said, indent) if said else []
    if seen := verdict.details.get("seen"):
        lines += look.wrapped(f"seen: {clip(str(seen), _LONGEST_REASON)}", indent)
    return lines


def _difference(difference: JsonObject, look: Look, indent: int) -> list[str]:
    place = one_line(str(difference.get("path") or "value"))
    room = look.width - indent - len(place) - 9
    digits = rounding_hides(difference.get("actual"), difference.get("expected", difference.get("not_expected")))
    if "not_expected" in difference:
        wanted = f"not {_short(difference['not_expected'], room, digits=digits)}"
    else:
        wanted = _short(difference["expected"], room, digits=digits) if "expected" in difference else "(nothing)"
    got = _short(difference["actual"], room, digits=digits) if "actual" in difference else "(missing)"
    return [f"{place}  wanted {look.good(wanted)}", f"{' ' * len(place)}  found  {look.bad(got)}"]


def _expected_and_actual(expected: JsonValue, actual: JsonValue, look: Look, indent: int) -> list[str]:
    if isinstance(expected, str) and "\n" not in expected:
        # Wanted in a text, not the text wanted: a line-by-line difference would say nothing.
        return _wanted_and_found(quoted(expected), _found(actual), look, indent)
    if is_object(expected) and list(expected) == ["never"] and isinstance(actual, str):
        return _wanted_and_found(f"not {quoted(expected['never'])}", quoted(actual), look, indent)
    lines = json_diff(expected, actual)
    if len(lines) == 2 and lines[0][0] == "-" and lines[1][0] == "+":
        found, wanted = (clip(line[2:], look.width - indent - 8) for line in lines)
        return [f"wanted: {look.good(wanted)}", f"found:  {look.bad(found)}"]
    shown = [part for line in lines for part in _of_diff(line, look, indent)]
    return [f"{look.bad('- found')}  {look.good('+ wanted')}", *shown]


def _wanted_and_found(wanted: str, found: str, look: Look, indent: int) -> list[str]:
    good, bad = (look.shortened(text, indent + 8, _LINES_PER_TEXT) for text in (wanted, found))
    return [*hanging("wanted: ", map(look.good, good)), *hanging("found:  ", map(look.bad, bad))]


def _found(actual: JsonValue) -> str:
    """A value in quotes; a JSON object or list in a text without, since each of its own would get a backslash."""
    inside = json_or_text(actual) if isinstance(actual, str) else None
    return one_line(str(actual)) if is_object(inside) or is_array(inside) else quoted(actual)


def _of_diff(line: str, look: Look, indent: int) -> list[str]:
    """A line of a difference. What differs stands on several lines where it is too long, what does not is cut."""
    sign, bare = line[0], line[2:].lstrip(" ")
    head = line[: len(line) - len(bare)]
    room = max(look.width - indent - len(head), 10)
    if sign not in "-+" or columns(bare) <= room:
        parts = [clip(bare, room)]
    else:
        parts = look.shortened(bare, look.width - room, _LINES_PER_TEXT)
    paint = {"-": look.bad, "+": look.good}.get(sign, str)
    return [paint(part) for part in hanging(head, parts)]


def _short(value: JsonValue, width: int, *, digits: bool) -> str:
    is_pattern = isinstance(value, str) and len(value) > 2 and value[0] == value[-1] == "/"
    return clip(value if is_pattern else quoted(value, digits=digits), max(width, 10))


def _joined(value: JsonValue) -> str:
    return "; ".join(str(entry) for entry in value) if is_array(value) else str(value)


def _below(lines: list[str]) -> list[str]:
    return [f"  {line}" for line in lines]
