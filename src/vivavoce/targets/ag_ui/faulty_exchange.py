"""Streams of an AG-UI server that a case lets stall, break off or send nonsense."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager

from vivavoce.model.planned_fault import PlannedFault
from vivavoce.protocols import Interventions
from vivavoce.targets.ag_ui.exchange import Answer, Exchange
from vivavoce.targets.http_exchange import ConnectionBroken

_STALLED_S = 3600.0
_NONSENSE = b'data: {"type": "TEXT_MESSAGE_CONTENT", "delta": \n\n'


class FaultyExchange:
    """An exchange whose answers the faults of a case may strike, one run after the other."""

    def __init__(self, exchange: Exchange, interventions: Interventions) -> None:
        self._exchange = exchange
        self._interventions = interventions

    def post(self, body: bytes) -> AbstractAsyncContextManager[Answer]:
        fault = self._interventions.stream()
        return self._exchange.post(body) if fault is None else _struck(self._exchange, body, fault)

    async def close(self) -> None:
        await self._exchange.close()


@asynccontextmanager
async def _struck(exchange: Exchange, body: bytes, fault: PlannedFault) -> AsyncGenerator[Answer]:
    async with exchange.post(body) as answer:
        yield _FaultyAnswer(answer, fault)


class _FaultyAnswer:
    """An answer that goes wrong after its first event."""

    is_complete = False

    def __init__(self, answer: Answer, fault: PlannedFault) -> None:
        self._answer = answer
        self._fault = fault

    @property
    def status(self) -> int:
        return self._answer.status

    @property
    def headers(self) -> Mapping[str, str]:
        return self._answer.headers

    async def chunks(self) -> AsyncIterator[bytes]:
        has_begun = False
        async for chunk in self._answer.chunks():
            if has_begun:
                yield chunk
                continue
            has_begun = True
            first, end, rest = chunk.partition(b"\n\n")
            yield first + end
            if self._fault.kind == "stall":
                await asyncio.sleep(self._fault.seconds or _STALLED_S)
            elif self._fault.kind == "cut":
                raise ConnectionBroken("the stream broke off (a fault of the test)")
            else:
                yield _NONSENSE
            yield rest
