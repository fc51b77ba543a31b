"""The short way to a plain case's row: it says what the long way says, to the byte."""

from random import Random
from typing import Any

import msgspec
import pytest
from msgspec import structs
from tests.fakes import results
from tests.fakes.any_struct import any_struct

from vivavoce.model.case import CallOptions, Case, ScriptedTurn
from vivavoce.model.message import AgentReply
from vivavoce.model.result import Attempt, CaseResult, Stability
from vivavoce.model.transcript import Awaiting, Line, Turn
from vivavoce.results.encoding import encoded
from vivavoce.results.plain_rows import PlainRow, plain_row
from vivavoce.results.rows import full_row, row_bytes
from vivavoce.results.verdict_rows import answers, verdict_of, verdict_row
from vivavoce.results.wire import KEPT_AS_IT_IS, ResultRow


def with_parts(part: type, **more: Any) -> CaseResult:
    """A plain result in which one part says more."""
    plain = results.plain()
    case, attempt = plain.case, plain.attempts[0]
    turn, script = attempt.transcript.turns[0], case.turns[0]
    line, reply = turn.line, turn.reply
    parts = {type(it): it for it in (plain, case, attempt, turn, script, line, reply, attempt.transcript)}
    changed = {kind: structs.replace(it, **more) if kind is part else it for kind, it in parts.items()}
    script = changed[ScriptedTurn]
    turn = structs.replace(changed[Turn], line=changed[Line], reply=changed[AgentReply])
    transcript = structs.replace(changed[type(attempt.transcript)], turns=(turn,))
    return structs.replace(
        changed[CaseResult],
        case=structs.replace(changed[Case], turns=(script,)),
        attempts=(structs.replace(changed[Attempt], transcript=transcript),),
    )


PARTS: list[tuple[type, tuple[str, ...]]] = [
    (CaseResult, ("case", "attempts")),
    (Case, ("turns",)),
    (Attempt, ("transcript",)),
    (type(results.plain().attempts[0].transcript), ("turns",)),
    (Turn, ("line", "reply")),
    (ScriptedTurn, ()),
    (Line, ()),
    (AgentReply, ()),
]


def test_a_plain_case_goes_the_short_way():
    assert isinstance(plain_row(results.plain()), PlainRow)
    assert row_bytes(results.plain()) == encoded(full_row(results.plain()))


@pytest.mark.parametrize("result", results.every_kind(), ids=lambda result: result.case.id)
def test_both_ways_say_the_same_of_every_kind(result: CaseResult):
    assert row_bytes(result) == encoded(full_row(result))


@pytest.mark.parametrize(("part", "left_alone"), PARTS, ids=[part.__name__ for part, _ in PARTS])
def test_both_ways_say_the_same_whatever_a_part_says(part: type, left_alone: tuple[str, ...]):
    rng = Random(part.__name__)
    went_short = 0
    for anything in (any_struct(part, rng) for _ in range(25)):
        for name in set(part.__struct_fields__) - set(left_alone):
            result = with_parts(part, **{name: getattr(anything, name)})
            assert row_bytes(result) == encoded(full_row(result)), name
            went_short += plain_row(result) is not None
    assert went_short > 0


@pytest.mark.parametrize("seed", range(100))
def test_both_ways_say_the_same_of_any_result(seed: int):
    rng = Random(seed)
    attempts = tuple(any_struct(Attempt, rng) for _ in range(rng.randrange(1, 3)))
    result = any_struct(CaseResult, rng, attempts=attempts)
    assert row_bytes(result) == encoded(full_row(result))


@pytest.mark.parametrize("name", KEPT_AS_IT_IS)
def test_a_case_with_more_to_say_is_not_plain(name: str):
    rng = Random(1)
    usual = getattr(results.plain().case, name)
    unusual = next(it for _ in range(1000) if (it := getattr(any_struct(Case, rng), name)) != usual)
    assert plain_row(with_parts(Case, **{name: unusual})) is None


def test_options_are_told_also_where_the_line_carried_them():
    options = CallOptions(mode="fast")
    result = with_parts(Line, options=options)
    result = structs.replace(result, case=structs.replace(result.case, options=options))
    assert plain_row(result) is None
    assert row_bytes(result) == encoded(full_row(result))


@pytest.mark.parametrize(
    "more",
    [
        {"negate": True},
        {"message": "so it must be"},
        {"path": "$.answer"},
        {"fields": {"type": "contains", "value": "x"}},
        {"fields": {}},
        {"written": {}},
        {"written": {"type": "contains", "value": "x", "path": "$.answer"}},
        {"written": {"type": "contains", "value": "x", "score": 1}},
    ],
    ids=str,
)
def test_a_check_that_its_written_form_does_not_give_back_is_kept_beside_it(more: dict[str, Any]):
    spec = structs.replace(results.spec("contains", value="x"), **more)
    row = verdict_row(results.passed(spec))
    assert "compiled" in row or "spec" in row
    assert verdict_of(row) == results.passed(spec)


def test_a_check_is_told_in_the_order_its_author_wrote_it():
    spec = structs.replace(results.spec("contains", value="x"), written={"value": "x", "type": "contains"})
    assert list(verdict_row(results.passed(spec)))[:2] == ["value", "type"]


@pytest.mark.parametrize("judged", [(), ("a",), ("b",), ("a", "b"), ("b", "a"), ("a", "b", "c")], ids=str)
def test_verdicts_answer_exactly_the_checks_they_name(judged: tuple[str, ...]):
    written = tuple(results.spec("contains", value=value) for value in ("a", "b"))
    verdicts = tuple(results.passed(results.spec("contains", value=value)) for value in judged)
    for count in range(3):
        assert answers(verdicts, written[:count]) == (judged == ("a", "b")[:count])


def test_the_fields_stand_in_the_order_and_with_the_defaults_of_a_full_row():
    full = msgspec.structs.fields(ResultRow)
    short = msgspec.structs.fields(PlainRow)
    assert [field.name for field in full if field.name in PlainRow.__struct_fields__] == [f.name for f in short]
    defaults = {field.name: field.default for field in full}
    assert {field.name: field.default for field in short} == {f.name: defaults[f.name] for f in short}


@pytest.mark.parametrize(
    "more",
    [
        {"error": ""},
        {"input_hint": ""},
        {"awaiting": False},
        {"state": None},
        {"data": None},
        {"data": "text"},
        {"data": {}},
        {"ended_ms": 0.0},
        {"data": "\ud800"},
        {"text": "\ud800"},
        {"trace": ({"odd": object}, {(1, 2): 3})},
    ],
    ids=str,
)
def test_empty_and_odd_values_are_told_apart_from_none(more: dict[str, Any]):
    result = with_parts(AgentReply, **more)
    assert row_bytes(result) == encoded(full_row(result))


def test_a_single_attempt_can_have_a_stability():
    numbers = any_struct(Stability, Random(3))
    assert plain_row(with_parts(CaseResult, stability=numbers)) is None


def test_a_turn_that_waits_is_not_plain():
    assert plain_row(with_parts(Turn, awaiting=Awaiting(False, "declared"))) is None
    assert plain_row(with_parts(Turn, awaiting=Awaiting(True, "completed"))) is None
    assert plain_row(with_parts(Turn, awaiting=Awaiting(False, "completed"))) is not None
