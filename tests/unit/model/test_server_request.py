"""Requests of MCP servers in place of words."""

import pytest

from vivavoce.model.server_request import check_request, content_of_request, is_request, request_in

CALL = {"call": "add", "args": {"b": 1, "a": 2}}


@pytest.mark.parametrize("request_", [CALL, {"list": "tools"}, {"read": "a://b"}, {"prompt": "p"}])
def test_a_request_is_content_that_people_can_read(request_):
    content = content_of_request(check_request(request_))
    assert request_in(content) == request_


@pytest.mark.parametrize(
    ("request_", "words"),
    [
        (CALL, "add({b: 1, a: 2})"),
        ({"call": "add"}, "add()"),
        ({"call": "add", "args": {"a": ["x", None], "b": {"c": True}}}, "add({a: ['x', null], b: {c: true}})"),
        ({"list": "tools"}, "list tools"),
        ({"read": "shop://hours"}, "read shop://hours"),
        ({"prompt": "greet", "args": {"name": "Ann"}}, "prompt greet({name: 'Ann'})"),
    ],
)
def test_people_read_a_request_without_quotes_that_need_escapes(request_, words):
    assert content_of_request(request_)[0]["text"] == words


@pytest.mark.parametrize("other", ["words", [{"type": "text", "text": "hi"}], None, [CALL], [CALL, CALL]])
def test_other_content_is_no_request(other):
    assert request_in(other) is None


def test_messages_and_parts_are_no_requests():
    assert is_request(CALL)
    assert not is_request({"role": "user", "content": "x", "call": "y"})
    assert not is_request({"type": "text", "read": "y"})
    assert not is_request({"input": "x"})


@pytest.mark.parametrize(
    ("wrong", "what"),
    [
        ({"call": "a", "read": "b"}, "found call, read"),
        ({"call": ""}, "'call' wants a text"),
        ({"list": "tool"}, "'list' wants one of"),
        ({"list": "tools", "args": {}}, "unknown field 'args' beside 'list', which takes nothing there"),
        ({"call": "a", "arg": {}}, "unknown field 'arg' beside 'call', which takes only `args`"),
        ({"call": "a", "args": []}, "'args' wants an object"),
    ],
)
def test_a_request_of_the_wrong_form_is_refused(wrong, what):
    with pytest.raises(ValueError, match=what):
        check_request(wrong)
