"""An agent or team of agno: its tools, structured output, and the confirmations and inputs it waits for."""

from collections.abc import Iterator, Sequence
from importlib import import_module

from vivavoce.errors import CallFailed
from vivavoce.model.json_value import is_object, text_of
from vivavoce.model.message import Content, Interrupt, Message
from vivavoce.targets.frameworks.approvals import decision
from vivavoce.targets.frameworks.content import Media, pieces_of
from vivavoce.targets.frameworks.framework import Foreign, Opening
from vivavoce.targets.frameworks.offered_tools import Offered, each_agent, function_schema
from vivavoce.targets.frameworks.turn_record import TurnRecord, plain
from vivavoce.targets.resume_answers import Resumption

_FORGETS = "a Team without `db` and `add_history_to_context` has no memory of what was said before"


class Agent:
    one_at_a_time = ""
    takes_deps = True

    def __init__(self, agent: Foreign) -> None:
        self._agent = agent
        self.one_turn = _FORGETS if _is_team(agent) and not _remembers(agent) else ""

    def open(self, opening: Opening) -> "AgnoConversation":
        return AgnoConversation(self._agent, opening)


class AgnoConversation:
    """The agent's database keeps the history by session id; without one, the last run's messages are handed over."""

    def __init__(self, agent: Foreign, opening: Opening) -> None:
        self._agent = agent
        context = opening.context
        state = context.state if is_object(context.state) else None
        given = {"user_id": context.identity.user_id, "session_state": state, "dependencies": opening.deps}
        self._given = {key: value for key, value in given.items() if value is not None}
        # Without an id of its own, every run of the object would be in one session.
        self._given["session_id"] = context.thread_id or context.session_id
        self._remembers = _remembers(agent)
        self._kept: list[Foreign] = []
        self._last: Foreign = None

    async def say(self, content: Content, earlier: Sequence[Message], seen: TurnRecord) -> None:
        if _is_team(self._agent):
            # A team makes one line of all messages it is given: its database is its only memory.
            if earlier:
                raise CallFailed("a Team takes no earlier messages", fault="test", hint="write them as turns")
            given = _message(content)
            self._take(await self._agent.arun(given.pop("content"), **given, **self._given), seen)
            return
        message = import_module("agno.models.message").Message
        before = [message(role=each.role, **_message(each.content)) for each in earlier] or self._kept
        new = message(role="user", **_message(content))
        self._take(await self._agent.arun([*before, new], **self._given), seen)

    async def resume(self, answers: Sequence[Resumption], seen: TurnRecord) -> None:
        run, before = self._last, self._last.metrics
        spent = (before.input_tokens, before.output_tokens) if before else (0, 0)
        waiting = {requirement.id: requirement for requirement in run.active_requirements}
        for each in answers:
            _answer(waiting[each.interrupt.id], each)
        given = {key: value for key, value in self._given.items() if key != "session_state"}
        self._take(await self._agent.acontinue_run(run_response=run, **given), seen)
        seen.spent(-spent[0], -spent[1])  # a continued run counts from the beginning

    async def close(self) -> None: ...

    def _take(self, run: Foreign, seen: TurnRecord) -> None:
        self._last = run
        if not self._remembers:
            self._kept = [each for each in run.messages or () if each.role != "system"]
        read_result(run, seen)


_PLACES = {"image": ("Image", "images"), "audio": ("Audio", "audio"), "file": ("File", "files")}


def _message(content: Content) -> dict[str, Foreign]:
    """The fields of a message: its words, and lists of agno's own media."""
    pieces = pieces_of(content, "agno")
    made: dict[str, Foreign] = {"content": "\n".join(piece for piece in pieces if isinstance(piece, str))}
    for piece in pieces:
        if isinstance(piece, Media):
            kind, place = _PLACES[piece.kind]
            made.setdefault(place, []).append(_media(piece, getattr(import_module("agno.media"), kind)))
    return made


def _media(media: Media, kind: Foreign) -> Foreign:
    if media.url:
        return kind(url=media.url)
    named = {"filename": media.name, "name": media.name} if media.kind == "file" and media.name else {}
    return kind(content=media.data, mime_type=media.media_type, format=media.format, **named)


def _is_team(agent: Foreign) -> bool:
    return hasattr(agent, "members")


def _remembers(agent: Foreign) -> bool:
    return agent.db is not None and bool(agent.add_history_to_context)


def read_result(run: Foreign, seen: TurnRecord) -> None:
    """The outcome of a run. It does not raise when the model fails: its status says so, and its content why."""
    _read_tools(run, seen)
    status = str(getattr(run.status, "value", run.status)).lower()
    if status in ("error", "cancelled"):
        _read_messages(run.messages or (), seen)
        seen.failed(text_of(plain(run.content)) or f"the run ended as {status}")
    elif status == "paused":
        for requirement in run.active_requirements:
            seen.waits(_waiting(requirement))
    elif isinstance(run.content, str):
        seen.said(run.content)
    elif run.content is not None:
        seen.answered(run.content)
    if run.metrics:
        seen.spent(run.metrics.input_tokens, run.metrics.output_tokens)


def _read_tools(run: Foreign, seen: TurnRecord) -> None:
    """The calls of a run; of a team those of its leader, then those of each member that was asked."""
    for tool in run.tools or ():
        _read_tool(tool, seen)
    for member in getattr(run, "member_responses", None) or ():
        seen.handed_over(str(getattr(member, "agent_name", None) or getattr(member, "team_name", None) or ""))
        _read_tools(member, seen)
        if member.metrics:
            seen.spent(member.metrics.input_tokens, member.metrics.output_tokens)


def _read_tool(tool: Foreign, seen: TurnRecord) -> None:
    call_id = str(tool.tool_call_id or "")
    seen.called(call_id, tool.tool_name, tool.tool_args or {})
    if tool.tool_call_error:
        seen.returned(call_id, None, error=str(tool.result or tool.confirmation_note or "it failed"))
    elif tool.result is not None:
        seen.returned(call_id, tool.result)


def _read_messages(messages: Sequence[Foreign], seen: TurnRecord) -> None:
    """The calls since the user's last line: a failed run has no list of tools."""
    since = max((at for at, message in enumerate(messages) if message.role == "user"), default=0)
    for message in messages[since:]:
        for call in message.tool_calls or ():
            seen.called(str(call["id"]), call["function"]["name"], call["function"]["arguments"])
        if message.role == "tool":
            failed = str(message.content) if message.tool_call_error else None
            seen.returned(str(message.tool_call_id), message.content, error=failed, name=message.tool_name or "")


def _waiting(requirement: Foreign) -> Interrupt:
    tool = requirement.tool_execution
    return Interrupt(
        id=requirement.id,
        reason=requirement.pause_type,
        tool_name=tool.tool_name,
        tool_call_id=tool.tool_call_id,
        payload=plain(tool.tool_args),
    )


def _answer(requirement: Foreign, resumption: Resumption) -> None:
    payload, kind = resumption.answer.payload, resumption.interrupt.reason
    if kind == "confirmation":
        decided = decision(resumption.answer)
        if decided.approved:
            requirement.confirm()
        else:
            requirement.reject(decided.reason or None)
    elif kind == "external_execution":
        requirement.set_external_execution_result(text_of(payload))
    elif not is_object(payload):
        raise CallFailed(f"{resumption.interrupt.tool_name} wants values by name", fault="test")
    elif kind == "user_feedback":
        requirement.provide_user_feedback(payload)
    else:
        requirement.provide_user_input(payload)


def tools_of(agent: Foreign) -> Iterator[Offered]:
    """The tools it offers to its model, and those of the members of a team."""
    agents = each_agent(agent, lambda each: getattr(each, "members", ()))
    for tool in [tool for one in agents for tool in one.tools or ()]:
        if hasattr(tool, "functions"):
            yield from ((name, function.parameters) for name, function in tool.functions.items())
        elif hasattr(tool, "parameters"):
            yield tool.name, tool.parameters
        elif callable(tool):
            yield tool.__name__, function_schema(tool)
