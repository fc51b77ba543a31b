"""The tools of an agent package: functions of `src/tools.py`, and what `package.yao` declares."""

import inspect
from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from typing import Any

import msgspec
from msgspec import Struct

from vivavoce.containment.user_errors import UserCode, describe_exception
from vivavoce.containment.user_functions import call_user_function
from vivavoce.errors import UsageError, did_you_mean
from vivavoce.model.json_value import is_object
from vivavoce.notation.validation_errors import split_validation_error
from vivavoce.project.project import Project
from vivavoce.protocols import ToolSpec
from vivavoce.scripts.finder import load_module
from vivavoce.scripts.plain_json import NotJson, as_json
from vivavoce.targets.agent_package.loader import AgentPackage
from vivavoce.targets.agent_package.tool_schema import FunctionSchema
from vivavoce.targets.call_payload import Context

RunTool = Callable[[Any, Context], Awaitable[Any]]


class ToolFailed(Exception):
    """A tool failed. The message goes to the model and into the call's `error`."""


class Tool(Struct, frozen=True):
    """A tool a model may call."""

    spec: ToolSpec
    run: RunTool | None
    """None when viva cannot run it (declared only): a call of it ends the turn."""


def local_tools(package: AgentPackage, project: Project) -> dict[str, Tool]:
    """The tools a package offers, by name and in the order they are written."""
    functions = _functions(package, project)
    if package.tools is None:
        return {name: tool for name, tool in functions.items() if not name.startswith("_")}
    offered: dict[str, Tool] = {}
    for entry in package.tools:
        tool = _declared(entry, functions, package) if is_object(entry) else _named(str(entry), functions, package)
        offered[tool.spec.name] = tool
    return offered


def _functions(package: AgentPackage, project: Project) -> dict[str, Tool]:
    if not package.tools_file.is_file():
        return {}
    module = load_module(package.tools_file, project)
    at = f"{package.shown}/src/tools.py"
    own = {
        name: value
        for name, value in vars(module).items()
        if inspect.isfunction(value) and value.__module__ == module.__name__ and not name.startswith("_")
    }
    return {name: function_tool(function, at) for name, function in own.items()}


def function_tool(function: Callable[..., Any], at: str) -> Tool:
    """A typed function as a tool: its docstring and its hints are what the model sees."""
    schema = FunctionSchema(function, at)

    async def run(given: Any, ctx: Context) -> Any:
        if not is_object(given):
            raise ToolFailed(f"the arguments are no JSON object: {given!r}")
        try:
            arguments = schema.arguments(given)
        except msgspec.ValidationError as error:
            raise ToolFailed(f"bad arguments: {split_validation_error(str(error))[0]}") from None
        with UserCode(lambda error: ToolFailed(describe_exception(error))):
            result = await call_user_function(partial(function, **arguments), ctx=ctx)
        try:
            return as_json(result)
        except NotJson as error:
            raise ToolFailed(f"the result is not JSON: {error}") from None

    return Tool(ToolSpec(name=schema.name, description=schema.description, parameters=schema.parameters), run)


def _named(name: str, functions: Mapping[str, Tool], package: AgentPackage) -> Tool:
    if name not in functions:
        known = list(functions)
        raise UsageError(
            f"tool {name!r} is not in {package.shown}/src/tools.py",
            at=f"{package.shown}/package.yao",
            hint=did_you_mean(name, known) or (f"it has {', '.join(known)}" if known else "it has no functions"),
        )
    return functions[name]


def _declared(entry: dict[str, Any], functions: Mapping[str, Tool], package: AgentPackage) -> Tool:
    """A tool in OpenAI's form; a function of the same name runs it."""
    inner: Any = entry.get("function", entry)
    name: Any = inner.get("name") if is_object(inner) else None
    if not isinstance(name, str) or not name:
        raise UsageError("a declared tool needs a name", at=f"{package.shown}/package.yao")
    parameters: Any = inner.get("parameters")
    spec = ToolSpec(
        name=name,
        description=str(inner.get("description") or ""),
        parameters=parameters if is_object(parameters) else {"type": "object", "properties": {}},
    )
    return Tool(spec, functions[name].run if name in functions else None)
