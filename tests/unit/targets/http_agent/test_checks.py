"""The request and the paths of an HTTP agent, checked before anything is sent."""

from typing import Any

import pytest

from vivavoce.errors import UsageError
from vivavoce.targets.http_agent.checks import checked_call, used_names


def call(**more: Any) -> dict[str, Any]:
    return {"url": "http://localhost/chat", "body": {"text": "{{ message }}"}, **more}


def test_a_sound_request_is_typed():
    assert used_names(checked_call(call(headers={"X-Session": "{{ session_id }}"}))) == {"message", "session_id"}


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"method": "GET"}, "a GET request has no body"),
        ({"body": {"text": "fixed"}}, "the user's message is never sent"),
        ({"headers": {"X": "{{ session }}"}}, "nothing says where it comes from"),
        ({"body": "{{ mesage }}"}, "unknown name 'mesage' in a template \\(did you mean 'message'"),
        ({"body": "{{ message"}, "http.body: "),
        ({"body": "{{ message ~ '${NAME}' }}"}, "inside a template"),
        ({"url": "http://x/{{ message | urlencode }}"}, "percent-encoded already"),
        ({"reply": "$.a..[0"}, "http.reply: "),
        ({"reply": "a..b."}, "http.reply: "),
        ({"tool_calls": {"list": "$.calls[", "name": "$.n"}}, "http"),
        ({"ignore": ["$.["]}, "http.ignore: "),
        ({"urll": "x"}, "http: "),
    ],
)
def test_what_cannot_work_is_refused_with_its_field(more: dict[str, Any], said: str):
    with pytest.raises(UsageError, match=said):
        checked_call(call(**more))


def test_a_session_from_a_header_or_a_path_may_be_used():
    checked_call(call(headers={"X": "{{ session }}"}, session="$.id"))
    checked_call(call(headers={"X": "{{ session }}"}, session_header="X-Id"))
