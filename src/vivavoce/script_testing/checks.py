"""`t.check`: the checks a test makes. Each says true or false, and the test goes on either way."""

import asyncio
from collections.abc import Callable
from typing import Any

from msgspec import UNSET

from vivavoce.containment.running_loop import loop_is_running
from vivavoce.containment.user_errors import UserCode, describe_exception
from vivavoce.errors import VivaError, did_you_mean
from vivavoce.model.case import AssertionSpec, Case
from vivavoce.model.json_value import (
    JsonObject,
    JsonValue,
    is_array,
    is_number,
    is_object,
    json_equal,
    json_type,
    text_of,
)
from vivavoce.model.message import AgentReply
from vivavoce.model.transcript import Line, Turn
from vivavoce.model.verdict import Verdict, broken
from vivavoce.notation.patterns import search
from vivavoce.plugins.assertion_building import build_check
from vivavoce.protocols import Evidence
from vivavoce.script_testing.engine import CallTerms, Engine
from vivavoce.script_testing.notebook import Notebook, Stopped, line_of_the_test
from vivavoce.scripts.plain_json import NotJson, as_json
from vivavoce.wording.terminal_text import clip, quoted

SPELLINGS = (
    *("True", "False", "Equal", "NotEqual", "Nil", "NotNil", "Contains", "NotContains"),
    *("Len", "Greater", "Less", "Matches", "JSONPath", "Type", "Throws", "Agent"),
)
"""As the specification writes them. `Equal` and `equal`, `NotNil` and `not_nil`, `True_` and `true` are all meant."""

_JSON_TYPES = ("string", "number", "boolean", "object", "array", "null")


class Checks:
    """Every check is noted. One that cannot be made is broken, which is never a pass."""

    def __init__(self, notebook: Notebook, engine: Engine) -> None:
        self._notebook = notebook
        self._engine = engine
        self._under_way: list[asyncio.Future[bool]] = []

    def __getattr__(self, name: str) -> Callable[..., Any]:
        method = _METHODS.get(_plain(name))
        if method is None:
            hint = did_you_mean(name, list(SPELLINGS)) or f"known: {', '.join(SPELLINGS)}"
            raise AttributeError(f"there is no check {name!r} ({hint})")
        return getattr(self, method)

    # ── values ──

    def true(self, value: JsonValue, message: str = "") -> bool:
        return self._notebook.check("True", value is True, f"wanted true, got {shown(value)}", message)

    def false(self, value: JsonValue, message: str = "") -> bool:
        return self._notebook.check("False", value is False, f"wanted false, got {shown(value)}", message)

    def equal(self, actual: JsonValue, expected: JsonValue, message: str = "") -> bool:
        """Structural JSON equality: `1` is `1.0` but not `true`."""
        reason = f"wanted {shown(expected)}, got {shown(actual)}"
        return self._notebook.check("Equal", json_equal(actual, expected), reason, message)

    def not_equal(self, actual: JsonValue, expected: JsonValue, message: str = "") -> bool:
        return self._notebook.check("NotEqual", not json_equal(actual, expected), f"both are {shown(actual)}", message)

    def nil(self, value: JsonValue, message: str = "") -> bool:
        return self._notebook.check("Nil", value is None, f"wanted null, got {shown(value)}", message)

    def not_nil(self, value: JsonValue, message: str = "") -> bool:
        return self._notebook.check("NotNil", value is not None, "got null", message)

    def type(self, value: JsonValue, wanted: str, message: str = "") -> bool:
        """The JSON type: string, number, boolean, object, array or null."""
        if wanted not in _JSON_TYPES:
            return self._notebook.broken("Type", f"no JSON type {wanted!r}: there are {', '.join(_JSON_TYPES)}")
        seen = json_type(value)
        reason = f"wanted type {wanted}, got {seen}: {shown(value)}"
        return self._notebook.check("Type", seen == wanted, reason, message)

    def greater(self, value: JsonValue, limit: JsonValue, message: str = "") -> bool:
        reason = f"wanted more than {shown(limit)}, got {shown(value)}"
        return self._notebook.check("Greater", comparable(value, limit) and value > limit, reason, message)

    def less(self, value: JsonValue, limit: JsonValue, message: str = "") -> bool:
        reason = f"wanted less than {shown(limit)}, got {shown(value)}"
        return self._notebook.check("Less", comparable(value, limit) and value < limit, reason, message)

    # ── what is in them ──

    def contains(self, whole: JsonValue, part: JsonValue, message: str = "") -> bool:
        """A text in a text, an element in a list, a key in an object."""
        reason = f"{shown(part)} is not in {shown(whole)}"
        return self._notebook.check("Contains", is_in(part, whole) is True, reason, message)

    def not_contains(self, whole: JsonValue, part: JsonValue, message: str = "") -> bool:
        found = is_in(part, whole)
        reason = f"{shown(part)} is in {shown(whole)}" if found else f"{shown(part)} cannot be in {shown(whole)}"
        return self._notebook.check("NotContains", found is False, reason, message)

    def len(self, value: JsonValue, wanted: int, message: str = "") -> bool:
        if not isinstance(value, str) and not is_array(value) and not is_object(value):
            return self._notebook.check("Len", False, f"{shown(value)} has no length", message)
        reason = f"wanted length {wanted}, got {len(value)}: {shown(value)}"
        return self._notebook.check("Len", len(value) == wanted, reason, message)

    def matches(self, value: JsonValue, pattern: str, message: str = "") -> bool:
        """An RE2 pattern, found anywhere; what is not text is searched as compact JSON."""
        try:
            found = search(pattern, text_of(as_json(value)))
        except ValueError as error:
            return self._notebook.broken("Matches", str(error))
        return self._notebook.check("Matches", found is not None, f"/{pattern}/ is not in {shown(value)}", message)

    def json_path(self, value: JsonValue, path: str, expected: JsonValue = UNSET, message: str = "") -> bool:
        """As the assertion `json_path`: the value at the path; without `expected`, that something is there."""
        fields = {"path": path} if expected is UNSET else {"path": path, "value": expected}
        verdict = self._engine.start(judged("json_path", fields, value, self._engine.terms)).result()
        return self._notebook.verdict("JSONPath", verdict, message, line_of_the_test(), "test")

    # ── what functions do, and what judges say ──

    def throws(self, function: Callable[[], Any], wanted: str = "", message: str = "") -> bool:
        """Calling it raises, and what is raised says `wanted`."""
        try:
            with UserCode(_Thrown):
                returned = function()
        except _Thrown as thrown:
            if isinstance(thrown.error, Stopped):
                raise thrown.error from None
            told = describe_exception(thrown.error)
        except VivaError as error:
            told = str(error)
        else:
            seen = f"nothing was raised, it returned {shown(returned)}"
            return self._notebook.check("Throws", False, seen, message)
        return self._notebook.check("Throws", wanted in told, f"wanted an error with {wanted!r}, got {told}", message)

    def agent(self, value: JsonValue, use: str, options: JsonValue = None, message: str = "") -> JsonValue:
        """As the assertion `agent`, asked by the same judge; `options` is a text when it is the criteria alone.

        In an async test it gives something to await.
        """
        line = line_of_the_test()
        fields: JsonObject = {"use": use}
        fields |= {"value": options} if isinstance(options, str) else {"options": options or {}}
        started = self._engine.start(judged("agent", fields, value, self._engine.terms))
        if not loop_is_running():
            return self._notebook.verdict("Agent", started.result(), message, line, "judge")

        async def noted() -> bool:
            verdict = await asyncio.wrap_future(started)
            return self._notebook.verdict("Agent", verdict, message, line, "judge")

        self._under_way.append(asyncio.ensure_future(noted()))
        return self._under_way[-1]

    async def all_made(self) -> None:
        """Waits for the checks an async test began and forgot to await: they count all the same."""
        await asyncio.gather(*self._under_way)


class _Thrown(Exception):
    def __init__(self, error: BaseException) -> None:
        self.error = error


def _plain(name: str) -> str:
    return name.replace("_", "").lower()


_METHODS = {_plain(name): name for name in vars(Checks) if not name.startswith("_") and name != "all_made"}


async def judged(kind: str, fields: JsonObject, value: JsonValue, terms: CallTerms) -> Verdict:
    """The verdict of one assertion on one value; what cannot be asked is broken."""
    try:
        plain: JsonValue = as_json(value)
        check = build_check(AssertionSpec(type=kind, fields=as_json(fields)))
        text = plain if isinstance(plain, str) else ""
        reply = AgentReply(text=text, data=UNSET if isinstance(plain, str) else plain)
        turn = Turn(number=1, line=Line(content=""), reply=reply)
        evidence = Evidence(turns=(turn,), output=plain, case=Case(id=terms.case_id))
        return await check.check(evidence, terms.helpers)
    except (VivaError, NotJson) as problem:
        return broken(str(problem))


_LONGEST = 200


def shown(value: JsonValue) -> str:
    """A value in a few words, whatever it is."""
    try:
        return clip(quoted(as_json(value)), _LONGEST)
    except NotJson:
        return clip(repr(value), _LONGEST)


def is_in(part: JsonValue, whole: JsonValue) -> bool | None:
    """A text in a text, an element in a list, a key in an object; None where nothing can be in anything."""
    if isinstance(whole, str):
        return part in whole if isinstance(part, str) else None
    if is_array(whole):
        return any(json_equal(part, one) for one in whole)
    if is_object(whole):
        return part in whole
    if isinstance(whole, set | frozenset):
        return part in whole
    return None


def comparable(left: JsonValue, right: JsonValue) -> bool:
    """Numbers with numbers, texts with texts."""
    return (is_number(left) and is_number(right)) or (isinstance(left, str) and isinstance(right, str))
