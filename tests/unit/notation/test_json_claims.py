"""A judge that says both yes and no has said nothing."""

import pytest

from vivavoce.notation.json_claims import contradicts_itself


@pytest.mark.parametrize(
    "text",
    [
        '{"passed": true} {"passed": false}',
        '{"passed": true, "passed": false}',
        '{"passed": true, "passed": true}',
        'I quote: {"passed": false}. My verdict: {"pass": true}',
        '[{"passed": true}, {"passed": false}]',
        'first {"passed": true}, then {"passed": false, "reason": "cut off',
        '{"passed": true} and then \'passed\': "false"',
    ],
)
def test_two_answers(text: str):
    assert contradicts_itself(text, "passed", "pass")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "no JSON at all",
        '{"passed": true}',
        '{"passed": true} as I said: {"pass": true}',
        '{"passed": true, "detail": {"passed": false}}',
        'Answer with {"passed": true|false}: {"passed": true}',
        '<think>{"passed": false}</think>{"passed": true}',
        '{"failed": true} {"passed": false}',
        '{"score": 1} {"score": 1.0}',
    ],
)
def test_one_answer(text: str):
    assert not contradicts_itself(text, "passed", "pass")
    assert not contradicts_itself(text, "score")


def test_numbers_are_compared_as_numbers():
    assert contradicts_itself('{"score": 0.2} {"score": 0.9}', "score")


def test_a_text_full_of_brackets_is_read_in_bounded_time():
    assert not contradicts_itself("{" * 100_000, "passed")
