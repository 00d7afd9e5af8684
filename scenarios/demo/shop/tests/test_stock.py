import pytest

from shop.stock import OutOfStock, Stock


def test_take():
    stock = Stock({"tea": 3})
    stock.take("tea", 2)
    assert stock.available("tea") == 1


def test_unknown_thing():
    assert Stock({}).available("tea") == 0


def test_out_of_stock():
    with pytest.raises(OutOfStock):
        Stock({"tea": 1}).take("tea", 2)
