"""Work that may be endless: interrupted where it can be begun again, given up at its limit."""

import sys
import threading
from types import FrameType

import pytest

from vivavoce.containment.overlong_work import (
    TookTooLong,
    finished_apart,
    interruptible,
    may_be_interrupted,
    without_waiting,
)


def frame_inside() -> FrameType:
    return sys._getframe()  # pyright: ignore[reportPrivateUsage]


@interruptible
async def marked() -> FrameType:
    return frame_inside()


async def test_only_marked_work_may_be_interrupted():
    assert not may_be_interrupted(frame_inside())
    assert not may_be_interrupted(None)
    seen: list[bool] = []

    @interruptible
    async def looking() -> None:
        seen.append(may_be_interrupted(frame_inside()))

    await looking()
    assert seen == [True]


async def test_what_is_finished_in_time_is_the_result():
    assert await finished_apart(lambda: 7, 10, "the check") == 7


async def test_what_never_ends_is_given_up_at_its_limit_which_is_named():
    ended = threading.Event()

    def endless() -> None:
        try:
            while True:
                pass
        finally:
            ended.set()

    with pytest.raises(TookTooLong, match=r"the check took longer than 0\.05s, the limit for it"):
        await finished_apart(endless, 0.05, "the check")
    assert ended.wait(30)


async def test_an_error_of_the_work_is_passed_on():
    def broken() -> None:
        raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        await finished_apart(broken, 10, "the check")


def test_a_coroutine_without_anything_to_wait_for_needs_no_loop():
    async def plain() -> int:
        return 3

    assert without_waiting(plain()) == 3


def test_a_coroutine_that_waits_is_refused():
    import asyncio

    async def waiting() -> None:
        await asyncio.sleep(0)

    with pytest.raises(TookTooLong, match="held up the event loop"):
        without_waiting(waiting())
