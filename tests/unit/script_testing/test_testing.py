"""How a test function is run, and what its record says of the way it ended."""

import asyncio
import sys
import threading
import time
from typing import Any

import pytest
from tests.fakes.script_tests import FakeAgents, run_alone, terms

from vivavoce.containment.user_functions import UserFunction
from vivavoce.errors import CallFailed
from vivavoce.model.verdict import Outcome
from vivavoce.script_testing import process
from vivavoce.script_testing.testing import run_test


async def test_a_failed_check_does_not_end_the_test():
    def test_it(t: Any) -> None:
        t.assert_.equal(1, 2)
        t.assert_.equal(2, 2)

    record = await run_alone(test_it)
    assert [check.outcome for check in record.checks] == [Outcome.FAILED, Outcome.PASSED]


@pytest.mark.parametrize("swallowed", [False, True])
async def test_fatal_ends_the_test_at_once_and_is_a_failure(swallowed: bool):
    def test_it(t: Any) -> None:
        if not swallowed:
            t.fatal("no way on")
        try:
            t.fatal("no way on")
        except Exception:  # noqa: BLE001 - as users write it
            t.log("swallowed")
        t.log("went on")

    record = await run_alone(test_it)
    assert [(check.check, check.reason) for check in record.checks] == [("Fatal", "no way on")]
    assert record.logs == ()
    assert record.error is None


async def test_skip_ends_the_test_and_says_why():
    def test_it(t: Any) -> None:
        t.skip("not on this machine")
        t.log("went on")

    record = await run_alone(test_it)
    assert (record.skipped, record.logs, record.error) == ("not on this machine", (), None)


async def test_skip_inside_throws_is_no_thrown_error():
    def test_it(t: Any) -> None:
        t.assert_.throws(lambda: t.skip("later"))

    record = await run_alone(test_it)
    assert (record.skipped, record.checks) == ("later", ())


async def test_a_plain_assert_is_a_failure_with_its_line():
    def test_it() -> None:
        raise AssertionError("arithmetic")

    (noted,) = (await run_alone(test_it)).checks
    assert (noted.check, noted.outcome, noted.reason) == ("assert", Outcome.FAILED, "arithmetic")
    assert noted.line == test_it.__code__.co_firstlineno + 1


async def test_what_a_test_raises_is_an_error_with_the_users_own_lines():
    def test_it(t: Any) -> None:
        t.assert_.true(True)
        raise ValueError("boom")

    record, lines = await run_test(UserFunction(test_it), "test_it", {}, terms())
    assert "ValueError: boom" in str(record.error)
    assert "test_testing.py" in str(record.error)
    assert record.fault == "test"
    assert [check.outcome for check in record.checks] == [Outcome.PASSED]
    assert 'raise ValueError("boom")' in lines
    assert "vivavoce" not in lines.replace(__file__, "")


async def test_sys_exit_ends_the_test_and_nothing_else():
    def test_it() -> None:
        sys.exit(3)

    assert "SystemExit: 3" in str((await run_alone(test_it)).error)


async def test_a_test_that_yields_would_run_nothing_and_is_an_error():
    def test_it(t: Any) -> Any:
        yield t.assert_.true(False)

    assert "must not yield" in str((await run_alone(test_it)).error)


@pytest.mark.parametrize("value", [False, True, {"passed": False}])
async def test_a_return_value_is_judged_by_nobody_and_so_a_failure(value: Any):
    def test_it() -> Any:
        return value

    async def test_later() -> Any:
        return value

    for function in (test_it, test_later):
        [check] = (await run_alone(function)).checks
        assert check.outcome is Outcome.FAILED
        assert "return value" in check.reason


@pytest.mark.parametrize(
    "function",
    [
        lambda t, ctx: t.log(ctx["level"]),
        lambda t, context: t.log(context["level"]),
        lambda ctx, t: t.log(ctx["level"]),
        lambda t, c: t.log(c["level"]),
    ],
    ids=["t, ctx", "t, context", "ctx, t", "t, c"],
)
async def test_the_context_is_given_to_whoever_takes_it(function: Any):
    assert (await run_alone(function, ctx={"level": 3})).logs == ("3",)


async def test_an_async_test_that_blocks_stalls_nobody_else():
    released = threading.Event()
    freed: list[bool] = []

    async def test_it() -> None:
        freed.append(released.wait(60))

    running = asyncio.ensure_future(run_alone(test_it))
    await asyncio.sleep(0.01)
    released.set()
    await running
    assert freed == [True]


async def test_a_test_that_never_ends_is_cut_off_and_can_call_nobody_any_more():
    began, refused = threading.Event(), threading.Event()

    def test_it(t: Any) -> None:
        try:
            began.set()
            while True:
                time.sleep(0.001)
        finally:
            try:
                process("agents.x.Stream", None, "clean up")
            except CallFailed as refusal:
                if "the test is over" in str(refusal):
                    refused.set()

    agents = FakeAgents()
    running = asyncio.ensure_future(run_alone(test_it, agents))
    assert await asyncio.to_thread(began.wait, 60)
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    assert await asyncio.to_thread(refused.wait, 60)
    assert agents.asked == []


async def test_hostile_text_in_logs_is_made_harmless():
    def test_it(t: Any) -> None:
        t.log("red \x1b[31m alert", "\ud800")

    assert (await run_alone(test_it)).logs == ("red \\x1b[31m alert \\ud800",)
