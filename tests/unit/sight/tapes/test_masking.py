"""No secret reaches a tape."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vivavoce.project.redaction import MASK, Secrets
from vivavoce.sight.model_answer import Answer
from vivavoce.sight.tapes.masking import Censor
from vivavoce.sight.tapes.played import entry_of
from vivavoce.sight.tapes.tape_lines import encode_line

SECRET = st.text(st.characters(min_codepoint=33, max_codepoint=0x17F, exclude_characters="*"), min_size=6, max_size=30)


@given(SECRET, st.text(max_size=20), st.text(max_size=20), st.integers(0, 60))
def test_a_secret_of_a_header_is_in_no_answer_wherever_its_pieces_are_cut(
    secret: str, before: str, after: str, cut: int
):
    censor = Censor(Secrets())
    censor.learn({"authorization": f"Bearer {secret}"})
    body = (before + secret + after).encode()
    pieces = [(0.0, body[:cut]), (1.0, body[cut:])]
    entry = entry_of(Answer(status=200, chunks=pieces, is_whole=True), censor, method="POST", kind="model")
    kept = "".join(text for _, text in entry.chunks)
    if not entry.binary:
        assert secret not in kept
        assert len(kept.encode()) == len(body)
    assert secret.encode() not in encode_line(entry)


def test_variables_named_like_keys_are_secrets(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("SHOP_API_KEY", "open-sesame")
    assert Censor(Secrets()).text("say open-sesame") == "say ***"


@pytest.mark.parametrize("name", ["PWD", "OLDPWD"])
def test_the_working_folder_is_no_password(monkeypatch: pytest.MonkeyPatch, name: str):
    monkeypatch.setenv(name, "/home/me/project")
    assert Censor(Secrets()).text("in /home/me/project") == "in /home/me/project"


@pytest.mark.parametrize(
    "key",
    [
        "sk-proj-abcdefghijklmnop1234",
        "AIzaSyA1234567890abcdefghijklmnopqrstuv",
        "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N",
        "ghp_abcdefghijklmnopqrstuvwxyz0123456789",
    ],
)
def test_what_is_shaped_like_a_key_is_struck_out(key: str):
    censor = Censor(Secrets())
    assert censor.text(f"key {key}!") == f"key {MASK}!"
    assert key.encode() not in censor.body(f"key {key}!".encode())
    assert len(censor.body(key.encode())) == len(key)


def test_ordinary_words_stay():
    assert Censor(Secrets()).text("ask-me about risk-free skiing") == "ask-me about risk-free skiing"
