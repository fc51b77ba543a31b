"""Rows in columns."""

from vivavoce.reporters.terminal.listing import listing, narrowed
from vivavoce.wording.terminal_text import columns

ROWS = [("RUN", "TITLE", "COST", "COMMIT"), ("a1b2", "nightly", "", "c0ffee"), ("日本", "", "", "beef")]


def test_columns_are_aligned_also_with_wide_letters_and_empty_ones_are_left_out():
    lines = listing(ROWS)
    assert lines == ["RUN   TITLE    COMMIT", "a1b2  nightly  c0ffee", "日本           beef"]
    assert len({columns(line.rsplit("  ", 1)[0]) for line in lines[:2]}) == 1
    assert listing([]) == []


def test_columns_are_left_out_one_after_the_other_until_the_lines_fit():
    assert narrowed(ROWS, 30, ("TITLE", "COMMIT")) == listing(ROWS)
    assert narrowed(ROWS, 12, ("TITLE", "COMMIT"))[0] == "RUN   COMMIT"
    assert narrowed(ROWS, 3, ("TITLE", "COMMIT")) == ["RUN", "a1b2", "日本"]
