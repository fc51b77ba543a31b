"""Many tests at once: which of them still count."""

from collections.abc import Sequence
from fractions import Fraction


def holm(p_values: Sequence[Fraction]) -> list[Fraction]:
    """Returns the p-values as Holm corrects them, in the order given.

    Comparing each with a limit keeps the chance of a single false alarm among all of them below that limit.
    """
    corrected = [Fraction(1)] * len(p_values)
    largest = Fraction(0)
    for place, index in enumerate(sorted(range(len(p_values)), key=p_values.__getitem__)):
        largest = max(largest, min(Fraction(1), (len(p_values) - place) * p_values[index]))
        corrected[index] = largest
    return corrected
