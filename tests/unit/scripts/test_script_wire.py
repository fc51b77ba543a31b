"""What viva and a script's process say to each other: every error arrives as what it was."""

import msgspec
import pytest

from vivavoce.errors import CallFailed, UsageError
from vivavoce.scripts.script_wire import (
    HEADER_BYTES,
    ScriptReply,
    ScriptRequest,
    frame,
    frame_length,
    reply_for,
    script_problem,
)


def across(error: Exception) -> ScriptReply:
    """The reply that tells of an error, after its way through the pipe."""
    data = frame(reply_for(error))
    assert frame_length(data) == len(data) - HEADER_BYTES
    return msgspec.json.decode(data[HEADER_BYTES:], type=ScriptReply)


def test_a_request_survives_the_way():
    asked = ScriptRequest(ref="scripts:m.f", args=[1, {"a": None}], ctx={"x": "é"})
    assert msgspec.json.decode(frame(asked)[HEADER_BYTES:], type=ScriptRequest) == asked


def test_a_value_is_returned_null_and_false_included():
    assert [ScriptReply(value=value).result() for value in (None, False, {"a": 1})] == [None, False, {"a": 1}]


def test_a_usage_error_keeps_its_place_and_hint():
    with pytest.raises(UsageError) as caught:
        across(UsageError("no such function", at="m.py:3", hint="did you mean 'f'?")).result()
    assert str(caught.value) == "m.py:3: no such function (did you mean 'f'?)"


def test_a_failed_assertion_is_a_failed_assertion():
    with pytest.raises(AssertionError, match="1 is not 2"):
        across(script_problem("scripts:m.f", AssertionError("1 is not 2"))).result()


def test_any_other_exception_means_a_broken_script_and_keeps_the_user_s_lines():
    def user_code() -> None:
        raise ValueError("boom")

    try:
        user_code()
    except ValueError as error:
        problem = script_problem("scripts:m.f", error)
    with pytest.raises(CallFailed) as caught:
        across(problem).result()
    assert "script 'scripts:m.f': ValueError: boom" in str(caught.value)
    assert caught.value.fault == "test"
    assert any("user_code" in note for note in caught.value.__notes__)
