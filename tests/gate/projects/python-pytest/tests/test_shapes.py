import pytest

from shapes import area, describe, perimeter


@pytest.mark.parametrize("width, height, expected", [(3, 5, 15), (1, 7, 7)])
def test_area(width, height, expected):
    assert area(width, height) == expected


def test_perimeter():
    assert perimeter(3, 5) == 16


def test_describe():
    assert describe(3, 5) == "3 by 5"
