"""What user code raised, in the user's own lines."""

import asyncio
import sys
from pathlib import Path

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


def caught(function, *args) -> BaseException:
    with pytest.raises(Exception) as error:  # noqa: PT011 - whatever it is
        function(*args)
    return error.value


def test_an_exception_is_told_with_the_users_line(agent):
    assert describe_exception(caught(agent.raises)) == "ValueError: boom (agent.py:2)"


def test_an_exception_without_words_is_told_by_its_name(agent):
    assert describe_exception(caught(agent.silent)) == "KeyError (agent.py:6)"


def test_the_place_is_the_users_even_when_a_library_raised(agent):
    assert describe_exception(caught(agent.in_the_library)).endswith("(agent.py:3)")


def test_the_traceback_has_only_the_users_lines(agent):
    lines = user_traceback(caught(agent.deep)).splitlines()
    ours = [line for line in lines if "test_user_errors" not in line and "function(" not in line]
    assert ours == [
        "  agent.py:4 in deep",
        "    def deep(): return raises()",
        "  agent.py:2 in raises",
        '    def raises(): raise ValueError("boom")',
        "ValueError: boom",
    ]


def test_an_assertion_without_words_is_told_by_its_line(agent):
    error = caught(agent.asserts, 1)
    assert isinstance(error, AssertionError)
    assert failed_assertion(error) == "def asserts(x): assert x > 3 (agent.py:5)"


def told(error: BaseException) -> CallFailed:
    return CallFailed(describe_exception(error), fault="agent")


@pytest.mark.parametrize("error", [ValueError("x"), SystemExit(1), RecursionError("deep"), TimeoutError("slow")])
def test_whatever_user_code_raises_becomes_one_error(error: BaseException):
    with pytest.raises(CallFailed, match=type(error).__name__), UserCode(told):
        raise error


def test_our_own_errors_and_interrupts_pass():
    for error in (CallFailed("as it is", fault="judge"), KeyboardInterrupt()):
        with pytest.raises(type(error)) as seen, UserCode(told):
            raise error
        assert seen.value is error


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
