"""An agent of Microsoft's Agent Framework: its messages, structured output and the approvals it waits for."""

from collections.abc import Iterator, Sequence
from importlib import import_module

from vivavoce.errors import CallFailed
from vivavoce.metering.clock import now_ms
from vivavoce.model.json_value import is_array
from vivavoce.model.message import Content, Interrupt, Message
from vivavoce.targets.frameworks.approvals import decision
from vivavoce.targets.frameworks.content import pieces_of
from vivavoce.targets.frameworks.framework import Foreign, Opening
from vivavoce.targets.frameworks.offered_tools import Offered
from vivavoce.targets.frameworks.turn_record import TurnRecord, plain
from vivavoce.targets.resume_answers import Resumption

_APPROVAL = "function_approval_request"
_SILENT = frozenset(
    {"text", "text_reasoning", "usage", "data", "uri", "error", "hosted_file", "hosted_vector_store"}
    | {_APPROVAL, "function_approval_response", "oauth_consent_request"}
)


class Agent:
    one_turn = ""
    one_at_a_time = ""
    takes_deps = False

    def __init__(self, agent: Foreign) -> None:
        self._agent = agent
        self._takes_middleware = any(kind.__name__ == "AgentMiddlewareLayer" for kind in type(agent).__mro__)

    def open(self, opening: Opening) -> "MicrosoftConversation":
        return MicrosoftConversation(self._agent, watched=self._takes_middleware)


class MicrosoftConversation:
    """A session of the agent keeps the history."""

    def __init__(self, agent: Foreign, *, watched: bool) -> None:
        self._agent = agent
        self._watched = watched
        self._session = agent.create_session()
        self._requests: dict[str, Foreign] = {}

    async def say(self, content: Content, earlier: Sequence[Message], seen: TurnRecord) -> None:
        library = import_module("agent_framework")
        before = [library.Message(role=each.role, contents=_contents(each.content, library)) for each in earlier]
        new = library.Message(role="user", contents=_contents(content, library))
        await self._run([*before, new], seen)

    async def resume(self, answers: Sequence[Resumption], seen: TurnRecord) -> None:
        contents: list[Foreign] = []
        refused: list[str] = []
        for each in answers:
            if each.interrupt.reason != _APPROVAL:
                raise CallFailed(f"viva cannot answer a {each.interrupt.reason} of Agent Framework", fault="test")
            approved = decision(each.answer).approved
            contents.append(self._requests[each.interrupt.id].to_function_approval_response(approved=approved))
            if not approved:
                refused.append(each.interrupt.tool_call_id or "")
        await self._run(import_module("agent_framework").Message(role="user", contents=contents), seen)
        for call_id in refused:
            seen.refused(call_id)  # the framework reports it as a result

    async def close(self) -> None: ...

    async def _run(self, given: Foreign, seen: TurnRecord) -> None:
        noted: list[Foreign] = []
        watching = {"middleware": [_noting(noted)]} if self._watched else {}
        finished = False
        try:
            response = await self._agent.run(given, session=self._session, **watching)
            finished = True
        finally:
            if not finished:
                read_noted(noted, seen)
        self._requests = {str(request.id): request for request in response.user_input_requests}
        read_result(response, seen)


def _contents(content: Content, library: Foreign) -> list[Foreign]:
    """Words as they are; media as the library's own contents."""
    made: list[Foreign] = []
    for piece in pieces_of(content, "Agent Framework"):
        if isinstance(piece, str):
            made.append(piece)
        elif piece.url:
            kind = piece.media_type or ("image/*" if piece.kind == "image" else "application/octet-stream")
            made.append(library.Content.from_uri(piece.url, media_type=kind))
        else:
            made.append(library.Content.from_data(piece.data, piece.media_type, name=piece.name or None))
    return made


def _noting(noted: list[Foreign]) -> Foreign:
    """Middleware that notes the calls, for a run that raises: its messages are lost."""
    library = import_module("agent_framework")

    async def note(context: Foreign, call_next: Foreign) -> None:
        call: Foreign = {"name": context.function.name, "args": plain(context.arguments), "started_ms": now_ms()}
        noted.append(call)
        try:
            await call_next()
        except Exception as error:
            call.update(error=str(error), completed_ms=now_ms())
            raise
        call.update(result=_words(context.result), completed_ms=now_ms())

    return library.function_middleware(note)


def read_noted(calls: Sequence[Foreign], seen: TurnRecord) -> None:
    """The calls of a run that raised. They have no ids."""
    for number, call in enumerate(calls, 1):
        call_id = f"noted-{number}"
        seen.called(call_id, call["name"], call["args"], call["started_ms"])
        if "completed_ms" in call:
            seen.returned(call_id, call.get("result"), error=call.get("error"), at_ms=call["completed_ms"])


def read_result(response: Foreign, seen: TurnRecord) -> None:
    """The outcome of a run."""
    for message in response.messages:
        for content in message.contents:
            _read_content(content, seen)
        if message.role == "assistant":
            seen.said(message.text)
    for request in response.user_input_requests:
        seen.waits(_waiting(request))
    if response.value is not None:
        seen.answered(response.value)
    if used := response.usage_details:
        seen.spent(used.get("input_token_count"), used.get("output_token_count"))


def _read_content(content: Foreign, seen: TurnRecord) -> None:
    if content.type == "function_call":
        seen.called(content.call_id, content.name, content.arguments or {})
    elif content.type == "function_result":
        # The result of a failed function says only that it failed; the exception says why.
        seen.returned(content.call_id, content.result, error=str(content.exception) if content.exception else None)
    elif content.type not in _SILENT:
        seen.missed(str(content.type), f"a content of type {content.type}", "call")


def _words(result: Foreign) -> Foreign:
    """What a function returned, as the framework wraps it for the model."""
    if not is_array(result):
        return plain(result)
    return "\n".join(str(getattr(part, "text", None) or part) for part in result)


def _waiting(request: Foreign) -> Interrupt:
    call = request.function_call if request.type == _APPROVAL else None
    return Interrupt(
        id=str(request.id),
        reason=request.type,
        tool_name=call and call.name,
        tool_call_id=call and call.call_id,
        payload=plain(call.arguments) if call else None,
    )


def tools_of(agent: Foreign) -> Iterator[Offered]:
    """The tools it offers to its model."""
    for tool in agent.default_options.get("tools") or ():
        if hasattr(tool, "name"):
            yield tool.name, tool.parameters() if callable(tool.parameters) else None
