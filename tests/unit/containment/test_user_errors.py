"""What user code raised, in the user's own lines."""

import asyncio
import signal
import sys
from pathlib import Path
from typing import Any

import pytest

from vivavoce.containment.user_errors import UserCode, describe_exception, failed_assertion, user_traceback
from vivavoce.errors import CallFailed
from vivavoce.scripts.finder import load_module

CODE = """import json
def raises(): raise ValueError("boom")
def in_the_library(): json.loads("{")
def deep(): return raises()
def asserts(x): assert x > 3
def silent(): raise KeyError
"""


@pytest.fixture
def agent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    Path("agent.py").write_text(CODE)
    return load_module(Path("agent.py"))


def caught(function: Any, *args: Any) -> BaseException:
    with pytest.raises(Exception) as error:  # noqa: PT011 - whatever it is
        function(*args)
    return error.value


def test_an_exception_is_told_with_the_users_line(agent: Any):
    assert describe_exception(caught(agent.raises)) == "ValueError: boom (agent.py:2)"


def test_an_exception_without_words_is_told_by_its_name(agent: Any):
    assert describe_exception(caught(agent.silent)) == "KeyError (agent.py:6)"


def test_the_place_is_the_users_even_when_a_library_raised(agent: Any):
    assert describe_exception(caught(agent.in_the_library)).endswith("(agent.py:3)")


def test_the_traceback_has_only_the_users_lines(agent: Any):
    lines = user_traceback(caught(agent.deep)).splitlines()
    ours = [line for line in lines if "test_user_errors" not in line and "function(" not in line]
    assert ours == [
        "  agent.py:4 in deep",
        "    def deep(): return raises()",
        "  agent.py:2 in raises",
        '    def raises(): raise ValueError("boom")',
        "ValueError: boom",
    ]


def test_an_assertion_without_words_is_told_by_its_line(agent: Any):
    error = caught(agent.asserts, 1)
    assert isinstance(error, AssertionError)
    assert failed_assertion(error) == "def asserts(x): assert x > 3 (agent.py:5)"


def told(error: BaseException) -> CallFailed:
    return CallFailed(describe_exception(error), fault="agent")


RAISED = [ValueError("x"), SystemExit(1), RecursionError("deep"), KeyboardInterrupt("x"), GeneratorExit("x")]


@pytest.mark.parametrize("error", RAISED)
def test_whatever_user_code_raises_becomes_one_error(error: BaseException):
    with pytest.raises(CallFailed, match=type(error).__name__), UserCode(told):
        raise error


def test_our_own_errors_and_a_real_ctrl_c_pass():
    with pytest.raises(CallFailed, match="as it is") as seen, UserCode(told):
        raise CallFailed("as it is", fault="judge")
    assert seen.value.fault == "judge"
    with pytest.raises(KeyboardInterrupt), UserCode(told):
        signal.raise_signal(signal.SIGINT)


def test_the_end_of_a_coroutine_that_waits_in_user_code_passes():
    class Waits:
        def __await__(self):
            yield

    async def waits() -> None:
        with UserCode(told):
            await Waits()

    waiting = waits()
    waiting.send(None)
    waiting.close()


async def test_a_cancellation_passes_but_one_that_user_code_made_up_does_not():
    async def waits() -> None:
        with UserCode(told):
            await asyncio.sleep(10)

    task = asyncio.create_task(waits())
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    with pytest.raises(CallFailed, match="CancelledError"), UserCode(told):
        raise asyncio.CancelledError
