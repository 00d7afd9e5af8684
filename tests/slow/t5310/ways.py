# What pytest does around a test is left out where no outcome depends on it. Here are tests whose
# outcome does: ways.py ways
import os
import shutil

from cases import APP, GOAL, OTHER, body, expect, project
from warm import Warm

PASSING = "\n\ndef test_other():\n    assert app.right(3) == 6\n"
WRAPPER = '''import pytest


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    report = (yield).get_result()
    if call.when == "call" and item.name == "test_goal":
        report.outcome = "passed" if item.value == 6 else "failed"
'''
SETUP = '''done = []


def setup_module():
    done.append(1)


def setup_function(function):
    done.append(2)
'''
NEAR = '''def pytest_runtest_setup(item):
    item.module.begun.append(item.name)
'''

# Each: what test_app.py begins with, the arguments of test_goal, its lines, and files beside it.
WAYS = {
    "text of an assertion": ("", "", [
        "with pytest.raises(AssertionError, match='assert 3 == 4'):", "    x = 3",
        "    assert x == 4", "assert app.wrong(3) == 6"
    ], {}),
    "what is printed": ("", "capsys",
                        ["print(app.wrong(3))", "assert capsys.readouterr().out == '6\\n'"], {}),
    "what is printed, asked late": ("", "request", [
        "capfd = request.getfixturevalue('capfd')", "os.system('echo %d' % app.wrong(3))",
        "assert capfd.readouterr().out == '6\\n'"
    ], {}),
    "what is logged": ("import logging", "caplog", [
        "logging.warning('said %d', app.wrong(3))", "assert 'said 6' in caplog.text"
    ], {}),
    "a log that cannot be formatted": ("import logging", "", [
        "with pytest.raises(TypeError):", "    logging.warning('%d', 'x')",
        "assert app.wrong(3) == 6"
    ], {}),
    "warnings": ("import warnings", "recwarn",
                 ["warnings.warn(str(app.wrong(3)))",
                  "assert str(recwarn.pop().message) == '6'"], {}),
    "deprecations": ("import warnings", "", [
        "with pytest.warns(DeprecationWarning, match='6'):",
        "    warnings.warn(str(app.wrong(3)), DeprecationWarning)"
    ], {}),
    "a skip": ("", "", ["if app.wrong(3) != 6:", "    pytest.skip('not yet')"], {}),
    "an expected failure": ("", "", ["if app.wrong(3) != 6:", "    pytest.xfail('not yet')"], {}),
    "a failure by word": ("", "", ["if app.wrong(3) != 6:", "    pytest.fail('not yet')"], {}),
    "a mark put while it runs": ("", "request", [
        "if app.wrong(3) != 6:", "    request.node.add_marker(pytest.mark.xfail)",
        "assert app.wrong(3) == 6"
    ], {}),
    "its name in the environment": ("", "", [
        "assert os.environ['PYTEST_CURRENT_TEST'] == 'test_app.py::test_goal (call)'",
        "assert app.wrong(3) == 6"
    ], {}),
    "a report that is changed": ("", "request",
                                 ["request.node.value = app.wrong(3)",
                                  "assert app.wrong(3) == 7"], {"conftest.py": WRAPPER}),
    "a hook of a conftest": ("begun = []", "",
                             ["assert begun == ['test_goal'] and app.wrong(3) == 6"
                              ], {"conftest.py": NEAR}),
    "a hook of a plugin": ("begun = []", "",
                           ["assert begun == ['test_goal'] and app.wrong(3) == 6"
                            ], {"conftest.py": "pytest_plugins = ['near']\n", "near.py": NEAR}),
    "a conftest that loads the product": ("", "", ["assert app.wrong(3) == 6"],
                                          {"conftest.py": "import app\n"}),
    "setup functions": (SETUP, "", ["assert done == [1, 2] and app.wrong(3) == 6"], {}),
    "a failure when all is over": (
        "@pytest.fixture\ndef last():\n    yield\n    assert app.wrong(3) == 6", "last", ["pass"
                                                                                          ], {}),
    "a failure before": ("@pytest.fixture\ndef first():\n    assert app.wrong(3) == 6", "first",
                         ["pass"], {}),
    "a temporary directory": ("", "tmp_path", [
        "assert not os.listdir(str(tmp_path))", "(tmp_path / 'x').write_text(str(app.wrong(3)))",
        "assert (tmp_path / 'x').read_text() == '6'"
    ], {}),
    "parameters": ("", "x=3", ["assert app.wrong(x) == 6"], {}),
}


def fresh(name, files):
    os.mkdir(name)
    os.chdir(name)
    project(dict(files, **{"app.py": APP}))


def ways():
    for i, (name, (begin, arguments, lines, files)) in enumerate(sorted(WAYS.items())):
        tests = "import os\n\nimport app\nimport pytest\n%s\n\n\n" % begin
        tests += "def test_goal(%s):\n    %s\n" % (arguments, "\n    ".join(lines))
        fresh("way%d" % i, dict(files, **{"test_app.py": tests + PASSING}))
        with Warm("pytest", ["-q"], [GOAL], [OTHER]) as warm:
            assert warm.ready == {"ready": True, "goal": 1, "others": 1}, (name, warm.ready)
            for text, end, fixed in (("return x * 3", "failed", 0), ("return x * 2", "passed", 1)):
                answer = body(warm, text)
                assert (answer["end"], answer["fixed"]) == (end, fixed), (name, text, answer)
        os.chdir("..")
        shutil.rmtree("way%d" % i)


def warnings_as_errors():
    """Where warnings are errors, also those of which pytest makes warnings."""
    warning = "import warnings; warnings.warn('x'); return x * 2"
    raising = "class A:\n        __del__ = lambda self: 1 / 0\n    A()\n    return x * 2"
    tests = "import app\n\n\ndef test_goal():\n    assert app.wrong(3) == 6\n" + PASSING
    for i, (words, files, end) in enumerate(
        (([], {}, "passed"), (["-W", "error"], {}, "failed"),
         ([], {"pytest.ini": "[pytest]\nfilterwarnings = error\n"}, "failed"))):
        fresh("case%d" % i, dict(files, **{"test_app.py": tests}))
        with Warm("pytest", words, [GOAL], [OTHER]) as warm:
            expect(body(warm, "return x * 2"), "passed")
            expect(body(warm, warning), end)
            expect(body(warm, raising), end)
        os.chdir("..")


def much_is_printed():
    """Each test has a file of its own to print into, in effect: what one prints does not stay for
    the next."""
    goal = ("import app\n\n\ndef test_goal():\n    print('x' * (30 << 20))\n"
            "    assert app.wrong(3) == 6\n")
    tests = goal + \
        "".join("\n\ndef test_%d():\n    print('x' * (30 << 20))\n" % i for i in range(3)) + PASSING
    fresh("case", {"test_app.py": tests})
    with Warm("pytest", ["-q"], [GOAL],
              ["test_app.py::test_%d" % i for i in range(3)] + [OTHER]) as warm:
        expect(body(warm, "return x * 2", cpu_ms=9000, wall_ms=60000), "passed")


def loaded_early():
    """What a plugin has loaded before anybody watched may have been run: it is loaded anew. A
    conftest comes later."""
    app = APP + "open('loaded', 'a').write('.')\n"
    tests = "import app\n\n\ndef test_goal():\n    assert app.wrong(3) == 6\n" + PASSING
    for i, (words, file, text, anew) in enumerate(
        ((["-p", "early"], "early.py", "import app\nkept = app.wrong(1)\n",
          True), ([], "conftest.py", "import app\nkept = app.right(1)\n", False),
         ([], "conftest.py", "import app\nkept = app.wrong(1)\n", True))):
        fresh("case%d" % i, {file: text, "test_app.py": tests})
        project({"app.py": app})
        with Warm("pytest", words, [GOAL], [OTHER]) as warm:
            assert warm.ready["ready"], warm.ready
            loaded = os.path.getsize("loaded")
            for _ in range(2):
                expect(body(warm, "return x * 2"), "passed")
                expect(body(warm, "return x"), "failed")
            assert (os.path.getsize("loaded") > loaded) == anew, (words, file, text)
        os.chdir("..")


def mixed():
    """Tests on either way, in one candidate, with fixtures of theirs in common."""
    tests = '''import app
import pytest

log = []


@pytest.fixture(scope="module")
def shared():
    log.append("shared")
    yield "shared"


@pytest.fixture
def own(shared):
    log.append("own")
    yield
    log.append("end")


def test_goal(shared):
    assert app.wrong(3) == 6


def test_printed(own, capsys):
    print("x")
    assert capsys.readouterr().out == "x\\n" and log == ["shared", "own"]


def test_between(own):
    assert log == ["shared", "own", "end", "own"]


def test_logged(own, caplog):
    assert log == ["shared", "own", "end", "own", "end", "own"] and not caplog.text


@pytest.mark.skipif("app.LIMIT > 5")
def test_skipped():
    pass


def test_other():
    print("y")
    assert log[-1] == "end" and app.right(3) == 6
'''
    fresh("case", {"test_app.py": tests})
    others = ["test_app.py::test_" + name for name in ("printed", "between", "logged", "other")]
    with Warm("pytest", ["-q"], [GOAL], others) as warm:
        for _ in range(2):
            expect(body(warm, "return x * 2"), "passed", fixed=1)
            expect(body(warm, "log = __import__('test_app').log; log.clear(); return x * 2"),
                   "broken", broken=others[0])
            expect(body(warm, "return x"), "failed")


def heads():
    """What a file says of itself in its first lines: with most it need not be loaded anew, with all
    it is judged rightly."""
    tests = "import app\n\n\ndef test_goal():\n    assert app.wrong(3) == 6\n" + PASSING
    for i, (head, anew) in enumerate(
        (("# -*- coding: utf-8 -*-\n", False), ("# coding: latin-1\n", True),
         ("from __future__ import unicode_literals, division\n",
          False), ("from __future__ import annotations\n", False))):
        fresh("case%d" % i, {"test_app.py": tests})
        project({"app.py": head + APP + "open('loaded', 'a').write('.')\n"})
        with Warm("pytest", ["-q"], [GOAL], [OTHER]) as warm:
            loaded = os.path.getsize("loaded")
            for _ in range(2):
                expect(body(warm, "return x * 2"), "passed")
                expect(body(warm, "return x"), "failed")
            assert (os.path.getsize("loaded") > loaded) == anew, head
        os.chdir("..")


CASES = '''import unittest

import app


class Case(unittest.TestCase):
    def setUp(self):
        self.made = app.wrong(1)
        self.addCleanup(lambda: None)

    def test_goal(self):
        self.assertEqual(app.wrong(3), 6)

    def test_parts(self):
        for x in 1, 2:
            with self.subTest(x=x):
                self.assertEqual(app.wrong(x), 2 * x)

    @unittest.expectedFailure
    def test_expected(self):
        self.assertEqual(app.right(3), 7)

    @unittest.skip("not yet")
    def test_skipped(self):
        pass

    def test_skips_itself(self):
        raise unittest.SkipTest("not here")

    def test_other(self):
        self.assertEqual(app.right(3), 6)
'''


def test_cases():
    """unittest's, run by pytest: they let no exception through, and note what failed."""
    fresh("case", {"test_app.py": CASES})
    goal = ["test_app.py::Case::test_goal", "test_app.py::Case::test_parts"]
    others = ["test_app.py::Case::test_expected", "test_app.py::Case::test_other"]
    with Warm("pytest", ["-q"], goal, others) as warm:
        for _ in range(2):
            expect(body(warm, "return x * 2"), "passed", fixed=2)
            expect(body(warm, "return x + 3"), "failed", fixed=1)
            expect(body(warm, "return x"), "failed", fixed=0)
            expect(body(warm, "return 1 / 0"), "failed", fixed=0, at="test_app.py:8")
            expect(body(warm, "globals()['right'] = lambda x: 7; return x * 2"), "broken", fixed=2)


def some_outside():
    """Where some tests of the goal start programs, the others come first; as long as these fail
    nothing is loaded anew."""
    tests = "import subprocess, sys\n\nimport app\n\n\ndef test_program():\n" \
            "    assert subprocess.check_output([sys.executable, 'main.py']) == b'6\\n'\n\n\n" \
            "def test_goal():\n    assert app.wrong(3) == 6\n" + PASSING
    fresh("case", {"test_app.py": tests, "main.py": "import app\nprint(app.wrong(3))\n"})
    project({"app.py": APP + "open('loaded', 'a').write('.')\n"})
    with Warm("pytest", ["-q"], ["test_app.py::test_program", GOAL], [OTHER]) as warm:
        loaded = os.path.getsize("loaded")
        expect(body(warm, "return x"), "failed", fixed=0)
        assert os.path.getsize("loaded") == loaded
        expect(body(warm, "return x * 2"), "passed", fixed=2)
        expect(body(warm, "return x * 2 if 'test_app' in __import__('sys').modules else 0"),
               "failed", fixed=1)


if __name__ == "__main__":
    import sys
    globals()[sys.argv[1]]()
