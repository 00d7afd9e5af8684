"""The parts of tests/bench/repair: tests are held back, suites read, injections chosen, results
kept, and rondo tries a case."""
import os
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path
from unittest import mock

import choose
import fetch
import halves
import hold
import results
import said
import suites
import table
import trial

PRODUCT = """def clamp(value, low, high):
    if value < low:
        return low
    if value > high:
        return high
    return value


def both(a, b):
    return clamp(a, 0, 10) + clamp(b, 0, 10)
"""
TESTS = """import unittest

import clamp


class Clamp(unittest.TestCase):
    def test_low(self):
        self.assertEqual(clamp.clamp(-1, 0, 10), 0)

    def test_high(self):
        self.assertEqual(clamp.clamp(11, 0, 10), 10)

    def test_within(self):
        self.assertEqual(clamp.clamp(5, 0, 10), 5)

    def test_both(self):
        self.assertEqual(clamp.both(3, 40), 13)

    def test_bounds(self):
        self.assertEqual([clamp.clamp(n, 1, 2) for n in range(4)], [1, 1, 2, 2])
"""
LINE = {
    "case": "clamp-01", "half": "tune", "group": "clamp", "kind": "deleted guard",
    "language": "python", "seconds": 60, "outcome": "verified", "right": True, "winner_ms": 900,
    "baseline_ms": 500, "search_ms": 1000, "gate_ms": 500, "candidates": 40, "confidence": "high"
}


def package():
    return fetch.Package({
        "package": "clamp 1.0", "language": "python", "sha256": "",
        "test": "python3 -m unittest test_clamp", "source": "clamp.py", "tests": "test_clamp.py"
    })


class Directory(unittest.TestCase):
    def setUp(self):
        self.directory = Path(tempfile.mkdtemp(prefix="rondo-bench-"))
        self.addCleanup(shutil.rmtree, self.directory)

    def repository(self):
        """A package like that of fetch.make_repository, with two tests held back."""
        repository = self.directory / "clamp"
        repository.mkdir()
        fetch.write(repository / "clamp.py", PRODUCT)
        fetch.write(repository / "test_clamp.py", TESTS)
        fetch.write(repository / ".gitignore", "__pycache__/\n")
        fetch.git(repository, "init", "-q")
        fetch.git(repository, "add", "-A")
        fetch.git(repository, "commit", "-q", "-m", "clamp 1.0")
        fetch.git(repository, "tag", "whole")
        fetch.take_out(package(), repository, lambda path, name: name in
                       ("Clamp.test_bounds", "Clamp.test_both"))
        fetch.git(repository, "commit", "-q", "-a", "-m", "Hold tests back")
        fetch.git(repository, "tag", "visible")
        return repository


class Held(unittest.TestCase):
    def test_python(self):
        names = [test.name for test in hold.tests("x.py", TESTS)]
        self.assertEqual(
            names, ["Clamp.test_" + name for name in ("low", "high", "within", "both", "bounds")])
        text = hold.without("x.py", TESTS, names)
        self.assertNotIn("test_", text)
        self.assertEqual(text.count("pass\n"), 1)
        compile(text, "x.py", "exec")

    def test_decorators_go_with_their_test(self):
        text = "@mark\n@mark(1)\ndef test_a():\n    pass\n\n\ndef test_b():\n    pass\n"
        self.assertEqual(hold.without("x.py", text, {"test_a"}).strip(), "def test_b():\n    pass")

    def test_javascript(self):
        text = (
            "describe('a', function () {\n  it('b', function () {\n    it('c');\n  });\n"
            "  it('b', () => {\n  })\n});\n"
        )
        self.assertEqual([test.name for test in hold.tests("x.js", text)], ["b", "c", "b (2)"])
        self.assertEqual(hold.without("x.js", text, {"b", "c"}),
                         "describe('a', function () {\n  it('b', () => {\n  })\n});\n")

    def test_a_test_that_others_call_stays(self):
        texts = {
            "a.py": "def test_a():\n    pass\n",
            "b.py": "from a import test_a\n\n\ndef test_b():\n    test_a()\n"
        }
        with mock.patch.multiple(fetch, test_files=lambda *_: list(texts),
                                 read=lambda path: texts[path.name]):
            self.assertEqual(fetch.held_back(package(), Path("."), 1), {("b.py", "test_b")})


class Suites(unittest.TestCase):
    def test_what_runners_say_last(self):
        for output, expected in {
            "..F.\n1 failed, 3 passed, 2 skipped in 0.12s\n": (3, 1),
            "=== 2 failed, 113 passed, 1 warning, 3 errors in 1.20s ===\n": (113, 5),
            "Ran 18 tests in 0.005s\n\nFAILED (failures=2, errors=1)\n": (15, 3),
            "Ran 18 tests in 0.005s\n\nOK\n": (18, 0),
            "\n  40 passing (78ms)\n  2 failing\n\n  1) adds\n": (40, 2),
            "ok 1 a\nnot ok 2 b\n\n1..2\n# tests 2\n# pass  1\n# fail  1\n": (1, 1),
            "Segmentation fault\n": (0, 0),
        }.items():
            self.assertEqual(said.counts(output), expected, output)

    def test_red_is_some_and_not_all(self):
        self.assertTrue(suites.Outcome(1, "1 failed, 3 passed in 1s").is_red())
        self.assertFalse(suites.Outcome(1, "4 failed in 1s").is_red())
        self.assertFalse(suites.Outcome(None, "1 failed, 3 passed in 1s").is_red())
        self.assertFalse(suites.Outcome(0, "4 passed in 1s").is_red())


class Kept(Directory):
    def test_a_second_call_goes_on(self):
        path = self.directory / "results.jsonl"
        self.assertEqual(results.Results(path).of("clamp-01", lambda: LINE), (LINE, True))
        with open(path, "a", encoding="utf-8") as file:
            file.write('{"case": "clamp-02", "ha')
        again = results.Results(path)
        self.assertEqual(again.of("clamp-01", self.fail), (LINE, False))
        self.assertEqual(again.of("clamp-02", lambda: {**LINE, "case": "clamp-02"})[1], True)
        self.assertEqual(set(results.Results(path).lines), {"clamp-01", "clamp-02"})


class Tables(unittest.TestCase):
    def test_one_run_gives_all_budgets(self):
        late, wrong = {**LINE, "winner_ms": 9000
                       }, {**LINE, "winner_ms": 30000, "right": False, "half": "hold"}
        lost = {**LINE, "outcome": "not_fixed", "winner_ms": None, "right": None, "half": "hold"}
        text = table.table([("packages", [LINE, late, wrong, lost])], "repair")
        for row in (
                "budget | tune: right of all | tune: fixed | tune: right of fixed | "
                "hold: right of all | hold: fixed | hold: right of fixed",
                "1 s | 1 of 2 (50 %) | 1 of 2 (50 %) | 1 of 1 (100 %) | "
                "0 of 2 (0 %) | 0 of 2 (0 %) | -",
                "60 s | 2 of 2 (100 %) | 2 of 2 (100 %) | 2 of 2 (100 %) | "
                "0 of 2 (0 %) | 1 of 2 (50 %) | 0 of 1 (0 %)"):
            self.assertIn(f"| {row} |", text)
        self.assertIn("40.0 candidates a second", text)

    def test_confidence_is_told_for_each_half(self):
        lines = [LINE, {**LINE, "half": "hold", "right": False},
                 {**LINE, "outcome": "not_fixed", "confidence": "not fixed", "right": None}]
        self.assertIn("| high | 1 of 2 (50 %) | 1 of 1 (100 %) | 0 of 1 (0 %) |",
                      table.table([("packages", lines)], "repair"))
        self.assertNotIn("not fixed |", table.table([("packages", lines)], "repair"))

    def test_a_language_with_few_cases_is_an_experiment(self):
        few = table.table([("packages", [LINE] * 9 + [{**LINE, "language": "go"}] * 10)], "repair")
        self.assertIn("| python (experimental) | 9 | 9 of 9 (100 %) |", few)
        self.assertIn("| go | 10 | 10 of 10 (100 %) |", few)

    def test_it_says_what_of(self):
        self.assertIn("tests/repair/packages", table.table([("packages", [LINE])], "repair"))
        self.assertNotIn("## ", table.table([("programs", [LINE]), ("pairs", [])], "repair"))
        self.assertIn("tests/repair/programs", table.table([("programs", [LINE])], "repair"))
        pairs = table.table([("pairs", [LINE, {**LINE, "same": True}])], "repair")
        self.assertIn("Of the right fixes, 1 of 2 (50 %) have the text of the real one", pairs)

    def test_several_yardsticks_are_one_document(self):
        hold = {**LINE, "half": "hold"}
        text = table.table([("packages", [LINE, hold]), ("pairs", [{**hold, "right": False}])],
                           "repair --all")
        for row in ("hold | injected mistakes | 1 | 1 of 1 (100 %) | 1 of 1 (100 %)",
                    "hold | real mistakes | 1 | 0 of 1 (0 %) | 1 of 1 (100 %)",
                    "hold | together | 2 | 1 of 2 (50 %) | 2 of 2 (100 %)",
                    "tune | together | 1 | 1 of 1 (100 %) | 1 of 1 (100 %)"):
            self.assertIn(f"| {row} |", text)
        self.assertNotIn("tune | real mistakes", text)
        self.assertLess(text.index("## Injected mistakes"), text.index("## Real mistakes"))

    def test_it_says_whether_history_helps(self):
        self.assertIn("history does not help", table.table([("packages", [LINE])], "repair"))
        text = table.table([("packages", [LINE])], "repair", history=True)
        self.assertIn("is the last commit of a history", text)

    def test_no_budget_is_longer_than_the_run(self):
        text = table.table([("packages", [{**LINE, "seconds": 20}])], "repair")
        self.assertIn("| 20 s |", text)
        self.assertNotIn("| 60 s |", text)


class Halves(unittest.TestCase):
    def test_a_package_is_whole_in_one_half_and_the_halves_are_near_in_size(self):
        names = [package.name for package in fetch.read_list()]
        tune = [name for name in names if halves.half(name) == "tune"]
        self.assertLess(abs(len(names) - 2 * len(tune)), 3)
        self.assertEqual(halves.half("Inflector"), halves.half("inflector"))


class Times(unittest.TestCase):
    def test_the_search_begins_with_the_end_of_the_baseline(self):
        def search(at, **data):
            return {"type": "search", "ms": at, "data": data}

        def edit(ms):
            return {"type": "message", "ms": ms, "message": {"type": "edit"}}

        events = [{"type": "baseline", "ms": 1500},
                  search(2700, tried=17, ms=1000, passed_ms=900),
                  edit(2800),
                  search(3600, tried=3, ms=300, passed_ms=200),
                  edit(3700), {"type": "stop", "ms": 4000}, {"type": "verdict", "ms": 5000}]
        self.assertEqual(
            trial.read_times(events), {
                "baseline_ms": 1500, "search_ms": 2500, "gate_ms": 1000, "candidates": 20,
                "winner_ms": 2000
            })


@unittest.skipUnless(shutil.which("bwrap") and os.environ.get("SANDBOX"), "no sandbox")
class WithSuites(Directory):
    def test_what_is_chosen_is_seen_by_a_visible_test_and_is_chosen_again(self):
        repository = self.repository()
        first = list(choose.choose(package(), 0, repository, 1))
        with mock.patch.object(suites, "run", self.fail):
            second = list(choose.choose(package(), 0, repository, 1))
        self.assertEqual([(chosen.name, chosen.injection.kind, chosen.injection.splices)
                          for chosen in first],
                         [(chosen.name, chosen.injection.kind, chosen.injection.splices)
                          for chosen in second])
        self.assertGreater(len(first), 3)
        for chosen in first:
            fetch.write(repository / "clamp.py", chosen.injection.apply(PRODUCT))
            self.assertTrue(
                suites.run(repository,
                           package().test, 20).is_red(), chosen.injection.kind)

    def test_a_suite_that_hangs_is_stopped_and_writes_only_at_home(self):
        outside = self.directory / "outside"
        self.assertIsNone(suites.run(self.repository(), "sleep 60", 0.2).exit_code)
        suites.run(self.directory / "clamp", f"touch {outside}", 20)
        self.assertFalse(outside.exists())

    def test_rondo_tries_a_case(self):
        repository = self.repository()
        chosen = next(chosen for chosen in choose.choose(package(), 0, repository, 1)
                      if chosen.injection.kind == "comparison the wrong way round")
        case = trial.InjectedCase(chosen, repository)
        case.lay_out()
        self.assertEqual(fetch.git(repository, "rev-list", "--count", "HEAD"), "1\n")
        case.clean()
        line = trial.try_case(os.environ["RONDO"], case, self.directory / "home", 20)
        self.assertEqual((line["outcome"], line["right"]), ("verified", True), line)
        self.assertGreater(line["candidates"], 0)
        self.assertLessEqual(line["winner_ms"], line["search_ms"])
        left = subprocess.check_output(["git", "status", "--porcelain"], cwd=repository, text=True)
        self.assertEqual((left, fetch.git(repository, "branch", "--list", "rondo/*")), ("", ""))
