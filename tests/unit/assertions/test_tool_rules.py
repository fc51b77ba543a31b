from typing import Any

import pytest
from tests.fakes.evidence import call, check, evidence, turn

from vivavoce.errors import UsageError
from vivavoce.model.message import AgentReply, ToolCall
from vivavoce.model.transcript import Line, Transcript, Turn
from vivavoce.model.verdict import Outcome
from vivavoce.wording.results import call_shown


async def test_a_forbidden_tool_is_caught_behind_a_namespace():
    seen = evidence(turn(""), turn("", call("shop__delete_order")), scope="case")
    verdict = await check("forbid", seen, name="delete_order")
    assert verdict.reason == "delete_order called 1 time as shop__delete_order, forbidden (turn 2)"


@pytest.mark.parametrize(
    "other",
    [
        call("delete_order_v2"),
        call("undelete_order"),
        call("run_later", {"tool": "delete_order", "args": {"id": 7}}),
        call("run_later", {}, '{"name": "delete_order", "arguments": {}}'),
    ],
)
async def test_another_tool_is_not_the_forbidden_one_whatever_its_arguments_name(other: ToolCall):
    assert (await check("forbid", evidence(turn("", other)), name="delete_order")).passed


async def test_a_wrong_count_says_how_often_and_where():
    seen = evidence(turn(""), turn(""), turn("", call("charge_card")), turn("", call("charge_card")), scope="case")
    verdict = await check("require", seen, name="charge_card", count={"exact": 1})
    assert verdict.reason == "charge_card called 2 times, wanted exactly 1 (turn 3, turn 4)"
    assert verdict.expected == {"name": "charge_card", "count": {"exact": 1}}
    assert verdict.actual == 2


@pytest.mark.parametrize(
    ("count", "calls", "holds"),
    [
        ({}, 0, False),
        ({}, 3, True),
        ({"max": 2}, 0, False),
        ({"max": 2}, 2, True),
        ({"max": 2}, 3, False),
        ({"min": 0}, 0, True),
        ({"min": 0, "max": 1}, 2, False),
        ({"exact": 0}, 0, True),
        ({"exact": 0}, 1, False),
        ({"exact": 2}, 2, True),
        ({"min": 2}, 1, False),
    ],
)
async def test_only_exact_zero_and_min_zero_allow_none(count: dict[str, int], calls: int, holds: bool):
    seen = evidence(turn("", *[call("t")] * calls))
    assert (await check("require", seen, name="t", count=count)).passed is holds


async def test_arguments_and_result_select_before_counting():
    seen = evidence(
        turn(
            "",
            call("q", {"table": "users", "limit": 5}, "ok"),
            call("q", {"table": "orders"}, "ok"),
            call("q", {"table": "users"}, "timeout"),
        )
    )

    async def counted(**rule: Any) -> int | object:
        return (await check("require", seen, name="q", count={"min": 99}, **rule)).actual

    assert await counted() == 3
    assert await counted(args_match={"table": "users"}) == 2
    assert await counted(args_match={"table": "users"}, result_match="ok") == 1
    assert await counted(args_not_match={"table": "users"}) == 1
    assert await counted(args_not_match={"limit": "5"}) == 2
    assert await counted(args_match={"limit": "^5$"}) == 1


async def test_a_missing_call_shows_the_nearest_one_and_what_differed():
    seen = evidence(turn("", call("search", {"q": "goodbye", "n": 3}), call("search", {"n": 9})))
    verdict = await check("require", seen, name="search", args_match={"q": "hello", "n": "^3$"})
    assert verdict.reason == (
        "search with q /hello/ and n /^3$/ called 0 times, wanted at least 1; nearest: q was 'goodbye', wanted /hello/"
    )
    assert call_shown(verdict.details)[0] == "nearest call"
    assert verdict.details["nearest"]["args"] == {"q": "goodbye", "n": 3}
    assert verdict.details["diff"] == [{"path": "q", "expected": "/hello/", "actual": "goodbye"}]


async def test_an_argument_that_should_not_match_is_told_as_such():
    seen = evidence(turn("", call("pay", {"currency": "USD"})))
    verdict = await check("require", seen, name="pay", args_not_match={"currency": "USD"})
    assert verdict.reason == (
        "pay with currency not /USD/ called 0 times, wanted at least 1; nearest: currency was 'USD', not /USD/"
    )


async def test_a_missing_result_is_told_as_missing():
    verdict = await check("require", evidence(turn("", call("pay"))), name="pay", result_match="ok")
    assert verdict.reason.endswith("nearest: result was missing, wanted /ok/")


async def test_too_many_calls_are_shown_instead_of_a_nearest_one():
    seen = evidence(turn("", call("pay", {"n": 1}), call("pay", {"n": 2}), call("pay", {"n": 9})))
    verdict = await check("require", seen, name="pay", args_match={"n": "1|2"}, count={"max": 1})
    assert verdict.reason == "pay with n /1|2/ called 2 times, wanted at least 1 and at most 1"
    assert "nearest" not in verdict.details
    assert len(verdict.details["calls"]) == 3


async def test_a_forbidden_call_is_shown():
    seen = evidence(turn("", call("pay", {"n": 1}), call("pay", {"n": 2})))
    verdict = await check("forbid_calls", seen, name="pay", args_match={"n": "2"})
    assert verdict.reason == "pay with n /2/ called 1 time, forbidden"
    assert call_shown(verdict.details) == ("the call", "pay({n: 2})")
    assert verdict.details["wrong_call"]["args"] == {"n": 2}


async def test_what_was_called_instead_is_told():
    verdict = await check("require", evidence(turn("", call("a"), call("b"))), name="c")
    assert verdict.reason == "c was not called, wanted at least 1 (called: a, b)"


@pytest.mark.parametrize(
    ("args", "key", "pattern", "matches"),
    [
        ({"user": {"name": "John"}}, "user.name", "^John$", True),
        ({"items": [{"sku": "a1"}]}, "items[0].sku", "a1", True),
        ({"items": [{"sku": "a1"}]}, "items.0.sku", "a1", True),
        ({"user.name": "Ann"}, "user.name", "Ann", True),
        ({"first name": "Ann"}, "first name", "Ann", True),
        ({"n": None}, "n", "^null$", True),
        ({"flag": True}, "flag", "^true$", True),
        ({"o": {"b": 1, "a": 2}}, "o", '^{"a":2,"b":1}$', True),
        ({}, "n", ".*", False),
        ("", "n", ".*", False),
    ],
)
async def test_argument_keys_reach_inside(args: Any, key: str, pattern: str, matches: bool):
    seen = evidence(turn("", call("t", args)))
    assert (await check("require", seen, name="t", args_match={key: pattern})).passed is matches
    assert (await check("forbid_calls", seen, name="t", args_match={key: pattern})).passed is not matches


async def test_one_bad_result_is_too_many():
    seen = evidence(turn("", call("pay", {"n": 1}, "ok")), turn("", call("pay", {"n": 2}, {"error": "declined"})))
    verdict = await check("require", seen, name="pay", result_not_match="error|failed")
    assert verdict.reason == """result of pay matches /error|failed/: '{"error":"declined"}' (turn 2)"""
    assert (await check("require", seen, name="pay", args_match={"n": "1"}, result_not_match="error")).passed


async def test_the_words_of_an_error_are_a_result_too():
    seen = evidence(turn("", call("pay", error="card declined")))
    verdict = await check("require", seen, name="pay", result_not_match="declined")
    assert verdict.reason == "result of pay matches /declined/: 'card declined'"
    assert not (await check("forbid_calls", seen, name="pay", result_match="declined")).passed
    assert (await check("require", seen, name="pay", result_match="declined")).passed


async def test_a_missing_result_matches_nothing():
    seen = evidence(turn("", call("pay")))
    assert (await check("require", seen, name="pay", result_not_match=".*")).passed
    assert not (await check("require", seen, name="pay", result_match=".*")).passed
    assert (await check("forbid_calls", seen, name="pay", result_match=".*")).passed


async def test_every_selected_call_needs_one_of_the_other_tool_before_it():
    async def holds(*names: str) -> bool:
        seen = evidence(turn("", *(call(name) for name in names)))
        return (await check("require", seen, name="pay", after="validate")).passed

    assert await holds("validate", "pay")
    assert await holds("shop__validate", "x", "pay", "validate", "pay")
    assert not await holds("pay", "validate", "pay")
    assert not await holds("pay")


async def test_order_is_global_over_the_turns():
    seen = evidence(turn("", call("validate")), turn("", call("pay")), scope="case")
    assert (await check("require", seen, name="pay", after="validate")).passed


async def test_a_wrong_order_is_shown():
    seen = evidence(turn("", call("pay"), call("validate")))
    verdict = await check("require", seen, name="pay", after="validate")
    assert verdict.reason == "pay called before validate, wanted after it; order: pay → validate"
    alone = await check("require", evidence(turn("", call("pay"))), name="pay", after="validate")
    assert "but validate was not called" in alone.reason


async def test_order_asks_nothing_of_calls_that_may_be_none():
    assert (await check("require", evidence(turn("")), name="pay", count={"min": 0}, after="validate")).passed


async def test_a_call_does_not_come_after_itself():
    verdict = await check("require", evidence(turn("", call("pay"))), name="pay", after="pay")
    assert verdict.outcome is Outcome.FAILED


@pytest.mark.parametrize(
    ("rule", "complaint"),
    [
        ({"name": "t", "count": {"exact": 1, "min": 1}}, "either `exact`"),
        ({"name": "t", "count": {"min": 3, "max": 2}}, "never both hold"),
        ({"name": "t", "count": {"max": 0}}, "to allow none write `exact: 0`"),
        ({"name": "t", "count": {"exact": -1}}, "count.exact"),
        ({"name": "t", "count": 2}, "count"),
        ({"name": "t", "args_match": {"a": "("}}, "bad regex"),
        ({"name": "t", "args_not_match": {"a": "("}}, "bad regex"),
        ({"name": "t", "result_match": "("}, "bad regex"),
        ({"name": "t", "result_not_match": "("}, "bad regex"),
        ({"name": "t", "args_match": {"a": [1]}}, "args_match"),
        ({}, "needs 'name'"),
    ],
)
async def test_nonsense_is_found_before_anything_runs(rule: dict[str, Any], complaint: str):
    with pytest.raises(UsageError, match=complaint):
        await check("require", evidence(turn("")), **rule)


async def test_a_call_that_was_approved_is_seen_in_the_turn_that_did_it_and_once_in_the_whole():
    waiting = turn("", ToolCall(id="c1", name="delete_file", args={}))
    done = ToolCall(id="c1", name="delete_file", args={}, result="deleted /tmp/x")
    resumed = Turn(number=2, line=Line(content=""), reply=AgentReply(text="Done.", late_results=(done,)))
    later = evidence(resumed)
    assert not (await check("forbid", later, name="delete_file")).passed
    assert not (await check("forbid_calls", later, name="delete_file", result_match="deleted")).passed
    assert (await check("forbid_calls", later, name="delete_file", result_match="denied")).passed
    assert (await check("require", later, name="delete_file", count={"exact": 1}, result_match="deleted")).passed
    assert (await check("tool_result", later, tool="delete_file", result="regex:deleted")).passed
    whole = evidence(*Transcript(turns=(waiting,)).plus(resumed).turns, scope="case")
    assert (await check("require", whole, name="delete_file", count={"exact": 1}, result_match="deleted")).passed


# ── what could not be read ──

UNREADABLE = call("pay", "amount: 5", "ok")


@pytest.mark.parametrize(
    ("kind", "rule"),
    [
        ("forbid", {"name": "delete"}),
        ("forbid_calls", {"name": "delete"}),
        ("forbid_calls", {"name": "delete", "args_match": {"id": "1"}}),
        ("forbid_calls", {"name": "delete", "result_match": "gone"}),
        ("require", {"name": "delete", "count": {"exact": 0}}),
        ("require", {"name": "search", "count": {"exact": 1}}),
        ("require", {"name": "search", "count": {"max": 1}}),
        ("require", {"name": "search", "result_not_match": "error"}),
        ("require", {"name": "search", "after": "login"}),
    ],
)
async def test_a_call_without_a_name_may_be_any_tool(kind: str, rule: dict[str, Any]):
    seen = evidence(turn("", call("login"), call("search", {}, "ok"), call("")))
    verdict = await check(kind, seen, **rule)
    assert verdict.outcome is Outcome.BROKEN
    assert verdict.reason.endswith("a call without a name was seen")
    assert verdict.fault == "agent"
    named_only = evidence(turn("", call("login"), call("search", {}, "ok")))
    assert (await check(kind, named_only, **rule)).passed


async def test_what_was_surely_called_is_told_whatever_else_was_not_read():
    seen = evidence(turn("", call("delete"), call("")))
    assert (await check("forbid", seen, name="delete")).outcome is Outcome.FAILED
    assert (await check("forbid_calls", seen, name="delete")).outcome is Outcome.FAILED
    assert (await check("require", seen, name="delete")).passed


@pytest.mark.parametrize(
    ("kind", "rule"),
    [
        ("forbid_calls", {"args_match": {"amount": "^5$"}}),
        ("forbid_calls", {"args_match": {"amount": "^5$"}, "result_match": "ok"}),
        ("require", {"args_not_match": {"amount": "^5$"}}),
        ("require", {"args_match": {"amount": "^5$"}, "count": {"exact": 0}}),
        ("require", {"args_match": {"amount": "^5$"}, "count": {"min": 0}, "result_not_match": "ok"}),
    ],
)
@pytest.mark.parametrize("args", ["amount: 5", '{"amount": 5', "[5]", [5], 5])
async def test_arguments_that_cannot_be_read_prove_nothing(kind: str, rule: dict[str, Any], args: Any):
    verdict = await check(kind, evidence(turn("", call("pay", args, "ok"))), name="pay", **rule)
    assert verdict.outcome is Outcome.BROKEN
    assert "the arguments of pay are no JSON object: " in verdict.reason


async def test_arguments_with_a_key_written_twice_are_told_as_such():
    paid = evidence(turn("", call("pay", '{"amount": 8, "amount": 2}', "ok")))
    verdict = await check("forbid_calls", paid, name="pay", args_match={"amount": "8"})
    assert verdict.outcome is Outcome.BROKEN
    assert "the arguments of pay have a key written twice: " in verdict.reason


async def test_arguments_that_cannot_be_read_match_no_pattern():
    verdict = await check("require", evidence(turn("", UNREADABLE)), name="pay", args_match={"amount": "5"})
    assert verdict.outcome is Outcome.FAILED
    assert not verdict.negatable
    assert verdict.reason.endswith("; the arguments of pay are no JSON object: 'amount: 5'")


@pytest.mark.parametrize(
    ("kind", "rule"),
    [
        ("forbid_calls", {"result_match": "declined"}),
        ("forbid_calls", {"args_match": {"amount": "5"}, "result_match": "declined"}),
        ("require", {"result_match": "ok", "count": {"exact": 1}}),
        ("require", {"args_match": {"amount": "5"}, "count": {"min": 0}}),
    ],
)
async def test_arguments_nobody_asks_for_need_not_be_read(kind: str, rule: dict[str, Any]):
    assert (await check(kind, evidence(turn("", UNREADABLE)), name="pay", **rule)).passed


# ── values that are no patterns ──


@pytest.mark.parametrize(
    ("wanted", "matching", "other"),
    [(5, 5, 55), (5, "5", "15"), (5.0, 5, 50), (-1.5, -1.5, "-1x5"), (True, True, False), (False, "false", "falsely")],
)
async def test_a_number_or_boolean_stands_for_exactly_itself(wanted: Any, matching: Any, other: Any):
    seen = evidence(turn("", call("t", {"n": matching}), call("t", {"n": other})))
    assert (await check("require", seen, name="t", args_match={"n": wanted}, count={"exact": 1})).passed
    assert (await check("require", seen, name="t", args_not_match={"n": wanted}, count={"exact": 1})).passed
    assert not (await check("forbid_calls", seen, name="t", args_match={"n": wanted})).passed


@pytest.mark.parametrize("name", ["['delete']", '"delete"', " delete", '{"name": "delete"}', "delete()"])
@pytest.mark.parametrize(
    ("kind", "rule"), [("forbid", {"name": "delete"}), ("require", {"name": "delete", "count": {"exact": 0}})]
)
async def test_a_call_whose_name_cannot_be_read_may_be_any_tool(name: str, kind: str, rule: dict[str, Any]):
    verdict = await check(kind, evidence(turn("", call(name))), **rule)
    assert verdict.outcome is Outcome.BROKEN
    assert "whose name is no name of a tool" in verdict.reason


@pytest.mark.parametrize(
    "name",
    [
        *(
            "DeleteOrder",
            "delete-order",
            "shop__deleteOrder",
            "shop:delete_order",
            "a::delete_order",
            "shop-delete_order",
        ),
        *("delete order", "delete_order:0", "delete_order#1", "delete_order@v2", "shop>delete_order"),
        *("a|delete_order", "ｄｅｌｅｔｅ_ｏｒｄｅｒ", "shop->delete_order", "delete_order?", "a\\delete_order"),
    ],
)
@pytest.mark.parametrize(
    ("kind", "rule"),
    [
        ("forbid", {"name": "delete_order"}),
        ("forbid_calls", {"name": "delete_order", "args_match": {"id": "A"}}),
        ("require", {"name": "delete_order", "count": {"exact": 0}}),
    ],
)
async def test_a_name_in_other_letters_may_be_the_one_that_is_meant(name: str, kind: str, rule: dict[str, Any]):
    verdict = await check(kind, evidence(turn("", call(name, {"id": "B"}))), **rule)
    assert verdict.outcome is Outcome.BROKEN
    assert f"{name} was called, which is nearly the same name" in verdict.reason
    for other in ("delete_orders", "shop-delete_orders", "bulk_delete_order", "delete_order.undo", "delete_order:undo"):
        assert (await check(kind, evidence(turn("", call(other, {"id": "B"}))), **rule)).passed
    elsewhere = {**rule, "name": "mail:delete_order"}
    assert (await check(kind, evidence(turn("", call("shop:delete_order", {"id": "B"}))), **elsewhere)).passed


@pytest.mark.parametrize("name", ["delete_*", "delete_order,look_up", "/delete/", "^delete", "a\\d", " x", "x,"])
async def test_what_is_no_name_of_one_tool_is_refused(name: str):
    with pytest.raises(UsageError, match="the name of one tool"):
        await check("forbid", evidence(turn("")), name=name)


@pytest.mark.parametrize("name", ["x", "a/b.c__d", "Read a file's content", "mcp:x-1", "search (web)"])
async def test_names_of_tools_are_taken_as_they_are(name: str):
    assert (await check("forbid", evidence(turn("", call(name))), name=name)).outcome is Outcome.FAILED
