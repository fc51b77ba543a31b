"""The tools offered to the model: viva describes them to it, runs them, and hands their results back."""

PRICES = {"mug": 18.0, "tea": 9.5}


def price_of(item: str) -> str:
    """The price of an item."""
    return f"{PRICES[item]:.2f}" if item in PRICES else "not sold here"
