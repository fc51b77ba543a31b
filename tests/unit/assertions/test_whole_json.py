"""`is_json` judges what was said, all of it. Plain verdicts are in the table."""

import pytest
from tests.fakes.evidence import answered, check, evidence, helpers, turn

from vivavoce.assertions.whole_json import IsJson


async def test_data_that_a_target_found_inside_a_text_does_not_hide_the_words_around_it():
    said = evidence(turn('Here you are: {"a": 1}', data={"a": 1}))
    verdict = await IsJson().check(said, helpers())
    assert not verdict.passed
    assert "Here you are" in verdict.reason


async def test_data_of_its_own_is_json_whatever_is_said_beside_it():
    assert (await IsJson().check(evidence(turn("Done.", data={"a": 1})), helpers())).passed


async def test_the_schema_judges_the_whole_value():
    verdict = await IsJson(schema={"type": "integer"}).check(answered("5.5"), helpers())
    assert not verdict.passed
    assert "schema" in verdict.reason


async def test_deep_nesting_is_not_json_rather_than_a_crash():
    assert not (await IsJson().check(answered("[" * 100_000), helpers())).passed


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        ("Hello", "output is not JSON: 'Hello'"),
        ("", "output is not JSON (it is empty): ''"),
        ('{"a": 1', """output is not JSON (it ends too early): '{"a": 1'"""),
        ('{"a" 1}', """output is not JSON (it breaks at line 1, column 6): '{"a" 1}'"""),
        ("{} so", "output is not JSON (more text follows it from line 1, column 4 on): '{} so'"),
    ],
)
async def test_the_reason_says_where_the_text_is_no_longer_json(said: str, reason: str):
    assert (await check("is_json", answered(said))).reason == reason
