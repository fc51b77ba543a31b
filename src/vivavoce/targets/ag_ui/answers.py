"""What viva answers within a turn: front-end tools from stubs, interrupts and confirmations from the test."""

import uuid

import msgspec

from vivavoce.model.case import ResumeAnswer
from vivavoce.model.json_value import JsonValue
from vivavoce.model.message import ExchangeStatus, Interrupt, ToolCall
from vivavoce.model.transcript import Line, Transcript
from vivavoce.targets.ag_ui.agent_run_reader import AgentRunEnd
from vivavoce.targets.ag_ui.agent_run_stream import ArrivalClock
from vivavoce.targets.ag_ui.call_book import CallDraft
from vivavoce.targets.ag_ui.frontend_tools import FrontendStubs
from vivavoce.targets.ag_ui.interrupts import TurnResume, is_confirmation
from vivavoce.targets.ag_ui.turn_builder import TurnBuilder
from vivavoce.targets.resume_answers import Resumption, in_words, left_over


class TurnAnswers:
    """The answers one line brings along, and what becomes of them."""

    def __init__(self, line: Line, transcript: Transcript, stubs: FrontendStubs, clock: ArrivalClock) -> None:
        last = transcript.last
        self._line = line
        self._stubs = stubs
        self._clock = clock
        self._open = last.reply.interrupts if last else ()
        # A call that an interrupt asks about is answered through the interrupt.
        asked = () if last is None or self._open else last.reply.calls
        self._left_waiting = [call for call in asked if self.awaits(call)]
        self._declared = TurnResume(line.resume or self._spoken_resume())
        self._opening, self._uncovered = self._declared.for_interrupts(self._open)
        self.warnings: list[str] = []
        self.errors: dict[str, str] = {}
        """Why a tool failed, by tool call id, as its tool message says."""

    @property
    def line_is_the_answer(self) -> bool:
        """A person or simulator that speaks to an open interrupt answers it; a script says so with `resume`."""
        return bool(self._open) and self._line.source != "static"

    def unanswered(self) -> list[Interrupt]:
        """Open interrupts that this line does not answer: the server would ignore the line."""
        return self._uncovered

    def awaits(self, call: ToolCall) -> bool:
        """Whether a call that is not the front end's still has no answer."""
        return call.result is msgspec.UNSET and call.error is None and not self._stubs.advertises(call.name)

    # ── between the runs ──

    def opening(self, builder: TurnBuilder) -> list[Resumption]:
        """Returns the answers that the first run of the turn is sent."""
        self._confirm(self._left_waiting, builder)
        if self._line.source == "static":
            return self._opening
        return [in_words(each) for each in self._opening]

    async def after(self, end: AgentRunEnd, builder: TurnBuilder) -> tuple[list[Resumption], bool]:
        """The answers for another run of the same turn, and whether there are any."""
        goes_on = await self._answer_frontend(builder)
        resumptions, self._uncovered = self._declared.for_interrupts(end.interrupts)
        if self._uncovered:
            return [], False
        # A call that an interrupt asks about is answered through the interrupt, not as a call that waits.
        if end.interrupts or not (self._declared.left or end.pending):
            return resumptions, goes_on or bool(resumptions)
        calls = [draft.as_call() for draft in builder.calls.made()]
        confirmed = self._confirm([call for call in calls if self.awaits(call)], builder)
        self._warn_of_unknown(end.pending, calls)
        return resumptions, goes_on or confirmed

    async def _answer_frontend(self, builder: TurnBuilder) -> bool:
        """Answers every pending call of an advertised tool; whether a stub had anything to say."""
        pending = [d for d in builder.calls.made() if not d.answered and self._stubs.advertises(d.name)]
        if not pending:
            return False
        given = [(draft, await self._stubs.answer(draft.as_call())) for draft in pending]
        for draft, answer in given:
            if answer is None:
                missing = self._stubs.missing(draft.name)
                self.warnings.append(missing)
                self._complete(draft, msgspec.UNSET, missing, builder)
            else:
                self._complete(draft, answer.value, answer.error, builder)
        return any(answer is not None for _, answer in given)

    def _complete(self, draft: CallDraft, value: JsonValue, error: str | None, builder: TurnBuilder) -> None:
        draft.frontend = True
        draft.complete(value, error, self._clock.now_ms())
        self._send_result(draft.id, value, error, builder)

    def _confirm(self, calls: list[ToolCall], builder: TurnBuilder) -> bool:
        answered = self._declared.for_calls(calls)
        for call, answer in answered:
            payload, error = _confirmation(answer)
            draft = builder.calls.get(call.id)
            # This completes only a call that was made up to ask for a confirmation: a real tool has yet to run.
            if draft is not None and is_confirmation(call):
                draft.complete(payload, error, self._clock.now_ms())
            self._send_result(call.id, payload, error, builder)
        return bool(answered)

    def _send_result(self, call_id: str, value: JsonValue, error: str | None, builder: TurnBuilder) -> None:
        content = error if error is not None else value if isinstance(value, str) else _json(value)
        builder.messages.add_result(call_id, str(uuid.uuid4()), content)
        builder.calls.answered_by_us(call_id)
        if error is not None:
            self.errors[call_id] = error

    def _warn_of_unknown(self, pending: tuple[str, ...], calls: list[ToolCall]) -> None:
        for call in calls:
            if call.id in pending and self.awaits(call):
                self.warnings.append(
                    f"the server left {call.name} for the front end, but viva does not advertise it: "
                    f"declare it under `tools`, or answer it with `resume: [{{tool: {call.name}, payload: …}}]`"
                )

    # ── at the end ──

    def verdict(self, last: AgentRunEnd) -> tuple[ExchangeStatus, str | None]:
        """Returns the status and error of the turn, which fails when the agent did not ask for a declared answer."""
        return left_over(self._declared.left, self._uncovered, last.status, last.error)

    def _spoken_resume(self) -> tuple[ResumeAnswer, ...]:
        return (ResumeAnswer(payload=self._line.text),) if self.line_is_the_answer else ()


def _confirmation(answer: ResumeAnswer) -> tuple[JsonValue, str | None]:
    if answer.cancelled and answer.payload is None:
        return msgspec.UNSET, "cancelled by the user"
    return answer.payload, None


def _json(value: JsonValue) -> str:
    return msgspec.json.encode(value).decode()
