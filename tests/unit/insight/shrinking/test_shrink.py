"""From a failing case to the smallest one, part by part."""

from collections.abc import Callable

from vivavoce.insight.shrinking.shrink import EnoughTried, Shrunk, shrink
from vivavoce.model.case import Case, ScriptedTurn
from vivavoce.model.message import Message, text_of_content


def said(case: Case) -> list[str]:
    return [text_of_content(turn.content) for turn in case.turns]


def script(*lines: str, history: tuple[Message, ...] = ()) -> Case:
    return Case(id="T1", turns=tuple(ScriptedTurn(content=line) for line in lines), history=history)


async def shrunk(case: Case, fails: Callable[[Case], bool], most: int = 1000) -> tuple[Shrunk, list[Case]]:
    tried: list[Case] = []

    async def still_fails(candidate: Case) -> bool:
        if len(tried) == most:
            raise EnoughTried
        tried.append(candidate)
        return fails(candidate)

    return await shrink(case, still_fails), tried


def mentions(*words: str) -> Callable[[Case], bool]:
    return lambda case: all(any(word in line for line in said(case)) for word in words)


async def test_turns_sentences_and_words_that_are_not_needed_go():
    case = script("Hello there.", "I want a refund. Please hurry!", "For order A-17, of course.", "Thanks.")
    found, tried = await shrunk(case, mentions("refund", "A-17"))
    assert (said(found.case), found.finished) == (["refund.", "A-17,"], True)
    assert len(tried) == len({str(candidate) for candidate in tried}), "no candidate is tried twice"


async def test_every_line_is_shrunk_also_when_the_one_before_became_a_single_sentence():
    found, _ = await shrunk(script("a1. b1. c1.", "a2. b2. c2.", "a3. b3. c3."), mentions("b1.", "b2.", "b3."))
    assert said(found.case) == ["b1.", "b2.", "b3."]


async def test_history_and_attachments_go_when_they_do_not_matter():
    image = {"type": "image_url", "image_url": {"url": "data:,"}}
    history = tuple(Message(role="user", content=text) for text in "abcd")
    case = Case(id="T1", turns=(ScriptedTurn(content="pay", attachments=(image, image)),), history=history)
    found, _ = await shrunk(case, lambda one: any(message.content == "c" for message in one.history))
    assert ([message.content for message in found.case.history], found.case.turns[0].attachments) == (["c"], ())


async def test_a_very_long_word_is_cut():
    found, tried = await shrunk(script("x" * 10_000), lambda one: len(said(one)[0]) > 300)
    assert len(said(found.case)[0]) == 301
    assert len(tried) < 40


async def test_a_long_word_among_others_is_cut_too():
    found, _ = await shrunk(script(f"pay {'x' * 5_000} now"), mentions("pay", "xxx"))
    assert said(found.case) == ["pay xxx"]


async def test_letters_go_at_both_ends_of_every_word_when_that_is_wanted():
    case = script("well, wh\x00at is (refundable), please?", "no 1234567890 pieces")

    async def still_fails(candidate: Case) -> bool:
        return mentions("\x00", "refund", "12345")(candidate)

    found = await shrink(case, still_fails, long_word=1)
    assert (said(found.case), found.finished) == (["\x00 refund", "12345"], True)


async def test_when_no_more_may_be_tried_the_smallest_so_far_is_returned():
    case = script(*(f"line{number}." for number in range(30)))
    found, tried = await shrunk(case, mentions("line3.", "line20."), most=6)
    assert not found.finished
    assert mentions("line3.", "line20.")(found.case)
    assert found.case in tried


async def test_what_cannot_be_made_smaller_is_returned_as_it_is():
    case = script("pay")
    assert (await shrunk(case, lambda one: False))[0].case == case
