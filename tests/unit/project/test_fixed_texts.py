"""Thousands of texts, looked for in one pass."""

import time

from hypothesis import given
from hypothesis import strategies as st

from vivavoce.project.fixed_texts import FixedTexts
from vivavoce.project.redaction import Secrets

WORDS = st.lists(st.text("ab*", min_size=2, max_size=5), min_size=1, max_size=6).map(
    lambda words: [word.encode() for word in sorted(words, key=len, reverse=True)]
)


@given(WORDS, st.text("abc*", max_size=40))
def test_they_are_found_where_they_are(words: list[bytes], text: str):
    assert FixedTexts(words).are_in(text.encode()) == any(word in text.encode() for word in words)


@given(WORDS, st.text("abc", max_size=40))
def test_none_of_them_is_left(words: list[bytes], text: str):
    left = FixedTexts(words).replaced(text.encode(), lambda _: b"")
    assert not any(word in left for word in words)


@given(WORDS, st.text("abc*", max_size=40))
def test_striking_out_keeps_every_place_and_comes_to_an_end(words: list[bytes], text: str):
    struck = FixedTexts(words).replaced(text.encode(), lambda found: b"*" * len(found))
    assert len(struck) == len(text)
    assert all(now in (ord("*"), before) for now, before in zip(struck, text.encode(), strict=True))


def test_secrets_with_odd_characters_cost_no_more_than_others():
    """Each has about 900 spellings; looked for one by one in ten megabytes they took a minute."""
    secrets = Secrets()
    for number in range(20):
        secrets.add(f"q/{number}\"\\w é%41+<&>'z7 ")
    text = "hello world q/7 %41+< " * 400_000 + "cut … "
    began = time.thread_time()
    assert secrets.mask(text) == text
    assert not secrets.are_in(text.encode())
    assert secrets.mask(f"{text}q/7\"\\w é%41+<&>'z7 ").endswith("… ***")
    assert time.thread_time() - began < 20
