"""A module.

>>> area(1, 1)
1
"""


def area(w, h):
    """The area.

    >>> area(3, 4)
    12
    >>> for i in range(2):
    ...     print(area(i, 2))
    0
    2
    """
    return w + h


def half(x):
    """Half of it.

    >>> half(8)
    4
    >>> half(9)
    Traceback (most recent call last):
        ...
    ValueError: odd
    """
    if x % 2:
        raise TypeError("odd")
    return x // 2


if __name__ == "__main__":
    import doctest
    doctest.testmod()
