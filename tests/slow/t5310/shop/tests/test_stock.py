import asyncio
import unittest

import pytest

from shop.prices import Line
from shop.stock import Level, Stock, affordable, count_slowly, double


@pytest.fixture(scope="module")
def names():
    return ["cup", "tea"]


@pytest.fixture
def stock():
    return Stock({"tea": 3, "cup": 12, "pot": 0})


def test_iter(stock, names):
    assert list(stock) == names


def test_add(stock):
    assert stock.add("tea").add("pot", 2).counts == {"tea": 4, "cup": 12, "pot": 2}
    assert Stock.seen[-2:] == ["tea", "pot"]


def test_take(stock):
    assert stock.take("tea", 2) == 1


def test_take_all(stock):
    assert stock.take("tea", 3) == 0


def test_take_too_much(stock):
    with pytest.raises(KeyError):
        stock.take("tea", 4)


def test_level(stock):
    assert [stock.level(name) for name in ("pot", "tea", "cup")] == [Level.EMPTY, Level.LOW, Level.FULL]


def test_reserved(stock):
    with stock.reserved("tea") as left:
        assert left == 2
    assert stock.counts["tea"] == 3


def test_describe(stock):
    assert stock.describe() == "the stock!"


def test_double(capsys):
    print(double(4))
    assert capsys.readouterr().out == "8\n"


def test_count(stock):
    assert asyncio.run(count_slowly(stock)) == 2


def test_affordable(tmp_path):
    (tmp_path / "found").write_text(" ".join(affordable([Line("a", 1), Line("b", 0), Line("c", 101), Line("d", 100)])))
    assert (tmp_path / "found").read_text() == "a d"


class TestLevel(unittest.TestCase):
    def test_of(self):
        for count, level in ((-1, Level.EMPTY), (1, Level.LOW), (10, Level.FULL)):
            with self.subTest(count=count):
                self.assertIs(Level.of(count), level)
