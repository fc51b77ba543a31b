"""Tool calls that are not as they were, in the terminal."""

from collections.abc import Iterator, Sequence

from vivavoce.reporters.call_change_words import SIGNS, call_change_words
from vivavoce.reporters.terminal.style import Look, hanging
from vivavoce.results.comparison.call_alignment import CallChange, CallDifference
from vivavoce.wording.terminal_text import LONGEST_DIFF

_MOST_LINES = 3


def call_lines(changes: Sequence[CallChange], look: Look) -> Iterator[str]:
    """A line for each call, with its sign: added +, dropped -, changed ~, moved →."""
    paints = {CallDifference.ADDED: look.good, CallDifference.DROPPED: look.bad}
    for change in changes[:LONGEST_DIFF]:
        paint = paints.get(change.kind, look.careful)
        lines = look.shortened(call_change_words(change), 6, _MOST_LINES)
        yield from (paint(line) for line in hanging(f"    {SIGNS[change.kind]} ", lines))
    if len(changes) > LONGEST_DIFF:
        yield look.dim(f"      … {len(changes) - LONGEST_DIFF} more calls")
