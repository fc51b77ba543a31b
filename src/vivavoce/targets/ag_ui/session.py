"""One conversation with an AG-UI app: a line may take several runs until the turn is over."""

from collections.abc import Iterator

import msgspec
from msgspec import Struct, structs

from vivavoce.errors import CallFailed
from vivavoce.model.json_value import JsonArray, JsonObject, JsonValue
from vivavoce.model.message import AgentReply, ExchangeStatus, Message, ToolCall, Unread, Usage
from vivavoce.model.transcript import Line, Transcript, history_of
from vivavoce.notation.hidden_calls import calls_in_text, marks_of_calls, unread
from vivavoce.notation.suspected_calls import suspected_call
from vivavoce.targets.ag_ui.agent_run_input import Envelope, Extras, wire_messages, wire_tools
from vivavoce.targets.ag_ui.agent_run_reader import AgentRunEnd, AgentRunReader
from vivavoce.targets.ag_ui.agent_run_stream import ArrivalClock, read_agent_run
from vivavoce.targets.ag_ui.answers import TurnAnswers
from vivavoce.targets.ag_ui.exchange import Exchange
from vivavoce.targets.ag_ui.frontend_tools import FrontendStubs
from vivavoce.targets.ag_ui.interrupts import (
    confirmation_hint,
    is_confirmation,
    is_legacy,
    legacy_command,
    on_the_wire,
)
from vivavoce.targets.ag_ui.protocol_rules import ProtocolRules
from vivavoce.targets.ag_ui.turn_builder import TurnBuilder
from vivavoce.targets.http_exchange import NotReached
from vivavoce.targets.resume_answers import Resumption, left_unanswered
from vivavoce.targets.stream_deadline import Deadline, Limits
from vivavoce.wording.quoting import shorten

MAX_RUNS = 10
"""The most runs in one turn: an agent that calls front-end tools more often is stopped."""
_GOES_ON = (ExchangeStatus.SUCCESS, ExchangeStatus.INTERRUPTED)


class Settings(Struct, frozen=True, kw_only=True):
    """What is sent along with every run."""

    state: JsonValue = None
    context: JsonArray = []
    forwarded_props: JsonObject = {}
    envelope: Envelope | None = None
    limits: Limits = Limits()


class AgUiSession:
    """Keeps the thread, the agent's state and the stubs; the history is always rebuilt from the transcript."""

    def __init__(
        self,
        session_id: str,
        agent_run_ids: Iterator[str],
        exchange: Exchange,
        stubs: FrontendStubs,
        settings: Settings,
    ) -> None:
        self._thread_id = session_id
        self._run_ids = agent_run_ids
        self._exchange = exchange
        self._stubs = stubs
        self._settings = settings
        self._tools = wire_tools(stubs.tools)
        self._state: JsonValue = {} if settings.state is None else settings.state
        self._forwarded = settings.forwarded_props
        self._errors: dict[str, str] = {}
        self._encrypted: dict[str, str] = {}
        self._answered_by_words: set[int] = set()
        """Turns whose line was the answer to an interrupt, not a message of the user."""
        self._clock = ArrivalClock()
        self._builder: TurnBuilder | None = None

    def so_far(self) -> AgentReply:
        """What was seen of a turn that took too long."""
        if self._builder is None:
            return AgentReply()
        texts = self._builder.messages.texts()
        return AgentReply(
            text=texts[-1] if texts else "",
            calls=tuple([draft.as_call() for draft in self._builder.calls.made()]),
            unread=_unique(self._builder.unread),
        )

    async def send(self, line: Line, transcript: Transcript) -> AgentReply:
        """One turn. Whatever the server does comes back as a reply; only a server that is not there is raised."""
        self._builder = None
        answers = TurnAnswers(line, transcript, self._stubs, self._clock)
        self._forwarded = _forwarded(self._settings.forwarded_props, line)
        still_open = answers.unanswered()
        if still_open:
            return left_unanswered(line, still_open)
        number = len(transcript.turns) + 1
        if answers.line_is_the_answer:
            self._answered_by_words.add(number)
        before = self._history(transcript)
        said = [] if number in self._answered_by_words or not line.content else [self._spoken(line, number)]
        builder = self._builder = TurnBuilder(
            user_id=said[0].id or "" if said else "",
            user_text=said[0].text if said else "",
            earlier_calls={call.id: call for turn in transcript.turns for call in turn.reply.calls},
            earlier_texts={message.id: message.text for message in before if message.id},
            sent=before,
            state=self._state,
        )
        ends = await self._runs(answers, builder, [*before, *said], is_first=not transcript.turns)
        return self._reply(ends, builder, answers)

    async def close(self) -> None:
        await self._exchange.close()

    # ── the runs of a turn ──

    async def _runs(
        self, answers: TurnAnswers, builder: TurnBuilder, messages: list[Message], *, is_first: bool
    ) -> list[AgentRunEnd]:
        ends: list[AgentRunEnd] = []
        resumptions = answers.opening(builder)
        deadline = Deadline(self._settings.limits)
        while True:
            self._errors.update(answers.errors)
            body = self._request_body([*messages, *builder.messages.history(builder.calls)], builder, resumptions)
            resumed = frozenset(each.interrupt.id for each in resumptions)
            reader = AgentRunReader(builder, ProtocolRules(builder.calls, resumed))
            try:
                end = await read_agent_run(self._exchange, body, reader, deadline, self._clock)
            except NotReached as nobody:
                if not ends:
                    hint = "is the app running?"
                    raise CallFailed(str(nobody), fault="target", hint=hint, retryable=is_first) from None
                end = structs.replace(reader.end(), status=ExchangeStatus.HTTP_ERROR, error=str(nobody))
            ends.append(end)
            self._state = builder.state.value
            self._encrypted.update(builder.encrypted)
            if end.status not in _GOES_ON:
                return ends
            resumptions, goes_on = await answers.after(end, builder)
            self._errors.update(answers.errors)
            if not goes_on:
                return ends
            if len(ends) >= MAX_RUNS:
                error = f"the agent still wants answers after {MAX_RUNS} runs of one turn"
                return [*ends[:-1], structs.replace(end, status=ExchangeStatus.ERROR, error=error)]

    def _request_body(self, messages: list[Message], builder: TurnBuilder, resumptions: list[Resumption]) -> bytes:
        run: JsonObject = {
            "threadId": self._thread_id,
            "runId": next(self._run_ids),
            "state": builder.state.value,
            "messages": wire_messages(messages, Extras(errors=self._errors, encrypted=self._encrypted)),
            "tools": self._tools,
            "context": self._settings.context,
            "forwardedProps": self._forwarded,
        }
        modern = [on_the_wire(each) for each in resumptions if not is_legacy(each)]
        legacy = [each for each in resumptions if is_legacy(each)]
        if modern:
            run["resume"] = modern
        if legacy:
            run["forwardedProps"] = {**self._forwarded, "command": legacy_command(legacy)}
        envelope = self._settings.envelope
        return msgspec.json.encode(run if envelope is None else envelope.around(run))

    # ── what goes in and what comes out ──

    def _history(self, transcript: Transcript) -> list[Message]:
        messages = [
            message if message.id else structs.replace(message, id=f"{self._thread_id}-h{number}")
            for number, message in enumerate(transcript.history, 1)
        ]
        for turn in transcript.turns:
            if turn.line.content and turn.number not in self._answered_by_words:
                messages.append(self._spoken(turn.line, turn.number))
            messages += filter(_says_something, history_of(turn.reply))
        return messages

    def _spoken(self, line: Line, number: int) -> Message:
        """The user's message under an id that is the same whenever the history is sent again."""
        return Message(role="user", content=line.content, name=line.name, id=f"{self._thread_id}-u{number}")

    def _reply(self, ends: list[AgentRunEnd], builder: TurnBuilder, answers: TurnAnswers) -> AgentReply:
        last = ends[0] if len(ends) == 1 else _as_one(ends)
        texts = builder.messages.texts()
        calls = tuple([draft.as_call() for draft in builder.calls.made()])
        waiting = [call for call in calls if is_confirmation(call) and answers.awaits(call)]
        status, error = answers.verdict(last)
        trace = builder.trace()
        return AgentReply(
            text=texts[-1] if texts else "",
            texts=tuple(texts) if len(texts) > 1 else (),
            calls=calls,
            late_results=tuple([draft.as_call() for draft in builder.calls.completed_late()]),
            awaiting=True if waiting else None,
            input_hint=confirmation_hint(waiting[0]) if waiting else None,
            interrupts=last.interrupts,
            state=builder.state.value if builder.state.told else msgspec.UNSET,
            ended_ms=last.ended_ms,
            usage=last.usage,
            status=status,
            error=error,
            warnings=(*last.warnings, *answers.warnings),
            violations=tuple(dict.fromkeys((*last.violations, *_unreadable_args(calls)))),
            messages=builder.messages.history(builder.calls),
            trace=trace,
            unread=_unique(
                [*builder.unread, *_only_in_snapshot(builder), *_calls_in(texts), *_calls_in_thoughts(trace)]
            ),
        )


def _only_in_snapshot(builder: TurnBuilder) -> list[Unread]:
    return [
        unread(text, "a snapshot, never streamed", "both" if calls_in_text(text) else "words")
        for text in builder.messages.only_in_snapshot()
    ]


def _calls_in(texts: list[str]) -> list[Unread]:
    return [
        suspected_call(text, "the text: a call that the server did not take out")
        for text in texts
        if calls_in_text(text)
    ]


def _calls_in_thoughts(trace: tuple[JsonObject, ...]) -> list[Unread]:
    """Calls in the marks of a model that the server left in its reasoning."""
    return [
        unread(shown["text"], "the reasoning: a call that the server did not take out", "call")
        for shown in trace
        if shown["type"] == "REASONING" and marks_of_calls(shown["text"])
    ]


def _unique(pieces: list[Unread]) -> tuple[Unread, ...]:
    """Each piece once: a snapshot may come many times."""
    return tuple(dict.fromkeys(pieces))


def _unreadable_args(calls: tuple[ToolCall, ...]) -> list[str]:
    """Returns a warning for each call whose arguments cannot be read: no check of arguments matches such a call."""
    return [
        f"the arguments of {call.name} are no JSON object: {shorten(call.args, 80)}"
        for call in calls
        if isinstance(call.args, str)
    ]


def _forwarded(configured: JsonObject, line: Line) -> JsonObject:
    """The configured properties; a line's own metadata travels beside them."""
    metadata = line.options.metadata
    return {**configured, "metadata": metadata} if metadata else configured


def _says_something(message: Message) -> bool:
    return bool(message.content or message.tool_calls or message.tool_call_id)


def _as_one(ends: list[AgentRunEnd]) -> AgentRunEnd:
    """The last end, with what the runs before it used, warned of and did wrong."""
    usage: Usage | None = None
    for end in ends:
        if end.usage is not None:
            usage = end.usage.plus(usage)
    return structs.replace(
        ends[-1],
        usage=usage,
        warnings=tuple(warning for end in ends for warning in end.warnings),
        violations=tuple(violation for end in ends for violation in end.violations),
    )
