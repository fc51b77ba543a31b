"""promptfoo's checks of tool calls."""

from typing import Any

import pytest
from tests.fakes.promptfoo_checks import taken, why_left_out


@pytest.mark.parametrize(
    ("theirs", "ours"),
    [
        ({"type": "trajectory:tool-used", "value": "pay"}, {"type": "tool_called", "name": "pay"}),
        (
            {"type": "trajectory:tool-sequence", "value": {"steps": ["a", "b"], "mode": "exact"}},
            {"type": "sequence", "calls": ["a", "b"], "match": "exact"},
        ),
        (
            {"type": "trajectory:tool-sequence", "value": [{"name": "a"}, "b"]},
            {"type": "sequence", "calls": ["a", "b"], "match": "in_order"},
        ),
        (
            {"type": "trajectory:tool-used", "value": {"pattern": "pay", "max": 2}},
            {"type": "require", "name": "pay", "count": {"max": 2}},
        ),
        ({"type": "trajectory:step-count", "value": {"type": "tool", "max": 3}}, {"type": "max_calls", "value": 3}),
        (
            {"type": "trajectory:step-count", "value": {"type": "tool", "name": "pay", "max": 3}},
            {"type": "require", "name": "pay", "count": {"min": 0, "max": 3}},
        ),
        (
            {"type": "trajectory:tool-args-match", "value": {"name": "pay", "args": {"sum": 3}}},
            {"type": "tool_called", "name": "pay", "arguments": {"sum": 3}},
        ),
        (
            {"type": "trajectory:tool-used", "value": {"name": "pay", "max": 0}},
            {"type": "forbid", "name": "pay"},
        ),
    ],
)
def test_a_check_of_calls_becomes_its_counterpart(theirs: dict[str, Any], ours: dict[str, Any]):
    checks = taken(theirs)
    assert checks.assertions == [ours]
    assert [remark.outcome for remark in checks.remarks] == ["exact"]


def test_steps_of_every_type_are_only_calls_in_viva():
    (remark,) = taken({"type": "trajectory:step-count", "value": {"max": 3}}).remarks
    assert remark.outcome == "different"
    assert "counts all steps of a trace" in remark.what


@pytest.mark.parametrize(
    ("theirs", "why"),
    [
        ({"type": "trajectory:tool-used", "value": "search_*"}, "is a pattern"),
        ({"type": "trajectory:tool-used", "value": {"type": "command", "name": "ls"}}, "of the type command"),
        ({"type": "trajectory:tool-used", "value": []}, "names no tool"),
        ({"type": "trajectory:tool-sequence", "value": ["a", {"pattern": "b_?"}]}, "is a pattern"),
        ({"type": "trajectory:tool-args-match", "value": {"name": "a", "args": {}, "ignore": "id"}}, "its `ignore`"),
        ({"type": "trajectory:step-count", "value": {"type": "reasoning", "min": 4, "max": 4}}, "type reasoning"),
        ({"type": "trajectory:step-count", "value": {"type": "tool", "min": 4, "max": 4}}, "no least number"),
        ({"type": "trajectory:step-count", "value": {}}, "neither `min` nor `max`"),
    ],
)
def test_what_has_no_counterpart_is_left_out_by_name(theirs: dict[str, Any], why: str):
    assert why in why_left_out(theirs)
