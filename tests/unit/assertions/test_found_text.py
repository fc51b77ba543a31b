import pytest

from vivavoce.assertions.found_text import TextQuestions


@pytest.mark.parametrize(
    ("questions", "text", "passes"),
    [
        (TextQuestions(contains=["a", "b"]), "b a", True),
        (TextQuestions(contains=["a", "b"]), "a", False),
        (TextQuestions(contains="a", matches="c$"), "a", False),
        (TextQuestions(json_path="$.a", value=[1, 2]), '{"a": 2}', True),
        (TextQuestions(json_path="$.a", value=[1, 2]), '{"a": 3}', False),
        (TextQuestions(json_path="$.a", value=None), '{"a": null}', True),
        (TextQuestions(json_path="$.a", value=None), "{}", False),
    ],
)
async def test_all_that_is_said_must_hold(questions: TextQuestions, text: str, passes: bool):
    assert (await questions.judged("it", text)).passed is passes


async def test_a_text_that_is_no_json_fails_negated_or_not():
    verdict = await TextQuestions(json_path="$.a").judged("it", "oh")
    assert not verdict.passed
    assert not verdict.negatable


def test_a_value_without_a_path_is_refused():
    with pytest.raises(ValueError, match="write both"):
        TextQuestions(value=1)
