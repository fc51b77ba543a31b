"""Hostile and long text made safe for the console."""

import pytest

from vivavoce.model.json_value import JsonValue
from vivavoce.wording.terminal_text import clip, clip_lines, clip_middle, columns, json_diff, neutral, one_line, quoted


@pytest.mark.parametrize(
    ("hostile", "shown"),
    [
        ("\x1b[31mred\x1b[0m", "\\x1b[31mred\\x1b[0m"),
        ("\x9b2J", "\\x9b2J"),
        ("bell\x07", "bell\\x07"),
        ("over\rwritten", "over\\x0dwritten"),
        ("\u202eright to left", "\\u202eright to left"),
        ("zero\u200bwidth", "zero\\u200bwidth"),
        ("half \ud83d a pair", "half \\ud83d a pair"),
        ("two\r\nlines", "two\nlines"),
        ("tab\there", "tab    here"),
        ("plain é 你好 🙂", "plain é 你好 🙂"),
    ],
)
def test_nothing_a_terminal_would_act_on_is_left(hostile: str, shown: str):
    assert neutral(hostile) == shown


def test_newlines_can_be_shown_instead_of_kept():
    assert neutral("a\nb", keep_newlines=False) == "a\\nb"


def test_one_line_joins_lines_and_runs_of_space():
    assert one_line("  a\n\n  b\tc ") == "a b c"


@pytest.mark.parametrize(
    ("text", "width", "clipped"),
    [
        ("short", 10, "short"),
        ("exactly10!", 10, "exactly10!"),
        ("longer than ten", 10, "longer th…"),
        ("你好世界你好", 7, "你好世…"),
        ("a\nb", 5, "a b"),
        ("abc", 1, "…"),
        ("abc", 0, ""),
    ],
)
def test_a_clipped_text_is_one_line_that_fits(text: str, width: int, clipped: str):
    assert clip(text, width) == clipped
    assert columns(clipped) <= width


def test_clipping_megabytes_does_not_read_them():
    assert clip("a" * 50_000_000, 5) == "aaaa…"


def test_values_are_quoted_as_the_seeds_write_them():
    assert quoted({"amount": 3500, "type": "travel"}) == '{amount: 3500, type: "travel"}'
    assert quoted({"a b": [1, None, True], "say": 'a "word"'}) == '{"a b": [1, null, true], say: "a \\"word\\""}'


def test_a_quoted_text_is_never_endless():
    assert len(quoted("x" * 1_000_000)) < 3_000


def test_a_long_text_of_several_lines_keeps_its_beginning_and_its_end():
    assert clip_lines("one\n  two\n", 100) == "one\n  two"
    cut = clip_lines("\n".join(["first", *(["x" * 50] * 100), "last"]), 300)
    assert cut.startswith("first\n")
    assert cut.endswith("\nlast")
    assert len(cut) <= 302


def test_small_values_differ_in_two_lines():
    assert json_diff("paid", "open") == ['- "open"', '+ "paid"']
    assert json_diff({"a": 1}, None) == ["- null", '+ { "a": 1 }']


def test_larger_json_differs_line_by_line():
    same = {"name": "a name that is long enough", "more": "so that it takes several lines"}
    assert json_diff({**same, "status": "paid"}, {**same, "status": "open"}) == [
        '    "more": "so that it takes several lines",',
        '    "name": "a name that is long enough",',
        '-   "status": "open"',
        '+   "status": "paid"',
        "  }",
    ]


def test_texts_of_several_lines_differ_line_by_line():
    assert json_diff("one\ntwo", "one\n2") == ["  one", "- 2", "+ two"]


def test_an_endless_difference_is_cut():
    lines = json_diff("\n".join(map(str, range(500))), "\n".join(map(str, range(500, 1000))))
    assert len(lines) == 21
    assert lines[-1] == "  … 980 more lines"


def test_a_difference_shows_nothing_a_terminal_would_act_on():
    assert "\x1b" not in "".join(json_diff({"a": "\x1b[2J"}, "\x1b]0;x\x07\nb"))


@pytest.mark.parametrize("width", [0, 1, 9, 30, 60])
@pytest.mark.parametrize("body", ["short", "x" * 500, "日本語" * 90, "a\nb " * 300])
def test_a_text_cut_in_the_middle_keeps_its_end(body: str, width: int):
    text = f"HTTP 401: {body} (set the key)"
    cut = clip_middle(text, width)
    assert columns(cut) <= width
    assert "\n" not in cut
    if width >= 60:
        assert cut.startswith("HTTP 401: ")
        assert cut.endswith("(set the key)")
        assert ("…" in cut) is (body != "short")


def test_a_text_that_ends_in_an_ellipsis_is_not_cut_for_it():
    assert clip_middle("and so on…", 20) == "and so on…"


@pytest.mark.parametrize(("text", "width"), [("abc", 3), ("世界", 4), ("e\u0301", 1), ("👩‍👩‍👧", 2), ("é\x1b", 1)])
def test_columns_are_counted_as_terminals_do(text: str, width: int):
    assert columns(text) == width


def test_numbers_are_shown_without_the_noise_of_floats():
    assert quoted(0.1 + 0.2) == "0.3"
    assert quoted({"cost": 0.30000000000000004, "n": 3}) == "{cost: 0.3, n: 3}"
    assert quoted(1234567.891) == "1234567.891"


def test_a_value_of_any_depth_is_quoted():
    value: JsonValue = 1
    for level in range(5_000):
        value = {"a": value} if level % 2 else [value]
    assert quoted(value).endswith("]" if quoted(value).startswith("[") else "}")
    assert "…" in quoted(value)
