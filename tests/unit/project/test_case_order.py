import pytest

from vivavoce.errors import UsageError
from vivavoce.project.case_order import NAMES, Order, parse_order


def test_orders_by_name_and_random_with_a_seed():
    assert [parse_order(name).name for name in NAMES] == list(NAMES)
    assert parse_order("random:42") == Order("random", 42)
    assert parse_order("random").seed is None


@pytest.mark.parametrize(
    ("text", "said"),
    [("riks", "did you mean 'risk'"), ("risk:3", "only the order random has a seed"), ("random:x", "unknown order")],
)
def test_a_wrong_order_says_what_to_write(text: str, said: str):
    with pytest.raises(UsageError, match=said):
        parse_order(text)
