"""Calls a model at its pace, repeats calls that a busy server refused, and adds the price."""

import random
from collections.abc import Callable
from time import monotonic

from msgspec import structs

from vivavoce.calling.model_faults import INTERVENTIONS
from vivavoce.errors import TurnedAway
from vivavoce.metering.expenses import wait_as_asked
from vivavoce.metering.pacing import Pace
from vivavoce.metering.prices import PriceList
from vivavoce.notation.durations import format_duration
from vivavoce.protocols import Connector, ModelReply, ModelRequest, Tapes

MOST_TRIES = 8
FIRST_WAIT_S = 0.5
LONGEST_GUESS_S = 30.0
LONGEST_ASKED_S = 120.0


class PoliteConnector:
    """Repeats a call only if the server refused it: nothing was executed then, so nothing can happen twice."""

    def __init__(
        self,
        name: str,
        connector: Connector,
        pace: Pace,
        *,
        prices: PriceList,
        model: str,
        tapes: Tapes | None = None,
    ) -> None:
        self._name = name
        self.connector = connector
        self._pace = pace
        self._prices = prices or None
        self._model = model
        self._tapes = tapes

    async def complete(self, request: ModelRequest) -> ModelReply:
        """Raises what the connector raises; for a server that stays busy, the last refusal."""
        if self._tapes is not None:
            return await self._tapes.complete(self._name, request, self._asked)
        return await self._asked(request)

    async def _asked(self, request: ModelRequest) -> ModelReply:
        tries = 0
        while True:
            if not self._pace.entered_at_once():
                await self._pace.enter()
            started_at = monotonic()
            try:
                interventions = INTERVENTIONS.get()
                if interventions is None:
                    reply = await self.connector.complete(request)
                else:
                    reply = await interventions.model(request, self.connector.complete)
            except TurnedAway as refusal:
                tries += 1
                self._pace.turned_away(started_at, _bounded(refusal.retry_after_s))
                last = refusal
            else:
                self._pace.went_well()
                return reply if self._prices is None else _priced(reply, self._prices, self._model_of(request))
            finally:
                self._pace.leave()
            await self._wait(last, tries)

    async def _wait(self, refusal: TurnedAway, tries: int) -> None:
        asked = refusal.retry_after_s
        if asked is not None and asked > LONGEST_ASKED_S:
            raise _gave_up(refusal, f"it asks to be left alone for {format_duration(asked)}")
        if tries == MOST_TRIES:
            raise _gave_up(refusal, f"it did so {tries} times")
        if not await wait_as_asked(next_wait(asked, tries), f"HTTP {refusal.status} from {self._name}"):
            raise _gave_up(refusal, "to wait any longer would take more than the time limit of the case")

    def _model_of(self, request: ModelRequest) -> str:
        return str(request.options.get("model") or self._model)


def next_wait(asked_s: float | None, tries: int, chance: Callable[[], float] = random.random) -> float:
    """Returns the seconds to wait: what the server asks for, else twice as long each time; plus a random part."""
    if asked_s is not None:
        return asked_s + min(1.0, 0.25 * asked_s + 0.05) * chance()
    return min(LONGEST_GUESS_S, FIRST_WAIT_S * 2 ** (tries - 1)) * (0.5 + 0.5 * chance())


def _priced(reply: ModelReply, prices: PriceList, model: str) -> ModelReply:
    usage = prices.priced(reply.usage, model)
    return reply if usage is reply.usage else structs.replace(reply, usage=usage)


def _bounded(asked_s: float | None) -> float | None:
    return None if asked_s is None or asked_s > LONGEST_ASKED_S else asked_s


def _gave_up(refusal: TurnedAway, why: str) -> TurnedAway:
    return TurnedAway(
        f"{refusal.what}; {why}", status=refusal.status, retry_after_s=refusal.retry_after_s, hint=refusal.hint
    )
