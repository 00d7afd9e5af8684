#!/usr/bin/env python3
# warm_python.py [SECONDS]: measures how fast the warm runner for Python tries candidates. RUNNER is
# its text, PYTHON the interpreter. Prints a line for each suite and number of runners: candidates
# per second, processor time of one, time until the tests were loaded.
import os
import resource
import sys
import tempfile
import threading
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "slow", "t5310"))
from warm import Warm  # noqa: E402

FUNCTION = '''

def f{0}(a, b):
    """What f{0} does."""
    total = 0
    for i in range(a, b):
        if i % {1}:
            total += i - {0}
        else:
            total -= i
    return total
'''


def module(n):
    return "import functools\n" + "".join(FUNCTION.format(i, i % 7 + 2) for i in range(n))


def value(i, a, b, wrong=0):
    return sum(j - i + wrong if j % (i % 7 + 2) else -j for j in range(a, b))


def pytest_suite(n):
    tests = "import app\n" + "".join("\n\ndef test_%d():\n    assert app.f%d(1, 9) == %d\n" %
                                     (i, i, value(i, 1, 9, i == 1)) for i in range(n))
    return {"app.py": module(n), "test_app.py": tests}, ("pytest", ["-q"]), "test_app.py::test_%d"


def unittest_suite(n):
    tests = "import unittest\nimport app\n\n\nclass Case(unittest.TestCase):\n" + "\n".join(
        "    def test_%d(self):\n        self.assertEqual(app.f%d(1, 9), %d)\n" %
        (i, i, value(i, 1, 9, i == 1)) for i in range(n))
    return {"app.py": module(n), "test_app.py": tests}, ("unittest", []), "test_app.Case.test_%d"


def program(n):
    asserts = ["assert f%d(1, 9) == %d" % (i, value(i, 1, 9, i == 1)) for i in (0, 2, 3, 4, 1)[:n]]
    files = {"app.py": module(n) + "\n\n" + "\n".join(asserts) + "\n"}
    return files, ("program", ["app.py"]), asserts[-1]


def measure(name, suite, tests, runners, seconds):
    files, (kind, arguments), form = suite
    goal = [form % 1 if "%d" in form else form]
    others = [form % i for i in range(tests) if i != 1] if "%d" in form else []
    counts = [0] * runners
    with tempfile.TemporaryDirectory() as place:
        roots = [os.path.join(place, str(i)) for i in range(runners)]
        for root in roots:
            os.mkdir(root)
            for path, text in files.items():
                with open(os.path.join(root, path), "w") as file:
                    file.write(text)
        begun = time.monotonic()
        warms = [Warm(kind, arguments, list(goal), others, root=root) for root in roots]
        assert all(warm.ready["ready"] for warm in warms), warms[0].ready
        loaded = time.monotonic() - begun
        begun = time.monotonic()

        def drive(i):
            while time.monotonic() - begun < seconds:
                answer = warms[i].try_change("app.py", "total += i - 1\n",
                                             "total -= i + %d\n" % (counts[i] % 50))
                assert answer["end"] == "failed", answer
                counts[i] += 1

        threads = [threading.Thread(target=drive, args=(i,)) for i in range(runners)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        took = time.monotonic() - begun
        right = warms[0].try_change("app.py", "total += i - 1\n", "total += i\n")
        assert right["end"] == "passed", right
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        for warm in warms:
            warm.__exit__()
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    print(
        "%-28s %d at once: %4.0f a second, loaded in %.2f s, the right one took %.0f ms, all in "
        "all %.1f s of processor time"
        % (name, runners, sum(counts) / took, loaded, right["ms"], cpu))


def main(seconds=3):
    for runners in 1, 2:
        measure("pytest, 5 tests", pytest_suite(5), 5, runners, seconds)
        measure("unittest, 5 tests", unittest_suite(5), 5, runners, seconds)
        measure("program, 5 assertions", program(5), 5, runners, seconds)
        measure("pytest, 700 tests", pytest_suite(700), 700, runners, seconds)


main(*map(float, sys.argv[1:]))
