"""Rows of a result file: what the seeds print, and nothing lost on the way back."""

from random import Random
from typing import Any

import msgspec
import pytest
from msgspec import Struct, structs
from tests.fakes import results
from tests.fakes.any_struct import any_struct
from tests.fakes.random_values import at_most

from vivavoce.model.case import CallOptions, Case, ConversationRules, ScriptedTurn
from vivavoce.model.message import AgentReply, ToolCall
from vivavoce.model.result import Attempt, CaseResult, RunInfo, Summary
from vivavoce.model.transcript import Line, Transcript, Turn
from vivavoce.results.encoding import encoded
from vivavoce.results.restore import info_of, restored, result_of, summary_of
from vivavoce.results.rows import result_row, row_of, start_row, summary_row
from vivavoce.results.wire import ResultRow, StartRow, SummaryRow


def through_a_file(result: CaseResult) -> CaseResult:
    return restored(msgspec.json.decode(encoded(result_row(result)), type=ResultRow))


@pytest.mark.parametrize("result", results.every_kind(), ids=lambda result: result.case.id)
def test_every_kind_of_result_comes_back_whole(result: CaseResult):
    assert result_of(row_of(result)) == result
    assert through_a_file(result) == result


@pytest.mark.parametrize("seed", range(at_most(200)))
def test_any_result_at_all_comes_back_whole(seed: int):
    rng = Random(seed)
    attempts = tuple(any_struct(Attempt, rng) for _ in range(rng.randrange(1, 3)))
    result = any_struct(CaseResult, rng, attempts=attempts)
    assert through_a_file(result) == msgspec.json.decode(msgspec.json.encode(result), type=CaseResult)


def with_parts(part: type, **more: Any) -> CaseResult:
    """A plain result in which one part says more."""
    plain = results.plain()
    case, attempt = plain.case, plain.attempts[0]
    turn, script = attempt.transcript.turns[0], case.turns[0]
    call = ToolCall(name="refund")
    parts = (plain, case, attempt, attempt.transcript, turn, turn.line, turn.reply, script, call)
    changed = {type(it): structs.replace(it, **more) if type(it) is part else it for it in parts}
    calls = (changed[ToolCall],) if part is ToolCall else changed[AgentReply].calls
    reply = structs.replace(changed[AgentReply], calls=calls)
    turn = structs.replace(changed[Turn], line=changed[Line], reply=reply)
    transcript = structs.replace(changed[Transcript], turns=(turn,))
    return structs.replace(
        changed[CaseResult],
        case=structs.replace(changed[Case], turns=(changed[ScriptedTurn],)),
        attempts=(structs.replace(changed[Attempt], transcript=transcript),),
    )


MADE_OF_PARTS = {"case", "attempts", "turns", "transcript", "line", "reply"}
FIELDS = [
    pytest.param(part, field, id=f"{part.__name__}.{field}")
    for part in (CaseResult, Case, Attempt, Transcript, Turn, ScriptedTurn, Line, AgentReply, ToolCall)
    for field in part.__struct_fields__
    if field not in MADE_OF_PARTS
]


@pytest.mark.parametrize(("part", "field"), FIELDS)
def test_every_field_has_a_place_in_the_row(part: type[Struct], field: str):
    """A field added to the model and forgotten in wire.py fails here under its own name."""
    rng = Random(field)
    values = [getattr(any_struct(part, rng), field) for _ in range(25)]
    for value in values:
        result = with_parts(part, **{field: value})
        assert through_a_file(result) == msgspec.json.decode(msgspec.json.encode(result), type=CaseResult)
    assert len({repr(value) for value in values}) > 1


@pytest.mark.parametrize("seed", range(at_most(20)))
def test_the_first_and_last_line_come_back_whole(seed: int):
    rng = Random(seed)
    info, summary = any_struct(RunInfo, rng), any_struct(Summary, rng)
    assert info_of(msgspec.json.decode(encoded(start_row(info)), type=StartRow)) == info
    assert summary_of(msgspec.json.decode(encoded(summary_row(summary)), type=SummaryRow)) == summary


def test_what_a_case_does_not_say_is_not_in_the_row():
    """Also where the default is another object of the same value."""
    row = row_of(with_parts(Case, options=CallOptions(), rules=ConversationRules(), skip="later"))
    assert row["case"] == {"skip": "later"}


def test_a_plain_case_is_one_flat_row():
    assert row_of(results.plain("T001")) == {
        "type": "result",
        "id": "T001",
        "status": "passed",
        "duration_ms": 1200.0,
        "index": 1,
        "file": "tests/expense.jsonl",
        "line": 1,
        "messages_count": 1,
        "input": "I want to submit an expense",
        "output": "What type of expense?",
        "response": "What type of expense?",
        "turn_start_ts": results.BEGAN_MS,
        "turn_end_ts": results.BEGAN_MS + 1200,
        "test_start_ts": results.BEGAN_MS,
        "test_end_ts": results.BEGAN_MS + 1200,
        "total_turns": 1,
        "assertions": [{"type": "contains", "value": "type", "passed": True, "outcome": "passed"}],
        "ending": {"reason": "completed"},
    }


@pytest.mark.parametrize(
    "more",
    [
        {"verdicts": (results.passed(results.spec("contains", value="x")),)},
        {"error": "timeout"},
        {"reached": ("ask_type",)},
        {"number": 3},
        {"reply": AgentReply(text="hi", warnings=("odd",))},
        {"reply": AgentReply(text="hi", logs="printed")},
        {"reply": AgentReply(text="hi", data="hi")},
    ],
    ids=lambda more: next(iter(more)),
)
def test_what_a_flat_row_has_no_place_for_is_kept_all_the_same(more: dict[str, Any]):
    plain = results.plain()
    attempt = plain.attempts[0]
    turn = structs.replace(attempt.transcript.turns[0], **more)
    transcript = structs.replace(attempt.transcript, turns=(turn,))
    result = structs.replace(plain, attempts=(structs.replace(attempt, transcript=transcript),))
    assert through_a_file(result) == result


def test_a_conversation_has_the_turns_of_seed_004():
    row = row_of(results.conversation())
    assert [turn["turn"] for turn in row["turns"]] == [1, 2, 3]
    second = row["turns"][1]
    assert second["input"] == "Business travel, $3500"
    assert second["input_source"] == "static"
    assert second["output"] == ""
    assert second["awaiting_input"] is True
    assert second["tool_calls"][0]["name"] == "create_expense"
    assert second["tool_calls"][0]["timestamp"] == results.BEGAN_MS + 4000
    assert second["assertions"] == [
        {"type": "tool_called", "name": "create_expense", "passed": True, "outcome": "passed"}
    ]
    assert second["duration_ms"] == 3200
    assert row["final_assertions"][0]["passed"] is True
    assert row["turns"][2]["awaiting_input"] is False
    assert row["total_turns"] == 3


def test_a_line_nobody_said_is_a_skipped_turn_that_readers_pass_over():
    row = row_of(results.missing_input())
    assert row["turns"][1] == {
        "turn": 2,
        "status": "skipped",
        "skip_reason": "Agent awaiting input, no next turn defined",
    }
    assert row["skip_reason"] == "Agent awaiting input, no next turn defined"
    assert "error" not in row
    assert len(result_of(row).attempts[0].transcript.turns) == 1


def test_checkpoints_say_when_they_were_reached_and_what_came_nearest():
    reached, missed, optional = row_of(results.missed_checkpoint())["checkpoints"]
    assert (reached["id"], reached["reached_at_turn"], reached["passed"]) == ("ask_type", 1, True)
    assert (missed["reached_at_turn"], missed["passed"], missed["required"]) == (None, False, True)
    assert missed["nearest_miss"] == "output does not contain 'submitted'"
    assert optional["required"] is False


def test_several_runs_carry_seed_000s_stability_fields():
    row = row_of(results.flaky())
    assert (row["runs"], row["passed"], row["failed"], row["pass_rate"]) == (10, 8, 2, 80.0)
    assert (row["stable"], row["stability_class"], row["consistency"]) == (False, "mostly_stable", 0.8)
    assert row["ci"] == [49.0, 94.3]
    third = row["run_details"][2]
    assert (third["run"], third["status"], third["output"]) == (3, "failed", "no idea")
    assert third["assertion_errors"] == ["output does not contain 'cloud'"]


def test_an_assertion_stands_in_the_row_as_it_was_written():
    verdict = row_of(results.wrong_argument())["assertions"][0]
    assert verdict["type"] == "require"
    assert verdict["args_match"] == {"amount": "^250$"}
    assert verdict["passed"] is False
    assert verdict["details"]["nearest"]["args"]["amount"] == 300
    assert "spec" not in verdict
    assert "compiled" not in verdict


def test_an_assertion_whose_own_fields_clash_with_the_verdicts_is_kept_apart():
    check = results.spec("custom", reason="why I check", score=3)
    result = structs.replace(results.plain(), case=structs.replace(results.plain().case, assertions=(check,)))
    attempt = structs.replace(result.attempts[0], verdicts=(results.failed(check, "seen"),))
    result = structs.replace(result, attempts=(attempt,))
    row = row_of(result)["assertions"][0]
    assert row["reason"] == "seen"
    assert row["spec"]["fields"] == {"reason": "why I check", "score": 3}
    assert result_of(row_of(result)) == result


@pytest.mark.parametrize("odd", ["\ud800 lone", {(1, 2): "key"}, object()], ids=["surrogate", "tuple key", "object"])
def test_what_json_cannot_hold_never_loses_a_row(odd: object):
    plain = results.plain()
    last = plain.attempts[0].transcript.turns[0]
    reply = structs.replace(last.reply, data=odd)
    transcript = structs.replace(plain.attempts[0].transcript, turns=(structs.replace(last, reply=reply),))
    attempt = structs.replace(plain.attempts[0], transcript=transcript)
    line = encoded(result_row(structs.replace(plain, attempts=(attempt,))))
    assert msgspec.json.decode(line, type=ResultRow).id == "T001"


def test_endless_nesting_is_cut_not_fatal():
    deep: list[object] = []
    for _ in range(3000):
        deep = [deep]
    line = encoded({"type": "result", "id": "T1", "status": "passed", "output": deep})
    assert msgspec.json.decode(line, type=ResultRow).id == "T1"
