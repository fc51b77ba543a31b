"""Numbers and lengths: the words of a verdict, and limits that nothing can meet. The verdicts are in the table."""

from typing import Any

import pytest
from tests.fakes.evidence import answered, helpers

from vivavoce.assertions.amounts import Length, Number


async def reason(check: Number | Length, output: Any) -> str:
    return (await check.check(answered(output), helpers())).reason


async def test_a_number_is_told_with_its_limits():
    assert await reason(Number(min=1, lt=5), 7) == "output is 7, wanted at least 1 and less than 5"
    assert await reason(Number(gt=10**16), 1e16) == "output is 10000000000000000, wanted more than 10000000000000000"
    assert await reason(Number(min=1), "7 euros") == "output is no number: '7 euros'"


async def test_what_is_no_number_is_no_number_negated_either():
    for output in ("seven", "", None, True, [7], "Infinity", "1e999"):
        verdict = await Number(min=0).check(answered(output), helpers())
        assert not verdict.passed
        assert not verdict.negatable, output


@pytest.mark.parametrize("limits", [{}, {"min": 2, "max": 1}, {"gt": 1, "max": 1}, {"min": 1, "lt": 1}])
def test_limits_that_no_number_meets_are_refused(limits: dict[str, float]):
    with pytest.raises(ValueError, match=r"say a limit|no number is"):
        Number(**limits)


def test_one_number_may_be_both_limits():
    assert Number(min=1, max=1)


async def test_a_length_is_told_with_its_unit():
    assert await reason(Length(max=2), "abc") == "output has 3 chars, wanted at most 2"
    assert await reason(Length(exact=2, unit="words"), "one two  three") == "output has 3 words, wanted exactly 2"
    assert await reason(Length(min=1), {}) == "output has 0 items, wanted at least 1"
    assert await reason(Length(min=1, unit="words"), [1]) == "output has no words to count: it is [1]"


@pytest.mark.parametrize("limits", [{}, {"min": 2, "max": 1}, {"exact": 1, "max": 1}, {"unit": "words"}])
def test_lengths_that_nothing_has_are_refused(limits: dict[str, Any]):
    with pytest.raises(ValueError, match=r"say a length|nothing is|either"):
        Length(**limits)


def test_unread_words_could_only_make_an_answer_too_long():
    assert Length(min=1).doubted_by == "nothing"
    assert Length(max=1).doubted_by == Length(exact=1).doubted_by == "words"


async def test_a_limit_is_shown_as_it_was_written():
    verdict = await Number(min=10.0, max=20.5).check(answered("5"), helpers())
    assert repr(verdict.expected) == "{'min': 10, 'max': 20.5}"
