"""`viva diff --format agent`: what broke, one block each; the rest as lists of ids; the numbers last."""

from collections.abc import Iterator

from vivavoce.reporters.agent_format import block_lines
from vivavoce.reporters.call_change_words import SIGNS, call_change_words
from vivavoce.reporters.change_words import TITLES
from vivavoce.reporters.run_words import title
from vivavoce.reporters.terminal.comparison import numbers
from vivavoce.reporters.usage_words import total_lines
from vivavoce.results.comparison.changes import CaseChange, Change
from vivavoce.results.comparison.run_comparison import RunComparison
from vivavoce.results.stored_runs import result_at
from vivavoce.wording.terminal_text import clip, one_line

_MOST_BLOCKS = 20
_LONGEST_LIST = 1_000
_LISTED = (
    Change.WITHIN_CHANCE,
    Change.FIXED,
    Change.STEADIER,
    Change.STILL_FAILING,
    Change.NO_LONGER_JUDGED,
    Change.REMOVED,
)


def comparison_blocks(compared: RunComparison) -> Iterator[str]:
    """Plain lines without an end of line."""
    yield f"before: {title(compared.kept_before)}"
    yield f"after: {title(compared.kept_after)}"
    found = compared.comparison
    broken = [*found.of(Change.NEW_FAILURE), *found.of(Change.LESS_STEADY), *found.new_and_failing]
    for case in broken[:_MOST_BLOCKS]:
        yield from _block(compared, case)
    if len(broken) > _MOST_BLOCKS:
        yield f"… and {len(broken) - _MOST_BLOCKS} more that broke"
    for change in _LISTED:
        if cases := found.of(change):
            ids = ", ".join(one_line(case.id) for case in cases)
            yield clip(f"{TITLES[change].lower()} ({len(cases)}): {ids}", _LONGEST_LIST)
    if other := found.other_calls:
        yield f"other tool calls ({len(other)}):"
        for case in other[:_MOST_BLOCKS]:
            told = (f"{SIGNS[change.kind]} {call_change_words(change)}" for change in compared.call_changes(case))
            yield clip(f"  [{one_line(case.id)}] {'; '.join(told)}", _LONGEST_LIST)
    if compared.incomplete:
        yield "the later run is incomplete"
    yield from total_lines(compared)
    yield numbers(compared)


def _block(compared: RunComparison, case: CaseChange) -> Iterator[str]:
    if case.after is None:
        return
    before = "not there before" if case.before is None else f"was {case.before.status.value}"
    head, *below = block_lines(result_at(compared.after, case.after.position), compared.kept_after.info)
    yield from ("", f"{head} ({before})", *below)
