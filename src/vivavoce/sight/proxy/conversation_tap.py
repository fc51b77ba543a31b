"""One conversation at the proxy: answers model calls from tape, records new ones, and reads the tool calls in them."""

import asyncio
import itertools
import time
import uuid
from collections.abc import Sequence

import msgspec
from msgspec import Struct

from vivavoce.errors import CallFailed
from vivavoce.metering.clock import now_ms
from vivavoce.metering.prices import PriceList
from vivavoce.model.json_value import JsonObject, is_object
from vivavoce.model.message import AgentReply, Unread
from vivavoce.model.planned_fault import PlannedFault
from vivavoce.notation.hidden_calls import calls_in_text, unread
from vivavoce.notation.json_text import json_or_text
from vivavoce.protocols import Provisions, WatchEnd
from vivavoce.sight.dialects.chat import refusal
from vivavoce.sight.dialects.dialect import Dialect
from vivavoce.sight.dialects.known import dialect_of, never_calls
from vivavoce.sight.faults.failing import SLOW_S
from vivavoce.sight.faults.made_answers import made_answer
from vivavoce.sight.faults.spoilt_answers import SpoiltAnswer, may_have_called, spoil
from vivavoce.sight.model_answer import Answer, read_answer
from vivavoce.sight.proxy.call import Call
from vivavoce.sight.proxy.providers import Provider
from vivavoce.sight.proxy.server import ProxyServer
from vivavoce.sight.proxy.sightings import Sightings
from vivavoce.sight.tapes.attempt_tape import AttemptTape, Found, Missed
from vivavoce.sight.tapes.fingerprint import Fingerprint, fingerprint
from vivavoce.sight.tapes.masking import Censor
from vivavoce.sight.tapes.normalising import Normaliser
from vivavoce.sight.tapes.played import entry_of, played

_PATIENCE_S = 2.0
_POLL_S = 0.005
_SHARED = "model calls of several conversations could not be told apart: give each its own base URL, or --parallel 1"


class _Asked(Struct):
    """A call that is under way."""

    body: JsonObject
    dialect: Dialect | None
    turn: int
    number: int
    wanted: Fingerprint | None = None
    model: str = ""
    fault: PlannedFault | None = None
    """The fault that spoils or delays the real answer; None for a fault that made the answer itself."""
    is_live: bool = True


class ConversationTap:
    """protocols.Watch, and a tap of the proxy."""

    def __init__(
        self,
        agent: str,
        *,
        providers: dict[str, Provider],
        server: ProxyServer,
        provisions: Provisions,
        lines: Sequence[str],
        prices: PriceList,
        censor: Censor,
        attempt_tape: AttemptTape | None,
        sees: bool,
        takes_faults: bool,
    ) -> None:
        """`lines`: the lines of the case. `sees`: whether calls and usage are added to the replies.

        `takes_faults`: whether faults of the model strike here, or else where the agent calls its model.
        """
        self.token = uuid.uuid4().hex
        self.agent = agent
        self.providers = providers
        self.provisions = provisions
        self.is_in_turn = False
        self.attempt_tape = attempt_tape
        self._server = server
        self._lines = [line for line in lines if line]
        self._sees = sees
        self._takes_faults = takes_faults
        self._censor = censor
        self._sightings = Sightings(prices)
        self._normaliser = Normaliser() if attempt_tape is None else attempt_tape.normaliser
        self._turn = 1
        self._ended = 0
        """The last turn that was judged."""
        self._numbers = itertools.count(1)
        self._under_way: dict[int, _Asked] = {}
        self._is_shared = False
        self._problems: list[str] = []

    # ── in viva's event loop ──

    def begin_turn(self, number: int, provisions: Provisions) -> None:
        self._turn, self.is_in_turn = number, True
        if self.attempt_tape is not None:
            self.attempt_tape.turn = number

    async def end_turn(self, number: int, reply: AgentReply, started_ms: float, ended_ms: float) -> AgentReply:
        deadline = time.monotonic() + _PATIENCE_S
        while self._under_way and time.monotonic() < deadline:  # noqa: ASYNC110 - they end in another thread
            await asyncio.sleep(_POLL_S)
        self.is_in_turn, self._ended = False, number
        for asked in list(self._under_way.values()):
            self._sightings.missed(Unread("a model call was still under way", _where(asked), "call"), number)
        if self._is_shared:
            self._sightings.missed(Unread(_SHARED, "model proxy", "call"), number)
        return self._sightings.added_to(reply, number) if self._sees else reply

    async def close(self) -> WatchEnd:
        self._server.taps.remove(self)
        warnings = (_SHARED,) if self._is_shared else ()
        if self._problems:
            return WatchEnd(problem=self._problems[0], warnings=warnings)
        late = self._sightings.since(self._open_turn) if self._sees and not self.is_in_turn else []
        if late:
            what = f"the agent went on after its last answer, where no check looks: {late[0]}"
            return WatchEnd(problem=what, fault="agent", warnings=warnings)
        return WatchEnd(warnings=warnings)

    @property
    def _open_turn(self) -> int:
        """The turn that new calls belong to: the next one once a turn was judged."""
        return max(self._turn, self._ended + 1)

    # ── in the proxy's thread ──

    def likeness(self, call: Call) -> tuple[int, int]:
        """How many lines of the case are in a request, and how well it fits the tape."""
        wanted = self._fingerprint(call)
        words = [str(said.get("text", "")) for said in wanted.spine if said.get("role") == "user"]
        said = sum(any(self._normaliser.text(line) in text for text in words) for line in self._lines)
        return said, 0 if self.attempt_tape is None else self.attempt_tape.fits(wanted)

    def share(self) -> None:
        self._is_shared = True

    def begin(self, call: Call) -> Answer | None:
        dialect, body = _spoken(call)
        asked = _Asked(body, dialect, self._open_turn, next(self._numbers))
        asked.model = str(body.get("model") or call.path.rpartition("/")[2].partition(":")[0])
        self._under_way[id(call)] = asked
        if dialect is not None:
            self._sightings.request(dialect, body, asked.turn, call.at_ms)
            if (made := self._struck(call, asked, dialect)) is not None:
                return made
        if self.attempt_tape is None:
            return None
        self._censor.learn(call.headers)
        asked.wanted = self._fingerprint(call)
        found = self.attempt_tape.answer_to(asked.wanted)
        asked.is_live = found is None
        if isinstance(found, Found):
            try:
                return played(found.entry)
            except CallFailed as damage:
                self._problems.append(damage.what)
                found = Missed(damage.what)
        return None if found is None else _refused(found, dialect)

    def _struck(self, call: Call, asked: _Asked, dialect: Dialect) -> Answer | None:
        """Finds the fault of this call. Returns the answer when the fault makes it up."""
        between = self.provisions.interventions if self._takes_faults else None
        fault = None if between is None else between.next_model_fault()
        if fault is None:
            return None
        made = made_answer(fault, dialect.name, asked.model, stream=dialect.streams(asked.body, call.path))
        if made is None:
            asked.fault = fault
        else:
            asked.is_live = False
        return made

    def delay_s(self, call: Call) -> float:
        fault = self._under_way[id(call)].fault
        return (fault.seconds or SLOW_S) if fault is not None and fault.kind == "slow" else 0.0

    def spoils(self, call: Call) -> bool:
        fault = self._under_way[id(call)].fault
        return fault is not None and fault.kind != "slow"

    async def spoilt(self, call: Call, real: Answer) -> SpoiltAnswer:
        asked = self._under_way[id(call)]
        if asked.fault is None or asked.dialect is None:
            return SpoiltAnswer(answer=real)
        return await spoil(asked.fault, asked.dialect, asked.model, real)

    async def end(self, call: Call, answer: Answer, problem: str, got: Answer | None = None) -> None:
        asked = self._under_way[id(call)]
        asked.turn = max(asked.turn, self._open_turn)
        try:
            if asked.is_live and asked.wanted is not None and self.attempt_tape is not None and answer.status:
                await self._keep(call, answer, asked)
            self._spare(asked, answer)
            if got is not None and asked.dialect is not None and await _is_spoilt(asked.dialect, got):
                await self._look_at_spoilt(asked.dialect, answer, asked)
            else:
                await self._look(call, answer if got is None else got, asked, problem)
        finally:
            self._under_way.pop(id(call), None)

    def _spare(self, asked: _Asked, real: Answer) -> None:
        """Reports a fault without effect, because the provider itself failed."""
        between = self.provisions.interventions
        if asked.fault is not None and asked.fault.kind != "slow" and real.status >= 300 and between is not None:
            between.spare(asked.fault, f"the provider answered HTTP {real.status}")

    async def _keep(self, call: Call, answer: Answer, asked: _Asked) -> None:
        assert self.attempt_tape is not None
        assert asked.wanted is not None
        entry = entry_of(answer, self._censor, method=call.method, kind="model" if call.provider.is_model else "http")
        try:
            if asked.dialect is not None and await spells_secret(asked.dialect, played(entry), self._censor):
                self._problems.append(f"{_where(asked)} was not recorded: its answer spells out a secret in pieces")
                return
            self.attempt_tape.keep(asked.wanted, entry)
        except CallFailed as failure:
            self._problems.append(failure.what)

    async def _look(self, call: Call, answer: Answer, asked: _Asked, problem: str) -> None:
        where = _where(asked)
        if asked.dialect is not None:
            if problem and answer.status < 400:
                self._sightings.missed(Unread(problem, where, "call"), asked.turn)
            await self._sightings.answer(asked.dialect, asked.model, answer, asked.turn, now_ms(), where)
        elif call.provider.is_model and not never_calls(call.method, call.path):
            what = f"{call.provider.name} {call.path}: an API that viva does not read"
            self._sightings.missed(Unread(what, where, "call"), asked.turn)
        elif call.provider.is_model and calls_in_text(answer.body.decode(errors="replace")):
            self._sightings.missed(unread(answer.body.decode(errors="replace"), where, "call"), asked.turn)

    async def _look_at_spoilt(self, dialect: Dialect, real: Answer, asked: _Asked) -> None:
        """An answer that a fault made unreadable has no calls, except possibly in the first piece of a stream."""
        self._sightings.count(asked.turn)
        if await may_have_called(dialect, real):
            what = "a fault of the test spoilt a stream that calls tools: the agent may have called them"
            self._sightings.missed(Unread(what, _where(asked), "call"), asked.turn)

    def _fingerprint(self, call: Call) -> Fingerprint:
        body = self._censor.text(call.body.decode(errors="surrogateescape")).encode(errors="surrogateescape")
        return fingerprint(call.provider.name, call.method, call.path, call.query, body, self._normaliser)[0]


def _spoken(call: Call) -> tuple[Dialect | None, JsonObject]:
    """The model API of a request, if any, and its body. Providers that viva does not know may use one too."""
    dialect = dialect_of(call.path) if call.method == "POST" else None
    if dialect is None:
        return None, {}
    decoded = json_or_text(call.body.decode(errors="replace"))
    body: JsonObject = decoded if is_object(decoded) else {}
    is_model = call.provider.is_model or bool(dialect.sections(body).talk)
    return (dialect, body) if is_model else (None, {})


async def spells_secret(dialect: Dialect, answer: Answer, censor: Censor) -> bool:
    """Whether a streamed answer holds a secret in pieces, spread over several events."""
    if not answer.is_stream:
        return False
    try:
        reply = await read_answer(dialect, answer)
    except CallFailed:
        return False
    said = msgspec.json.encode([reply.text, reply.calls]).decode()
    return censor.text(said) != said


async def _is_spoilt(dialect: Dialect, got: Answer) -> bool:
    """Whether the answer that the agent got after a fault cannot be read."""
    if got.status >= 300:
        return False
    try:
        await read_answer(dialect, got)
    except CallFailed:
        return True
    return False


def _where(asked: _Asked) -> str:
    return f"model call {asked.number}"


def _refused(missed: Missed, dialect: Dialect | None) -> Answer:
    """A miss as an error of the provider. With 404 and the header, SDKs do not retry."""
    body = msgspec.json.encode((refusal if dialect is None else dialect.refusal)(missed.why))
    headers = {"content-type": "application/json", "x-should-retry": "false"}
    return Answer(status=404, headers=headers, chunks=[(0.0, body)], is_whole=True)
