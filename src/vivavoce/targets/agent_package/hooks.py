"""The hooks of `src/index.py`: `Create` before the model is called, `Next` once it has stopped."""

import inspect
from collections.abc import Callable, Sequence
from typing import Any

import msgspec
from msgspec import UNSET, Struct, UnsetType

from vivavoce.containment.user_errors import UserCode, describe_exception
from vivavoce.containment.user_functions import CONTEXT_NAMES, call_user_function
from vivavoce.errors import CallFailed
from vivavoce.model.json_value import is_object
from vivavoce.model.message import Message, ToolCall
from vivavoce.project.project import Project
from vivavoce.protocols import ModelReply
from vivavoce.scripts.finder import load_module
from vivavoce.scripts.plain_json import NotJson, as_json
from vivavoce.targets.agent_package.loader import AgentPackage
from vivavoce.targets.call_payload import Context


class Created(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What `Create` may change about the call."""

    messages: list[Message] | None = None
    """Instead of the conversation; the prompts still come first."""
    connector: str | None = None
    options: dict[str, Any] = {}
    metadata: dict[str, Any] = {}
    locale: str | None = None
    temperature: float | None = None
    max_tokens: int | None = None
    max_completion_tokens: int | None = None

    @property
    def request_options(self) -> dict[str, Any]:
        named = ("temperature", "max_tokens", "max_completion_tokens")
        given = {name: getattr(self, name) for name in named if getattr(self, name) is not None}
        return {**self.options, **given}


class Answered(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What `Next` may make of the model's answer."""

    data: Any | UnsetType = UNSET
    """The structured reply."""
    messages: list[Message] | None = None
    """Said to the model before it goes on."""
    awaiting_input: bool | None = None
    """Whether the agent waits for an answer, and for which."""
    input_hint: str | None = None


class Hooks:
    """The hooks a package has; those it lacks change nothing."""

    def __init__(self, package: AgentPackage, project: Project) -> None:
        self._where = f"{package.shown}/src/index.py"
        module: Any = load_module(package.hooks_file, project) if package.hooks_file.is_file() else None
        self._create: Callable[..., Any] | None = getattr(module, "Create", None)
        self._next: Callable[..., Any] | None = getattr(module, "Next", None)

    async def create(self, ctx: Context, messages: Sequence[Message]) -> Created:
        if self._create is None:
            return Created()
        plain = [msgspec.to_builtins(message) for message in messages]
        returned = await self._called("Create", self._create, plain, ctx["options"], ctx=ctx)
        return Created() if returned is None else self._checked("Create", returned, Created)

    async def next(
        self, ctx: Context, messages: Sequence[Message], reply: ModelReply, calls: Sequence[ToolCall]
    ) -> Answered:
        if self._next is None:
            return Answered()
        payload = {
            "messages": [msgspec.to_builtins(message) for message in messages],
            "completion": {
                "content": reply.text,
                "data": None if reply.data is UNSET else reply.data,
                "finish_reason": reply.finish_reason,
                "usage": msgspec.to_builtins(reply.usage),
            },
            "tools": [_described(call) for call in calls],
        }
        returned = await self._called("Next", self._next, payload, ctx=ctx)
        return Answered() if returned is None else self._checked("Next", returned, Answered)

    async def _called(self, name: str, hook: Callable[..., Any], *args: Any, ctx: Context) -> Any:
        def failure(error: BaseException) -> CallFailed:
            return CallFailed(f"{name} of {self._where} raised {describe_exception(error)}", fault="agent")

        with UserCode(failure):
            # The first parameter may have any name: it gets the context.
            if any(parameter in CONTEXT_NAMES for parameter in inspect.signature(hook).parameters):
                return await call_user_function(hook, *args, ctx=ctx)
            return await call_user_function(hook, ctx, *args)

    def _checked(self, name: str, returned: Any, kind: Any) -> Any:
        try:
            plain = as_json(returned)
            if not is_object(plain):
                raise NotJson(f"it must be an object or None, not {type(returned).__name__}")
            return msgspec.convert(plain, kind)
        except (NotJson, msgspec.ValidationError) as error:
            raise CallFailed(
                f"{name} of {self._where} returned something that cannot be used: {error}", fault="agent"
            ) from None


def _described(call: ToolCall) -> dict[str, Any]:
    return {
        "call_id": call.id,
        "tool": call.name,
        "arguments": call.args,
        "result": None if call.result is UNSET else call.result,
        "error": call.error,
    }
