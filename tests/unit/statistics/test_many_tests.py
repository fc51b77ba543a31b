"""Holm's correction beside published values."""

from fractions import Fraction

from vivavoce.statistics.many_tests import holm


def test_holm_has_the_values_of_r_s_p_adjust():
    """p.adjust(c(0.01, 0.02, 0.03, 0.04, 0.05), "holm") gives 0.05 0.08 0.09 0.09 0.09."""
    given = [Fraction(hundredths, 100) for hundredths in (3, 1, 5, 2, 4)]
    assert holm(given) == [Fraction(hundredths, 100) for hundredths in (9, 5, 9, 8, 9)]


def test_a_corrected_value_is_at_most_one():
    assert holm([Fraction(1, 2), Fraction(3, 4)]) == [1, 1]


def test_nothing_tested_is_nothing_corrected():
    assert holm([]) == []
