from vivavoce.assertions.differences import ENOUGH, differences, mismatches
from vivavoce.model.json_value import json_equal


def test_equal_values_have_no_differences():
    assert differences({"a": [1, {"b": 2.0}]}, {"a": [1.0, {"b": 2}]}) == []


def test_differences_and_equality_agree():
    samples = [None, True, 1, "1", [], [1], [1, 2], {}, {"a": 1}, {"a": None}, {"b": 1}]
    for left in samples:
        for right in samples:
            assert (differences(left, right) == []) is json_equal(left, right)


def test_a_side_that_has_nothing_is_left_out():
    assert differences({"a": 1}, {"b": 2}) == [{"path": "a", "expected": 1}, {"path": "b", "actual": 2}]


def test_enough_is_enough():
    assert len(differences(list(range(500)), list(range(1, 501)))) == ENOUGH
    assert len(differences({str(n): n for n in range(500)}, {})) == ENOUGH


def test_a_partial_match_does_not_mind_more():
    assert mismatches({"a": {"b": 1}}, {"a": {"b": 1, "c": 2}, "d": 3}) == []
    assert mismatches({"a": {"b": "regex:^x"}}, {"a": {"b": "y"}}) == [
        {"path": "a.b", "expected": "regex:^x", "actual": "y"}
    ]
    assert mismatches({}, "no object") == [{"path": "", "expected": {}, "actual": "no object"}]
