"""`mocks:` of a case: answers instead of tools, in the same form as those of front-end tools."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence

from vivavoce.errors import CallFailed
from vivavoce.model.case import FrontendTool
from vivavoce.model.json_value import JsonObject, JsonValue, text_of
from vivavoce.model.message import ToolCall
from vivavoce.model.tool_answer import ToolAnswer
from vivavoce.notation.json_paths import follow
from vivavoce.notation.patterns import search

CallScript = Callable[[str, JsonValue], Awaitable[JsonValue]]
_MISSING = object()


class MockedTools:
    """The mocks of one conversation. Answers with `once` are used once."""

    def __init__(self, mocks: Sequence[FrontendTool], call_script: CallScript) -> None:
        self._mocks = mocks
        self._call_script = call_script
        self._used: set[tuple[str, int]] = set()

    @property
    def names(self) -> list[str]:
        return [mock.name for mock in self._mocks]

    async def answer(self, name: str, args: JsonValue) -> ToolAnswer | None:
        """Returns None for a tool that is not mocked. Raises CallFailed when no answer of its mock fits the call."""
        mock = next((mock for mock in self._mocks if ToolCall(name=name).is_named(mock.name)), None)
        if mock is None:
            return None
        for number, answer in enumerate(mock.answers):
            if (mock.name, number) in self._used or not _fits(answer.get("when"), args):
                continue
            if answer.get("once"):
                self._used.add((mock.name, number))
            return await self._given(answer, name, args)
        raise CallFailed(
            f"tool {name} was called, but none of its mock's answers fits this call",
            fault="test",
            hint=f"give it another under `mocks: [{{name: {mock.name}, …}}]`",
        )

    async def _given(self, answer: JsonObject, name: str, args: JsonValue) -> ToolAnswer:
        await asyncio.sleep(answer.get("delay") or 0)
        if "error" in answer:
            return ToolAnswer(error=str(answer["error"]))
        if "script" not in answer:
            return ToolAnswer(value=answer.get("value"))
        try:
            return ToolAnswer(value=await self._call_script(str(answer["script"]), args))
        except AssertionError as refusal:
            return ToolAnswer(error=str(refusal) or "declined")
        except CallFailed as failure:
            raise CallFailed(f"mock of {name}: {failure.what}", fault="test", hint=failure.hint) from None


def _fits(conditions: JsonObject | None, args: JsonValue) -> bool:
    for path, pattern in (conditions or {}).items():
        value = next(iter(follow(path.split("."), args)), _MISSING)
        if value is _MISSING or search(str(pattern), text_of(value)) is None:
            return False
    return True
