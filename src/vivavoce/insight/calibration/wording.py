"""A judge's measures in words, for the console and as Markdown."""

from collections.abc import Iterator, Sequence

from vivavoce.insight.calibration.measures import BestThreshold, Measure, Repeats
from vivavoce.wording.plurals import counted
from vivavoce.wording.quoting import shorten
from vivavoce.wording.terminal_text import one_line

_LONGEST = 100


def title(measure: Measure) -> str:
    """`judge viva.validator, criterion: is polite`"""
    if measure.criterion is None:
        return one_line(f"judge {measure.judge}, all criteria")
    return one_line(f"judge {measure.judge}, criterion: {shorten(measure.criterion, _LONGEST)}")


def measure_lines(measure: Measure) -> Iterator[str]:
    """The numbers in a few lines."""
    if not measure.labels:
        yield f"the judge gave no usable answer about {counted(measure.broken, 'labelled conversation')}"
        return
    yield f"agrees with people in {_percent(measure.agreement)} of {counted(measure.labels, 'conversation')}"
    yield kappa_words(measure)
    both = measure.confusion
    yield (
        f"both pass {both.both_pass}, both fail {both.both_fail}, "
        f"judge too lenient {both.too_lenient}, judge too strict {both.too_strict}"
    )
    if measure.threshold is not None:
        yield _threshold_words(measure.threshold)
    if measure.repeats is not None:
        yield _repeat_words(measure.repeats)
    if measure.broken:
        yield f"no usable answer: {counted(measure.broken, 'time')}"
    yield from measure.doubts


def kappa_words(measure: Measure) -> str:
    """Kappa with its interval, or why there is none."""
    if measure.kappa is None:
        return "kappa: cannot be computed, because all verdicts and labels are the same"
    return f"kappa {measure.kappa:.2f} ({_interval(measure)}); 1 is full agreement, 0 is chance"


def _interval(measure: Measure) -> str:
    if measure.kappa_low is None or measure.kappa_high is None:
        return "no interval can be computed from these labels"
    return f"95 % interval {measure.kappa_low:.2f} to {measure.kappa_high:.2f}"


def markdown(measures: Sequence[Measure], notes: Sequence[str]) -> str:
    """A table of all judges and criteria, followed by doubts and notes."""
    lines = [
        "# Judges beside people",
        "",
        "| judge | criterion | labels | agreement | kappa | lenient | strict | best threshold |",
        "|---|---|---:|---:|---|---:|---:|---:|",
    ]
    for one in measures:
        kappa = "–" if one.kappa is None else f"{one.kappa:.2f} ({_interval(one)})"
        best = "–" if one.threshold is None else f"{one.threshold.value:g}"
        criterion = "(all)" if one.criterion is None else _cell(one.criterion)
        lines.append(
            f"| {_cell(one.judge)} | {criterion} | {one.labels} | {_percent(one.agreement)} | {kappa} "
            f"| {one.confusion.too_lenient} | {one.confusion.too_strict} | {best} |"
        )
    for one in measures:
        more = [] if one.repeats is None else [_repeat_words(one.repeats)]
        more += one.doubts
        if more:
            lines += ["", f"**{_cell(title(one))}**", "", *(f"* {line}" for line in more)]
    if notes:
        lines += ["", *(f"* {_cell(note)}" for note in notes)]
    return "\n".join(lines) + "\n"


def _threshold_words(best: BestThreshold) -> str:
    now = f"now {', '.join(f'{one:g}' for one in best.now)}" if best.now else "now none"
    kappa = "" if best.kappa is None else f", kappa {best.kappa:.2f}"
    return (
        f"threshold that agrees best: {best.value:g} ({_percent(best.agreement)}{kappa}; {now}); "
        "it was chosen by these labels, so check it on others"
    )


def _repeat_words(repeats: Repeats) -> str:
    return (
        f"asked again about {counted(repeats.conversations, 'conversation')}: {_percent(repeats.noise)} of its answers "
        f"differ from people by noise (it contradicts itself: more votes help), {_percent(repeats.bias)} by bias "
        f"(it keeps saying so: change the criterion or the judge); "
        f"two of its answers are the same in {_percent(repeats.self_agreement)}"
    )


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %"


def _cell(text: str) -> str:
    return one_line(shorten(text, _LONGEST)).replace("|", "\\|")
