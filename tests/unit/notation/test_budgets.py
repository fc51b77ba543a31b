"""Budgets as people write them."""

import pytest

from vivavoce.errors import UsageError
from vivavoce.notation.budgets import Allowance, parse_budget


@pytest.mark.parametrize(
    ("text", "amount", "unit"),
    [
        ("2.50usd", 2.5, "usd"),
        ("2.50 EUR", 2.5, "EUR"),
        ("2€", 2.0, "€"),
        ("$0.10", 0.1, "$"),
        ("200000tok", 200_000, "tokens"),
        ("200k tokens", 200_000, "tokens"),
        ("1.5Mtok", 1_500_000, "tokens"),
    ],
)
def test_a_budget_is_money_or_tokens(text, amount, unit):
    assert parse_budget(text) == Allowance(amount, unit)


@pytest.mark.parametrize("text", ["", "5", "usd", "-1usd", "1e3tok", "5 apples", "0usd", "0tok", "2,50€"])
def test_a_budget_that_says_nothing_clear_is_refused(text):
    with pytest.raises(UsageError):
        parse_budget(text)
