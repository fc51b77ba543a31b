"""Tool calls, results and tokens, as the model calls of one conversation show them."""

from collections.abc import AsyncIterator

from msgspec import UNSET, Struct, structs

from vivavoce.errors import CallFailed
from vivavoce.metering.prices import PriceList
from vivavoce.model.json_value import JsonObject
from vivavoce.model.message import AgentReply, ToolCall, Unread, Usage
from vivavoce.net.server_sent_events import FrameTooLarge, SseSplitter
from vivavoce.notation.content_parts import Result
from vivavoce.notation.json_text import json_or_text
from vivavoce.protocols import ModelReply
from vivavoce.sight.dialects.dialect import Dialect
from vivavoce.sight.joined_calls import joined
from vivavoce.sight.proxy.call import Answer

UNUSED = "the model proxy saw no model call in this turn: does the agent use the base URL that viva gives it?"


class _Seen(Struct):
    call: ToolCall
    turn: int
    answered_in: int = 0
    """The turn in which its result came; 0: none did."""


class Sightings:
    """What the proxy has seen of one conversation. Written by the proxy's thread, read between turns."""

    def __init__(self, prices: PriceList) -> None:
        self._prices = prices
        self._seen: list[_Seen] = []
        self._usage: dict[int, Usage] = {}
        self._unread: dict[int, list[Unread]] = {}
        self._models: dict[int, int] = {}
        """How many calls of models were seen in a turn."""

    def results(self, dialect: Dialect, body: JsonObject, turn: int, at_ms: float) -> None:
        """Takes the tool results that a request brings."""
        for result in dialect.results(body):
            waiting = [seen for seen in self._seen if not seen.call.is_answered]
            by_id = [seen for seen in waiting if result.call_id and seen.call.id == result.call_id]
            by_name = [seen for seen in waiting if not (result.call_id and seen.call.id) and _named(seen, result)]
            for seen in (by_id or by_name)[:1]:
                seen.call = _answered(seen.call, result, at_ms)
                seen.answered_in = turn

    async def answer(self, dialect: Dialect, model: str, answer: Answer, turn: int, at_ms: float, where: str) -> None:
        """Takes what the model said; what cannot be read is unread."""
        self.count(turn)
        if answer.status >= 300:
            return
        try:
            reply = await read_answer(dialect, answer)
        except CallFailed as problem:
            self.missed(Unread(problem.what[:300], where, "call"), turn)
            return
        for call in reply.calls:
            known = call.id and any(seen.call.id == call.id for seen in self._seen)
            if not known:
                made = structs.replace(call, started_ms=at_ms, completed_ms=at_ms if call.is_answered else None)
                self._seen.append(_Seen(made, turn, turn if call.is_answered else 0))
        for piece in reply.unread:
            self.missed(structs.replace(piece, where=f"{where}: {piece.where}", may_hold="call"), turn)
        if (spent := self._prices.priced(reply.usage, model)) is not None:
            self._usage[turn] = spent.plus(self._usage.get(turn))

    def count(self, turn: int) -> None:
        """Takes note of a model call."""
        self._models[turn] = self._models.get(turn, 0) + 1

    def missed(self, piece: Unread, turn: int) -> None:
        self._unread.setdefault(turn, []).append(piece)

    def added_to(self, reply: AgentReply, turn: int) -> AgentReply:
        """The reply of a turn with what was seen in it."""
        calls = [seen.call for seen in self._seen if seen.turn == turn]
        late = [seen.call for seen in self._seen if seen.turn < turn == seen.answered_in]
        if reply.shows_calls and (reply.calls or late):
            # The agent tells its calls itself. Of others only those count that were really made: to a model a tool
            # may also be the form of its last answer.
            ids = {call.id for call in reply.calls}
            calls = [call for call in calls if call.is_answered or call.id in ids]
        unread = (*reply.unread, *self._unread.get(turn, ()))
        shown = reply.shows_calls or bool(self._models.get(turn))
        shown_late = {call.id for call in reply.late_results}
        return structs.replace(
            reply,
            calls=joined(reply.calls, calls),
            late_results=(*reply.late_results, *(call for call in late if call.id not in shown_late)),
            usage=reply.usage or self._usage.get(turn),
            unread=unread,
            shows_calls=shown,
            not_shown="" if shown else UNUSED,
        )


async def read_answer(dialect: Dialect, answer: Answer) -> ModelReply:
    """What a model answered, in one piece or as a stream. Raises CallFailed."""
    if not answer.is_whole:
        raise CallFailed("the answer was not read to its end", fault="target")
    return await dialect.stream(_events(answer.body)) if answer.is_stream else dialect.whole(answer.body)


async def _events(body: bytes) -> AsyncIterator[bytes]:
    splitter = SseSplitter()
    try:
        found = splitter.feed(body)
    except FrameTooLarge as error:
        raise CallFailed(f"the stream sent {error}", fault="target") from None
    for data in found:
        yield data
    if last := splitter.rest():
        yield last


def _named(seen: _Seen, result: Result) -> bool:
    return seen.call.name == result.name


def _answered(call: ToolCall, result: Result, at_ms: float) -> ToolCall:
    if result.error is not None:
        return structs.replace(call, error=result.error, completed_ms=at_ms)
    value = json_or_text(result.value) if isinstance(result.value, str) else result.value
    return structs.replace(call, result=None if value is UNSET else value, completed_ms=at_ms)
