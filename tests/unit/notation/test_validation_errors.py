"""msgspec's own messages, made by msgspec, in words for people."""

from typing import Annotated, Any, Literal

import msgspec
import pytest
from msgspec import Meta

from vivavoce.errors import UsageError
from vivavoce.model.case import Origin
from vivavoce.notation.checked_fields import checked
from vivavoce.notation.place import Place
from vivavoce.notation.validation_errors import plain_words, split_validation_error


@pytest.mark.parametrize(
    ("value", "kind", "words"),
    [
        ("ten", float | None, "wanted a number, found text"),
        (2.5, int, "wanted a whole number, found a number with a point"),
        (5, str | list[str], "wanted text or a list, found a whole number"),
        (60, Annotated[float, Meta(le=1)], "wanted a number, 1 or less"),
        (0, Annotated[float, Meta(gt=0)], "wanted a number, more than 0"),
        ([], Annotated[list[str], Meta(min_length=1)], "wanted a list that is not empty"),
        ("abc", Annotated[str, Meta(max_length=2)], "wanted text of length 2 or less"),
        ("word", Literal["words", "chars"], "'word' is not one of the allowed values"),
    ],
)
def test_a_complaint_names_what_is_wanted(value: Any, kind: Any, words: str):
    with pytest.raises(msgspec.ValidationError) as error:
        msgspec.convert(value, kind)
    assert plain_words(str(error.value)) == words


def test_a_checks_own_words_stay():
    assert plain_words("say a limit: `min` or `max`") == "say a limit: `min` or `max`"


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        (Annotated[float, Meta(ge=0, le=1)], "wanted a number from 0 to 1, found 60"),
        (Annotated[float, Meta(gt=0, le=1)], "wanted a number above 0 and 1 or less, found 60"),
        (Annotated[int, Meta(lt=5)], "wanted a whole number below 5, found 60"),
    ],
)
def test_all_bounds_of_a_number_are_named(kind: Any, words: str):
    with pytest.raises(UsageError) as error:
        checked(60, kind, Place(Origin("c.jsonl", 1)))
    assert error.value.what == words


@pytest.mark.parametrize(
    ("complaint", "words"),
    [
        ("Object missing required field `cmd`", "the field 'cmd' is missing"),
        ("Object contains unknown field `cmdd`", "unknown field 'cmdd'"),
        ("Object missing required field `url` - at `$.servers[0]`", "servers[0]: the field 'url' is missing"),
        ("Expected `str`, got `int` - at `$.name`", "name: wanted text, found a whole number"),
    ],
)
def test_a_complaint_with_its_place_is_in_plain_words_too(complaint, words):
    assert split_validation_error(complaint)[0] == words
