"""What can be taken out of a case, and what is left then."""

from hypothesis import given
from hypothesis import strategies as st

from vivavoce.insight.shrinking.pieces import (
    attachments_of,
    history_of,
    letters_of,
    sentences_of,
    split_sentences,
    split_words,
    turns_of,
    words_of,
)
from vivavoce.model.case import Case, ScriptedTurn
from vivavoce.model.message import Message

IMAGE = {"type": "image_url", "image_url": {"url": "data:,"}}


def case(*turns: ScriptedTurn, history: tuple[Message, ...] = ()) -> Case:
    return Case(id="T1", turns=turns, history=history)


@given(st.text())
def test_the_pieces_of_a_text_are_the_text(text):
    assert "".join(split_sentences(text)) == text
    assert "".join(split_words(text)).strip() == text.strip()


def test_sentences_end_where_a_reader_says():
    assert split_sentences("Pay 3.50 now. Why? Line\nnext") == ["Pay 3.50 now. ", "Why? ", "Line\n", "next"]
    assert split_words("a  b c") == ["a", "  b", " c"]


def test_turns():
    (pieces,) = turns_of(case(*(ScriptedTurn(content=text) for text in "abc")))
    left = pieces.keep([0, 2])
    assert left is not None
    assert [turn.content for turn in left.turns] == ["a", "c"]
    assert pieces.keep([]) is None


def test_a_line_is_never_emptied_unless_something_else_is_sent():
    alone, with_image = ScriptedTurn(content="Hi. Pay."), ScriptedTurn(content="Hi. Pay.", attachments=(IMAGE,))
    (pieces,) = sentences_of(case(alone))
    assert pieces.keep([]) is None
    (pieces,) = words_of(case(with_image))
    left = pieces.keep([])
    assert left is not None
    assert left.turns[0].content == ""


def test_letters_of_a_word_leave_the_words_around_it():
    first, second = letters_of(case(ScriptedTurn(content=" so  much ")))
    left = second.keep([1, 2])
    assert left is not None
    assert (left.turns[0].content, first.count, first.place, second.place) == (" so  uc ", 2, (0, 0, 0), (0, 0, 1))


def test_texts_and_images_of_one_message():
    turn = ScriptedTurn(content=[{"type": "text", "text": "One. Two."}, IMAGE], attachments=(IMAGE,))
    (sentences,) = sentences_of(case(turn))
    left = sentences.keep([1])
    assert left is not None
    assert left.turns[0].content == [{"type": "text", "text": "Two."}, IMAGE]
    (attachments,) = attachments_of(case(turn))
    assert attachments.count == 2
    left = attachments.keep([1])
    assert left is not None
    assert (left.turns[0].content, left.turns[0].attachments) == ([{"type": "text", "text": "One. Two."}], (IMAGE,))


def test_a_tool_call_of_the_history_stays_with_its_result():
    history = (
        Message(role="user", content="hi"),
        Message(role="assistant", tool_calls=[{"id": "1"}]),
        Message(role="tool", tool_call_id="1", content="ok"),
    )
    (pieces,) = history_of(case(ScriptedTurn(content="x"), history=history))
    assert pieces.count == 2
    left = pieces.keep([1])
    assert left is not None
    assert left.history == history[1:]
