"""What tokens cost, by the project's own price list."""

from collections.abc import Mapping
from fnmatch import fnmatchcase

from msgspec import structs

from vivavoce.model.message import Usage
from vivavoce.project.settings import Price


class PriceList:
    """`prices:` of the configuration: the first pattern that matches a model's name gives its price."""

    def __init__(self, prices: Mapping[str, Price]) -> None:
        self._prices = prices
        self._found: dict[str, Price | None] = {}

    def __bool__(self) -> bool:
        return bool(self._prices)

    def priced(self, usage: Usage | None, model: str) -> Usage | None:
        """Returns the usage with its cost; unchanged if the provider gave a cost or the price is unknown."""
        if usage is None or usage.cost is not None or (price := self._price(model)) is None:
            return usage
        cost = (usage.input_tokens * price.input + usage.output_tokens * price.output) / 1_000_000
        return structs.replace(usage, cost=cost)

    def _price(self, model: str) -> Price | None:
        if model not in self._found:
            self._found[model] = next(
                (price for pattern, price in self._prices.items() if fnmatchcase(model, pattern)), None
            )
        return self._found[model]
