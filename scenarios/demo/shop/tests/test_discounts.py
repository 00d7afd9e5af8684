import pytest

from shop.discounts import apply_discount, bulk_percent


def test_discount():
    assert apply_discount(2000, 10) == 1800


def test_no_discount():
    assert apply_discount(2000, 0) == 2000


def test_everything_off():
    assert apply_discount(2000, 100) == 0


def test_impossible_discount():
    with pytest.raises(ValueError):
        apply_discount(2000, 101)


def test_bulk_begins_at_ten():
    assert bulk_percent(9) == 0
    assert bulk_percent(10) == 5
