"""The tools that viva offers to a model behind an endpoint, and answers itself: Python functions and stubs."""

from collections.abc import Sequence

from msgspec import UNSET, structs

from vivavoce.errors import CallFailed, UsageError
from vivavoce.model.case import FrontendTool
from vivavoce.model.json_value import JsonArray, JsonObject, JsonValue, is_array, is_object
from vivavoce.model.message import ToolCall
from vivavoce.notation.tool_stubs import read_frontend_tools
from vivavoce.project.project import Project
from vivavoce.protocols import ToolSpec
from vivavoce.scripts.finder import find_script
from vivavoce.scripts.script_runner import ScriptRunner
from vivavoce.targets.ag_ui.frontend_tools import FrontendStubs
from vivavoce.targets.agent_package.tools import RunTool, Tool, ToolFailed, function_tool
from vivavoce.targets.call_payload import Context

_PYTHON = "python"
_FUNCTION_FIELDS = frozenset({_PYTHON, "name", "description"})


class EndpointTools:
    """The tools of one agent, by name and in the order they are written."""

    def __init__(self, written: JsonArray, project: Project, scripts: ScriptRunner) -> None:
        entries = checked_tools(written)
        self._scripts = scripts
        self._stubs = [entry for entry in entries if isinstance(entry, FrontendTool)]
        self._tools: dict[str, Tool] = {}
        for entry in entries:
            tool = _declared(entry) if isinstance(entry, FrontendTool) else _function(entry, project)
            if tool.spec.name in self._tools:
                raise UsageError(f"tool {tool.spec.name!r} is declared twice")
            self._tools[tool.spec.name] = tool

    @property
    def specs(self) -> tuple[ToolSpec, ...]:
        return tuple(tool.spec for tool in self._tools.values())

    def for_conversation(self) -> dict[str, Tool]:
        """The tools with what runs them. Stub answers meant for one call are used up in each conversation anew."""
        if not self._stubs:
            return self._tools
        stubs = FrontendStubs(self._stubs, self._call_script)
        running = {tool.name: _stub_runner(tool.name, stubs) for tool in self._stubs if tool.answers}
        return {name: Tool(tool.spec, running.get(name, tool.run)) for name, tool in self._tools.items()}

    async def _call_script(self, ref: str, args: JsonValue) -> JsonValue:
        return await self._scripts.call(ref, args)


def checked_tools(written: JsonValue) -> list[FrontendTool | JsonObject]:
    """Stubs as they are read, Python functions as `{python, name, description}`. Raises UsageError."""
    if not is_array(written):
        raise UsageError("`tools` must be a list")
    return [_entry(entry, at) for at, entry in enumerate(written, 1)]


def _entry(entry: JsonValue, number: int) -> FrontendTool | JsonObject:
    if isinstance(entry, str):
        entry = {_PYTHON: entry.removeprefix(f"{_PYTHON}:")}
    if not is_object(entry) or _PYTHON not in entry:
        return read_frontend_tools([entry], word="tool", first=number)[0]
    if not isinstance(entry[_PYTHON], str):
        raise UsageError(f"tool {number}: `{_PYTHON}` must be a text", hint="write it like file.py:function")
    for unknown in sorted(entry.keys() - _FUNCTION_FIELDS):
        hint = f"known: {', '.join(sorted(_FUNCTION_FIELDS))}"
        raise UsageError(f"tool {number}: unknown field {unknown!r}", hint=hint)
    return entry


def _function(entry: JsonObject, project: Project) -> Tool:
    ref = str(entry[_PYTHON])
    tool = function_tool(find_script(ref, project), ref)
    changed = {name: str(entry[name]) for name in ("name", "description") if entry.get(name)}
    return Tool(structs.replace(tool.spec, **changed), tool.run) if changed else tool


def _declared(tool: FrontendTool) -> Tool:
    """A stub before it is bound to a conversation. One without an answer is offered to the model and not run."""
    return Tool(ToolSpec(name=tool.name, description=tool.description, parameters=tool.parameters), None)


def _stub_runner(name: str, stubs: FrontendStubs) -> RunTool:
    async def run(given: JsonValue, _ctx: Context) -> JsonValue:
        answer = await stubs.answer(ToolCall(name=name, args=given))
        if answer is None:
            raise CallFailed(
                f"tool {name} was called, but none of its stub answers fits this call",
                fault="test",
                hint=f"give it another under `tools: [{{name: {name}, …}}]`",
            )
        if answer.error is not None:
            raise ToolFailed(answer.error)
        return None if answer.value is UNSET else answer.value

    return run


def unanswered(calls: Sequence[ToolCall]) -> set[str]:
    """The ids of calls that nobody ran."""
    return {call.id for call in calls if not call.is_answered}
