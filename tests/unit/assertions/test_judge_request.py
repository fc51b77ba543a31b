"""What a judge is shown."""

from tests.fakes.evidence import answered, call, evidence, turn

from vivavoce.assertions.judge_request import judge_request
from vivavoce.model.message import Message


def test_one_question_and_its_answer_are_told_once():
    assert judge_request(answered("fine"), "is polite", {}) == {
        "output": "fine",
        "input": "hello",
        "criteria": "is polite",
    }


def test_without_criteria_there_is_no_such_key():
    assert "criteria" not in judge_request(answered("fine"), None, {})


def test_more_than_that_is_told_as_a_conversation_with_its_calls():
    request = judge_request(evidence(turn("paid", call("pay", {"a": 1}, "ok"))), None, {})
    assert [message["role"] for message in request["conversation"]] == ["user", "assistant", "tool", "assistant"]
    assert request["conversation"][2]["content"] == "ok"


def test_what_was_said_before_the_case_is_told_too():
    request = judge_request(answered("fine", history=[Message(role="system", content="be kind")]), None, {})
    assert request["conversation"][0] == {"role": "system", "content": "be kind"}


def test_the_metadata_of_the_assertion_lies_on_top():
    assert judge_request(answered("fine"), None, {"input": "other", "x": 1})["input"] == "other"


def test_the_bytes_of_an_attachment_are_left_out():
    image = {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}}
    request = judge_request(evidence(turn("a cat", says=[{"type": "text", "text": "what is it?"}, image])), None, {})
    assert request["input"] == "what is it?\n[image_url]"
