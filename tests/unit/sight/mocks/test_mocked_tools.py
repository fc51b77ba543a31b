"""Which answer of a mock a call gets."""

import pytest

from vivavoce.errors import CallFailed
from vivavoce.model.case import FrontendTool
from vivavoce.model.json_value import JsonObject, JsonValue
from vivavoce.sight.mocks.mocked_tools import MockedTools


async def call_script(ref: str, args: JsonValue) -> JsonValue:
    if ref == "tools.declines":
        raise AssertionError("not for you")
    if ref == "tools.breaks":
        raise CallFailed("KeyError", fault="test")
    return {"made from": args}


def mocked(*answers: JsonObject) -> MockedTools:
    return MockedTools([FrontendTool(name="refund", answers=answers)], call_script)


async def test_a_tool_without_a_mock_is_left_alone():
    assert await mocked({"value": 1}).answer("charge", {}) is None


async def test_an_answer_meant_for_one_call_is_used_up():
    mocks = mocked({"value": 1, "once": True}, {"value": 2})
    given = [await mocks.answer("refund", {}) for _ in range(3)]
    assert [answer and answer.value for answer in given] == [1, 2, 2]


async def test_the_first_answer_whose_conditions_hold_is_given():
    mocks = mocked({"value": "archived", "when": {"order.id": "^A-"}}, {"error": "no such order"})
    fits, other = await mocks.answer("refund", {"order": {"id": "A-17"}}), await mocks.answer("refund", {"order": {}})
    assert fits is not None
    assert other is not None
    assert (fits.value, other.error) == ("archived", "no such order")


async def test_a_call_that_no_answer_fits_is_an_error_of_the_test():
    with pytest.raises(CallFailed, match="none of its mock's answers fits") as failure:
        await mocked({"value": 1, "when": {"id": "7"}}).answer("refund", {"id": 8})
    assert failure.value.fault == "test"


async def test_a_script_answers_declines_or_breaks():
    made = await mocked({"script": "tools.makes"}).answer("refund", {"id": 7})
    declined = await mocked({"script": "tools.declines"}).answer("refund", {})
    assert made is not None
    assert declined is not None
    assert (made.value, declined.error) == ({"made from": {"id": 7}}, "not for you")
    with pytest.raises(CallFailed, match="mock of refund: KeyError"):
        await mocked({"script": "tools.breaks"}).answer("refund", {})


async def test_an_answer_may_take_its_time(monkeypatch: pytest.MonkeyPatch):
    waited: list[float] = []

    async def sleep(seconds: float) -> None:
        waited.append(seconds)

    monkeypatch.setattr("asyncio.sleep", sleep)
    mocks = mocked({"value": 1, "delay": 2.5, "once": True}, {"value": 2})
    given = [await mocks.answer("refund", {}) for _ in range(2)]
    assert [answer and answer.value for answer in given] == [1, 2]
    assert waited == [2.5, 0]
