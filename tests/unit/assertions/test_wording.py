from vivavoce.assertions.wording import around, kept, shown, slashed


def test_long_values_are_cut_and_measured():
    assert shown("a" * 300) == repr("a" * 200) + "… (300 characters)"
    assert shown({"a": 1}) == '{"a":1}'
    assert len(shown(list(range(1000)))) < 250


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
