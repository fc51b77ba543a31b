"""What is checked after every reply, and when that ends the conversation."""

from typing import Any

import pytest
from msgspec import structs
from tests.fakes.evidence import call, helpers, turn
from tests.fakes.examining import case_of

from vivavoce.engine.attempt.examiner import Examiner, checked_text
from vivavoce.model.message import AgentReply
from vivavoce.model.transcript import EndReason, Transcript, Turn
from vivavoce.model.verdict import Outcome


def checkpoint(name: str, text: str, **more: Any) -> dict[str, Any]:
    return {"id": name, "assert": {"type": "contains", "value": text}, **more}


def examiner_for(*checkpoints: dict[str, Any], **fields: Any) -> Examiner:
    return Examiner(case_of(**{"input": "hi", "checkpoints": list(checkpoints), **fields}), helpers())


async def reached(examiner: Examiner, *says: str) -> list[tuple[str, ...]]:
    """Which checkpoints each reply reached."""
    found: list[tuple[str, ...]] = []
    for number, text in enumerate(says, 1):
        examined, _ = await examiner.examine(numbered(number, text), Transcript())
        found.append(examined.reached)
    return found


def numbered(number: int, text: str) -> Turn:
    return structs.replace(turn(text), number=number)


async def test_one_reply_may_reach_several_checkpoints_in_order():
    examiner = examiner_for(checkpoint("a", "hello"), checkpoint("b", "bye", after=["a"]))
    assert await reached(examiner, "hello and bye") == [("a", "b")]


async def test_a_checkpoint_waits_for_those_it_comes_after():
    examiner = examiner_for(checkpoint("b", "bye", after=["a"]), checkpoint("a", "hello"))
    assert await reached(examiner, "bye", "hello", "bye") == [(), ("a",), ("b",)]


async def test_the_case_ends_when_all_required_checkpoints_are_reached():
    examiner = examiner_for(checkpoint("a", "hello"), checkpoint("b", "bye", required=False))
    _, ending = await examiner.examine(numbered(1, "hello"), Transcript())
    assert ending is not None
    assert ending.reason is EndReason.CHECKPOINTS_REACHED


async def test_optional_checkpoints_alone_never_end_a_case():
    _, ending = await examiner_for(checkpoint("a", "hello", required=False)).examine(numbered(1, "hello"), Transcript())
    assert ending is None


async def test_a_checkpoint_that_breaks_ends_the_case_with_its_reason():
    broken = {"id": "a", "assert": {"type": "tool_called", "value": "pay"}}
    hidden = structs.replace(numbered(1, "x"), reply=AgentReply(text="x", shows_calls=False))
    _, ending = await examiner_for(broken).examine(hidden, Transcript())
    assert ending is not None
    assert ending.reason is EndReason.CHECK_BROKE
    assert ending.detail.startswith("checkpoint a failed: ")


async def test_the_nearest_miss_is_what_is_reported():
    two = {"id": "a", "assert": [{"type": "contains", "value": "x"}, {"type": "contains", "value": "zebra"}]}
    examiner = examiner_for(two)
    await reached(examiner, "x alone", "nothing")
    (outcome,) = examiner.checkpoints()
    assert [verdict.outcome for verdict in outcome.verdicts] == [Outcome.PASSED, Outcome.FAILED]


async def test_the_other_tries_are_kept_briefly():
    two = {"id": "a", "assert": [{"type": "contains", "value": "x"}, {"type": "contains", "value": "zebra"}]}
    examiner = examiner_for(two)
    await reached(examiner, "nothing", "x alone", "none", "x and zebra")
    (outcome,) = examiner.checkpoints()
    assert (outcome.reached_at_turn, outcome.nearest_at_turn) == (4, None)
    told = {one.turn: [verdict.passed for verdict in one.verdicts] for one in outcome.tries}
    assert told == {1: [False, False], 2: [True, False], 3: [False, False]}
    assert all(verdict.spec is None and not verdict.details for one in outcome.tries for verdict in one.verdicts)


async def test_the_turn_of_the_nearest_miss_is_known():
    examiner = examiner_for(checkpoint("a", "zebra"))
    await reached(examiner, "x", "y")
    (outcome,) = examiner.checkpoints()
    assert (outcome.reached_at_turn, outcome.nearest_at_turn) == (None, 2)
    assert [one.turn for one in outcome.tries] == [1]


async def test_a_failed_turn_ends_only_a_case_that_says_so():
    wanted = {"input": "hi", "assertions": [{"type": "contains", "value": "never"}]}
    for stops in (True, False):
        case = case_of(turns=[wanted], stop_on_failure=stops)
        line = structs.replace(turn("x").line, assertions=case.turns[0].assertions)
        _, ending = await Examiner(case, helpers()).examine(structs.replace(turn("x"), line=line), Transcript())
        assert (ending is not None and ending.reason is EndReason.TURN_FAILED) is stops


@pytest.mark.parametrize("strict", [True, False])
async def test_broken_protocol_rules_fail_a_turn_only_when_they_are_to(strict: bool):
    reply = AgentReply(text="x", violations=("RUN_STARTED twice",))
    seen = structs.replace(turn("x"), reply=reply)
    examined, _ = await Examiner(case_of(input="hi"), helpers(), strict_protocol=strict).examine(seen, Transcript())
    assert examined.error == ("protocol: RUN_STARTED twice" if strict else None)


def test_checkpoints_read_the_reply_and_the_messages_of_tool_results():
    reply = turn("done", call("pay", {}, {"message": "paid 30"}), call("log", {}, "no message")).reply
    assert checked_text(reply) == "done\npaid 30"
    assert checked_text(AgentReply(text="x", data={"a": 1})) == {"a": 1}
