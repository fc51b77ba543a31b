"""A turn as a person at the terminal reads it."""

from tests.unit.speakers.talk import turn

from vivavoce.model.message import AgentReply, Interrupt, ToolCall
from vivavoce.model.transcript import Line
from vivavoce.speakers.turn_text import describe_turn


def test_a_turn_is_told_in_the_order_it_happened():
    reply = AgentReply(
        text="Approve?",
        calls=(ToolCall(name="create", args={"type": "travel"}, error="refused"),),
        interrupts=(Interrupt(id="i1", reason="approval"),),
    )
    assert list(describe_turn(turn("Submit it", reply))) == [
        ("User", "Submit it"),
        ("", '[tool: create({type: "travel"})] failed: refused'),
        ("Agent", "Approve?"),
        ("Asks", "approval"),
    ]


def test_a_structured_answer_is_told_as_json():
    typed = Line(content="hi", source="interactive")
    assert list(describe_turn(turn(typed, AgentReply(data={"b": 1, "a": [2]})))) == [("Agent", '{"a":[2],"b":1}')]


def test_an_endless_reply_is_cut_and_says_so():
    [(_, text)] = describe_turn(turn(Line(content="hi", source="interactive"), "x" * 1_020_000))
    assert text.endswith("x… (1,020,000 characters)")
    assert len(text) < 21_000
