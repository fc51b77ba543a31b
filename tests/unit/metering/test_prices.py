"""Tokens → money, by the project's price list."""

import pytest

from vivavoce.metering.prices import PriceList
from vivavoce.model.message import Usage
from vivavoce.project.settings import Price

PRICES = PriceList({"gpt-4o-mini*": Price(0.15, 0.6), "gpt-*": Price(2.5, 10.0), "local/*": Price()})


@pytest.mark.parametrize(
    ("model", "cost"), [("gpt-4o-mini-2024", 0.15 + 0.06), ("gpt-4o", 2.5 + 1.0), ("local/llama", 0.0)]
)
def test_the_first_pattern_that_fits_says_the_price(model, cost):
    priced = PRICES.priced(Usage(1_000_000, 100_000), model)
    assert priced is not None
    assert priced.cost == pytest.approx(cost)


def test_what_the_provider_says_itself_is_believed():
    usage = Usage(1_000_000, 0, 0.5)
    assert PRICES.priced(usage, "gpt-4o") is usage


def test_an_unknown_model_has_no_price_which_is_not_zero():
    priced = PRICES.priced(Usage(10, 10), "claude")
    assert priced is not None
    assert priced.cost is None


def test_nothing_used_costs_nothing():
    assert PRICES.priced(None, "gpt-4o") is None
