import pytest
from hypothesis import given
from hypothesis import strategies as st

from vivavoce.wording.quoting import around, kept, quote, quote_apart, quote_bytes, shorten, shorten_middle, slashed


def test_long_values_are_cut_and_measured():
    assert quote("a" * 300) == repr("a" * 200) + "… (300 characters)"
    assert quote({"a": 1}) == '{"a":1}'
    assert len(quote(list(range(1000)))) < 250


def test_a_found_piece_stands_in_its_surroundings():
    text = "x" * 500 + "HERE" + "y" * 500
    piece = around(text, 500, 504)
    assert "HERE" in piece
    assert piece.startswith("…'xx")
    assert len(piece) < 220
    assert around("a HERE b", 2, 6) == "'a HERE b'"
    assert len(around("z" * 100_000, 0, 100_000)) < 220


def test_only_very_long_texts_are_not_kept_whole():
    assert kept("a" * 20_000) == "a" * 20_000
    assert len(kept("a" * 30_000)) < 20_100


def test_patterns_look_like_patterns():
    assert slashed("a+") == "/a+/"
    assert slashed("/a+/i") == "/a+/i"


def test_a_long_text_says_how_long_it_was():
    assert shorten("abcdef", 6) == "abcdef"
    assert shorten("abcdef", 3) == "abc… (6 characters)"


def test_the_middle_is_left_out():
    assert shorten_middle("abcdefgh", 4) == "ab…gh"


def test_bytes_are_quoted_on_one_line():
    assert quote_bytes(b"<h1>\n  no\xff\n</h1>") == "<h1> no\ufffd </h1>"
    assert quote_bytes(b"a" * 10, 4) == "aaaa…"
    assert quote_bytes(b" " * 100 + b"a", 4) == "…"


@pytest.mark.parametrize(
    ("found", "wanted", "read"),
    [
        (1 / 3, 0.5, ("0.333333333333", "0.5")),
        (0.1 + 0.2, 0.3, ("0.30000000000000004", "0.3")),
        ({"a": [0.1 + 0.2]}, {"a": [0.4]}, ('{"a":[0.3]}', '{"a":[0.4]}')),
        ({"a": [0.1 + 0.2]}, {"a": [0.3]}, ('{"a":[0.30000000000000004]}', '{"a":[0.3]}')),
        (0.1 + 0.2, "/^0.3$/", ("0.30000000000000004", "'/^0.3$/'")),
    ],
)
def test_numbers_are_rounded_unless_that_hides_the_difference(found, wanted, read):
    assert quote_apart(found, wanted) == read


@given(st.floats(allow_nan=False, allow_infinity=False), st.floats(allow_nan=False, allow_infinity=False))
def test_two_numbers_that_differ_never_read_the_same(found: float, wanted: float):
    read = quote_apart(found, wanted)
    assert (read[0] == read[1]) == (found == wanted)
