>import unittest

class A(unittest.TestCase):
    def test_a(self):
        self.assertEqual(1, 2)

if __name__ == "__main__":
    unittest.main()
