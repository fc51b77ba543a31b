"""Numbers of things in words."""

import pytest

from vivavoce.wording.plurals import counted, first_few, joined_reasons, listed


def test_one_thing_is_not_many():
    assert [counted(number, "case") for number in (0, 1, 2, 2000)] == ["0 cases", "1 case", "2 cases", "2,000 cases"]
    assert [counted(number, "case was", "cases were") for number in (1, 2)] == ["1 case was", "2 cases were"]


def test_words_are_listed_as_people_do():
    assert [listed(words) for words in ([], ["a"], ["a", "b"], ["a", "b", "c"])] == ["", "a", "a and b", "a, b and c"]


def test_a_reason_of_several_lines_does_not_run_into_the_next():
    assert joined_reasons(["a", "b", "a"]) == "a; b"
    assert joined_reasons(["two places:\n  $: x", "b"]) == "two places:\n  $: x\nb"
    assert joined_reasons([]) == ""


@pytest.mark.parametrize(
    ("names", "told"),
    [
        ([], ""),
        (["a"], "a"),
        (["a", "b"], "a, b"),
        (["a", "b", "c"], "a, b and 1 more"),
        (["a"] * 2002, "a, a and 2,000 more"),
    ],
)
def test_of_many_names_the_first_are_told(names: list[str], told: str):
    assert first_few(names, 2) == told
