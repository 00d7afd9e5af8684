# What the warm runner for Python has to do, case by case: cases.py NAME runs the function of that
# name in an empty directory.
import os
import subprocess
import sys
import time

from warm import PYTHON, Warm

GOAL, OTHER = "test_app.py::test_goal", "test_app.py::test_other"
APP = '''import os
LIMIT = 10
seen = []


class Thing:
    count = 0


def wrong(x):
    return x + 1


def right(x):
    return x * 2
'''
TESTS = '''import app


def test_goal():
    assert app.wrong(3) == 6


def test_other():
    assert app.right(3) == 6
'''


def project(files):
    for path, text in files.items():
        os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
        with open(path, "w") as file:
            file.write(text)


def small(app=APP, tests=TESTS, goal=(GOAL,), others=(OTHER,)):
    """A runner of pytest that has loaded a module and its tests."""
    project({"app.py": app, "test_app.py": tests})
    warm = Warm("pytest", ["-q"], list(goal), list(others))
    assert warm.ready == {"ready": True, "goal": len(goal), "others": len(others)}, warm.ready
    return warm


def expect(answer, end, **more):
    found = {name: answer[name] for name in more}
    assert answer["end"] == end and found == more, answer


def body(warm, text, **limits):
    """Tries another body of wrong()."""
    return warm.try_change("app.py", "return x + 1", text, **limits)


def unharmed(warm):
    """Whether the next candidates are judged as if nothing had been."""
    expect(body(warm, "return x * 2"), "passed", fixed=1)
    expect(body(warm, "return x - 1"), "failed", fixed=0, at="test_app.py:5")


# --- Each end ---

def ends_of_pytest():
    with small() as warm:
        expect(body(warm, "return x * 2"), "passed", fixed=1, at=None, broken=None)
        expect(body(warm, "return x + 2"), "failed", fixed=0, at="test_app.py:5", broken=None)
        expect(
            warm.try_files([{
                "path": "app.py", "content": APP.replace("x + 1",
                                                         "x + 3").replace("x * 2", "x * 3")
            }]), "broken", fixed=1, broken=OTHER)
        expect(body(warm, "while True: pass", cpu_ms=50), "timeout")
        expect(body(warm, "import time; time.sleep(60)", wall_ms=200), "timeout")
        expect(body(warm, "os._exit(0)"), "died")
        expect(body(warm, "os.abort()"), "died")
        expect(body(warm, "return (x"), "syntax")
        expect(warm.try_files([{"path": "app.js", "content": ""}]), "cold")
        expect(warm.try_files([{"path": "../app.py", "content": ""}]), "cold")
        unharmed(warm)


def ends_of_unittest():
    project({"app.py": APP, "tests/__init__.py": "", "tests/test_app.py": """import unittest
import app

made = []


def setUpModule():
    made.append("module")


class Case(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        made.append("class")

    def test_goal(self):
        for x in (3, 4):
            with self.subTest(x=x):
                self.assertEqual(app.wrong(x), 2 * x)

    def test_other(self):
        self.assertEqual((app.right(3), made), (6, ["module", "class"]))

    @unittest.expectedFailure
    def test_not_yet(self):
        self.assertEqual(app.right(3), 7)

    @unittest.skip("not here")
    def test_skipped(self):
        pass


class Async(unittest.IsolatedAsyncioTestCase):
    async def test_it(self):
        self.assertEqual(app.right(1), 2)
"""})
    others = [
        "tests.test_app.Case.test_other", "tests.test_app.Case.test_not_yet",
        "tests.test_app.Async.test_it"
    ]
    for arguments in [], ["discover"], ["-q",
                                        "tests.test_app"], ["discover", "-s", "tests", "-t", "."]:
        with Warm("unittest", arguments, ["tests.test_app.Case.test_goal"], others) as warm:
            assert warm.ready == {"ready": True, "goal": 1, "others": 3}, warm.ready
            expect(body(warm, "return x * 2"), "passed", fixed=1)
            expect(body(warm, "return x + 2"), "failed", fixed=0, at="tests/test_app.py:19")
            expect(warm.try_change("app.py", "LIMIT = 10", "LIMIT = 11"), "failed",
                   at="tests/test_app.py:19")
            expect(
                warm.try_files([{
                    "path": "app.py", "content": APP.replace("x * 2",
                                                             "x * 3").replace("x + 1", "x * 2")
                }]), "broken", broken="tests.test_app.Case.test_other")
            expect(body(warm, "while True: pass", cpu_ms=50), "timeout")


def ends_of_program():
    program = '''import sys
from helper import one


def add(a, b):
    """Adds."""
    return a - b


def test_all():
    assert add(1, 0) == 1
    assert add(1,
               2) == 3
    assert add(0, one) == 1, "both"


if __name__ == "__main__":
    test_all()
    sys.exit(0)
'''
    project({"sub/program.py": program, "sub/helper.py": "one = 1\n"})
    goal, others = ["assert add(1, 2) == 3",
                    'assert add(0, one) == 1, "both"'], ["assert add(1, 0) == 1"]
    with Warm("program", ["sub/program.py"], goal, others) as warm:
        assert warm.ready == {"ready": True, "goal": 2, "others": 1}, warm.ready

        def change(old, new):
            return warm.try_change("sub/program.py", old, new, cpu_ms=100)

        expect(change("a - b", "a + b"), "passed", fixed=2)
        expect(change("return a - b", "return 3 if b == 2 else a"), "failed", fixed=1,
               at="sub/program.py:14")
        expect(change("a - b", "a * b"), "failed", fixed=0, at="sub/program.py:11")
        expect(change("return a - b", "raise SystemExit"), "failed", fixed=0)
        expect(change("return a - b", "while 1: pass"), "timeout")
        expect(change("a - b", "a - "), "syntax")
        both = [{
            "path": "sub/program.py", "content": program.replace("a - b",
                                                                 "3 if b == 2 else a * one")
        }, {"path": "sub/helper.py", "content": "one = 2 - 1\n"}]
        expect(warm.try_files(both), "failed", fixed=1)
        # Which assertion ended it is seen wherever the change has put it.
        expect(change("    return a - b\n", "    if b == 2:\n        return 3\n    return a\n"),
               "failed", fixed=1)
        wider = {
            "def add": "x = 1\n\n", "return": "return 3 if b == 2 else a\n    ",
            "               2)": "\n"
        }
        splices = [{"offset": program.index(place), "length": 0, "text": text}
                   for place, text in wider.items()]
        expect(warm.try_files([{"path": "sub/program.py", "splices": splices}]), "failed", fixed=1)
        assert warm.ask(cover=True, cpu_ms=9000, wall_ms=60000) == {
            "lines": {
                "sub/helper.py": [[1, 0, 1, 0]],
                "sub/program.py":
                    [[1, 0, 1, 0], [2, 0, 1, 0], [5, 0, 1, 0], [7, 1, 1, 0], [10, 0, 1, 0],
                     [11, 0, 1, 0], [12, 1, 0, 0], [13, 1, 0, 0], [17, 0, 1, 0], [18, 0, 1, 0]]
            }, "n_goal": 1, "n_others": 1, "n_also": 0
        }


def examples_of_doctest():
    program = '''"""Numbers.

>>> add(1, 2)
3
"""


def add(a, b):
    """
    >>> for i in range(2):
    ...     print(add(i, i))
    0
    2
    >>> add(5, 0)
    5
    """
    return a - b


class Sum:
    """
    >>> Sum().of([1, 2])
    3
    """

    @property
    def of(self):
        return sum


if __name__ == "__main__":
    import doctest
    doctest.testmod()
'''
    project({"lib/numbers_.py": program})
    goal = [">>> add(1, 2) 3", ">>> for i in range(2): ... print(add(i, i)) 0 2"]
    others = [">>> add(5, 0) 5", ">>> Sum().of([1, 2]) 3"]
    for kind in "program", "doctest":
        with Warm(kind, ["lib/numbers_.py"], goal, others) as warm:
            assert warm.ready == {"ready": True, "goal": 2, "others": 2}, warm.ready

            def change(old, new):
                return warm.try_change("lib/numbers_.py", old, new, cpu_ms=500)

            expect(change("a - b", "a + b"), "passed", fixed=2)
            expect(change("return a - b", "x = 0\n    return 3 if b == 2 else a - b"), "failed",
                   fixed=1, at="lib/numbers_.py:10")
            expect(change("return a - b", "return a * 2 if a == b else 3"), "broken", fixed=2,
                   broken=others[0])
            expect(change("return sum", "return len"), "failed", fixed=0, at="lib/numbers_.py:3")
            expect(change("return a - b", "raise SystemExit"), "failed", fixed=0)
            expect(change("a - b", "a - "), "syntax")
            expect(change("def add(a, b):", "def add(a, b):\n    pass"), "failed", fixed=0,
                   at="lib/numbers_.py:3")
            covered = warm.ask(cover=True, cpu_ms=9000, wall_ms=60000)
            assert covered["lines"]["lib/numbers_.py"][-3:], covered


def program_without_assertions():
    project(
        {"main.py": "def f():\n    return 0\n\n\nif f() != 1:\n    raise SystemExit('wrong')\n"})
    with Warm("program", ["main.py"], ["main.py"], []) as warm:
        expect(warm.try_change("main.py", "return 0", "return 1"), "passed", fixed=1)
        expect(warm.try_change("main.py", "return 0", "return 2"), "failed", fixed=0)


def refusals():
    project({"app.py": APP, "test_app.py": TESTS})
    for kind, arguments, goal, why in (("pytest", ["-q"], [
            "test_app.py::test_gone"
    ], "the goal test test_app.py::test_gone was not found"), ("pytest", ["-q"], [
            OTHER
    ], "the goal test test_app.py::test_other passes here as the files are"), ("pytest", [
            "--no-such-option"
    ], [GOAL], "pytest ended with code 4 before it ran a test"), ("unittest", ["no_such_module"], [
            "a.B.test_c"
    ], "the goal test a.B.test_c was not found"), ("program", ["gone.py"], ["assert x"],
                                                   "FileNotFoundError: "),
                                       ("nose", [], [GOAL], "there is no warm runner for 'nose'")):
        with Warm(kind, arguments, goal, []) as warm:
            assert not warm.ready["ready"] and warm.ready["why"].startswith(why), warm.ready


def unloadable():
    """What keeps a test file from being loaded is found the slow way, with that file alone as long
    as it does not load."""
    project({"app.py": APP.replace("LIMIT = 10", "LIMIT = 10 + None"),
             "test_app.py": TESTS.replace("app.wrong(3)", "app.right(3)"),
             "test_sure.py": "open('loaded', 'a').write('x')\n\n\ndef test_sure():\n    pass\n"})
    with Warm("pytest", ["-q"], ["test_app.py"], ["test_sure.py::test_sure"]) as warm:
        assert warm.ready == {"ready": True, "goal": 1, "others": 1}, warm.ready
        expect(warm.try_change("app.py", "10 + None", "None + 1"), "failed", fixed=0)
        assert warm.read("loaded") == b"x", warm.read("loaded")
        expect(warm.try_change("app.py", "10 + None", "10"), "passed", fixed=1)
        assert warm.read("loaded") == b"xx", warm.read("loaded")
    project({"test_app.py": "import unittest\nimport app\n\n\nclass Case(unittest.TestCase):\n"
                            "    def test_it(self):\n        self.assertEqual(app.LIMIT, 10)\n"})
    with Warm("unittest", ["-v"], ["test_app"], []) as warm:
        expect(warm.try_change("app.py", "10 + None", "10"), "passed", fixed=1)
        expect(warm.try_change("app.py", "10 + None", "11"), "failed", fixed=0)


def order():
    """Goal tests by their time; no more after the third that fails; the others only when all
    pass."""
    tests = "import time\nimport app\n\n\n" + "".join(
        "def test_{0}():\n    open('ran', 'a').write('{0}')\n    time.sleep({1})\n"
        "    assert app.wrong(3) {2}\n\n\n"
        .format(*one) for one in (("a", 0.4, "== 6"), ("b", 0, "== 6"), ("c", 0.2, "> 4"),
                                  ("d", 0.6, "> 5"), ("f", 0, "> 3")))
    goal = ["test_app.py::test_" + letter for letter in "abcd"]
    with small(tests=tests, goal=goal, others=["test_app.py::test_f"]) as warm:
        for text, end, fixed, ran in (("return x", "failed", 0, "bca"), ("return x + 3", "passed",
                                                                         4, "bcadf"),
                                      ("return x + 2", "failed", 1, "bcad")):
            if os.path.exists("ran"):
                os.unlink("ran")
            expect(body(warm, text), end, fixed=fixed)
            assert open("ran").read() == ran, open("ran").read()


def goal_first():
    """What has to be loaded anew is loaded with the goal's file alone as long as the goal fails."""
    project({
        "test_more.py":
        "import app\nopen('loaded', 'a').write('x')\n\n\n"
        "def test_more():\n    assert app.right(3) == 6\n"
    })
    more, made = "test_more.py::test_more", "\nMADE = [wrong(1), right(1)]\n"
    with small(app=APP + made, others=[OTHER, more]) as warm:
        def loaded():
            return len(warm.read("loaded"))

        assert loaded() == 1, loaded()
        expect(body(warm, "return x + 2"), "failed", fixed=0, at="test_app.py:5")
        assert loaded() == 1, loaded()
        expect(body(warm, "return x * 2"), "passed", fixed=1)
        assert loaded() == 2, loaded()
        text = (APP + made).replace("x + 1", "x * 2")
        expect(
            warm.try_files([{"path": "app.py", "content": text.replace("def right", "def left")}]),
            "failed", fixed=0)
        expect(
            warm.try_files(
                [{"path": "app.py", "content": text.replace("x * 2\n\nMADE", "x * 3\n\nMADE")}]),
            "broken", fixed=1)


def unsound_others():
    """Another test that fails by itself as the files are says nothing."""
    tests = TESTS + ("\n\nshared = []\n\n\ndef test_first():\n    shared.append(1)\n\n\n"
                     "def test_second():\n    assert shared\n")
    second = "test_app.py::test_second"
    with small(tests=tests, others=[second, OTHER]) as warm:
        expect(body(warm, "return x * 2"), "passed")
        expect(body(warm, "return x * 3 - 3 + (right(x) - 6)"), "passed")


def cover():
    with small() as warm:
        found = warm.ask(cover=True, cpu_ms=9000, wall_ms=60000)
        assert found == {"lines": {"app.py": [[11, 1, 0, 0], [15, 0, 1, 0]]}, "n_goal": 1,
                         "n_others": 1, "n_also": 0}, found
        unharmed(warm)
    with small(app=APP.replace("return x + 1", "while x:\n        x += 1")) as warm:
        found = warm.ask(cover=True, cpu_ms=800, wall_ms=60000)
        assert found == {
            "lines": {"app.py": [[11, 1, 0, 0], [12, 1, 0, 0], [16, 0, 1, 0]]}, "n_goal": 1,
            "n_others": 1, "n_also": 0
        }, found
    with small(app=APP.replace("return x + 1", "os._exit(1)")) as warm:
        found = warm.ask(cover=True, cpu_ms=800, wall_ms=60000)
        assert found == {"lines": {"app.py": [[15, 0, 1, 0]]}, "n_goal": 0, "n_others": 1,
                         "n_also": 0}, found


def arguments_of_pytest():
    """Words as users write them; what is chosen is all there is."""
    project({
        "app.py": APP, "tests/test_app.py": TESTS,
        "tests/test_more.py": "def test_more():\n    pass\n"
    })
    goal, others = ["tests/test_app.py::test_goal"
                    ], ["tests/test_app.py::test_other", "tests/test_more.py::test_more"]
    for words, n in ((["-x", "-vv", "-s", "tests"], 2), (["-k", "not more"], 1),
                     (["tests/test_app.py", "-rA",
                       "--tb=long"], 1), (["--junitxml=report.xml",
                                           "--durations=3"], 2), (["--capture=sys", "-W",
                                                                   "error"], 2)):
        with Warm("pytest", words, goal, others) as warm:
            assert warm.ready == {"ready": True, "goal": 1, "others": n}, warm.ready
            expect(body(warm, "return x * 2"), "passed", fixed=1)
            expect(body(warm, "return x"), "failed", at="tests/test_app.py:5")
    assert not os.path.exists("report.xml")


def xdist():
    project({"app.py": APP, "test_app.py": TESTS})
    for words in ["-n", "2"], ["-n2", "--dist=loadfile"], ["--numprocesses=auto"]:
        with Warm("pytest", words, [GOAL], [OTHER]) as warm:
            expect(body(warm, "return x * 2"), "passed")


def nothing_stays():
    """Neither files nor processes, whether the runner is asked or not."""
    def files():
        return sorted(
            os.path.join(folder, name) for folder, _, names in os.walk(".") for name in names)

    project({"app.py": APP, "test_app.py": TESTS})
    os.mkdir("temporary")
    os.environ["TMPDIR"] = os.path.abspath("temporary")
    had = files()
    with small() as warm:
        unharmed(warm)
    assert not os.listdir("temporary"), os.listdir("temporary")
    assert files() == had, files()


if __name__ == "__main__":
    globals()[sys.argv[1]]()
