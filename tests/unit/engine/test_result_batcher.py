import asyncio

import pytest
from tests.fakes.results import plain

from vivavoce.engine.result_batcher import ResultBatcher
from vivavoce.model.result import CaseResult


async def test_results_that_come_together_are_told_together_in_their_order():
    told: list[str] = []
    batcher = ResultBatcher(lambda result: told.append(result.case.id))
    flushing = asyncio.create_task(batcher.flush_regularly())
    batcher.add(plain("a"))
    await asyncio.sleep(0)
    batcher.add(plain("b"))
    assert told == []
    while len(told) < 2:
        await asyncio.sleep(0.01)
    assert told == ["a", "b"]
    batcher.add(plain("c"))
    while len(told) < 3:
        await asyncio.sleep(0.01)
    assert told == ["a", "b", "c"]
    flushing.cancel()


async def test_many_are_told_at_once_so_that_they_never_pile_up():
    told: list[CaseResult] = []
    batcher = ResultBatcher(told.append)
    for _ in range(200):
        batcher.add(plain())
    assert len(told) == 192
    batcher.flush()
    assert len(told) == 200


async def test_what_a_listener_raises_ends_the_telling_and_nothing_is_told_twice():
    told: list[str] = []

    def tell(result: CaseResult) -> None:
        told.append(result.case.id)
        if result.case.id == "bad":
            raise OSError("no space")

    batcher = ResultBatcher(tell)
    for case_id in ("good", "bad", "next"):
        batcher.add(plain(case_id))
    with pytest.raises(OSError, match="no space"):
        await batcher.flush_regularly()
    batcher.flush()
    assert told == ["good", "bad", "next"]
