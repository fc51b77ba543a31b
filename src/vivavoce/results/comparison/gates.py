"""What may fail a comparison (`--fail-on`), and what it then says."""

from collections.abc import Iterable, Iterator
from enum import StrEnum

from vivavoce.errors import UsageError
from vivavoce.results.comparison.run_comparison import RunComparison
from vivavoce.wording.plurals import counted


class Gate(StrEnum):
    REGRESSION = "regression"
    TOOLS = "tools"
    COST = "cost"
    LATENCY = "latency"
    REPLIES = "replies"


def parse_gates(texts: Iterable[str]) -> list[Gate]:
    """`("tools,cost", "latency")` → the gates, each once. Raises UsageError for another word."""
    gates: dict[Gate, None] = {}
    for word in (word.strip() for text in texts for word in text.split(",")):
        try:
            gates[Gate(word)] = None
        except ValueError:
            known = ", ".join(gate.value for gate in Gate)
            raise UsageError(f"cannot fail on {word!r}", at="--fail-on", hint=f"use one of {known}") from None
    return list(gates)


def objections(compared: RunComparison, gates: Iterable[Gate], *, allow_missing: bool) -> list[str]:
    """A line for each gate that fails. A gate without data fails, too."""
    return [line for gate in gates for line in _objections(compared, gate, allow_missing=allow_missing)]


def _objections(compared: RunComparison, gate: Gate, *, allow_missing: bool) -> Iterator[str]:
    comparison = compared.comparison
    counts = comparison.counts()
    if gate is Gate.REGRESSION:
        if compared.regressed or (compared.lost and not allow_missing):
            yield "red: something broke, or cannot be told any more (--fail-on regression)"
        return
    words = {
        Gate.TOOLS: (counts["calls_differ"], "with other tool calls"),
        Gate.COST: (counts["dearer"], "dearer than before"),
        Gate.LATENCY: (counts["slower"], "slower than before"),
        Gate.REPLIES: (counts["replies_differ"], "with other replies"),
    }
    number, what = words[gate]
    if number:
        yield f"red: {counted(number, 'case')} {what} (--fail-on {gate.value})"
    if gate is Gate.TOOLS and (hidden := counts["calls_hidden"]):
        yield (
            f"red: {counted(hidden, 'case')} whose answers do not show which tools were called: they cannot be "
            "compared (--fail-on tools)"
        )
    if gate is Gate.COST and (unknown := _without_usage(compared)):
        yield f"red: {counted(unknown, 'case')} whose answers do not say what they used (--fail-on cost)"
    if compared.incomplete:
        yield f"red: the later run is incomplete (--fail-on {gate.value})"


def _without_usage(compared: RunComparison) -> int:
    """How many cases both runs judged without one of them knowing what they used."""
    return sum(
        (case.before.cost is None or case.after.cost is None)
        and (case.before.tokens is None or case.after.tokens is None)
        for case in compared.comparison.changes
        if case.before is not None and case.after is not None and case.before.runs and case.after.runs
    )
