"""By what a request is found again."""

import json

from vivavoce.sight.tapes.fingerprint import Fingerprint, fingerprint
from vivavoce.sight.tapes.normalising import Normaliser


def of(body: object, path: str = "/v1/chat/completions", query: str = "", method: str = "POST") -> Fingerprint:
    sent = body if isinstance(body, bytes) else json.dumps(body).encode()
    return fingerprint("openai", method, path, query, sent, Normaliser())[0]


def chat(system: str = "Be a shop.", said: str = "hi", **more: object) -> dict[str, object]:
    messages = [{"role": "system", "content": system}, {"role": "user", "content": said}]
    return {"model": "m", "messages": messages, **more}


def test_another_system_prompt_is_found_loosely_and_named():
    recorded, now = of(chat()), of(chat(system="Be a bank."))
    assert recorded.key != now.key
    assert recorded.loose == now.loose
    assert now.differences(recorded.sections) == ["system"]


def test_another_user_text_is_another_request():
    assert of(chat()).loose != of(chat(said="bye")).loose


def test_a_stream_is_another_request():
    assert of(chat()).loose != of(chat(stream=True)).loose


def test_keys_in_the_query_do_not_count():
    path = "/v1beta/models/m:generateContent"
    assert of({}, path, "key=secret&alt=sse").key == of({}, path, "key=other").key
    assert of({}, path, "view=full").key != of({}, path).key


def test_a_token_that_names_a_page_counts():
    for name in ("pageToken", "page_token", "nextToken", "continuation_token"):
        assert of(b"", "/orders", f"{name}=one", "GET").loose != of(b"", "/orders", f"{name}=two", "GET").loose, name
    assert of(b"", "/orders", "accessToken=one", "GET").key == of(b"", "/orders", "accessToken=two", "GET").key


def test_of_an_unknown_api_all_that_is_sent_counts():
    assert of({"q": 1}, "/search").loose != of({"q": 2}, "/search").loose
    assert of(b"", "/search", "q=1", "GET").key != of(b"", "/search", "q=2", "GET").key
    assert of(b"\xff\x00", "/upload").key != of(b"\xff\x01", "/upload").key
