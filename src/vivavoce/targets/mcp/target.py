"""An MCP server as the agent under test: each turn is one request, and its result is judged like a reply."""

import shlex
from typing import Any

import msgspec
from msgspec import UNSET

from vivavoce.calling.connections import expand_options
from vivavoce.containment.user_errors import UserCode
from vivavoce.errors import CallFailed, UsageError, did_you_mean
from vivavoce.metering.clock import now_ms
from vivavoce.model.json_value import JsonArray, JsonObject, JsonValue, is_array, is_object, text_of
from vivavoce.model.message import AgentReply, Content, ToolCall
from vivavoce.model.server_request import check_request, request_in
from vivavoce.model.transcript import Line, Transcript
from vivavoce.notation.mcp_results import text_of_result, value_of_result
from vivavoce.project.variables import UndefinedVariable
from vivavoce.protocols import AgentCard, CallContext, Surroundings, TargetSpec, ToolSpec
from vivavoce.targets.mcp.kind import check_server
from vivavoce.targets.mcp.link import McpAddress, McpLink, listed, plain, sdk_module, words_of_error
from vivavoce.targets.mcp.promises import broken_by_result, broken_by_tools
from vivavoce.targets.mcp.wire_words import other_words, wire_of

_HINT = 'write {"call": NAME, "args": {…}}, {"list": "tools"}, {"read": URI} or {"prompt": NAME, "args": {…}}'
_LISTS = {
    "tools": ("list_tools", "tools"),
    "resources": ("list_resources", "resources"),
    "resource_templates": ("list_resource_templates", "resourceTemplates"),
    "prompts": ("list_prompts", "prompts"),
}


class Refused(Exception):
    """The server answered a request with an error."""


class McpTarget:
    """One server for all conversations, started by the first of them. Built from the fields of kind.McpFields."""

    def __init__(self, spec: TargetSpec, surroundings: Surroundings) -> None:
        sdk_module("mcp")
        self._config: JsonObject = spec.config["mcp"]
        try:
            check_server(self._config)
        except UsageError as problem:
            raise UsageError(f"agent {spec.id!r}: {problem.what}") from None
        self._id = spec.id
        self._surroundings = surroundings
        self._links: dict[str, McpLink] = {}
        self.card = AgentCard(
            id=spec.id,
            kind=spec.kind,
            description=spec.config.get("description") or "",
            where=str(self._config.get("url") or _shown(self._config.get("cmd"))),
        )

    async def open(self, context: CallContext) -> "McpSession":
        return McpSession(self._link(context.variables), judged=context.judged)

    async def list_tools(self) -> tuple[ToolSpec, ...]:
        """The server's tools; it is started when it does not run yet."""
        client = await self._link({}).client()
        with UserCode(lambda error: CallFailed(f"{type(error).__name__}: {error}", fault="target")):
            found = await listed(client.list_tools, "tools")
        return tuple(ToolSpec(name=str(tool["name"]), parameters=tool.get("inputSchema") or {}) for tool in found)

    def _link(self, variables: JsonObject) -> McpLink:
        known = {**self._surroundings.project.config.variables, **variables}
        try:
            filled = expand_options(self._config, known, self._surroundings.secrets)
        except UndefinedVariable as undefined:
            raise UsageError(f"agent {self._id!r}: {undefined}") from None
        # Hook variables may name another server for each case.
        mark = msgspec.json.encode(filled).decode()
        link = self._links.get(mark)
        if link is None:
            link = self._links[mark] = McpLink(self._id, lambda: self._address(filled), sdk_judges=False)
        return link

    async def close(self) -> None:
        while self._links:
            await self._links.popitem()[1].close()

    def _address(self, filled: JsonObject) -> McpAddress:
        headers: dict[str, str] = filled.get("headers") or {}
        for value in headers.values():
            self._surroundings.secrets.add_header(value)
        if url := filled.get("url"):
            return McpAddress(url=url, headers=headers)
        command, *args = _argv(filled["cmd"])
        folder = self._surroundings.project.root / str(filled.get("cwd") or ".")
        return McpAddress(command=command, args=args, env=filled.get("env") or {}, cwd=str(folder))


class McpSession:
    """One conversation. The server keeps whatever it keeps between the requests."""

    def __init__(self, link: McpLink, *, judged: bool) -> None:
        self._link = link
        self._judged = judged

    async def send(self, line: Line, transcript: Transcript) -> AgentReply:
        request = wanted_request(line.content)
        client = await self._link.client()
        try:
            return await self._answered(client, request, line)
        except Refused as refused:
            # Asked for a list, a resource or a prompt; a refused call is a call with an error.
            return self._failed(str(refused), (), line)

    async def close(self) -> None: ...

    async def _answered(self, client: Any, request: JsonObject, line: Line) -> AgentReply:
        args: JsonObject = request.get("args") or {}
        if "call" in request:
            return await self._call(client, request["call"], args, line)
        if "list" in request:
            method, key = _LISTS[request["list"]]
            wires: JsonArray = []
            with UserCode(self._problem):
                found = await listed(getattr(client, method), key, wires)
            return _complete(_list_reply(found, broken_by_tools(found) if key == "tools" else []), wires)
        with UserCode(self._problem):
            if "read" in request:
                result = await client.read_resource(request["read"])
                return _complete(_resource_reply(plain(result)), wire_of(result))
            result = await client.get_prompt(request["prompt"], args)
            return _complete(_prompt_reply(plain(result)), wire_of(result))

    async def _call(self, client: Any, name: str, args: JsonObject, line: Line) -> AgentReply:
        with UserCode(self._problem):
            tools = {tool.get("name"): tool for tool in await listed(client.list_tools, "tools")}
        started_ms = now_ms()
        call = ToolCall(id="1", name=name, args=args, started_ms=started_ms)
        try:
            with UserCode(self._problem):
                result = await client.call_tool(name, args)
        except Refused as refused:
            return self._failed(str(refused), (_ended(call, error=str(refused)),), line, _misspelt(name, tools))
        answer, wire = plain(result), wire_of(result)
        text = text_of_result(answer)
        if answer.get("isError"):
            error = text or "the tool reported an error"
            return _complete(self._failed(error, (_ended(call, error=error),), line, _misspelt(name, tools)), wire)
        value = value_of_result(answer)
        reply = AgentReply(
            text=text or text_of(value),
            data=value if "structuredContent" in answer else UNSET,
            calls=(_ended(call, result=value),),
            violations=tuple(broken_by_result(tools.get(name), name, args, answer)),
        )
        return _complete(reply, wire)

    def _failed(self, error: str, calls: tuple[ToolCall, ...], line: Line, misspelt: str | None = None) -> AgentReply:
        """An error with the server's message. When no check judges the answer, the error alone fails the turn."""
        unseen = () if self._judged or line.assertions else (f"the server answered with an error: {error}",)
        warnings = () if misspelt is None else (misspelt,)
        return AgentReply(text=error, calls=calls, violations=unseen, warnings=warnings, finish_reason="error")

    def _problem(self, error: BaseException) -> Exception:
        """What the SDK raised: the server's own error, or a connection that does not work."""
        if isinstance(error, Refused):
            return error
        told = getattr(error, "error", error)
        code, message = getattr(told, "code", None), getattr(told, "message", None)
        if isinstance(code, int) and isinstance(message, str) and self._link.heard.sent_error(code, message):
            return Refused(message)
        # The SDK's models refuse an answer with pydantic's ValidationError, which is a ValueError.
        became = "sent an answer that MCP does not allow" if isinstance(error, ValueError) else "did not answer"
        what = f"the MCP server {became}: {words_of_error(error)}"
        return CallFailed(f"{what}{self._link.last_words()}", fault="target")


def wanted_request(content: Content) -> JsonObject:
    """The request of a line; a text may be one as JSON. Raises CallFailed for words."""
    request = request_in(content)
    if request is None and isinstance(content, str):
        try:
            request = msgspec.json.decode(content)
        except (ValueError, RecursionError):
            request = None
    if not is_object(request):
        raise CallFailed("an MCP server takes requests, not words", fault="test", hint=_HINT)
    try:
        return check_request(request)
    except ValueError as error:
        raise CallFailed(f"bad request: {error}", fault="test", hint=_HINT) from None


def _misspelt(name: str, tools: JsonObject) -> str | None:
    """The hint for an unknown tool when the server has one with nearly the same name."""
    hint = None if name in tools else did_you_mean(name, [str(known) for known in tools])
    return None if hint is None else f"the server has no tool {name!r}: {hint}"


def _ended(call: ToolCall, *, result: JsonValue = UNSET, error: str | None = None) -> ToolCall:
    return msgspec.structs.replace(call, result=result, error=error, completed_ms=now_ms())


def _complete(reply: AgentReply, wire: JsonValue) -> AgentReply:
    """The reply with everything else that the server sent, so that negative checks see it."""
    said = f"{reply.text}\n{text_of(reply.output)}"
    others = other_words(wire, said)
    return msgspec.structs.replace(reply, texts=(*others, reply.text)) if others else reply


def _list_reply(found: JsonArray, broken: list[str]) -> AgentReply:
    return AgentReply(text=text_of(found), data=found, violations=tuple(broken))


def _resource_reply(answer: JsonObject) -> AgentReply:
    contents: JsonArray = answer.get("contents") or []
    texts = [str(part["text"]) if "text" in part else f"[{part.get('mimeType') or 'blob'}]" for part in contents]
    data: JsonValue = UNSET
    if len(contents) == 1 and "json" in str(contents[0].get("mimeType")) and "text" in contents[0]:
        try:
            data = msgspec.json.decode(contents[0]["text"])
        except (ValueError, RecursionError) as error:
            what = f"the resource says that it is {contents[0]['mimeType']} and is no JSON: {error}"
            return AgentReply(text="\n".join(texts), violations=(what,))
    return AgentReply(text="\n".join(texts), data=data)


def _prompt_reply(answer: JsonObject) -> AgentReply:
    messages: JsonArray = answer.get("messages") or []
    words = [text_of_result({"content": [message.get("content")]}) for message in messages]
    return AgentReply(text="\n".join(words), data={"description": answer.get("description"), "messages": messages})


def _argv(command: JsonValue) -> list[str]:
    argv = [str(part) for part in command] if is_array(command) else shlex.split(str(command))
    if not argv:
        raise UsageError("mcp: an empty command", hint="write cmd: [program, argument]")
    return argv


def _shown(command: JsonValue) -> str:
    return shlex.join(str(part) for part in command) if is_array(command) else str(command)
