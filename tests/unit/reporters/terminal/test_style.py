"""When the console uses colour, and when it redraws a line."""

import pytest

from vivavoce.reporters.terminal.style import NO_EDGE, Look, Style, console_style, console_width


@pytest.mark.parametrize(
    ("env", "isatty", "color", "live"),
    [
        ({}, True, True, True),
        ({}, False, False, False),
        ({"NO_COLOR": "1"}, True, False, True),
        ({"NO_COLOR": ""}, True, True, True),
        ({"FORCE_COLOR": "1"}, False, True, False),
        ({"FORCE_COLOR": "0"}, True, False, True),
        ({"NO_COLOR": "1", "FORCE_COLOR": "1"}, True, False, True),
        ({"TERM": "dumb"}, True, False, False),
        ({"CI": "true"}, True, True, False),
        ({"CI": "false"}, True, True, True),
    ],
)
def test_the_environment_decides(env: dict[str, str], isatty: bool, color: bool, live: bool):
    assert console_style(env, isatty) == Style(color=color, live=live)


def test_a_log_is_neither_cut_nor_wrapped():
    assert console_width({}, isatty=False) == NO_EDGE
    assert console_width({"COLUMNS": "60"}, isatty=False) == 60
    assert console_width({"COLUMNS": "wide"}, isatty=False) == NO_EDGE
    sentence = "word " * 100
    assert Look(width=NO_EDGE).wrapped(sentence.strip(), 2) == [sentence.strip()]


def test_wrapped_lines_keep_their_indentation():
    assert Look(width=30).wrapped("Traceback:\n  File one\n    raise ValueError", 2) == [
        "Traceback:",
        "  File one",
        "    raise ValueError",
    ]
