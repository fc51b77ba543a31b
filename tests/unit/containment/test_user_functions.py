"""Calling users' functions: the right arguments, the right thread, never a stuck run."""

import asyncio
import functools
import sys
import threading
import time
from typing import Any

import pytest

from vivavoce.containment.user_functions import UserFunction, all_of, call_user_function


class Callable:
    async def __call__(self, a: Any) -> Any:
        return a


@pytest.mark.parametrize(
    ("function", "result"),
    [
        (lambda: "none", "none"),
        (lambda a: (a,), (1,)),
        (lambda a, b: (a, b), (1, 2)),
        (lambda a, b, c, d=9: (a, b, c, d), (1, 2, 3, 9)),
        (lambda *args: args, (1, 2, 3)),
        (lambda a, ctx: (a, ctx), (1, "C")),
        (lambda a, context: (a, context), (1, "C")),
        (lambda ctx, a: (ctx, a), ("C", 1)),
        (lambda ctx: ctx, "C"),
        (lambda a, *, ctx: (a, ctx), (1, "C")),
        (lambda a, b=0, c=0, d=0, ctx=None: (a, b, c, d, ctx), (1, 2, 3, 0, "C")),
        (lambda a, **others: (a, others), (1, {})),
        (lambda *args, ctx: (args, ctx), ((1, 2, 3), "C")),
        (functools.partial(lambda x, a: (x, a), "bound"), ("bound", 1)),
        (Callable(), 1),
        (max, 3),
    ],
)
async def test_a_function_gets_as_many_arguments_as_it_takes(function: Any, result: Any):
    assert await call_user_function(function, 1, 2, 3, ctx="C") == result


async def test_a_positional_only_context_is_passed_in_its_place():
    def function(a: Any, ctx: Any, /) -> Any:
        return a, ctx

    assert await call_user_function(function, 1, 2, ctx="C") == (1, "C")


async def test_asynchronous_functions_run_here_and_blocking_ones_elsewhere():
    async def here() -> int:
        return threading.get_ident()

    assert await call_user_function(here) == threading.get_ident()
    assert await call_user_function(threading.get_ident) != threading.get_ident()


async def test_a_coroutine_from_a_plain_function_is_awaited():
    async def later() -> str:
        return "done"

    assert await call_user_function(lambda: later()) == "done"


@pytest.mark.parametrize("error", [ValueError("boom"), StopIteration("end"), AssertionError("no")])
async def test_errors_come_through(error: Exception):
    def function() -> None:
        raise error

    with pytest.raises((type(error), RuntimeError), match=str(error)):
        await call_user_function(function)


async def test_sys_exit_ends_neither_the_loop_nor_the_run():
    async def leaves() -> None:
        sys.exit(4)

    for function in (leaves, lambda: sys.exit(4)):
        with pytest.raises(RuntimeError, match=r"sys\.exit\(4\) was called"):
            await call_user_function(function)


async def test_generators_of_both_kinds_are_drained():
    async def later():
        yield 1
        yield 2

    assert await all_of(later()) == [1, 2]
    assert await all_of(n for n in (1, 2)) == [1, 2]
    assert await all_of(aiter(later())) == [1, 2]


async def test_a_generator_that_is_cut_short_is_closed():
    closed: list[bool] = []

    async def endless():
        try:
            while True:
                yield 1
                await asyncio.sleep(0)
        finally:
            closed.append(True)

    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.05):
            await all_of(endless())
    assert closed == [True]


async def test_an_asynchronous_call_costs_microseconds():
    async def answer(text: str) -> str:
        return text

    function = UserFunction(answer)
    began = time.thread_time()
    for _ in range(10_000):
        await function.call("hi")
    assert (time.thread_time() - began) / 10_000 < 200e-6
