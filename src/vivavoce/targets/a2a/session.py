"""One conversation with an A2A agent: the context is kept, a task is spoken to only while it waits."""

from collections.abc import Mapping, Sequence

from msgspec import Struct, structs

from vivavoce.errors import CallFailed
from vivavoce.model.case import ResumeAnswer
from vivavoce.model.json_value import JsonObject, is_object
from vivavoce.model.message import AgentReply, ExchangeStatus
from vivavoce.model.transcript import Line, Transcript
from vivavoce.protocols import Provisions
from vivavoce.targets.a2a.answer import Answer, answer_in, reply_of
from vivavoce.targets.a2a.channel import Channel
from vivavoce.targets.a2a.failures import Failure
from vivavoce.targets.a2a.files import taken_apart
from vivavoce.targets.a2a.questions import Question
from vivavoce.targets.a2a.spelling import WAITING
from vivavoce.targets.a2a.task_reading import SaidArtifact, TaskReading
from vivavoce.targets.a2a.wire import Said
from vivavoce.targets.call_headers import option_headers
from vivavoce.targets.resume_answers import DeclaredAnswers, Resumption, in_words, left_over, left_unanswered
from vivavoce.targets.stream_deadline import Deadline, Limits

MAX_ROUNDS = 10
"""The most questions in one turn: an agent that asks more often is stopped."""
_ENDINGS = {
    "failed": (ExchangeStatus.ERROR, "the task failed"),
    "rejected": (ExchangeStatus.ERROR, "the agent rejected the task"),
    "canceled": (ExchangeStatus.CANCELLED, "the task was cancelled"),
}


class Settings(Struct, frozen=True, kw_only=True):
    """What goes with every message."""

    headers: Mapping[str, str] = {}
    provisions: Provisions | None = None
    metadata: JsonObject = {}
    connector: str | None = None
    limits: Limits = Limits()


class A2aSession:
    """Keeps the context, the waiting task with its questions, and the artifacts said so far."""

    def __init__(self, channel: Channel, settings: Settings, context_id: str = "") -> None:
        self._channel = channel
        self._settings = settings
        self._context_id = context_id
        self._waiting_task = ""
        self._open: tuple[Question, ...] = ()
        self._artifacts: dict[str, SaidArtifact] = {}
        self._reading: TaskReading | None = None

    def so_far(self) -> AgentReply:
        """What was seen of a turn that broke or took too long."""
        if self._reading is None:
            return AgentReply()
        return reply_of(self._reading, answer_in(self._reading))

    async def send(self, line: Line, transcript: Transcript) -> AgentReply:
        """One turn. Whatever the server does comes back as a reply; only a server that is not there is raised."""
        self._reading = None
        if transcript.history:
            raise CallFailed(
                "A2A has no way to give an agent a message history",
                fault="test",
                hint="say the earlier lines as `turns`, or begin with a context the server knows: `thread_id`",
            )
        declared = DeclaredAnswers(line.resume or self._in_words(line))
        given, uncovered = self._covered(declared, spoken=line.source != "static")
        if uncovered and not self._takes_words():
            return left_unanswered(line, [question.interrupt for question in uncovered])
        earlier = {call.id: call for turn in transcript.turns for call in turn.reply.calls}
        reading = self._reading = TaskReading(dict(self._artifacts), earlier, goes_on=bool(self._waiting_task))
        failure = await self._rounds(line, given, declared, reading)
        return self._reply(reading, failure, declared, is_first=not transcript.turns)

    async def close(self) -> None:
        """Leaves the task alone: cancelling is not harmless on every server."""

    # ── the rounds of a turn ──

    async def _rounds(
        self,
        line: Line,
        given: list[tuple[Question, ResumeAnswer]],
        declared: DeclaredAnswers,
        reading: TaskReading,
    ) -> Failure | None:
        deadline = Deadline(self._settings.limits)
        settings = self._settings
        provided = {} if settings.provisions is None else settings.provisions.headers
        headers = {**provided, **settings.headers, **option_headers(line.options, settings.connector)}
        said = self._said(line, given)
        for number in range(MAX_ROUNDS):
            failure = await self._channel.say(said, headers, reading, deadline)
            self._remember(reading)
            if failure is not None or not declared.left or not self._open:
                return failure
            given, uncovered = self._covered(declared)
            if uncovered or number + 1 == MAX_ROUNDS:
                break
            said = self._answering(given, Said(metadata=said.metadata))
            reading.next_round()
        return None

    def _remember(self, reading: TaskReading) -> None:
        self._context_id = reading.context_id or self._context_id
        waits = reading.state in WAITING
        self._waiting_task = reading.task_id if waits else ""
        self._open = answer_in(reading).questions if waits else ()

    def _covered(
        self, declared: DeclaredAnswers, *, spoken: bool = False
    ) -> tuple[list[tuple[Question, ResumeAnswer]], list[Question]]:
        """Which answer is for which open question, and the questions that have none."""
        resumptions, uncovered = declared.for_interrupts([question.interrupt for question in self._open])
        resumptions = [in_words(each) for each in resumptions] if spoken else resumptions
        left = {interrupt.id for interrupt in uncovered}
        return _paired(self._open, resumptions), [each for each in self._open if each.interrupt.id in left]

    def _takes_words(self) -> bool:
        return all(question.asked_by == "words" for question in self._open)

    def _in_words(self, line: Line) -> tuple[ResumeAnswer, ...]:
        """What a person or a simulator says to a question that wants data is the answer to it."""
        if line.source == "static" or self._takes_words():
            return ()
        return tuple(ResumeAnswer(id=question.interrupt.id, payload=line.text) for question in self._open)

    # ── what is sent ──

    def _said(self, line: Line, given: list[tuple[Question, ResumeAnswer]]) -> Said:
        text, files, strange = taken_apart(line.content)
        if strange:
            kinds = ", ".join(sorted({str(part.get("type")) for part in strange}))
            raise CallFailed(f"A2A has no place for parts of the type {kinds}", fault="test")
        if given and line.source != "static":
            text = ""
        said = Said(text=text, files=tuple(files), metadata={**self._settings.metadata, **line.options.metadata})
        return self._answering(given, said)

    def _answering(self, given: list[tuple[Question, ResumeAnswer]], said: Said) -> Said:
        """The message with the answers in it, to the waiting task of this context."""
        data: list[tuple[JsonObject, JsonObject]] = []
        words = [said.text] if said.text else []
        for question, answer in given:
            payload, metadata = question.answer(answer)
            if is_object(payload):
                data.append((payload, metadata))
            else:
                words.append(str(payload))
        return structs.replace(
            said,
            text="\n".join(words),
            data=tuple(data),
            context_id=self._context_id,
            task_id=self._waiting_task,
        )

    # ── what comes back ──

    def _reply(
        self, reading: TaskReading, failure: Failure | None, declared: DeclaredAnswers, *, is_first: bool
    ) -> AgentReply:
        answer = answer_in(reading)
        self._artifacts |= reading.said_artifacts()
        reply = reply_of(reading, answer)
        if failure is not None:
            status, error = failure.status, failure.error
        else:
            status, error = _ending(reading, answer, reply.status)
        open_now = [question.interrupt for question in self._open]
        status, error = left_over(declared.left, open_now, status, error)
        warnings = (*(self._channel.warnings if is_first else ()), *reply.warnings)
        return structs.replace(reply, status=status, error=error, warnings=warnings)


def _paired(questions: Sequence[Question], resumptions: Sequence[Resumption]) -> list[tuple[Question, ResumeAnswer]]:
    answers = {each.interrupt.id: each.answer for each in resumptions}
    return [(each, answers[each.interrupt.id]) for each in questions if each.interrupt.id in answers]


def _ending(reading: TaskReading, answer: Answer, status: ExchangeStatus) -> tuple[ExchangeStatus, str | None]:
    """What the task's state means for the turn."""
    if reading.is_strange:
        what = f"the task is in a state that A2A does not have: {reading.state!r}"
        return ExchangeStatus.PROTOCOL_ERROR, what
    if reading.state in _ENDINGS:
        status, what = _ENDINGS[reading.state]
        return status, f"{what}: {answer.text}" if answer.text else f"{what}, without a word why"
    return status, None
