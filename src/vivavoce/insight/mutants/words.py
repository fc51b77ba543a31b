"""A mutation score in words, for the terminal and for coding agents."""

from collections.abc import Iterable, Iterator

import msgspec

from vivavoce.insight.mutants.score import CaseScore, Counts, MutationReport, Survivor
from vivavoce.model.json_value import JsonObject
from vivavoce.wording.plurals import counted
from vivavoce.wording.terminal_text import clip, one_line

_WIDTH = 100
_AROUND = 30
_MOST_LEFT_OUT = 20


def percent_words(counts: Counts) -> str:
    """`94.1 %`, `100 %`, or `–` where nothing counts. Never rounded up to 100."""
    percent = counts.percent
    if percent is None:
        return "–"
    return "100 %" if counts.survived == 0 else f"{min(percent, 99.9):.1f} %"


def headline(report: MutationReport) -> str:
    counts = report.counts
    return f"mutation score: {percent_words(counts)} ({counts.noticed:,} of {counts.counted:,} noticed)"


def report_lines(report: MutationReport) -> Iterator[str]:
    """Every case with its survivors, the score of each kind, what was left out, and the score."""
    for case in report.cases:
        yield from _case_lines(case)
    yield ""
    yield from kind_lines(report)
    yield from left_out_lines(report)
    yield ""
    yield headline(report)


def agent_lines(report: MutationReport) -> Iterator[str]:
    """The same for a coding agent: only the cases with survivors, and what was left out."""
    for case in report.cases:
        if case.survivors:
            yield from _case_lines(case, with_unlimited=False)
    yield from left_out_lines(report)
    yield headline(report)


def kind_lines(report: MutationReport) -> Iterator[str]:
    kinds = report.kinds
    width = max((len(kind) for kind in kinds), default=0)
    for kind, counts in kinds.items():
        more = [f"{counts.allowed} allowed"] if counts.allowed else []
        more += [f"{counts.unlimited} not counted: no check limits it"] if counts.unlimited else []
        noticed = [f"{counts.noticed} of {counts.counted} noticed"] if counts.counted else []
        yield f"  {kind:<{width}}  {percent_words(counts):>7}  {'; '.join([*noticed, *more])}"


def left_out_lines(report: MutationReport) -> Iterator[str]:
    if report.not_reached:
        yield f"stopped early (ctrl-c): {counted(report.not_reached, 'case')} not looked at"
    if report.left_out:
        yield f"{counted(len(report.left_out), 'case')} left out of the score:"
        for one in report.left_out[:_MOST_LEFT_OUT]:
            yield f"  {one_line(one.key)}: {one_line(one.why)}"
        if len(report.left_out) > _MOST_LEFT_OUT:
            yield f"  … and {len(report.left_out) - _MOST_LEFT_OUT:,} more"


def _case_lines(case: CaseScore, *, with_unlimited: bool = True) -> Iterator[str]:
    counts = case.counts
    run = f" (run {case.run})" if case.run > 1 else ""
    yield f"{one_line(case.key)}{run}: {percent_words(counts)}, {counts.noticed} of {counts.counted} noticed"
    for check, survivors in by_suggestion(case.survivors):
        for survivor in survivors:
            yield f"  survived: {survivor.kind} (turn {survivor.turn}): {one_line(survivor.change)}"
            yield from (f"    {clip(one_line(line), _WIDTH)}" for line in diff_lines(survivor))
        if check is not None:
            for_all = f" (notices all {len(survivors)})" if len(survivors) > 1 else ""
            yield f"    add{for_all}: {check_text(check)}"
    if with_unlimited and case.unlimited:
        kinds = list(dict.fromkeys(survivor.kind.value for survivor in case.unlimited))
        yield f"  not counted, as no check limits it: {', '.join(kinds)}"


def check_text(check: JsonObject) -> str:
    """A check as JSON, to paste into any case file."""
    return msgspec.json.encode(check).decode()


def by_suggestion(survivors: Iterable[Survivor]) -> list[tuple[JsonObject | None, list[Survivor]]]:
    """Survivors that one check would notice together; those without a suggestion last."""
    groups: dict[tuple[int, str], tuple[JsonObject | None, list[Survivor]]] = {}
    for one in survivors:
        key = (one.turn, check_text(one.suggestion)) if one.suggestion is not None else (-1, "")
        groups.setdefault(key, (one.suggestion, []))[1].append(one)
    return sorted(groups.values(), key=lambda group: group[0] is None)


def diff_lines(survivor: Survivor) -> Iterator[str]:
    """`- before` and `+ after`; long texts from shortly before the first difference."""
    before, after = survivor.before, survivor.after
    if before == after:
        return
    start = next((at for at, (a, b) in enumerate(zip(before, after, strict=False)) if a != b), 0)
    start = max(0, start - _AROUND) if max(len(before), len(after)) > _WIDTH else 0
    dots = "…" if start else ""
    yield f"- {dots}{before[start:]}" if before else "- (nothing)"
    yield f"+ {dots}{after[start:]}" if after else "+ (nothing)"
