"""Answers as they passed the proxy, kept and played back byte for byte."""

from hypothesis import given
from hypothesis import strategies as st

from vivavoce.project.redaction import Secrets
from vivavoce.sight.model_answer import Answer
from vivavoce.sight.tapes.masking import Censor
from vivavoce.sight.tapes.played import entry_of, played


@given(st.binary(max_size=60) | st.text(max_size=40).map(str.encode), st.integers(0, 60))
def test_every_byte_comes_back(body: bytes, cut: int):
    answer = Answer(status=201, chunks=[(0.0, body[:cut]), (5.0, body[cut:])], is_whole=True)
    again = played(entry_of(answer, Censor(Secrets()), method="POST", kind="http"))
    assert again.body == body
    assert (again.status, again.is_whole, [at for at, _ in again.chunks]) == (201, True, [0.0, 5.0])


def test_few_headers_are_kept():
    headers = {"content-type": "text/event-stream", "set-cookie": "session=1", "x-ratelimit-remaining": "7"}
    answer = Answer(status=200, headers=headers, is_whole=False)
    entry = entry_of(answer, Censor(Secrets()), method="POST", kind="model")
    assert entry.headers == {"content-type": "text/event-stream", "x-ratelimit-remaining": "7"}
    assert entry.aborted
