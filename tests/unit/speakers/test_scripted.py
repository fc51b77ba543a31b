"""The lines the test's author wrote."""

from tests.unit.speakers.talk import COMPLETE, talk, turn

from vivavoce.model.case import AssertionSpec, CallOptions, ResumeAnswer, ScriptedTurn
from vivavoce.model.transcript import Line
from vivavoce.speakers.scripted import ScriptedSpeaker


async def test_scripted_lines_come_in_order_and_then_the_word_is_passed_on():
    speaker = ScriptedSpeaker((ScriptedTurn(content="one"), ScriptedTurn(content="two")), CallOptions())
    first = await speaker.next_line(talk())
    second = await speaker.next_line(talk(turn("one")))
    assert isinstance(first, Line)
    assert isinstance(second, Line)
    assert (first.text, first.source) == ("one", "static")
    assert second.text == "two"
    assert await speaker.next_line(talk(turn("one"), turn("two"))) is None


async def test_a_scripted_line_is_said_even_to_an_agent_that_waits_for_nothing():
    speaker = ScriptedSpeaker((ScriptedTurn(content="one"), ScriptedTurn(content="two")), CallOptions())
    said = await speaker.next_line(talk(turn("one", "Done.", COMPLETE)))
    assert isinstance(said, Line)
    assert said.text == "two"


async def test_a_turns_options_lie_over_the_cases():
    case = CallOptions(connector="a", mode="chat", metadata={"x": 1, "y": 1})
    own = ScriptedTurn(content="one", options=CallOptions(connector="b", metadata={"y": 2}))
    said = await ScriptedSpeaker((own,), case).next_line(talk())
    assert isinstance(said, Line)
    assert said.options == CallOptions(connector="b", mode="chat", metadata={"x": 1, "y": 2})


async def test_the_name_assertions_and_resume_answers_travel_with_the_line():
    check = AssertionSpec(type="contains", fields={"value": "x"})
    own = ScriptedTurn(content="", name="Ana", assertions=(check,), resume=(ResumeAnswer(payload=1),))
    said = await ScriptedSpeaker((own,), CallOptions()).next_line(talk())
    assert isinstance(said, Line)
    assert (said.name, said.assertions, said.resume) == ("Ana", (check,), (ResumeAnswer(payload=1),))


async def test_attachments_become_parts_behind_the_words():
    image = {"type": "image_url", "image_url": {"url": "data:image/png;base64,eA=="}}
    words = {"type": "text", "text": "look"}
    turns = (
        ScriptedTurn(content="look", attachments=(image,)),
        ScriptedTurn(content=[words], attachments=(image,)),
        ScriptedTurn(content="", attachments=(image,)),
    )
    speaker = ScriptedSpeaker(turns, CallOptions())
    contents = [(await speaker.next_line(talk(*[turn()] * n))).content for n in range(3)]  # type: ignore[union-attr]
    assert contents == [[words, image], [words, image], [image]]
