"""What was not read breaks the checks it could decide, and no others."""

from typing import Any

import pytest
from msgspec import structs
from tests.fakes.evidence import FakeJudge, FakeScripts, call, evidence, helpers, turn

from vivavoce.engine.attempt.judging import judge
from vivavoce.model.case import AssertionSpec
from vivavoce.model.message import AgentReply, ToolCall, Unread, Usage
from vivavoce.model.transcript import Line, Turn
from vivavoce.model.verdict import Outcome, Verdict
from vivavoce.plugins.catalog import ASSERTIONS
from vivavoce.protocols import Evidence

A_CALL = Unread('{"fn": "delete_order"}', "$.actions", "call")
WORDS = Unread("I deleted it", "$.note", "words")
EITHER = Unread("<tool>", "$.blob")
PASSING: list[tuple[dict[str, Any], str]] = [
    ({"type": "forbid", "name": "delete_order"}, "call"),
    ({"type": "forbid_calls", "name": "charge", "args_match": {"amount": "9"}}, "call"),
    ({"type": "require", "name": "charge", "count": {"max": 1}}, "call"),
    ({"type": "require", "name": "charge", "count": {"exact": 1}}, "call"),
    ({"type": "require", "name": "charge", "after": "search"}, "call"),
    ({"type": "require", "name": "charge", "result_not_match": "declined"}, "call"),
    ({"type": "max_gap_ms", "value": 1000}, "call"),
    ({"type": "not_contains", "value": "sorry"}, "words"),
    ({"type": "must_not_match", "value": "sorry"}, "words"),
    ({"type": "contains", "value": "sorry", "negate": True}, "words"),
    ({"type": "tool_called", "name": "delete_order", "negate": True}, "call"),
    ({"type": "cost", "max_tokens": 100}, "call words"),
    ({"type": "script", "use": "scripts:x"}, "call words"),
    ({"type": "require", "name": "charge"}, ""),
    ({"type": "require", "name": "charge", "count": {"min": 1}}, ""),
    ({"type": "tool_called", "name": "charge"}, ""),
    ({"type": "tool_result", "tool": "charge"}, ""),
    ({"type": "contains", "value": "paid"}, ""),
    ({"type": "equals", "value": "it is paid"}, ""),
    ({"type": "must_match", "value": "paid"}, ""),
    ({"type": "max_duration_ms", "value": 5000}, ""),
    ({"type": "latency", "max": "5s"}, ""),
]


def seen(*unread: Unread) -> Evidence:
    calls = (call("search", {}, "ok", at=1), call("charge", {"amount": 5}, "ok", at=2))
    return evidence(turn("it is paid", *calls, usage=Usage(1, 2), unread=unread, end=10))


async def judged(written: dict[str, Any], found: Evidence) -> Verdict:
    fields = {name: value for name, value in written.items() if name not in ("type", "negate")}
    spec = AssertionSpec(type=written["type"], fields=fields, negate=written.get("negate", False))
    scripts = FakeScripts(lambda *_: True)
    return (await judge([spec], found, helpers(FakeJudge(), scripts)))[0]


@pytest.mark.parametrize(("written", "doubts"), PASSING, ids=str)
async def test_a_pass_is_broken_only_by_what_could_turn_it(written: dict[str, Any], doubts: str):
    assert (await judged(written, seen())).outcome is Outcome.PASSED
    for piece, kind in ((A_CALL, "call"), (WORDS, "words"), (EITHER, "")):
        verdict = await judged(written, seen(piece))
        broken = kind in doubts.split() if kind else bool(doubts)
        assert verdict.outcome is (Outcome.BROKEN if broken else Outcome.PASSED), piece
        assert not broken or (piece.piece in verdict.reason and piece.where in verdict.reason)


async def test_a_check_that_fails_anyway_stays_failed():
    verdict = await judged({"type": "forbid", "name": "charge"}, seen(EITHER))
    assert verdict.outcome is Outcome.FAILED


async def test_the_turn_is_named_when_there_are_several():
    two = evidence(turn("a"), turn("b", unread=(A_CALL,)), scope="case")
    assert "(turn 2)" in (await judged({"type": "forbid", "name": "x"}, two)).reason


TOOL_RULES = [written for written, _ in PASSING if getattr(ASSERTIONS.load(written["type"]), "judges", "") == "call"]


@pytest.mark.parametrize("written", TOOL_RULES, ids=str)
async def test_every_tool_rule_is_broken_where_calls_are_not_shown(written: dict[str, Any]):
    verdict = await judged(written, evidence(turn("plain text", shows_calls=False)))
    assert verdict.outcome is Outcome.BROKEN
    assert "shows_calls: true" in verdict.reason
    assert "`tool_calls: $.path`" in verdict.reason
    assert verdict.fault == "test"


async def test_the_agents_own_reason_why_calls_are_not_shown_is_told():
    hidden = AgentReply(text="a", shows_calls=False, not_shown="$.tols finds nothing")
    seen_so = evidence(structs.replace(turn("a"), reply=hidden))
    verdict = await judged({"type": "forbid", "name": "charge"}, seen_so)
    assert (verdict.outcome, verdict.reason, verdict.fault) == (Outcome.BROKEN, "$.tols finds nothing", "test")


async def test_calls_that_were_seen_decide_where_others_may_be_hidden():
    mixed = evidence(turn("a", call("charge")), turn("b", shows_calls=False), scope="case")
    assert (await judged({"type": "tool_called", "name": "charge"}, mixed)).outcome is Outcome.PASSED
    assert (await judged({"type": "forbid", "name": "charge"}, mixed)).outcome is Outcome.FAILED
    assert (await judged({"type": "forbid", "name": "delete"}, mixed)).outcome is Outcome.BROKEN


async def test_checks_of_words_need_no_calls():
    plain = evidence(turn("plain text", shows_calls=False))
    assert (await judged({"type": "not_contains", "value": "sorry"}, plain)).outcome is Outcome.PASSED


@pytest.mark.parametrize("kind", list(ASSERTIONS))
def test_every_assertion_says_what_it_judges_and_what_makes_it_doubtful(kind: str):
    declared: Any = ASSERTIONS.load(kind)
    # A property says it of each check: what a snapshot keeps decides.
    assert isinstance(declared.judges, property) or declared.judges in ("words", "call", "both", "nothing")
    assert hasattr(declared, "doubted_by")


async def test_calls_that_were_seen_from_the_side_do_not_prove_that_there_were_no_others():
    seen_aside = evidence(turn("plain text", call("look"), shows_calls=False))
    assert (await judged({"type": "forbid", "name": "charge"}, seen_aside)).outcome is Outcome.BROKEN
    assert (await judged({"type": "tool_called", "name": "look"}, seen_aside)).outcome is Outcome.PASSED


@pytest.mark.parametrize(
    ("words", "wanted"),
    [
        *(
            (words, Outcome.BROKEN)
            for words in ("done delete_order", "shop__delete_order", "DeleteOrder", "delete_order#1")
        ),
        ("done look_up", Outcome.PASSED),
    ],
)
async def test_words_that_nobody_reads_break_checks_about_a_tool_of_that_name(words: str, wanted: Outcome):
    piece = Unread(words, "$.x", "name", words)
    forbid = AssertionSpec(type="forbid", fields={"name": "delete_order"})
    turn = Turn(number=1, line=Line(content="hi"), reply=AgentReply(text="ok", unread=(piece,)))
    assert (await judge([forbid], evidence(turn), helpers()))[0].outcome is wanted
    limit = AssertionSpec(type="max_calls", fields={"value": 0})
    assert (await judge([limit], evidence(turn), helpers()))[0].outcome is Outcome.PASSED


async def test_such_words_are_no_doubt_once_the_call_was_seen():
    piece = Unread("pay", "$.last_tool", "name", "pay")
    once = AssertionSpec(type="require", fields={"name": "pay", "count": {"exact": 1}})
    reply = AgentReply(text="ok", calls=(ToolCall(name="pay"),), unread=(piece,))
    turn = Turn(number=1, line=Line(content="hi"), reply=reply)
    assert (await judge([once], evidence(turn), helpers()))[0].outcome is Outcome.PASSED


@pytest.mark.parametrize(
    ("tool", "outcome"),
    [("delete_order", Outcome.BROKEN), ("shop__delete_order", Outcome.BROKEN), ("look", Outcome.PASSED)],
)
async def test_a_piece_that_may_be_a_call_of_one_tool_breaks_the_checks_of_that_tool(tool: str, outcome: Outcome):
    piece = Unread("{}", "$.x", "call", tool)
    assert (await judged({"type": "forbid", "name": "delete_order"}, seen(piece))).outcome is outcome
