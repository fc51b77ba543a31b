"""A case that its row shows anyway is not written into the row again, and comes back whole."""

from random import Random

import msgspec
import pytest
from msgspec import structs
from tests.fakes.any_struct import any_struct
from tests.fakes.random_values import at_most
from tests.fakes.results import attempt, passed, result, spec

from vivavoce.model.case import AssertionSpec, CallOptions, Case, Checkpoint, ConversationRules, Origin, ScriptedTurn
from vivavoce.model.message import AgentReply
from vivavoce.model.result import CaseResult, CheckpointOutcome
from vivavoce.model.transcript import Line, Turn
from vivavoce.model.written_checks import written_checks
from vivavoce.results.fingerprint import case_hash, fingerprint
from vivavoce.results.restore import result_of
from vivavoce.results.rows import row_of

SAYS_HI = spec("contains", value="hi")
TALK = ConversationRules(multi_turn=True)


def turns_of(script: tuple[ScriptedTurn, ...]) -> tuple[Turn, ...]:
    return tuple(
        Turn(
            number=number,
            line=Line(content=one.content, name=one.name, assertions=one.assertions, resume=one.resume),
            reply=AgentReply(text="hi"),
            verdicts=tuple(passed(check) for check in one.assertions),
        )
        for number, one in enumerate(script, 1)
    )


def talk(script: tuple[ScriptedTurn, ...], said: tuple[Turn, ...], **more) -> CaseResult:
    case = Case(id="T1", origin=Origin("a.yaml", 1), turns=script, rules=TALK, **more)
    return result(case, attempt(*said))


def script_of(*lines: int) -> tuple[ScriptedTurn, ...]:
    return tuple(ScriptedTurn(content=f"line {at}", assertions=(SAYS_HI,), line=at) for at in lines)


def through_a_row(one: CaseResult) -> CaseResult:
    return result_of(row_of(one))


def test_a_script_that_was_said_as_written_is_in_the_turns_alone():
    script = script_of(4, 7)
    told = talk(script, turns_of(script))
    assert row_of(told)["case"] == {"said_at": [4, 7], "rules": {"multi_turn": True}}
    assert through_a_row(told).case == told.case


def test_the_lines_of_its_checks_are_kept():
    script = script_of(4, 7)
    case = structs.replace(talk(script, ()).case, origin=Origin("a.yaml", 1, ((), (), (5,), (8,))))
    told = result(case, attempt(*turns_of(script)))
    assert row_of(told)["case"]["checks_at"] == [[], [], [5], [8]]
    assert through_a_row(told).case == case


def test_turns_that_were_not_reached_are_counted_and_left_to_the_case_file():
    script = script_of(4, 7, 9)
    told = talk(script, turns_of(script[:1]))
    row = row_of(told)["case"]
    assert "turns" not in row
    assert "line 7" not in str(row_of(told))
    assert row["not_reached"]["turns"] == row["not_reached"]["checks"] == 2
    back = through_a_row(told)
    assert back.case.turns == script[:1]
    assert back.case.script_length == written_checks(back.case) == 3
    assert fingerprint(back.case) == fingerprint(told.case), "the case is known by all that its file says"
    assert case_hash(back.case) == case_hash(told.case)
    assert row_of(back) == row_of(told), "written again it stays the same"


def test_a_case_that_nobody_began_keeps_the_line_it_is_known_by():
    script = script_of(4, 7)
    back = through_a_row(talk(script, ()))
    assert back.case.turns == script[:1]
    assert back.case.script_length == 2


@pytest.mark.parametrize("place", ["<message>", "agents:maker", ""])
def test_a_case_that_lies_in_no_file_keeps_every_turn(place: str):
    script = script_of(4, 7)
    case = Case(id="T1", origin=Origin(place, 1), turns=script, rules=TALK)
    told = result(case, attempt(*turns_of(script[:1])))
    assert through_a_row(told).case == case


def test_a_fingerprint_that_is_none_fits_no_case():
    script = script_of(4, 7)
    row = row_of(talk(script, turns_of(script[:1])))
    row["case"]["not_reached"]["fingerprint"] = "no digest"
    assert fingerprint(result_of(row).case) == b""


@pytest.mark.parametrize(
    "changed",
    [
        {"content": "something else"},
        {"assertions": ()},
        {"source": "simulator"},
        {"options": CallOptions(mode="other")},
        {"name": "Ann"},
    ],
    ids=lambda changed: next(iter(changed)),
)
def test_a_line_that_differs_from_the_script_ends_what_is_left_out(changed):
    script = script_of(1, 2)
    first, second = turns_of(script)
    told = talk(script, (first, structs.replace(second, line=structs.replace(second.line, **changed))))
    assert row_of(told)["case"]["said_at"] == [1]
    assert through_a_row(told).case == told.case


def test_checkpoints_that_were_all_tried_are_in_the_row_alone():
    checkpoint = Checkpoint(id="greeted", assertions=(SAYS_HI,), description="says hi")
    outcome = CheckpointOutcome(
        id="greeted", reached_at_turn=1, required=True, description="says hi", verdicts=(passed(SAYS_HI),)
    )
    case = Case(id="T1", turns=script_of(0), checkpoints=(checkpoint,), rules=TALK)
    told = result(case, attempt(*turns_of(case.turns), checkpoints=(outcome,)))
    assert "checkpoints" not in row_of(told)["case"]
    assert through_a_row(told).case == case
    for other in (structs.replace(checkpoint, after=("x",)), structs.replace(checkpoint, assertions=())):
        differing = structs.replace(told, case=structs.replace(case, checkpoints=(other,)))
        assert "checkpoints" in row_of(differing)["case"]
        assert through_a_row(differing).case == differing.case


@pytest.mark.parametrize("seed", range(at_most(60)))
def test_whatever_the_script_and_whatever_was_said_the_case_comes_back(seed: int):
    rng = Random(seed)
    script = tuple(any_struct(ScriptedTurn, rng) for _ in range(rng.randrange(4)))
    said = list(turns_of(script)[: rng.randrange(5)])
    if said and rng.random() < 0.5:
        at = rng.randrange(len(said))
        said[at] = structs.replace(said[at], line=any_struct(Line, rng))
    told = talk(script, tuple(said))
    told = structs.replace(told, case=structs.replace(told.case, origin=Origin("agents:maker")))
    whole = msgspec.json.decode(msgspec.json.encode(told), type=CaseResult)
    assert through_a_row(told).case == whole.case


def test_an_old_row_with_the_turns_that_were_not_reached_has_them_still():
    script = script_of(4, 7)
    old = row_of(talk(script, turns_of(script[:1])))
    del old["case"]["not_reached"]
    old["case"]["turns"] = msgspec.to_builtins(script[1:])
    assert result_of(old).case == talk(script, ()).case


def test_an_old_row_without_the_count_still_says_its_script():
    old = row_of(talk(script_of(3), turns_of(script_of(3))))
    old["case"] = {
        "turns": [{"content": "line 3", "assertions": [msgspec.to_builtins(SAYS_HI)], "line": 3}],
        "rules": {"multi_turn": True},
    }
    assert result_of(old).case.turns == script_of(3)
    assert isinstance(SAYS_HI, AssertionSpec)
