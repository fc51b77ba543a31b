"""An agent or a model behind an endpoint that speaks OpenAI's chat or Responses API, or Anthropic's Messages.

Who calls, and with what options, reaches a chat endpoint in the places such servers look at:

* body `user`: the user id; body `metadata`: the metadata of the call's options, sent when there is any;
* headers `X-Viva-User`, `X-Viva-Team`, `X-Viva-Session`, `X-Viva-Case`, `X-Viva-Client`, `X-Viva-Mode`,
  `X-Viva-Connector`, `X-Viva-Options` (`search` and `skip`, as JSON), the last three when they are set;
* `Accept-Language` (the locale); and, for agents with `yao: true`, Yao's own `X-Yao-Chat`, `X-Yao-Referer`,
  `X-Yao-Accept`.

None of it is sent to a `plain` endpoint: the other two APIs, and whatever is given `tools`, unless it says otherwise.
Tools of `tools:` are offered and answered by viva; other calls are recorded, not run: running them is the agent's part.
"""

from collections.abc import Mapping

from msgspec import structs
from multidict import CIMultiDict, istr

from vivavoce.calling.connections import ConnectorEntry, connect
from vivavoce.calling.model_faults import with_model_faults
from vivavoce.errors import CallFailed, UsageError
from vivavoce.model.case import Identity
from vivavoce.model.json_value import JsonObject, JsonValue, compact_json, is_object
from vivavoce.model.message import AgentReply, ContentPart, Message
from vivavoce.model.transcript import Line, Transcript
from vivavoce.model_wires.heard_so_far import HeardSoFar
from vivavoce.model_wires.written_calls import calls_in_words
from vivavoce.notation.references import parse_params
from vivavoce.protocols import (
    AgentCard,
    CallContext,
    Connector,
    ModelReply,
    ModelRequest,
    Surroundings,
    TargetSpec,
)
from vivavoce.scripts.script_runner import ScriptRunner
from vivavoce.targets.call_headers import CASE, SESSION, header_text, identity_headers, option_headers
from vivavoce.targets.endpoint_tools import EndpointTools
from vivavoce.targets.tooled_session import TooledSession

# Names that know their own spelling: headers are looked up without regard to case.
_CHAT = istr("X-Yao-Chat")
_CHAT_API = "openai"
_API_VERSION = "api-version"


class OpenAiCompatibleTarget:
    """One endpoint; its connection is shared by all conversations unless hook variables shape it."""

    def __init__(self, spec: TargetSpec, surroundings: Surroundings) -> None:
        url, options = _taken_apart(spec)
        written: list[JsonValue] = spec.config.get("tools") or []
        plain: bool | None = spec.config.get("plain")
        self._is_plain = (bool(written) or spec.kind != _CHAT_API) if plain is None else plain
        self._is_yao = bool(spec.config.get("yao"))
        self._entry = ConnectorEntry(id=spec.id, type=spec.kind, options=options)
        self._surroundings = surroundings
        self._has_variables = "${" in compact_json(options)
        self._shared: Connector | None = None
        self._who: Identity | None = None
        self._who_headers: CIMultiDict[str] = CIMultiDict()
        """Kept from the last call: mostly the same for a whole run."""
        self._scripts = ScriptRunner(surroundings.project)
        self._tools = self._offered(written, spec.id) if written else None
        if self._tools is not None and "tools" in options:
            raise UsageError(f"agent {spec.id!r} has both `tools` and `options.tools`", hint="use one of them")
        self.card = AgentCard(
            id=spec.id,
            kind=spec.kind,
            description=str(spec.config.get("description") or ""),
            tools=() if self._tools is None else self._tools.specs,
            connector=options.get("model"),
            where=url,
        )

    def _offered(self, written: list[JsonValue], agent: str) -> EndpointTools:
        try:
            return EndpointTools(written, self._surroundings.project, self._scripts)
        except UsageError as problem:
            raise UsageError(f"agent {agent!r}: {problem.what}", at=problem.at, hint=problem.hint) from None

    async def open(self, context: CallContext) -> "OpenAiSession | TooledSession":
        if not self._is_plain and context.identity is not self._who:
            self._who, self._who_headers = context.identity, identity_headers(context.identity, yao=self._is_yao)
        if context.frontend_tools:
            raise CallFailed(
                f"agent {self.card.id!r} speaks the OpenAI protocol: the case's front-end tools would never be sent",
                fault="test",
                hint="front-end tools are for AG-UI agents",
            )
        session = OpenAiSession(
            self._connector(context.variables), context, self._who_headers, yao=self._is_yao, plain=self._is_plain
        )
        return session if self._tools is None else TooledSession(session, self._tools.for_conversation(), context)

    async def close(self) -> None:
        await self._scripts.close()

    def _connector(self, hook_variables: Mapping[str, JsonValue]) -> Connector:
        known = self._surroundings.project.config.variables
        if hook_variables and self._has_variables:
            return connect(self._entry, self._surroundings, {**known, **hook_variables})
        if self._shared is None:
            self._shared = connect(self._entry, self._surroundings, known)
        return self._shared


class OpenAiSession:
    """One conversation: the whole history goes with every line."""

    __slots__ = ("_flag", "_headers", "_heard", "_interventions", "_plain", "_provisions", "_user", "connector")

    def __init__(
        self, connector: Connector, context: CallContext, who: CIMultiDict[str], *, yao: bool, plain: bool
    ) -> None:
        self.connector = connector
        self._user = context.identity.user_id
        self._flag = context.connector
        self._plain = plain
        self._provisions = context.provisions
        self._interventions = context.interventions
        self._heard = HeardSoFar()
        self._headers = headers = who.copy()
        if plain:
            return
        headers.add(SESSION, context.session_id)
        headers.add(CASE, header_text(context.case_id))
        if yao:
            headers.add(_CHAT, context.session_id)

    async def send(self, line: Line, transcript: Transcript) -> AgentReply:
        request = self.request(line, transcript)
        with self._heard:
            if self._interventions is None:
                reply = await self.connector.complete(request)
            else:
                with with_model_faults(self._interventions):
                    reply = await self.connector.complete(request)
        return _as_agent_reply(reply)

    def so_far(self) -> AgentReply:
        """What was heard of a stream that broke."""
        return _as_agent_reply(self._heard.reply())

    def request(self, line: Line, transcript: Transcript) -> ModelRequest:
        """What is sent for a line."""
        options = line.options
        messages = _sendable(transcript, line)
        provided = {} if self._provisions is None else self._provisions.headers
        if self._plain:
            return ModelRequest(messages=messages, metadata=options.metadata, headers=provided)
        messages = [_with_readable_files(message) for message in messages]
        body: JsonObject = {"user": self._user}
        if options.metadata:
            body["metadata"] = options.metadata
        headers = self._headers
        if asked_for := option_headers(options, self._flag) | provided:
            headers = headers.copy()
            headers.update(asked_for)
        return ModelRequest(messages=messages, options=body, metadata=options.metadata, headers=headers)

    async def close(self) -> None: ...


def _taken_apart(spec: TargetSpec) -> tuple[str, JsonObject]:
    """The endpoint's address and the connector options it comes to; `?model=m` in the address counts too."""
    config = spec.config
    url, _, query = str(config.get(spec.kind) or "").partition("?")
    if not url:
        raise UsageError("the agent has no address", hint=f"write {spec.kind}:https://HOST/v1?model=NAME")
    params = parse_params(query)
    host = url
    if (version := params.pop(_API_VERSION, None)) is not None:
        host = f"{url}?{_API_VERSION}={version}"
    options: JsonObject = {**params, **(config.get("options") or {})}
    for name in ("model", "key", "headers", "stream"):
        if config.get(name) is not None:
            options[name] = config[name]
    return url, {**options, "host": host}


def _sendable(transcript: Transcript, line: Line) -> list[Message]:
    """The conversation without the calls of earlier replies that nobody answered: endpoints refuse such."""
    messages = transcript.messages(line)
    if not transcript.turns or not any(turn.reply.calls for turn in transcript.turns):
        return messages
    given = len(transcript.history)
    answered = {message.tool_call_id for message in messages if message.tool_call_id is not None}
    said = [_without_open_calls(message, answered) if message.tool_calls else message for message in messages[given:]]
    return [*messages[:given], *(message for message in said if message.content or message.tool_calls or not said)]


def _without_open_calls(message: Message, answered: set[str]) -> Message:
    kept = [call for call in message.tool_calls or () if call.get("id") in answered]
    return structs.replace(message, tool_calls=kept or None)


def _with_readable_files(message: Message) -> Message:
    """A file's bytes under both names: Yao reads `url`, others `file_data`."""
    if isinstance(message.content, str):
        return message
    return structs.replace(message, content=[_readable(part) for part in message.content])


def _readable(part: ContentPart) -> ContentPart:
    file: JsonValue = part.get("file")
    if not is_object(file) or not str(url := file.get("url")).startswith("data:"):
        return part
    return {**part, "file": {**file, "file_data": url}}


def _as_agent_reply(reply: ModelReply) -> AgentReply:
    extra = reply.extra
    reasoning = extra.get("reasoning")
    return AgentReply(
        text=reply.text,
        data=reply.data,
        calls=reply.calls,
        awaiting=extra.get("awaiting_input"),
        input_hint=extra.get("input_hint"),
        finish_reason=reply.finish_reason,
        usage=reply.usage,
        unread=(*reply.unread, *calls_in_words(reply.text, reasoning)),
        trace=({"type": "reasoning", "text": reasoning},) if reasoning else (),
    )
