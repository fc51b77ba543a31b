"""Tokens and cost before and after, in words."""

from collections.abc import Iterator

from vivavoce.results.comparison.changes import CaseChange
from vivavoce.results.comparison.run_comparison import RunComparison
from vivavoce.wording.money import money
from vivavoce.wording.plurals import counted


def use_words(case: CaseChange) -> str:
    """`$0.0031 → $0.0062 (+100 %), 876 → 1,750 tokens (+100 %)`; unknown figures are left out."""
    before, after = case.before, case.after
    if before is None or after is None:
        return ""
    parts: list[str] = []
    if before.cost is not None and after.cost is not None:
        parts.append(f"{money(before.cost)} → {money(after.cost)}{_share(before.cost, after.cost)}")
    if before.tokens is not None and after.tokens is not None:
        parts.append(f"{before.tokens:,.0f} → {after.tokens:,.0f} tokens{_share(before.tokens, after.tokens)}")
    return ", ".join(parts)


def total_lines(compared: RunComparison) -> Iterator[str]:
    """What the cases that both runs have used together, one run of each; nothing when no answer said."""
    before, after, cases = compared.comparison.totals(lambda side: side.tokens)
    if cases:
        yield f"tokens: {before:,.0f} → {after:,.0f}{_share(before, after)}, {counted(cases, 'case')}"
    before, after, cases = compared.comparison.totals(lambda side: side.cost)
    if cases:
        yield f"cost: {money(before)} → {money(after)}{_share(before, after)}, {counted(cases, 'case')}"


def _share(before: float, after: float) -> str:
    if not before or before == after:
        return ""
    return f" ({100 * (after / before - 1):+.0f} %)"
