"""Which calls a rule means."""

import pytest
from tests.fakes.evidence import call, evidence, turn

from vivavoce.assertions.call_filter import CallFilter, nearest_miss, patterns_of
from vivavoce.assertions.tool_calls import calls_seen

PAY = call("pay", {"amount": 250, "card": {"kind": "visa"}}, {"ok": True})


@pytest.mark.parametrize(
    ("selects", "takes"),
    [
        (CallFilter(), True),
        (CallFilter(args_match={"amount": "^250$"}), True),
        (CallFilter(args_match={"amount": "^25$"}), False),
        (CallFilter(args_match={"card.kind": "visa"}), True),
        (CallFilter(args_match={"gone": ".*"}), False),
        (CallFilter(args_not_match={"amount": "^300$"}), True),
        (CallFilter(args_not_match={"amount": "^250$"}), False),
        (CallFilter(args_not_match={"gone": ".*"}), True),
        (CallFilter(result_match='"ok":true'), True),
        (CallFilter(result_match="no"), False),
        (CallFilter(args_match={"amount": "250"}, result_match="no"), False),
    ],
)
def test_a_call_is_taken_when_everything_matches(selects: CallFilter, takes: bool):
    assert selects.takes(PAY) is takes


def test_a_missing_result_matches_no_pattern():
    assert not CallFilter(result_match=".*").takes(call("pay"))


def test_a_call_that_failed_is_matched_by_the_words_of_its_error():
    declined = call("pay", error="card declined")
    assert CallFilter(result_match="declined").takes(declined)
    assert CallFilter(result_match="declined").takes(call("pay", {}, "partly paid", error="card declined"))
    assert not CallFilter(result_match="paid").takes(declined)


@pytest.mark.parametrize("selects", [CallFilter(args_match={"a": ".*"}), CallFilter(args_not_match={"a": "x"})])
def test_arguments_that_cannot_be_read_match_nothing_and_leave_the_rule_in_doubt(selects: CallFilter):
    garbled = call("pay", "amount: 5")
    assert not selects.takes(garbled)
    assert selects.depends_on_arguments(garbled)
    assert not CallFilter(result_match="x").depends_on_arguments(garbled)


def test_a_number_or_boolean_stands_for_exactly_itself():
    assert patterns_of({"n": 5, "x": 1.5, "b": True, "p": "a.c"}) == {
        "n": "^5$",
        "x": r"^1\.5$",
        "b": "^true$",
        "p": "a.c",
    }


@pytest.mark.parametrize("selects", [CallFilter(args_match={"a": "("}), CallFilter(result_match="(")])
def test_a_bad_pattern_is_found_before_anything_runs(selects: CallFilter):
    with pytest.raises(ValueError, match="bad"):
        selects.check_patterns()


def test_the_nearest_miss_is_the_call_with_the_fewest_differences():
    seen = calls_seen(evidence(turn("", call("pay", {"a": 1, "b": 1}), call("pay", {"a": 1, "b": 2}))))
    miss = nearest_miss(CallFilter(args_match={"a": "^9$", "b": "^2$"}), seen)
    assert miss is not None
    assert miss.seen.call.args == {"a": 1, "b": 2}
    assert miss.diff == [{"path": "a", "expected": "/^9$/", "actual": 1}]
    assert nearest_miss(CallFilter(), seen) is None


def test_the_filter_is_described_in_words():
    assert CallFilter().described() == ""
    selects = CallFilter(args_match={"q": "x"}, args_not_match={"n": "5"}, result_match="ok")
    assert selects.described() == " with q /x/ and n not /5/ and result /ok/"
