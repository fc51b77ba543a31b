"""promptfoo's `assert-set`s and thresholds → weights of the checks and `min_score` of the case."""

import math
from collections.abc import Sequence

from msgspec import Struct

from vivavoce.model.json_value import JsonObject

_DECIDES_NOTHING = "assert-set: left out, since its threshold is 0 and it decides nothing"
_SEVERAL = "assert-set: all checks of the test must hold, since several of its sets have a threshold"


class AssertSet(Struct, frozen=True, kw_only=True):
    """Checks that promptfoo counts as one: it passes when their weighted share that holds reaches the threshold."""

    assertions: tuple[JsonObject, ...]
    """The same objects as in the case's assertions."""
    threshold: float | None
    """None: all of them must hold."""
    weight: float

    @property
    def inner_weight(self) -> float:
        return sum(weight_of(assertion) for assertion in self.assertions)


def weight_of(assertion: JsonObject) -> float:
    """What a check weighs in its case."""
    return assertion.get("weight", 1)


def weigh(assertions: list[JsonObject], sets: Sequence[AssertSet], threshold: float | None) -> tuple[float | None, str]:
    """Sets the weights of a test's checks. Returns the case's `min_score`, and how it differs from promptfoo's."""
    if threshold is not None:
        for each in sets:
            share = each.weight / (each.inner_weight or 1)
            for assertion in each.assertions:
                _set_weight(assertion, weight_of(assertion) * share)
        return threshold, ""
    differs = ""
    for each in sets:
        if each.assertions and each.threshold == 0:
            without = {id(assertion) for assertion in each.assertions}
            assertions[:] = [assertion for assertion in assertions if id(assertion) not in without]
            differs = _DECIDES_NOTHING
    loose = [each for each in sets if each.assertions and each.threshold is not None and 0 < each.threshold < 1]
    if len(loose) == 1:
        return _one_set(assertions, loose[0]), differs
    for assertion in assertions:
        assertion.pop("weight", None)
    return None, _SEVERAL if loose else differs


def _one_set(assertions: Sequence[JsonObject], loose: AssertSet) -> float:
    """The `min_score` of a test in which one set may fail in part, and every other check must hold.

    Every other check weighs as much as the whole set, so the set cannot make up for one that fails.
    """
    inside = {id(assertion) for assertion in loose.assertions}
    others = [assertion for assertion in assertions if id(assertion) not in inside]
    for assertion in others:
        _set_weight(assertion, loose.inner_weight)
    score = (len(others) + (loose.threshold or 0)) / (len(others) + 1)
    return math.floor(score * 1e6) / 1e6  # rounded down: a score that just reaches it must pass


def _set_weight(assertion: JsonObject, weight: float) -> None:
    assertion["weight"] = int(weight) if weight == int(weight) else round(weight, 6)
    if assertion["weight"] == 1:
        del assertion["weight"]
