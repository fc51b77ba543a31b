import pytest
from tests.fakes.evidence import call, check, evidence, turn

from vivavoce.errors import UsageError
from vivavoce.model.case import Origin
from vivavoce.model.verdict import Outcome
from vivavoce.sources.decoding.assertion_decoder import decode_assertions


async def test_a_namespace_does_not_hide_a_tool():
    for name in ("setup", "shop__setup", "shop.setup", "shop/setup"):
        assert (await check("tool_called", evidence(turn("", call(name))), name="setup")).passed
    assert not (await check("tool_called", evidence(turn("", call("resetup"))), name="setup")).passed


async def test_what_was_called_instead_is_told():
    seen = evidence(turn("", call("search"), call("search"), call("pay")))
    verdict = await check("tool_called", seen, name="refund")
    assert verdict.reason == "refund was not called (called: search 2 times, pay)"
    assert verdict.actual == ["search", "search", "pay"]
    assert (
        await check("tool_called", evidence(turn("")), name="pay")
    ).reason == "pay was not called (no tool was called)"


async def test_the_nearest_call_and_the_argument_that_differed_are_told():
    seen = evidence(
        turn("", call("pay", {"amount": 1, "currency": "EUR"})),
        turn("", call("pay", {"amount": 3500, "currency": "USD"})),
        scope="case",
    )
    verdict = await check("tool_called", seen, name="pay", arguments={"amount": 3500, "currency": "CHF"})
    assert verdict.outcome is Outcome.FAILED
    assert "nearest (turn 2): currency was 'USD', wanted 'CHF'" in verdict.reason
    assert verdict.details["nearest"] == {
        "turn": 2,
        "name": "pay",
        "args": {"amount": 3500, "currency": "USD"},
    }
    assert verdict.details["diff"] == [{"path": "currency", "expected": "CHF", "actual": "USD"}]


async def test_arguments_match_in_part_at_every_depth():
    seen = evidence(turn("", call("pay", {"card": {"no": "4242", "cvc": 1}, "items": [{"sku": "a", "n": 1}]})))
    for wanted, holds in [
        ({"card": {"no": "4242"}}, True),
        ({"card": {"no": "regex:^42"}}, True),
        ({"items": [{"sku": "a"}]}, True),
        ({"items": []}, False),
        ({"card": {"no": 4242}}, False),
        ({"card": {"name": None}}, False),
    ]:
        assert (await check("tool_called", seen, name="pay", arguments=wanted)).passed is holds


async def test_arguments_may_come_as_json_text():
    assert (
        await check("tool_called", evidence(turn("", call("pay", '{"a": 1}'))), name="pay", arguments={"a": 1})
    ).passed
    garbled = evidence(turn("", call("pay", '{"a": ')))
    assert not (await check("tool_called", garbled, name="pay", arguments={"a": 1})).passed


async def test_any_call_may_have_the_wanted_result():
    seen = evidence(turn("", call("pay", result={"ok": False}), call("pay", result={"ok": True, "id": 7})))
    assert (await check("tool_result", seen, tool="pay", result={"ok": True})).passed
    verdict = await check("tool_result", seen, tool="pay", result={"ok": True, "id": 8})
    assert verdict.reason.endswith("nearest: id was 7, wanted 8")


async def test_an_error_is_no_result():
    seen = evidence(turn("", call("pay", result={"ok": True}, error="declined")))
    verdict = await check("tool_result", seen, tool="pay", result={"ok": True})
    assert verdict.reason.endswith("nearest: it failed with 'declined'")


async def test_a_call_without_any_result_cannot_be_said_to_have_worked():
    verdict = await check("tool_result", evidence(turn("", call("pay"))), tool="pay")
    assert verdict.reason == "pay called 1 time, never ran without error; nearest: no result was seen"


async def test_a_null_result_is_a_result():
    seen = evidence(turn("", call("pay", result=None)))
    assert (await check("tool_result", seen, tool="pay")).passed
    assert (await check("tool_result", seen, tool="pay", result=None)).passed
    assert not (await check("tool_result", seen, tool="pay", result="x")).passed


@pytest.mark.parametrize(
    ("kind", "fields"),
    [
        ("tool_called", {"name": ""}),
        ("tool_called", {"name": []}),
        ("tool_called", {"name": "x", "arguments": "init"}),
        ("tool_called", {"name": "x", "arguments": {"a": ["regex:("]}}),
        ("tool_result", {"result": 1}),
        ("tool_result", {"tool": "x", "result": "regex:("}),
    ],
)
async def test_nonsense_is_found_before_anything_runs(kind: str, fields: dict[str, object]):
    with pytest.raises(UsageError):
        await check(kind, evidence(turn("")), **fields)


async def test_a_failure_beside_a_call_without_a_name_is_never_negated():
    seen = evidence(turn("", call("search"), call("")))
    for kind, fields in (("tool_called", {"name": "delete"}), ("tool_result", {"tool": "delete"})):
        verdict = await check(kind, seen, **fields)
        assert verdict.outcome is Outcome.FAILED
        assert not verdict.negatable
        assert verdict.reason == ("delete was not called (called: search, (no name)); a call without a name was seen")


async def test_arguments_that_cannot_be_read_never_make_a_negated_check_pass():
    seen = evidence(turn("", call("pay", "amount: 5")))
    verdict = await check("tool_called", seen, name="pay", arguments={"amount": 5})
    assert (verdict.outcome, verdict.negatable) == (Outcome.FAILED, False)
    assert (await check("tool_called", seen, name="pay")).passed
    assert (await check("tool_called", seen, name="refund", arguments={"amount": 5})).negatable


@pytest.mark.parametrize("name", [" x", "x ", "\tx", "x\n", " "])
@pytest.mark.parametrize("rule", ["forbid", "require", "after", "only"])
def test_a_name_that_no_tool_can_have_is_refused(name, rule):
    rules = {
        "forbid": {"forbid": [name]},
        "require": {"require": [{"name": name}]},
        "after": {"require": [{"name": "a", "after": name}]},
        "only": {"only": ["a", name]},
    }
    with pytest.raises(UsageError, match="without blanks before or after it"):
        decode_assertions({"tools": rules[rule]}, Origin("t.jsonl", 1))


async def test_a_negated_check_never_holds_by_a_name_in_other_letters():
    seen = evidence(turn("", call("DeleteOrder")))
    verdict = await check("tool_called", seen, name="delete_order")
    assert not verdict.passed
    assert not verdict.negatable
