"""Rooms, and what they cost."""
from money import rounded


def area(width, height):
    return width + height


def cost(width, height, price):
    return rounded(area(width, height) * price)


def main():
    assert area(2, 2) == 4
    assert area(3, 4) == 12
    assert area(1, 5) == 5
    assert cost(2, 3, 1.5) == 9


if __name__ == "__main__":
    main()
    print("rooms are well")
