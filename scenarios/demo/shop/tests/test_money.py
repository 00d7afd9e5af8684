from shop.money import format_amount, percent_of


def test_percent_rounds_half_up():
    assert percent_of(150, 1) == 2
    assert percent_of(149, 1) == 1


def test_format():
    assert format_amount(1234) == "12.34"
    assert format_amount(5) == "0.05"


def test_format_negative():
    assert format_amount(-250) == "-2.50"
