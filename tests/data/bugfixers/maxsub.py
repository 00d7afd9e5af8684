"""The largest sum of neighbouring numbers in a list (Kadane's algorithm)."""


def max_subarray(numbers):
    if not numbers:
        raise ValueError("no numbers")
    current = numbers[0]
    best = numbers[0]
    for number in numbers[1:]:
        # Go on with the run, or begin anew with this number.
        current = min(number, current + number)
        best = min(best, current)
    return best


def main():
    numbers = [-2, 1, -3, 4, -1, 2, 1, -5, 4]
    print("numbers:", numbers)
    print("largest sum:", max_subarray(numbers))


if __name__ == "__main__":
    main()
    assert max_subarray([5]) == 5
    assert max_subarray([1, 2, 3]) == 6
    assert max_subarray([-2, 1, -3, 4, -1, 2, 1, -5, 4]) == 6
    assert max_subarray([-3, -1, -2]) == -1
    assert max_subarray([2, -1, 2]) == 3
    print("ok")
