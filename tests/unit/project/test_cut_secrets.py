"""Texts are cut in many places before secrets are masked: no cut leaves a part of one."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.fakes.random_values import at_most

import vivavoce
from vivavoce.notation.hidden_calls import unread
from vivavoce.project.cut_secrets import is_cut, parts_near_cuts
from vivavoce.project.redaction import Secrets
from vivavoce.wording.quoting import around, quote, quote_bytes, shorten, shorten_middle

ALPHABET = st.characters(min_codepoint=33, max_codepoint=0x17F, exclude_characters="*.…")
SECRETS = st.text(ALPHABET, min_size=8, max_size=300).filter(lambda text: len(set(text)) > 5)
CUTS: dict[str, Callable[[str], str]] = {
    "shorten": lambda text: shorten(text, 200),
    "shorten_middle": lambda text: shorten_middle(text, 200),
    "quote a text": lambda text: quote(text),
    "quote an object": lambda text: quote({"a": [text, text]}),
    "quote bytes": lambda text: quote_bytes(text.encode()),
    "quote JSON in JSON": lambda text: quote({"a": quote({"b": text}, 300)}),
    "around a place": lambda text: around(text, 300, 310),
    "an unread piece": lambda text: str(unread(text, "here")),
}


@pytest.mark.parametrize("cut", CUTS)
@settings(max_examples=at_most(150), deadline=None)
@given(secret=SECRETS, before=st.integers(0, 420), filler=st.sampled_from(["x", "…", '"', "é", "\\"]))
def test_no_cut_leaves_a_part_of_a_secret(cut: str, secret: str, before: int, filler: str):
    secrets = Secrets()
    secrets.add(secret)
    text = (filler * before + secret + filler * 600)[:1200]
    shown = secrets.mask(CUTS[cut](text))
    pieces = {secret[at : at + 8] for at in range(len(secret) - 7)}
    assert not [piece for piece in pieces if piece in shown]
    assert secrets.masked({"reason": CUTS[cut](text)})["reason"] == shown


def test_what_is_cut_elsewhere_stays():
    secrets = Secrets()
    secrets.add("hunter-two-secret")
    for text in ("the hunte… is", "hunter-two is not cut", "…the secret", "hunter-three-sec…"):
        assert secrets.mask(text) == text


def test_no_message_cuts_a_text_without_a_sign():
    """`{text:.80}` leaves the beginning of a secret that nothing knows for one: `shorten` says that it cut."""
    root = Path(vivavoce.__file__).parent
    found = [path for path in root.rglob("*.py") if re.search(r"\{[^{}\n]+:\.\d+\}", path.read_text())]
    assert not found


@given(st.text("ab….", max_size=60), st.integers(0, 4))
def test_a_text_is_made_of_its_parts_and_cuts_are_in_the_near_ones(text: str, reach: int):
    parts = list(parts_near_cuts(text, reach))
    assert "".join(part for part, _ in parts) == text
    assert not any(is_cut(part) for part, is_near in parts if not is_near)
