"""Questions at a terminal: answered by a word or its first letter, asked again when nothing fits."""

import asyncio

import pytest
from tests.unit.speakers.seat import seat

from vivavoce.cli.asking import ask_text, choose, terminal_for
from vivavoce.errors import UsageError


@pytest.mark.parametrize(("typed", "chosen"), [("a\n", "accept"), ("Keep\n", "keep"), ("\x04", "quit")])
async def test_an_answer_is_a_word_or_its_first_letter(typed: str, chosen: str):
    with seat() as person:
        asking = asyncio.create_task(choose(person.terminal, ("accept", "keep", "quit")))
        await person.sees("uit? ")
        person.type(typed)
        assert await asking == chosen


async def test_what_is_no_answer_is_asked_for_again():
    with seat() as person:
        asking = asyncio.create_task(choose(person.terminal, ("accept", "keep")))
        person.type("what?\n")
        await person.sees("please type a, k")
        person.type("k\n")
        assert await asking == "keep"


async def test_a_text_is_one_line():
    with seat() as person:
        asking = asyncio.create_task(ask_text(person.terminal, "note"))
        await person.sees("note: ")
        person.type("  too rude \n")
        assert await asking == "too rude"


def test_without_a_terminal_it_says_what_to_do():
    with pytest.raises(UsageError) as told:
        terminal_for("viva label", instead="use --set")
    assert "viva label asks at a terminal" in str(told.value)
    assert "use --set" in str(told.value)
