"""Stub answers for the tools an app's front end would run."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence

from msgspec import UNSET, Struct, UnsetType

from vivavoce.errors import CallFailed, UsageError
from vivavoce.model.case import FrontendTool
from vivavoce.model.json_value import JsonObject, JsonValue, is_object, text_of
from vivavoce.model.message import ToolCall
from vivavoce.model.tool_answer import ToolAnswer
from vivavoce.notation.json_paths import follow
from vivavoce.notation.patterns import search
from vivavoce.protocols import Interventions

ScriptCall = Callable[[str, JsonValue], Awaitable[JsonValue]]
"""Runs a script by reference with the call's arguments."""

_MISSING = object()


class StubAnswer(Struct, frozen=True, kw_only=True):
    """What the front end would have said: a value, or why it did not do it."""

    value: JsonValue | UnsetType = UNSET
    error: str | None = None


class FrontendStubs:
    """The advertised tools of one conversation; answers meant for one call are used up here."""

    def __init__(
        self, tools: Sequence[FrontendTool], call_script: ScriptCall, interventions: Interventions | None = None
    ) -> None:
        self._interventions = interventions
        self._tools = {tool.name: tool for tool in tools}
        self._call_script = call_script
        self._used: set[tuple[str, int]] = set()

    @property
    def tools(self) -> Sequence[FrontendTool]:
        return list(self._tools.values())

    def advertises(self, name: str) -> bool:
        return name in self._tools

    async def answer(self, call: ToolCall) -> StubAnswer | None:
        """The first answer that fits the call, or None when no stub has one (left)."""
        if self._interventions is None:
            return await self._of_stub(call)
        found: list[StubAnswer | None] = []

        async def own() -> ToolAnswer:
            found.append(await self._of_stub(call))
            return ToolAnswer() if found[0] is None else ToolAnswer(value=found[0].value, error=found[0].error)

        given = await self._interventions.tool(call.name, call.args, own)
        if found and found[0] is None and given.value is UNSET and given.error is None:
            return None
        return StubAnswer(value=given.value, error=given.error)

    async def _of_stub(self, call: ToolCall) -> StubAnswer | None:
        for number, answer in enumerate(self._tools[call.name].answers):
            if (call.name, number) in self._used or not _fits(answer.get("when"), call.args):
                continue
            if answer.get("once"):
                self._used.add((call.name, number))
            return await self._given(answer, call)
        return None

    def missing(self, name: str) -> str:
        """Why a call got no answer, and what to write."""
        had = self._tools[name].answers
        why = "none of its stub answers fits this call" if had else "it has no stub"
        return f"front-end tool {name} was called, but {why}: declare `tools: [{{name: {name}, answer: …}}]`"

    async def _given(self, answer: JsonObject, call: ToolCall) -> StubAnswer:
        if delay_s := answer.get("delay"):
            await asyncio.sleep(delay_s)
        if "script" in answer:
            return await self._from_script(str(answer["script"]), call)
        if "error" in answer:
            return StubAnswer(error=str(answer["error"]))
        return StubAnswer(value=answer.get("value"))

    async def _from_script(self, ref: str, call: ToolCall) -> StubAnswer:
        try:
            return StubAnswer(value=await self._call_script(ref, call.args))
        except AssertionError as refusal:
            # A script says no the way scripts say no; a script that breaks is no answer at all.
            return StubAnswer(error=str(refusal) or "declined")
        except (CallFailed, UsageError) as failure:
            what = f"stub of front-end tool {call.name}: {failure.what}"
            raise CallFailed(what, fault="test", hint=failure.hint) from None


def _fits(conditions: dict[str, str] | None, args: JsonValue) -> bool:
    """Whether every dotted argument is there and matches its regex."""
    return all(
        (value := _reach(args, path)) is not _MISSING and search(pattern, text_of(value)) is not None
        for path, pattern in (conditions or {}).items()
    )


def _reach(value: JsonValue, path: str) -> JsonValue:
    if is_object(value) and path in value:
        return value[path]
    return next(iter(follow(path.split("."), value)), _MISSING)
