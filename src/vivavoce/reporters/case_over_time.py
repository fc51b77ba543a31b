"""One case over time: a line for each run, with what was changed before it."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from itertools import groupby

from vivavoce.notation.durations import format_ms
from vivavoce.reporters.terminal.listing import narrowed
from vivavoce.results.history.facts import CaseFacts
from vivavoce.statistics.proportions import wilson_interval
from vivavoce.wording.money import money
from vivavoce.wording.terminal_text import clip, one_line

_HEAD = ("STARTED", "RESULT", "FAULT", "CHANGED", "TIME", "TOKENS", "COST", "COMMIT", "TITLE")
_LEAST = ("COST", "TOKENS", "TITLE", "TIME", "FAULT", "COMMIT", "CHANGED")
"""The columns that a narrow terminal leaves out, the first of them first."""
_LONGEST_TITLE = 40


def case_history_lines(facts: Sequence[CaseFacts], most: int, width: int) -> Iterator[str]:
    """Yields the newest results of each case and agent, the newest first. `facts` has them oldest first."""
    for number, (_, grouped) in enumerate(groupby(facts, key=lambda one: (one.key, one.agent))):
        of_case = list(grouped)
        if number:
            yield ""
        yield from (clip(line, width) for line in _heading(of_case))
        rows = [_cells(now, before) for before, now in zip((None, *of_case), of_case, strict=False)]
        yield from narrowed([_HEAD, *rows[-most:][::-1]], width, _LEAST)


def _heading(of_case: Sequence[CaseFacts]) -> Iterator[str]:
    """`tests/shop.jsonl::T3 (shop)`, and the pass rate over everything that is remembered."""
    counted = [attempt for one in of_case for attempt in one.attempts if attempt.blames_agent]
    passed = sum(attempt.passed for attempt in counted)
    low, high = wilson_interval(passed, len(counted))
    yield f"{of_case[0].key} ({of_case[0].agent})"
    if counted:
        yield f"{passed} of {len(counted)} runs passed (95 % interval {100 * low:.0f}–{100 * high:.0f} %)"


def _cells(now: CaseFacts, before: CaseFacts | None) -> tuple[str, ...]:
    attempts = now.attempts
    tokens = [one.tokens for one in attempts if one.tokens is not None]
    costs = [one.cost for one in attempts if one.cost is not None]
    return (
        datetime.fromtimestamp(now.started_ms / 1000).astimezone().strftime("%Y-%m-%d %H:%M:%S"),
        f"{now.passed}/{now.runs} passed",
        ", ".join(sorted({one.fault for one in attempts if one.fault})),
        "" if before is None else ", ".join(_changed(before, now)),
        format_ms(sum(one.duration_ms for one in attempts) / now.runs),
        f"{sum(tokens) // len(tokens):,}" if tokens else "",
        money(sum(costs) / len(costs)) if costs else "",
        now.revision[:7] + ("*" if now.dirty else "") if now.revision else "",
        clip(one_line(now.title or ""), _LONGEST_TITLE),
    )


def _changed(before: CaseFacts, now: CaseFacts) -> Iterator[str]:
    if before.case_hash != now.case_hash:
        yield "case"
    if before.configuration_hash != now.configuration_hash:
        yield "settings"
    if before.source_hash != now.source_hash:
        yield "code"
