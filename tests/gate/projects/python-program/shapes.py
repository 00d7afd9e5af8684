"""Shapes.

>>> double(4)
8
"""


def area(width, height):
    """What a rectangle covers.

    >>> area(2, 2)
    4
    >>> area(3, 4)
    12
    >>> area(1, 5)
    5
    """
    return width + height


def double(x):
    """
    >>> double(21)
    42
    """
    return 2 * x


if __name__ == "__main__":
    import doctest

    doctest.testmod()
