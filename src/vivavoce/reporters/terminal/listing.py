"""Rows in columns that fit a terminal."""

from collections.abc import Sequence

from vivavoce.wording.terminal_text import columns

GAP = "  "


def listing(rows: Sequence[Sequence[str]]) -> list[str]:
    """Returns a line for each row, each column as wide as its longest cell; an empty column is left out."""
    used = [at for at in range(len(rows[0])) if any(row[at] for row in rows[1:])] if rows else []
    widths = {at: max(columns(row[at]) for row in rows) for at in used}
    return [GAP.join(row[at] + " " * (widths[at] - columns(row[at])) for at in used).rstrip() for row in rows]


def narrowed(rows: Sequence[Sequence[str]], width: int, least: Sequence[str]) -> list[str]:
    """The same, without the columns named in `least`, one after the other, until the lines fit.

    The first row has the names of the columns.
    """
    kept = list(range(len(rows[0])))
    lines = listing(rows)
    for name in least:
        if max(map(columns, lines)) <= width:
            break
        kept = [at for at in kept if rows[0][at] != name]
        lines = listing([[row[at] for at in kept] for row in rows])
    return lines
