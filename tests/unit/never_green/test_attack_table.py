"""`tests/never_green.md`: every attack has an outcome, and a test that is there."""

import re
from pathlib import Path

TESTS = Path(__file__).parents[2]
ROWS = [
    [cell.strip() for cell in line.strip("|").split(" | ")]
    for line in (TESTS / "never_green.md").read_text(encoding="utf-8").splitlines()
    if line.startswith("| ") and not line.startswith(("| **", "| attack | ", "| what | "))
]


def test_every_attack_has_an_outcome_and_a_test_that_is_there():
    assert len(ROWS) > 150
    for row in ROWS:
        assert len(row) == 3, row
        attack, outcome, held_by = row
        assert attack, row
        assert outcome, row
        named = re.findall(r"`([\w/.]+\.py)`", held_by)
        assert named, row
        assert [name for name in named if not (TESTS / name).is_file()] == [], row
