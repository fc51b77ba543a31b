"""A history that a script makes when the case runs."""

from typing import Any

import pytest

from vivavoce.engine.attempt.made_history import with_made_history
from vivavoce.errors import CallFailed
from vivavoce.model.case import Case, ScriptedTurn
from vivavoce.model.message import Message

ASKED = {"role": "user", "content": "and now?"}
SAID = {"role": "assistant", "content": "hello"}


class _Scripts:
    def __init__(self, made: Any) -> None:
        self._made = made
        self.given: list[Any] = []

    async def call(self, ref: str, *args: Any, ctx: Any = None) -> Any:
        self.given.append((ref, args[0]["id"], ctx))
        return self._made


async def test_the_last_message_is_the_line_of_a_case_that_has_none() -> None:
    scripts = _Scripts([SAID, ASKED])
    case = await with_made_history(Case(id="T"), "scripts:make", scripts)
    assert [message.content for message in case.history] == ["hello"]
    assert [turn.content for turn in case.turns] == ["and now?"]
    assert (case.history_script, scripts.given) == (None, [("scripts:make", "T", {"case_id": "T"})])


async def test_before_turns_all_of_it_is_history() -> None:
    case = Case(id="T", turns=(ScriptedTurn(content="go on"),))
    made = await with_made_history(case, "scripts:make", _Scripts([SAID, ASKED]))
    assert made.history == (Message(role="assistant", content="hello"), Message(role="user", content="and now?"))
    assert made.turns == case.turns


@pytest.mark.parametrize(
    ("made", "problem"),
    [
        ("hello", "wanted a list of messages, found string"),
        ([SAID], "the last one is not the user's"),
        ([], "the last one is not the user's"),
        ([{"role": "robot", "content": "x"}], r"messages\[0\].role: "),
        ([{"role": "user"}], "a message needs 'content'"),
    ],
)
async def test_what_is_no_history_is_the_scripts_fault(made: Any, problem: str) -> None:
    with pytest.raises(CallFailed, match=problem) as caught:
        await with_made_history(Case(id="T"), "scripts:make", _Scripts(made))
    assert caught.value.fault == "hook"
