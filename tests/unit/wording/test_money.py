from vivavoce.wording.money import money


def test_amounts_have_four_digits_and_are_never_nothing_for_something():
    assert [money(amount) for amount in (0, 0.00001, 0.0031, 1234.5)] == [
        "$0.0000",
        "<$0.0001",
        "$0.0031",
        "$1,234.5000",
    ]
