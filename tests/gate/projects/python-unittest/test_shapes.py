import unittest

from shapes import area, describe, perimeter


class ShapesTest(unittest.TestCase):
    def test_area(self):
        self.assertEqual(area(3, 5), 15)

    def test_perimeter(self):
        self.assertEqual(perimeter(3, 5), 16)

    def test_describe(self):
        self.assertEqual(describe(3, 5), "3 by 5")


if __name__ == "__main__":
    unittest.main()
