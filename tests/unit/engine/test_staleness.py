"""Which edits of a case make its recording useless."""

from typing import Any

import pytest
from msgspec import structs
from tests.fakes.examining import case_of

from vivavoce.engine.staleness import SAID, what_changed
from vivavoce.model.case import Case, NotReached

JUDGED_OR_ABOUT = {
    "id", "origin", "name", "description", "tags", "metadata", "skip", "agent", "user", "team", "locale", "turns",
    "assertions", "final_assertions", "expected", "checkpoints", "rules", "hooks", "before", "after", "thread_id",
    "runs", "min_pass", "min_score", "mutants_allowed", "priority", "not_reached",
}  # fmt: skip
"""Fields that say nothing to the agent, or cannot be compared; the lines of `turns` are compared one by one."""


def test_every_field_of_a_case_is_either_told_to_the_agent_or_not():
    assert set(Case.__struct_fields__) == set(SAID) | JUDGED_OR_ABOUT


@pytest.mark.parametrize(
    ("now", "words"),
    [
        ({"input": "pay", "assert": [{"type": "contains", "value": "x"}], "name": "new", "tags": ["t"]}, ""),
        ({"input": "refund"}, "its input reads differently"),
        ({"turns": [{"input": "pay"}, {"input": "more"}]}, "it has 2 instead of 1 scripted turns"),
        ({"input": "pay", "messages": None, "options": {"mode": "x"}}, "its options changed"),
        ({"input": "pay", "simulator": {"use": "sim"}}, "its simulator changed"),
        ({"input": [{"role": "user", "content": "hi"}, {"role": "user", "content": "pay"}]}, "the messages before it"),
    ],
)
def test_checks_may_change_and_what_is_said_may_not(now: dict[str, Any], words: str):
    said = what_changed(case_of(**{k: v for k, v in now.items() if v is not None}), case_of(input="pay"))
    assert said == words or (words and words in said)


def test_turns_that_a_recording_never_reached_count_by_their_number():
    then = structs.replace(
        case_of(turns=[{"input": "pay"}]), not_reached=NotReached(turns=1, fingerprint="", content_hash="")
    )
    two = [{"input": "pay"}, {"input": "whatever it says now"}]
    assert what_changed(case_of(turns=two), then) == ""
    assert what_changed(case_of(turns=[{"input": "refund"}, *two[1:]]), then) == "turn 1 reads differently"
    assert what_changed(case_of(turns=two[:1]), then) == "it has 1 instead of 2 scripted turns"
