"""Amounts of money as reports show them."""


def money(amount: float) -> str:
    """`$0.0031`; an amount too small for four digits is shown as `<$0.0001`, never as zero."""
    return "<$0.0001" if 0 < amount < 0.0001 else f"${amount:,.4f}"
