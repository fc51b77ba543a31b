"""What was found, below a check that did not pass."""

import pytest

from vivavoce.reporters.terminal.failure import _found


@pytest.mark.parametrize(
    ("actual", "shown"),
    [
        ("hello", '"hello"'),
        ("4", '"4"'),
        ('{\n  "status": "paid"\n}', '{ "status": "paid" }'),
        ('["a"]', '["a"]'),
        ('{"a"', '"{\\"a\\""'),
    ],
)
def test_json_in_a_text_is_shown_without_backslashes(actual: str, shown: str):
    assert _found(actual) == shown
