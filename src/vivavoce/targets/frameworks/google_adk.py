"""An agent or App of Google's ADK: its events, structured output, long-running tools and confirmations."""

from collections.abc import Iterator, Sequence
from importlib import import_module

from vivavoce.metering.clock import now_ms
from vivavoce.model.json_value import JsonObject, JsonValue, is_array, is_object
from vivavoce.model.message import Content, Interrupt, Message
from vivavoce.notation.json_text import json_or_text
from vivavoce.targets.frameworks.approvals import decision
from vivavoce.targets.frameworks.content import pieces_of
from vivavoce.targets.frameworks.framework import Foreign, Opening
from vivavoce.targets.frameworks.offered_tools import Offered, each_agent, function_schema
from vivavoce.targets.frameworks.own_loop import OwnLoop
from vivavoce.targets.frameworks.turn_record import TurnRecord, plain
from vivavoce.targets.resume_answers import Resumption

_APP = "viva"
_REQUESTS = "adk_request_"
"""Calls that ADK makes up to ask for something: a confirmation, a credential."""
_CONFIRMATION = "adk_request_confirmation"
_TRANSFER = "transfer_to_agent"


class Agent:
    """One runner for the object, one session for each conversation."""

    one_turn = ""
    one_at_a_time = ""
    takes_deps = False

    def __init__(self, agent: Foreign) -> None:
        runner = import_module("google.adk.runners").InMemoryRunner
        is_app = not hasattr(agent, "sub_agents")
        self._runner = runner(app=agent) if is_app else runner(agent=agent, app_name=_APP)
        root = agent.root_agent if is_app else agent
        self._structured = getattr(root, "output_schema", None) is not None
        # Plain functions as tools run in the event loop, and would hold up every other case.
        self._loop = OwnLoop()

    def open(self, opening: Opening) -> "AdkConversation":
        return AdkConversation(self._runner, self._loop, opening, structured=self._structured)


class AdkConversation:
    """The session service keeps the history."""

    def __init__(self, runner: Foreign, loop: OwnLoop, opening: Opening, *, structured: bool) -> None:
        self._runner = runner
        self._loop = loop
        self._user = opening.context.identity.user_id or _APP
        state = opening.context.state
        self._state = state if is_object(state) else None
        self._structured = structured
        self._session: Foreign = None

    async def say(self, content: Content, earlier: Sequence[Message], seen: TurnRecord) -> None:
        await self._loop.run(self._run(self._parts(content), earlier, seen))

    async def resume(self, answers: Sequence[Resumption], seen: TurnRecord) -> None:
        parts: list[Foreign] = []
        for each in answers:
            name = each.interrupt.reason or ""
            response = self._types.FunctionResponse(id=each.interrupt.id, name=name, response=_answer(each))
            parts.append(self._types.Part(function_response=response))
            if not name.startswith(_REQUESTS):
                seen.returned(each.interrupt.id, _answer(each))
        await self._loop.run(self._run(parts, (), seen))

    async def close(self) -> None: ...

    @property
    def _types(self) -> Foreign:
        return import_module("google.genai.types")

    async def _run(self, parts: list[Foreign], earlier: Sequence[Message], seen: TurnRecord) -> None:
        service = self._runner.session_service
        if self._session is None:
            self._session = await service.create_session(
                app_name=self._runner.app_name, user_id=self._user, state=self._state
            )
            for message in earlier:
                await service.append_event(self._session, self._event(message))
        new = self._types.Content(role="user", parts=parts)
        events = self._runner.run_async(user_id=self._user, session_id=self._session.id, new_message=new)
        last = ""
        async for event in events:
            last = read_result(event, seen) or last
        if self._structured:
            read_structured(last, seen)

    def _parts(self, content: Content) -> list[Foreign]:
        part = self._types.Part
        return [
            part(text=piece)
            if isinstance(piece, str)
            else part.from_uri(file_uri=piece.url, mime_type=piece.media_type or None)
            if piece.url
            else part.from_bytes(data=piece.data, mime_type=piece.media_type)
            for piece in pieces_of(content, "ADK")
        ]

    def _event(self, message: Message) -> Foreign:
        by_user = message.role == "user"
        said = self._types.Content(role="user" if by_user else "model", parts=self._parts(message.content))
        event = import_module("google.adk.events").Event
        return event(author="user" if by_user else self._runner.agent.name, content=said)


def read_result(event: Foreign, seen: TurnRecord) -> str:
    """One event; returns its words. Partial ones only repeat what the whole one says."""
    if event.partial:
        return ""
    parts: list[Foreign] = list((event.content.parts if event.content else None) or ())
    waiting = set(event.long_running_tool_ids or ())
    for part in parts:
        if part.function_call:
            _read_call(part.function_call, part.function_call.id in waiting, seen)
        if part.function_response:
            _read_response(part.function_response, seen)
    words = "".join(part.text for part in parts if part.text and not part.thought)
    if event.author != "user":
        seen.said(words)
    if used := event.usage_metadata:
        seen.spent(used.prompt_token_count, used.candidates_token_count)
    if event.error_code:
        seen.failed(f"{event.error_code}: {event.error_message}")
    return words


def read_structured(text: str, seen: TurnRecord) -> None:
    """The answer of an agent with an output schema: the JSON that its last words are."""
    data = json_or_text(text)
    if is_object(data) or is_array(data):
        seen.answered(data)


def _read_call(call: Foreign, waits: bool, seen: TurnRecord) -> None:
    call_id, args = str(call.id or ""), plain(call.args or {})
    if not call.name.startswith(_REQUESTS):
        seen.called(call_id, call.name, args, now_ms())
        if call.name == _TRANSFER:
            seen.handed_over(str(args.get("agent_name")) if is_object(args) else "")
        if waits:
            seen.waits(Interrupt(id=call_id, reason=call.name, tool_name=call.name, tool_call_id=call_id, payload=args))
        return
    told: JsonObject = args if is_object(args) else {}
    original: JsonValue = told.get("originalFunctionCall")
    asked: JsonValue = told.get("toolConfirmation")
    seen.waits(
        Interrupt(
            id=call_id,
            reason=call.name,
            message=str(asked.get("hint") or "") or None if is_object(asked) else None,
            tool_name=str(original.get("name")) if is_object(original) else None,
            tool_call_id=str(original.get("id")) if is_object(original) else None,
            payload=args,
        )
    )


def _read_response(told: Foreign, seen: TurnRecord) -> None:
    """A tool's answer; ADK tells its own refusals as `{"error": …}` and wraps what is no dict as `{"result": …}`."""
    if told.name.startswith(_REQUESTS):
        return
    response: JsonValue = plain(told.response)
    error: str | None = None
    if is_object(response) and response.keys() == {"error"}:
        error = str(response["error"])
    elif is_object(response) and response.keys() == {"result"}:
        response = response["result"]
    seen.returned(str(told.id or ""), response, error=error, name=told.name, at_ms=now_ms())


def _answer(resumption: Resumption) -> JsonObject:
    """What the call that waits is answered with."""
    payload = resumption.answer.payload
    if resumption.interrupt.reason == _CONFIRMATION:
        given: JsonObject = {"payload": payload["payload"]} if is_object(payload) and "payload" in payload else {}
        return {"confirmed": decision(resumption.answer).approved, **given}
    if resumption.answer.cancelled:
        return {"error": "cancelled by the user"}
    return payload if is_object(payload) else {"result": payload}


def tools_of(agent: Foreign) -> Iterator[Offered]:
    """The tools it offers to its model, and those of its sub-agents."""
    for one in each_agent(getattr(agent, "root_agent", agent), lambda each: each.sub_agents):
        for tool in getattr(one, "tools", ()):
            if not hasattr(tool, "_get_declaration"):
                yield tool.__name__, function_schema(tool)
            elif (declared := tool._get_declaration()) is not None:
                yield tool.name, declared.parameters_json_schema
