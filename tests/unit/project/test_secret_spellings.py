"""Every spelling in which a secret may leave."""

import json
import string
from base64 import b64encode, urlsafe_b64encode
from urllib.parse import quote

from hypothesis import given
from hypothesis import strategies as st

from vivavoce.project.redaction import Secrets
from vivavoce.project.secret_spellings import SHORTEST_BASE64, in_json, spellings_of

SECRET = st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Zs"], exclude_characters="*"), min_size=8)
PLAIN = st.text(string.ascii_letters + string.digits + "-_/+=", min_size=6, max_size=40)
AROUND = st.binary(max_size=20)


def masked(secret: str, text: str) -> str:
    kept = Secrets()
    kept.add(secret)
    return kept.mask(text)


@given(PLAIN, AROUND, AROUND, st.booleans())
def test_base64_hides_no_secret_wherever_it_stands_in_the_text(secret: str, before: bytes, after: bytes, url: bool):
    encode = urlsafe_b64encode if url else b64encode
    whole = encode(before + secret.encode() + after).decode()
    left = masked(secret, whole)
    assert "***" in left
    # At most the two characters that the neighbours share are left at each end.
    assert len(left) - 3 <= len(whole) - len(secret) * 4 // 3 + 4


@given(
    SECRET,
    st.lists(st.sampled_from(["json", "ascii json", "slashed json", "python", "python both"]), min_size=1, max_size=3),
)
def test_quotes_inside_quotes_hide_no_secret(secret: str, levels: list[str]):
    spelt = secret
    for level in levels:
        if level.startswith("python"):
            # Beside both quotes it escapes the apostrophe, beside one of them it does not.
            spelt = repr(f"\"'{spelt}" if level == "python both" else f"'{spelt}")
            spelt = spelt[4:-1] if level == "python both" else spelt[1:-1].removeprefix("\\").removeprefix("'")
            continue
        spelt = json.dumps(spelt, ensure_ascii=level == "ascii json")[1:-1]
        spelt = spelt.replace("/", "\\/") if level == "slashed json" else spelt
    assert masked(secret, f"<{spelt}>") == "<***>"


@given(SECRET)
def test_percent_signs_hide_no_secret(secret: str):
    assert masked(secret, f"<{quote(quote(secret), safe='')}>") == "<***>"


def test_a_plain_key_has_few_spellings():
    """Each one costs a search in every result."""
    assert len(spellings_of("sk-planted-42-secret")) <= 1 + 3 * 2
    assert all(len(form) >= SHORTEST_BASE64 for form in spellings_of("abcdef"))


def test_a_text_as_it_stands_in_json():
    assert in_json('a"b\\c') == 'a\\"b\\\\c'
