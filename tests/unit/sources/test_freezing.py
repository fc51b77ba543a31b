"""A conversation that happened, written down as a case and read again."""

from pathlib import Path
from typing import Any

import pytest
from msgspec import structs

from vivavoce.errors import UsageError
from vivavoce.model.case import Case, Origin, ResumeAnswer
from vivavoce.model.message import AgentReply, Interrupt, Message
from vivavoce.model.transcript import Ending, EndReason, Line, Transcript, Turn
from vivavoce.sources.decoding.case_decoder import decode_case
from vivavoce.sources.freezing import append_case, frozen_case
from vivavoce.sources.reading.jsonl import JsonlSource

CONTAINS = {"type": "contains", "value": "x"}
EVERYTHING: dict[str, Any] = {
    "name": "a name",
    "description": "long",
    "tags": ["smoke"],
    "metadata": {"owner": "me"},
    "agent": "my.agent",
    "user": "u",
    "team": "t",
    "locale": "de",
    "options": {"mode": "m", "metadata": {"k": 1}},
    "timeout": "30s",
    "stop_on_failure": True,
    "final_assertions": [CONTAINS],
    "hooks": [{"cmd": ["true"], "timeout_ms": 500}],
    "before": "scripts:start",
    "after": "scripts:stop",
    "tools": [{"name": "pick", "answer": 1}],
    "state": {"cart": []},
    "thread_id": "t-1",
    "runs": 3,
    "min_pass": 2,
}


def case_of(**fields: Any) -> Case:
    return decode_case({"id": "T1", **fields}, Origin("tests/cases.jsonl", 1))


def spoken(
    *lines: Line, reached: dict[int, tuple[str, ...]] | None = None, ended: EndReason | None = None
) -> Transcript:
    turns = tuple(
        Turn(number=n, line=line, reply=AgentReply(text="Noted."), reached=(reached or {}).get(n, ()))
        for n, line in enumerate(lines, 1)
    )
    return Transcript(turns=turns, ending=None if ended is None else Ending(ended))


def saved(tmp_path: Path, case: Case) -> Case:
    file = tmp_path / "frozen.jsonl"
    append_case(file, case)
    [again] = JsonlSource(file, str(file)).read()
    assert isinstance(again, Case), again
    return again


def checks(case: Case) -> list[list[Any]]:
    return [[spec.written for spec in turn.assertions] for turn in case.turns]


def test_who_spoke_is_not_forgotten(tmp_path: Path):
    earlier = (Message(role="user", content="hi", name="ann"), Message(role="assistant", content="hello"))
    talk = structs.replace(spoken(Line(content="and me?", name="bob"), Line(content="what now?")), history=earlier)
    case = saved(tmp_path, frozen_case(Case(id="T1"), talk))
    assert case.history == earlier
    assert [(turn.content, turn.name) for turn in case.turns] == [("and me?", "bob"), ("what now?", None)]


def test_words_that_answered_an_interrupt_are_the_answer_and_no_line(tmp_path: Path):
    schema = {"properties": {"approved": {"type": "boolean"}, "accepted": {"type": "boolean"}}}
    asked = AgentReply(interrupts=(Interrupt(id="i-77", tool_name="refund", schema=schema),))
    answers = [Line(content="Yes!", source="simulator", resume=(ResumeAnswer(payload="Yes!"),))]
    answers += [Line(content="thanks", source="simulator")]
    talk = spoken(Line(content="my money back", source="static"), *answers)
    talk = structs.replace(talk, turns=(structs.replace(talk.turns[0], reply=asked), *talk.turns[1:]))
    case = saved(tmp_path, frozen_case(case_of(turns=[{"input": "my money back"}]), talk))
    assert [turn.content for turn in case.turns] == ["my money back", "", "thanks"]
    approved = ResumeAnswer(tool="refund", payload={"approved": True, "accepted": True})
    assert [turn.resume for turn in case.turns] == [(), (approved,), ()]


def test_everything_the_case_said_is_kept(tmp_path: Path):
    turns = [{"input": "a", "assert": CONTAINS, "options": {"mode": "n"}}, {"input": "b"}]
    case = case_of(turns=turns, **EVERYTHING)
    again = saved(tmp_path, frozen_case(case, spoken(Line(content="a"), Line(content="b"))))
    proposed = again.turns[1].assertions
    assert [spec.written for spec in proposed] == [{"type": "contains", "value": "Noted"}]
    expected = structs.replace(
        case,
        origin=again.origin,
        turns=(case.turns[0], structs.replace(case.turns[1], assertions=proposed)),
        rules=structs.replace(case.rules, on_missing_input="end"),
    )
    without_lines = tuple(structs.replace(turn, line=0) for turn in again.turns)
    assert structs.replace(again, turns=without_lines) == expected


def test_a_line_of_the_simulator_becomes_a_static_turn(tmp_path: Path):
    case = case_of(input="a", simulator={"use": "sim"}, **{"assert": CONTAINS}, max_turns=5)
    talk = spoken(Line(content="a"), Line(content="b", source="simulator"))
    again = saved(tmp_path, frozen_case(case, talk))
    assert again.simulator is None
    assert [turn.content for turn in again.turns] == ["a", "b"]
    assert checks(again) == [[CONTAINS], [{"type": "contains", "value": "Noted"}]]
    assert (again.assertions, again.rules.max_turns) == ((), 5)


def test_an_expected_output_belongs_to_the_first_reply(tmp_path: Path):
    case = case_of(input="a", simulator={"use": "sim"}, expected={"n": 1})
    again = saved(tmp_path, frozen_case(case, spoken(Line(content="a"), Line(content="b", source="simulator"))))
    assert checks(again)[0] == [{"type": "equals", "value": {"n": 1}}]


def test_checkpoints_become_assertions_and_those_not_reached_stay(tmp_path: Path):
    points = [
        {"id": "one", "assert": CONTAINS},
        {"id": "two", "assert": {"type": "contains", "value": "y"}, "after": "one"},
        {"id": "three", "assert": CONTAINS, "after": ["one", "two"]},
    ]
    case = case_of(input="a", simulator={"use": "sim"}, checkpoints=points)
    talk = spoken(Line(content="a"), Line(content="b", source="simulator"), reached={2: ("one",)})
    again = saved(tmp_path, frozen_case(case, talk))
    assert checks(again)[1] == [CONTAINS]
    assert [(point.id, point.after) for point in again.checkpoints] == [("two", ()), ("three", ("two",))]


def test_a_line_that_broke_is_said_again(tmp_path: Path):
    talk = spoken(Line(content="a"), Line(content="b"))
    broken = structs.replace(talk.turns[1], error="agent error: boom")
    case = case_of(turns=[{"input": "a"}, {"input": "b"}])
    again = saved(tmp_path, frozen_case(case, structs.replace(talk, turns=(talk.turns[0], broken))))
    assert [turn.content for turn in again.turns] == ["a", "b"]
    assert checks(again)[1] == []


@pytest.mark.parametrize(("ended", "then"), [(EndReason.MISSING_INPUT_FAIL, "fail"), (EndReason.COMPLETED, "end")])
def test_a_missing_answer_that_failed_the_case_fails_it_again(tmp_path: Path, ended: EndReason, then: str):
    case = case_of(turns=[{"input": "a"}], on_missing_input="fail")
    again = saved(tmp_path, frozen_case(case, spoken(Line(content="a"), ended=ended)))
    assert again.rules.on_missing_input == then


def test_attachments_are_found_from_the_new_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "a.png").write_bytes(b"x")
    part = {"type": "image", "source": "file://a.png"}
    case = case_of(turns=[{"input": "a", "attachments": [part]}])
    again = saved(tmp_path / "deep", frozen_case(case, spoken(Line(content="a"))))
    assert again.turns[0].attachments[0]["source"] == "file://../tests/a.png"


def test_nothing_said_is_nothing_to_freeze():
    with pytest.raises(UsageError, match="no turn to freeze"):
        frozen_case(Case(id="T1"), Transcript())
