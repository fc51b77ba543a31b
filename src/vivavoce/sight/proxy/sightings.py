"""Reads tool calls, results and tokens from the model calls of one conversation."""

from collections.abc import Sequence

from msgspec import UNSET, Struct, structs

from vivavoce.errors import CallFailed
from vivavoce.metering.prices import PriceList
from vivavoce.model.json_value import JsonObject, is_object, json_equal
from vivavoce.model.message import AgentReply, ToolCall, Unread, Usage
from vivavoce.model_wires.written_calls import calls_in_words, stops_at_calls
from vivavoce.notation.content_parts import Result
from vivavoce.notation.json_text import json_or_text
from vivavoce.sight.dialects.dialect import Dialect
from vivavoce.sight.joined_calls import joined, not_shown
from vivavoce.sight.model_answer import Answer, read_answer
from vivavoce.wording.quoting import shorten
from vivavoce.wording.results import call_words

UNUSED = "the model proxy saw no model call in this turn: does the agent use the base URL that viva gives it?"
_NO_RESULT = "the model asked for it, and neither a result nor the agent's answer says what became of it"


class _Seen(Struct):
    call: ToolCall
    turn: int
    answered_in: int = 0
    """The turn in which its result came; 0: no result yet."""


class Sightings:
    """What the proxy saw of one conversation. Written by the proxy's thread, read between turns."""

    def __init__(self, prices: PriceList) -> None:
        self._prices = prices
        self._seen: list[_Seen] = []
        self._usage: dict[int, Usage] = {}
        self._unread: dict[int, list[Unread]] = {}
        self._in_words: dict[int, list[Unread]] = {}
        """Calls written in a model's text; used only for agents that do not show their calls."""
        self._models: dict[int, int] = {}
        """The number of model calls of each turn."""

    def request(self, dialect: Dialect, body: JsonObject, turn: int, at_ms: float) -> None:
        """Reads a request: the results of calls, and calls that were not in a model's answer."""
        self._in_words.setdefault(turn, []).extend(stops_at_calls(body))
        known = [seen.call for seen in self._seen if seen.turn == turn or seen.answered_in in (0, turn)]
        for call in calls_in_request(dialect, body):
            same = next((one for one in known if call.id and one.id == call.id), None)
            same = same or next((one for one in known if one.name == call.name), None)
            if same is not None:
                known.remove(same)
            else:
                self._seen.append(_Seen(structs.replace(call, started_ms=at_ms), turn))
        for result in dialect.results(body):
            waiting = [seen for seen in self._seen if not seen.call.is_answered]
            by_id = [seen for seen in waiting if result.call_id and seen.call.id == result.call_id]
            by_name = [seen for seen in waiting if not (result.call_id and seen.call.id) and _named(seen, result)]
            for seen in (by_id or by_name)[:1]:
                seen.call = _answered(seen.call, result, at_ms)
                seen.answered_in = turn

    async def answer(self, dialect: Dialect, model: str, answer: Answer, turn: int, at_ms: float, where: str) -> None:
        """Reads the calls and tokens of a model's answer; notes what could not be read."""
        self.count(turn)
        if answer.status >= 400:
            return
        if answer.status >= 300:
            what = f"the provider sent the agent elsewhere (HTTP {answer.status}), past viva"
            self.missed(Unread(what, where, "call"), turn)
            return
        try:
            reply = await read_answer(dialect, answer)
        except CallFailed as problem:
            self.missed(Unread(shorten(problem.what, 300), where, "call"), turn)
            return
        for call in reply.calls:
            if not self._is_repeated(call, turn):
                made = structs.replace(call, started_ms=at_ms, completed_ms=at_ms if call.is_answered else None)
                self._seen.append(_Seen(made, turn, turn if call.is_answered else 0))
        for piece in reply.unread:
            may_hold = "name" if piece.is_name else "call"
            self.missed(structs.replace(piece, where=f"{where}: {piece.where}", may_hold=may_hold), turn)
        for piece in calls_in_words(reply.text, reply.extra.get("reasoning")):
            self._in_words.setdefault(turn, []).append(structs.replace(piece, where=f"{where}: {piece.where}"))
        if (spent := self._prices.priced(reply.usage, model)) is not None:
            self._usage[turn] = spent.plus(self._usage.get(turn))

    def _is_repeated(self, call: ToolCall, turn: int) -> bool:
        """Whether a repeated model call asks for the same tool call again. Some servers give every call the same id."""
        return bool(call.id) and any(
            seen.turn == turn and not seen.call.is_answered and seen.call.id == call.id and _same(seen.call, call)
            for seen in self._seen
        )

    def count(self, turn: int) -> None:
        """Counts a model call."""
        self._models[turn] = self._models.get(turn, 0) + 1

    def missed(self, piece: Unread, turn: int) -> None:
        self._unread.setdefault(turn, []).append(piece)

    def since(self, turn: int) -> list[str]:
        """The calls and unread pieces of this turn and later ones, in words."""
        calls = [call_words(seen.call.name, seen.call.args) for seen in self._seen if seen.turn >= turn]
        unread = [piece for number, found in self._unread.items() if number >= turn for piece in found]
        return [*calls, *(str(piece) for piece in unread if not piece.is_name)]

    def added_to(self, reply: AgentReply, turn: int) -> AgentReply:
        """The reply of a turn with what was seen in it."""
        calls = [seen.call for seen in self._seen if seen.turn == turn]
        late = [seen.call for seen in self._seen if seen.turn < turn == seen.answered_in]
        unread = [*reply.unread, *self._unread.get(turn, ())]
        if reply.shows_calls and (reply.calls or late):
            calls, doubtful = _really_made(calls, reply)
            unread += [Unread(_NO_RESULT, call_words(call.name, call.args), "call", call.name) for call in doubtful]
        if not reply.shows_calls:
            unread += self._in_words.get(turn, ())
        shown = reply.shows_calls or bool(self._models.get(turn))
        shown_late = {call.id for call in reply.late_results}
        return structs.replace(
            reply,
            calls=joined(reply.calls, calls),
            late_results=(*reply.late_results, *(call for call in late if call.id not in shown_late)),
            usage=reply.usage or self._usage.get(turn),
            unread=tuple(unread),
            shows_calls=shown,
            not_shown="" if shown else UNUSED,
        )


def _really_made(calls: Sequence[ToolCall], reply: AgentReply) -> tuple[list[ToolCall], list[ToolCall]]:
    """The calls that were certainly made, and those that may have been made.

    The second are calls that the agent itself does not show. A model may also give its last answer as a tool call:
    such a call is left out.
    """
    others = [call for call in not_shown(reply.calls, calls) if not call.is_answered]
    made = [call for call in calls if not any(call is other for other in others)]
    return made, [call for call in others if not _is_the_answer(call, reply)]


def _is_the_answer(call: ToolCall, reply: AgentReply) -> bool:
    """Whether the arguments of a call are the agent's answer."""
    if not is_object(call.args):
        return False
    values = [call.args, *call.args.values()]
    if reply.data is not UNSET:
        return any(json_equal(value, reply.data) for value in values)
    return any(isinstance(value, str) and value.strip() == reply.text.strip() for value in values)


def _same(call: ToolCall, other: ToolCall) -> bool:
    return call.name == other.name and json_equal(call.args, other.args)


def _named(seen: _Seen, result: Result) -> bool:
    return seen.call.name == result.name


def _answered(call: ToolCall, result: Result, at_ms: float) -> ToolCall:
    if result.error is not None:
        return structs.replace(call, error=result.error, completed_ms=at_ms)
    value = json_or_text(result.value) if isinstance(result.value, str) else result.value
    return structs.replace(call, result=None if value is UNSET else value, completed_ms=at_ms)


def calls_in_request(dialect: Dialect, body: JsonObject) -> list[ToolCall]:
    """Returns the calls that a request reports as made since the user's last message.

    Examples in a prompt end with a message of the user, so they are left out.
    """
    said = [dialect.said(message) for message in dialect.sections(body).talk]
    spoken = [at for at, one in enumerate(said) if one.role == "user" and not one.results]
    since = said[spoken[-1] + 1 if spoken else 0 :]
    return [
        ToolCall(id=call_id, name=name, args=args)
        for one in since
        for (name, args), call_id in zip(one.calls, one.ids, strict=True)
    ]
