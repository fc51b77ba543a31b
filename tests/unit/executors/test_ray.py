"""A worker of a cluster, tested without Ray."""

import asyncio
from collections.abc import Awaitable, Callable
from types import SimpleNamespace
from typing import Any

import pytest

from vivavoce.executors.ray import RayWorker


class TaskError(Exception):
    cause = OSError("stuck")


class Remote:
    """A method of an actor."""

    def __init__(self, method: Callable[..., Awaitable[Any]]) -> None:
        self.remote = method


class FakeRay:
    """Just enough of the library for one worker."""

    exceptions = SimpleNamespace(RayTaskError=TaskError, RayActorError=type("ActorError", (Exception,), {}))

    def __init__(self) -> None:
        self.killed: list[Any] = []

    def kill(self, actor: Any) -> None:
        self.killed.append(actor)


async def opened(ray: FakeRay, closing: Callable[[], Awaitable[None]]) -> RayWorker:
    async def opens(*_: Any) -> str:
        return ""

    worker = RayWorker(ray, SimpleNamespace(open=Remote(opens), close=Remote(closing)), b"")
    await worker.open()
    return worker


async def test_a_worker_whose_closing_breaks_is_gone_without_a_word():
    async def breaks() -> None:
        raise TaskError

    ray = FakeRay()
    await (await opened(ray, breaks)).end()
    assert len(ray.killed) == 1


async def test_a_worker_is_gone_although_nobody_waits_for_its_closing():
    async def hangs() -> None:
        await asyncio.sleep(60)

    ray = FakeRay()
    ending = asyncio.create_task((await opened(ray, hangs)).end())
    await asyncio.sleep(0)
    ending.cancel()
    with pytest.raises(asyncio.CancelledError):
        await ending
    assert len(ray.killed) == 1
