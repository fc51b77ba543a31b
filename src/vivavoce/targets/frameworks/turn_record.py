"""What one turn has shown so far: filled while the framework runs, kept when its run raises."""

from collections.abc import Callable, Iterable

from msgspec import UNSET, UnsetType, structs

from vivavoce.model.json_value import JsonObject, JsonValue, text_of
from vivavoce.model.message import AgentReply, ExchangeStatus, Interrupt, MayHold, ToolCall, Unread, Usage
from vivavoce.notation.hidden_calls import calls_in_text, unread
from vivavoce.notation.json_text import call_arguments
from vivavoce.notation.suspected_calls import suspected_call
from vivavoce.scripts.plain_json import NotJson, as_json
from vivavoce.targets.reply_reading import json_of


class TurnRecord:
    """Grows with every event. A framework's file writes into it; `reply()` is what the turn comes to."""

    def __init__(self, earlier: Iterable[ToolCall] = ()) -> None:
        self._earlier = {call.id: call for call in earlier if call.id}
        self._late: dict[str, ToolCall] = {}
        self._calls: list[ToolCall] = []
        self._texts: list[str] = []
        self._data: JsonValue | UnsetType = UNSET
        self._usage: Usage | None = None
        self._unread: list[Unread] = []
        self._warnings: list[str] = []
        self._trace: list[JsonObject] = []
        self._times: dict[str, tuple[float | None, float | None]] = {}
        self._failed: str | None = None
        self.state: JsonValue | UnsetType = UNSET
        self.finish_reason: str | None = None
        self.interrupts: list[Interrupt] = []
        """What the agent waits for now."""
        self.resumed = False
        """Whether a run continues an earlier one: then calls with known ids are repeated, not made again."""

    # ── what is seen ──

    def said(self, text: str) -> None:
        """A text of the agent. The last one is the reply."""
        if text:
            self._texts.append(text)

    def answered(self, data: JsonValue) -> None:
        """Structured output. Raises CallFailed for what is not JSON."""
        self._data = json_of(data)

    def called(self, call_id: str, name: str, args: JsonValue, at_ms: float | None = None) -> None:
        """A tool was called. Arguments may be an object or JSON text."""
        if call_id and self.resumed and (self._known(call_id) is not None or call_id in self._earlier):
            return
        self._calls.append(ToolCall(id=call_id, name=name, args=call_arguments(plain(args)), started_ms=at_ms))

    def returned(
        self, call_id: str, value: JsonValue, *, error: str | None = None, name: str = "", at_ms: float | None = None
    ) -> None:
        """A call returned, with an error if it failed. The last report about a call counts."""
        result = UNSET if error is not None else plain(value)
        at = self._known(call_id)
        before = self._calls[at] if at is not None else self._earlier.get(call_id)
        if name and before is not None and not (before.is_named(name) or ToolCall(name=name).is_named(before.name)):
            self.missed(name, f"the tool that the result of {before.name} names", "call")
        if at is not None:
            self._calls[at] = structs.replace(self._calls[at], result=result, error=error, completed_ms=at_ms)
        elif call_id in self._earlier:
            call = structs.replace(self._earlier[call_id], result=result, error=error, completed_ms=at_ms)
            self._late[call_id] = call
        elif name:
            self._calls.append(ToolCall(id=call_id, name=name, result=result, error=error, completed_ms=at_ms))
        else:
            self.missed(error or text_of(plain(value)), "a result of an unknown call", "call")

    def refused(self, call_id: str) -> None:
        """The user refused a call: what the framework reports as its result is an error."""
        at = self._known(call_id)
        call = self._late.get(call_id) if at is None else self._calls[at]
        if call is None or call.error is not None:
            return
        why = "" if call.result is UNSET else text_of(call.result)
        self.returned(call_id, None, error=why or "refused by the user", at_ms=call.completed_ms)

    def drop(self, is_none: Callable[[ToolCall], bool]) -> None:
        """Forgets calls that turned out to be none, such as one that only hands over structured output."""
        self._calls = [call for call in self._calls if not is_none(call)]

    def timed(self, call_id: str, *, started_ms: float | None = None, completed_ms: float | None = None) -> None:
        """When a call began or returned, for frameworks that report the call itself only later."""
        began, ended = self._times.get(call_id, (None, None))
        self._times[call_id] = (started_ms or began, completed_ms or ended)

    def spent(self, input_tokens: int | None, output_tokens: int | None) -> None:
        """Tokens of one model call, or of all of them."""
        self._usage = Usage(input_tokens or 0, output_tokens or 0).plus(self._usage)

    def handed_over(self, to: str, *, by: str = "") -> None:
        """Another agent takes over. When a tool call does it, `called` records that call as well."""
        self._trace.append({"type": "HANDOFF", "to": to, **({"from": by} if by else {})})

    def waits(self, interrupt: Interrupt) -> None:
        """The agent stopped and wants an answer."""
        self.interrupts.append(interrupt)

    @property
    def called_names(self) -> set[str]:
        """The tools of the calls seen so far in this turn."""
        return {call.name for call in self._calls}

    @property
    def called_ids(self) -> set[str]:
        """The ids of the calls seen so far in this turn."""
        return {call.id for call in self._calls if call.id}

    def missed(self, piece: JsonValue, where: str, may_hold: MayHold = "both") -> None:
        """Something that could not be read."""
        self._unread.append(unread(plain(piece), where, may_hold))

    def suspected(self, value: JsonValue, where: str, *, under: str) -> None:
        """A value that looks like a call, with its key."""
        self._unread.append(suspected_call(value, where, under=under))

    def warn(self, text: str) -> None:
        self._warnings.append(text)

    def failed(self, why: str) -> None:
        """The run itself failed and the framework did not raise."""
        self._failed = why

    def _known(self, call_id: str) -> int | None:
        found = [at for at, call in enumerate(self._calls) if call_id and call.id == call_id]
        return found[-1] if found else None

    def _with_times(self, call: ToolCall) -> ToolCall:
        began, ended = self._times.get(call.id, (None, None))
        if began is None and ended is None:
            return call
        return structs.replace(call, started_ms=call.started_ms or began, completed_ms=call.completed_ms or ended)

    # ── what it comes to ──

    def reply(self) -> AgentReply:
        structured = self._data is not UNSET
        text = text_of(self._data) if structured else self._texts[-1] if self._texts else ""
        hidden = [suspected_call(said, "the text") for said in self._texts if calls_in_text(said)]
        status = ExchangeStatus.INTERRUPTED if self.interrupts else ExchangeStatus.SUCCESS
        return AgentReply(
            text=text,
            texts=tuple(self._texts) if len(self._texts) > 1 else (),
            data=self._data,
            calls=tuple(map(self._with_times, self._calls)),
            late_results=tuple(map(self._with_times, self._late.values())),
            interrupts=tuple(self.interrupts),
            state=self.state,
            finish_reason=self.finish_reason,
            usage=self._usage,
            status=status if self._failed is None else ExchangeStatus.ERROR,
            error=self._failed,
            warnings=tuple(self._warnings),
            trace=tuple(self._trace),
            unread=(*self._unread, *hidden),
        )


def plain(value: JsonValue) -> JsonValue:
    """A value as JSON; where it is not JSON, its text as a model would read it."""
    try:
        return as_json(value)
    except NotJson:
        return str(value)
