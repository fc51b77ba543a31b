"""An HTTP agent's request: templates filled in."""

from typing import Any

import pytest

from vivavoce.errors import CallFailed
from vivavoce.project.redaction import Secrets
from vivavoce.targets.http_agent.checks import checked_call
from vivavoce.targets.http_agent.request import Request, RequestWriter, attachments

NAMES: dict[str, Any] = {
    "message": 'say "hi" & go',
    "messages": [{"role": "user", "content": "hi"}],
    "session_id": "s1",
    "turn": 1,
}


def written(variables: dict[str, Any] | None = None, message: str = NAMES["message"], **fields: Any) -> Request:
    call = checked_call({"url": "http://localhost/chat", "body": {"text": "{{ message }}"}, **fields})
    return RequestWriter(call, variables or {}, Secrets()).request({**NAMES, "message": message})


def test_a_body_of_fields_is_json():
    request = written(body={"text": "{{ message }}", "all": "{{ messages }}", "turn": "{{ turn }}"})
    assert request.headers["Content-Type"] == "application/json"
    assert b'"text":"say \\"hi\\" & go"' in (request.body or b"")
    assert b'"turn":1' in (request.body or b""), "a template alone keeps the type of its value"


def test_the_message_alone_is_plain_text():
    request = written(body="{{ message }}")
    assert (request.headers["Content-Type"], request.body) == ("text/plain; charset=utf-8", b'say "hi" & go')


def test_a_form_is_encoded():
    request = written(headers={"Content-Type": "application/x-www-form-urlencoded"})
    assert request.body == b"text=say+%22hi%22+%26+go"


def test_the_users_words_cannot_change_the_address():
    said = "a/../b?admin=1#c"
    request = written(message=said, url="http://localhost/x/{{ message }}/y", query={"q": "{{ message }}"})
    assert request.url.raw_path.startswith("/x/")
    assert request.url.raw_path.endswith("/y")
    assert dict(request.url.query) == {"q": said}
    assert request.url.fragment == ""


def test_a_variable_is_put_in_and_never_read_as_a_template():
    request = written({"HOST": "http://other", "EVIL": "{{ session_id }}"}, url="${HOST}/x", headers={"X": "${EVIL}"})
    assert str(request.url) == "http://other/x"
    assert request.headers["X"] == "{{ session_id }}"


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"body": '{"text": "{{ message }}"}'}, "is no JSON once it is filled in"),
        ({"url": "http://localhost/${GAP}"}, "white space"),
    ],
)
def test_a_request_that_cannot_be_written_is_the_tests_fault(fields: dict[str, Any], said: str):
    with pytest.raises(CallFailed, match=said) as refused:
        written({"GAP": "a b"}, **fields)
    assert refused.value.fault == "test"


def test_attachments_have_their_data_or_their_address():
    image = {"type": "image_url", "image_url": {"url": "data:image/png;base64,QUJD"}}
    linked = {"type": "image_url", "image_url": "https://x/y.png"}
    sound = {"type": "input_audio", "input_audio": {"data": "QUJD", "format": "mp3"}}
    found = attachments(({"type": "text", "text": "see"}, image, linked, sound))  # type: ignore[arg-type]
    assert [(one["type"], one["media_type"], one["data"]) for one in found] == [
        ("image", "image/png", "QUJD"),
        ("image", None, None),
        ("audio", "audio/mp3", "QUJD"),
    ]
    assert found[1]["url"] == "https://x/y.png"
    assert attachments("text only") == []
