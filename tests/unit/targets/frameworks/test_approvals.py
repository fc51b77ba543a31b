"""What an answer means where a framework wants a yes or a no."""

from typing import Any

import pytest

from vivavoce.errors import CallFailed
from vivavoce.model.case import ResumeAnswer
from vivavoce.targets.frameworks.approvals import Decision, decision


@pytest.mark.parametrize(
    ("payload", "meant"),
    [
        (True, Decision(True)),
        (False, Decision(False)),
        ("Yes!", Decision(True)),
        ("reject", Decision(False)),
        ({"approved": True}, Decision(True)),
        ({"confirmed": False, "reason": "too much"}, Decision(False, "too much")),
        ({"decision": "approve"}, Decision(True)),
    ],
)
def test_yes_and_no_in_the_usual_spellings(payload: Any, meant: Decision):
    assert decision(ResumeAnswer(payload=payload)) == meant


def test_cancelled_is_a_no():
    assert decision(ResumeAnswer(cancelled=True)).approved is False


@pytest.mark.parametrize("payload", [None, "maybe", {}, {"approved": "perhaps"}, 1, {"approved": 1}])
def test_anything_else_is_the_test_s_fault(payload: Any):
    with pytest.raises(CallFailed, match="neither yes nor no") as caught:
        decision(ResumeAnswer(payload=payload))
    assert caught.value.fault == "test"
