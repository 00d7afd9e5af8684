from prog import area


def close(found, expected):
    return abs(found - expected) < 0.001


assert close(area(2, 2), 4)
assert close(area(3, 4), 12)
