"""How good is a judge? Agreement with people, by judge and by criterion."""

import math
from collections.abc import Iterable, Sequence

from msgspec import Struct

from vivavoce.insight.calibration.ratings import Rating
from vivavoce.statistics.agreement import agreement
from vivavoce.statistics.repeated_ratings import disagreement
from vivavoce.statistics.thresholds import best_threshold
from vivavoce.wording.plurals import counted

ENOUGH = 30
"""With fewer labels an interval says little."""
ENOUGH_OF_EACH = 5
_NO_WIDTH = 1e-6


class Confusion(Struct, frozen=True):
    """How often judge and person agree or disagree, and how."""

    both_pass: int
    both_fail: int
    too_lenient: int
    """The judge passed what the person failed."""
    too_strict: int
    """The judge failed what the person passed."""


class BestThreshold(Struct, frozen=True):
    value: float
    agreement: float
    kappa: float | None
    now: list[float]
    """The thresholds of the checks as they were; empty: none."""
    scores: int


class Repeats(Struct, frozen=True):
    """How steady the judge is when asked several times, as shares of all its answers."""

    noise: float
    bias: float
    self_agreement: float
    conversations: int


class Measure(Struct, frozen=True, kw_only=True):
    """A judge, or one criterion of it, beside people."""

    judge: str
    criterion: str | None
    """None: all criteria of the judge together."""
    labels: int
    agreement: float
    kappa: float | None
    """None where it cannot be computed, because all verdicts and labels are the same."""
    kappa_low: float | None
    kappa_high: float | None
    """The 95 % interval; None when one of them always said the same, or when they always agree."""
    confusion: Confusion
    broken: int
    """How often the judge gave no usable answer."""
    threshold: BestThreshold | None
    repeats: Repeats | None
    doubts: list[str]
    """Why these numbers are not reliable yet."""

    @property
    def is_enough(self) -> bool:
        return not self.doubts


def measures(ratings: Iterable[Rating]) -> list[Measure]:
    """Each judge as a whole, followed by its criteria; criteria only where a judge has several."""
    by_judge: dict[str, list[Rating]] = {}
    for rating in ratings:
        by_judge.setdefault(rating.judge, []).append(rating)
    found: list[Measure] = []
    for judge, all_of_it in sorted(by_judge.items()):
        by_criterion: dict[str, list[Rating]] = {}
        for rating in all_of_it:
            by_criterion.setdefault(rating.criterion, []).append(rating)
        found.append(_measure(judge, None if len(by_criterion) > 1 else all_of_it[0].criterion, all_of_it))
        if len(by_criterion) > 1:
            found += [_measure(judge, criterion, of_it) for criterion, of_it in sorted(by_criterion.items())]
    return found


def _measure(judge: str, criterion: str | None, ratings: Sequence[Rating]) -> Measure:
    usable = [rating for rating in ratings if rating.said]
    person = [rating.person for rating in usable]
    verdicts = [rating.verdict is True for rating in usable]
    agreed = agreement(verdicts, person) if usable else None
    # When one of them always says the same, or they never disagree, the formula gives an interval without width.
    interval = (agreed.low, agreed.high) if agreed and agreed.high - agreed.low > _NO_WIDTH else (None, None)
    pairs = list(zip(verdicts, person, strict=True))
    split = disagreement(person, [[one.passed is True for one in rating.said] for rating in usable])
    return Measure(
        judge=judge,
        criterion=criterion,
        labels=len(usable),
        agreement=agreed.rate if agreed else 0.0,
        kappa=_number(agreed.kappa) if agreed else None,
        kappa_low=interval[0],
        kappa_high=interval[1],
        confusion=Confusion(
            both_pass=pairs.count((True, True)),
            both_fail=pairs.count((False, False)),
            too_lenient=pairs.count((True, False)),
            too_strict=pairs.count((False, True)),
        ),
        broken=sum(rating.broken for rating in ratings),
        threshold=_threshold(usable),
        repeats=None if split is None else Repeats(split.noise, split.bias, split.self_agreement, split.things),
        doubts=_doubts(person),
    )


def _threshold(ratings: Sequence[Rating]) -> BestThreshold | None:
    """The best threshold over the verdicts with scores; None when all scores or all labels are the same."""
    scored = [rating for rating in ratings if rating.said[0].votes]
    person = [rating.person for rating in scored]
    scores = [vote.score for rating in scored for vote in rating.said[0].votes if vote.score is not None]
    if len(set(scores)) < 2 or len(set(person)) < 2:
        return None
    best = best_threshold(scores, person, lambda limit: [one.said[0].passes_at(limit) for one in scored])
    now = sorted({one.said[0].threshold for one in scored if one.said[0].threshold is not None})
    return BestThreshold(best.value, best.rate, _number(best.kappa), now, len(scored))


def _doubts(person: Sequence[bool]) -> list[str]:
    doubts: list[str] = []
    if len(person) < ENOUGH:
        doubts.append(f"too few labels: {len(person)}; the numbers mean something from {ENOUGH} on")
    rarer, word = min((person.count(True), "pass"), (person.count(False), "fail"))
    if rarer < ENOUGH_OF_EACH:
        labels = counted(rarer, f"label is `{word}`", f"labels are `{word}`")
        few = f"only {labels}" if rarer else f"no label is `{word}`"
        doubts.append(f"{few}: label at least {ENOUGH_OF_EACH} of each")
    return doubts


def _number(value: float) -> float | None:
    return None if math.isnan(value) else value
