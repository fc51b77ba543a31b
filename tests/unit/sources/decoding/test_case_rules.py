from typing import Any

import msgspec
import pytest

from vivavoce.errors import UsageError
from vivavoce.model.case import Case, ConversationRules, Origin, ScriptedTurn
from vivavoce.notation.place import Place
from vivavoce.sources.decoding.case_fields import CaseFields
from vivavoce.sources.decoding.case_rules import decode_rules, encode_rules

PLACE = Place(Origin("a.jsonl", 3))


def rules(**fields: Any) -> ConversationRules:
    return decode_rules(msgspec.convert(fields, CaseFields), PLACE, None, stop_on_failure=False)


@pytest.mark.parametrize(
    ("fields", "goes_on"),
    [
        ({}, False),
        ({"turns": [{"input": "a"}]}, True),
        ({"simulator": {"use": "s"}}, True),
        ({"checkpoints": [{"id": "c", "assert": "x"}]}, True),
        ({"interactive": {"enabled": True}}, True),
        ({"interactive": {"enabled": False}}, False),
        ({"type": "multi_turn"}, True),
        ({"type": "single_turn", "turns": [{"input": "a"}]}, False),
    ],
)
def test_whether_a_conversation_may_go_on(fields: dict[str, Any], goes_on: bool):
    assert rules(**fields).multi_turn is goes_on


def test_what_the_case_says_beats_what_its_kind_of_file_does():
    silent = msgspec.convert({}, CaseFields)
    decided = msgspec.convert({"on_missing_input": "end", "stop_on_failure": False}, CaseFields)
    for fields, expected in ((silent, ("fail", True)), (decided, ("end", False))):
        found = decode_rules(fields, PLACE, "fail", stop_on_failure=True)
        assert (found.on_missing_input, found.stop_on_failure) == expected


def test_a_simulators_own_limit_counts_where_the_case_has_none():
    simulator = {"use": "s", "options": {"metadata": {"max_turns": 7}}}
    assert (rules(simulator=simulator).max_turns, rules(simulator=simulator, max_turns=3).max_turns) == (7, 3)


def test_all_bad_durations_are_told_at_once():
    with pytest.raises(UsageError) as caught:
        rules(timeout="soon", interactive={"enabled": True, "timeout": "0s"})
    told = [str(problem) for problem in caught.value.each()]
    assert [text.partition(": ")[2].partition(":")[0] for text in told] == ["interactive.timeout", "timeout"]


@pytest.mark.parametrize(
    "fields",
    [
        {"timeout": "2m30s"},
        {"timeout": "1.0000001s"},
        {"max_turns": 3, "on_missing_input": "fail", "stop_on_failure": True},
        {"interactive": {"enabled": True, "timeout": "7m"}},
        {"type": "single_turn"},
        {"type": "multi_turn"},
    ],
)
def test_rules_are_written_as_they_were_read(fields: dict[str, Any]):
    case = Case(id="a", origin=PLACE.origin, turns=(ScriptedTurn(),), rules=rules(**fields))
    assert encode_rules(case) == fields
