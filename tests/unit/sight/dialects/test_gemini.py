"""What is special about Gemini: results need not have ids."""

from vivavoce.sight.dialects.gemini import GEMINI

RESPONSE = {"functionResponse": {"name": "refund", "response": {"result": "ok"}}}


def test_only_the_results_after_the_last_answer_are_new():
    told = {"role": "user", "parts": [RESPONSE]}
    model = {"role": "model", "parts": [{"functionCall": {"name": "refund", "args": {}}}]}
    assert len(GEMINI.results({"contents": [model, told, model, told]})) == 1


def test_an_error_in_a_response_is_an_error():
    failed = {"functionResponse": {"name": "refund", "response": {"error": "no such order"}}}
    (result,) = GEMINI.results({"contents": [{"role": "user", "parts": [failed]}]})
    assert result.error == "no such order"


def test_contents_may_be_one_text():
    assert GEMINI.said(GEMINI.sections({"contents": "hello"}).talk[0]).text == "hello"
