"""When the console uses colour, and when it redraws a line."""

import pytest

from vivavoce.reporters.terminal.style import Style, console_style


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
