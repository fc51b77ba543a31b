"""A comparison of agents in words and table cells, for console and Markdown."""

from collections.abc import Iterator

from vivavoce.model.result import Status
from vivavoce.notation.durations import format_ms
from vivavoce.results.contest.contest import Contest, MatrixRow
from vivavoce.results.contest.differences import PASSES, Difference
from vivavoce.results.contest.entry import Entry
from vivavoce.results.contest.standing import Standing
from vivavoce.wording.money import money
from vivavoce.wording.plurals import counted, listed
from vivavoce.wording.terminal_text import one_line

_MORE = {"duration": "slower", "tokens": "more tokens", "cost": "dearer"}
_OF = {PASSES: "passing", "duration": "time", "tokens": "tokens", "cost": "cost"}
SIGNS = {
    Status.PASSED: "✓",
    Status.FAILED: "✗",
    Status.TIMEOUT: "timeout",
    Status.ERROR: "error",
    Status.SKIPPED: "skipped",
    Status.NOT_RUN: "not run",
}
_UNKNOWN = "–"


def standing_table(contest: Contest) -> tuple[list[str], list[list[str]]]:
    """Headings and a row for each contender; columns about which nothing is known are left out."""
    cells = [list(_cells(one)) for one in contest.standings]
    heads = [head for head, _ in cells[0]]
    known = [at for at in range(len(heads)) if any(row[at][1] != _UNKNOWN for row in cells)]
    return [heads[at] for at in known], [[row[at][1] for at in known] for row in cells]


def _cells(one: Standing) -> Iterator[tuple[str, str]]:
    rate = _UNKNOWN if one.pass_rate is None else percent(one.pass_rate)
    yield "Agent", one.label
    yield "Passed", f"{one.passed}/{one.cases}"
    yield "Rate", rate
    yield "95 % CI", _UNKNOWN if one.pass_rate is None else f"{100 * one.ci_low:.0f}–{100 * one.ci_high:.0f} %"
    several = len(one.pass_hat) > 1
    yield "Runs passed", f"{one.passed_runs}/{one.runs}" if several else _UNKNOWN
    yield f"pass^{len(one.pass_hat)}" if several else "pass^k", percent(one.pass_hat[-1]) if several else _UNKNOWN
    yield "p50", _UNKNOWN if one.p50_ms is None else format_ms(one.p50_ms)
    yield "p95", _UNKNOWN if one.p95_ms is None else format_ms(one.p95_ms)
    yield "Tokens", _UNKNOWN if one.tokens is None else f"{one.tokens:,}"
    at_least = "≥ " if one.cost_is_partial else ""
    yield "Cost", _UNKNOWN if one.cost is None else f"{at_least}{money(one.cost)}"
    yield "Cost/pass", _UNKNOWN if one.cost_per_pass is None else money(one.cost_per_pass)
    left = [
        f"{count} {status.value.replace('_', ' ')}"
        for status, count in one.statuses.items()
        if status in (Status.SKIPPED, Status.NOT_RUN)
    ]
    yield "Left out", ", ".join(left) or _UNKNOWN


def percent(share: float) -> str:
    return f"{100 * share:.0f} %" if share in (0.0, 1.0) else f"{100 * share:.1f} %"


def difference_texts(contest: Contest) -> list[tuple[str, bool]]:
    """The real differences, a line each; then what showed none, and what could not have been seen.

    Each with a flag: whether the difference is real.
    """
    return [(text, True) for text in _real(contest)] + [(text, False) for text in _not_real(contest)]


def _real(contest: Contest) -> list[str]:
    return [_difference(one) for one in contest.differences if one.real]


def _not_real(contest: Contest) -> list[str]:
    lines: list[str] = []
    none = [one for one in contest.differences if not one.real]
    for first, second in dict.fromkeys((one.first, one.second) for one in none):
        of = [_OF[one.measure] for one in none if (one.first, one.second) == (first, second)]
        lines.append(f"{first} and {second}: no real difference in {listed(of)}")
    unseen = [one for one in none if one.measure == PASSES]
    if unseen:
        lines.append(_unseen(contest))
    return lines


def _difference(one: Difference) -> str:
    chance = f"p {'< 0.001' if one.p < 0.001 else f'= {float(one.p):.3f}'}"
    if one.measure == PASSES:
        better, worse, more, fewer = one.first, one.second, one.first_better, one.second_better
        if fewer > more:
            better, worse, more, fewer = worse, better, fewer, more
        return f"{better} passes more than {worse}: ahead in {counted(more, 'case')}, behind in {fewer} ({chance})"
    more, less, share, low, high = one.second, one.first, one.shift, one.low, one.high
    if share < 0:
        more, less = less, more
        share, low, high = (1 / (1 + value) - 1 for value in (share, high, low))
    span = f"{100 * share:.0f} % (95 % CI {100 * low:.0f}–{100 * high:.0f} %)"
    if one.measure == "tokens":
        return f"{more} uses {span} {_MORE[one.measure]} than {less} ({chance})"
    return f"{more} is {span} {_MORE[one.measure]} than {less} ({chance})"


def _unseen(contest: Contest) -> str:
    """Says how far ahead an agent must be before this comparison calls it better."""
    runs = max(contest.runs, 1)
    needed = contest.fewest_one_sided(runs)
    each = "1 run each" if runs == 1 else f"{runs} runs each"
    told = f"With {each}, one agent must be ahead in at least {counted(needed, 'case')} to be called better for real"
    more = next((n for n in (3, 5, 10) if n > runs and contest.fewest_one_sided(n) < needed), None)
    return told if more is None else f"{told}; with --runs {more}, in at least {contest.fewest_one_sided(more)}"


def cell_text(cell: Entry | None) -> str:
    """`✓`, `✗`, `2/3`, `error`."""
    if cell is None:
        return _UNKNOWN
    if cell.runs > 1 and cell.status in (Status.PASSED, Status.FAILED):
        return f"{SIGNS[cell.status]} {cell.passed}/{cell.runs}"
    return SIGNS[cell.status]


def alike(rows: list[MatrixRow]) -> str:
    """`12 cases came out alike: 10 passed, 2 failed`; empty when all differ."""
    same = [row.cells[0] for row in rows if not row.differs]
    counts = {status: sum(cell is not None and cell.status is status for cell in same) for status in Status}
    told = ", ".join(f"{count} {status.value.replace('_', ' ')}" for status, count in counts.items() if count)
    return f"{counted(len(same), 'case')} came out alike with all of them: {told}" if same else ""


def unsuccessful_line(contest: Contest) -> str:
    """`bad did not pass 2 of 8 cases`; empty when everything passed."""
    told = [
        f"{one.label} did not pass {one.unsuccessful} of {counted(one.cases, 'case')}"
        for one in contest.standings
        if one.unsuccessful
    ]
    return "; ".join(told)


def contest_summary(contest: Contest) -> list[str]:
    """The standings and differences in plain lines, without a table."""
    heads, rows = standing_table(contest)
    told = [
        f"{one_line(label)}: " + ", ".join(f"{head} {cell}" for head, cell in zip(heads[1:], cells, strict=True))
        for label, *cells in rows
    ]
    return [*told, *(one_line(text) for text, _ in difference_texts(contest))]
