from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from msgspec import UNSET

from vivavoce.errors import CallFailed
from vivavoce.model.case import FrontendTool
from vivavoce.model.message import ToolCall
from vivavoce.model.tool_answer import ToolAnswer
from vivavoce.targets.ag_ui.frontend_tools import FrontendStubs, StubAnswer


async def no_script(ref: str, args: Any) -> Any:
    raise AssertionError("no script is named")


def stubs(*answers: dict[str, Any], script: Callable[[str, Any], Awaitable[Any]] = no_script) -> FrontendStubs:
    return FrontendStubs([FrontendTool(name="pick", answers=answers)], script)


def call(**args: Any) -> ToolCall:
    return ToolCall(name="pick", args=args)


async def test_the_first_answer_that_fits_is_given():
    picking = stubs({"value": "red", "when": {"kind": "^colour$"}}, {"value": "any"})
    assert await picking.answer(call(kind="colour")) == StubAnswer(value="red")
    assert await picking.answer(call(kind="shape")) == StubAnswer(value="any")


async def test_an_answer_meant_for_one_call_is_used_up_in_this_conversation_alone():
    once = {"value": 1, "once": True}
    picking = stubs(once)
    assert await picking.answer(call()) == StubAnswer(value=1)
    assert await picking.answer(call()) is None
    assert await stubs(once).answer(call()) == StubAnswer(value=1)


async def test_conditions_reach_into_arguments_and_a_missing_one_never_fits():
    picking = stubs({"value": "yes", "when": {"user.age": "^1[89]|[2-9]\\d$"}})
    assert await picking.answer(call(user={"age": 19})) == StubAnswer(value="yes")
    assert await picking.answer(call(**{"user.age": 21})) == StubAnswer(value="yes")
    assert await picking.answer(call(user={})) is None
    assert await picking.answer(call(user={"age": 7})) is None


async def test_errors_and_null_are_answers():
    assert await stubs({"error": "out of stock"}).answer(call()) == StubAnswer(error="out of stock")
    assert await stubs({"value": None}).answer(call()) == StubAnswer(value=None)
    assert StubAnswer(value=None) != StubAnswer(value=UNSET)


async def test_a_script_answers_or_declines_and_one_that_breaks_is_the_tests_fault():
    async def script(ref: str, args: Any) -> Any:
        if args["n"] == 0:
            raise AssertionError
        if args["n"] < 0:
            raise CallFailed("ValueError: boom", fault="agent")
        return {"ref": ref, "twice": args["n"] * 2}

    picking = stubs({"script": "scripts:pick"}, script=script)
    assert await picking.answer(call(n=2)) == StubAnswer(value={"ref": "scripts:pick", "twice": 4})
    assert await picking.answer(call(n=0)) == StubAnswer(error="declined")
    with pytest.raises(CallFailed, match="stub of front-end tool pick: ValueError: boom") as caught:
        await picking.answer(call(n=-1))
    assert caught.value.fault == "test"


class Mocking:
    """Answers in place of the stub, or lets it answer."""

    def __init__(self, given: ToolAnswer | None) -> None:
        self._given = given

    async def tool(self, name: str, args: Any, own: Callable[[], Awaitable[ToolAnswer]]) -> ToolAnswer:
        return self._given or await own()


@pytest.mark.parametrize(
    ("given", "answers", "expected"),
    [
        (ToolAnswer(value="mocked"), ({"value": "stub"},), StubAnswer(value="mocked")),
        (ToolAnswer(error="cut off"), (), StubAnswer(error="cut off")),
        (None, ({"value": "stub"},), StubAnswer(value="stub")),
        (None, (), None),
    ],
)
async def test_mocks_and_faults_come_before_the_stub(
    given: ToolAnswer | None, answers: tuple[dict[str, Any], ...], expected: StubAnswer | None
):
    interventions: Any = Mocking(given)
    picking = FrontendStubs([FrontendTool(name="pick", answers=answers)], no_script, interventions)
    assert await picking.answer(call()) == expected


def test_a_call_without_an_answer_says_what_to_declare():
    assert "but it has no stub: declare `tools: [{name: pick, answer: …}]`" in stubs().missing("pick")
    assert "none of its stub answers fits this call" in stubs({"value": 1, "once": True}).missing("pick")
    assert (stubs().advertises("pick"), stubs().advertises("other")) == (True, False)
