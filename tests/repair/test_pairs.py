"""Pairs of releases: differences, what is no fix, the search for mistakes, and their cases."""
import os
import shutil
import tarfile
import tempfile
import unittest
from pathlib import Path

import fetch
import hold
import hunks
import languages
import pair as pairs
import pair_case
import pair_npm
import pair_search
import registries
import releases
import rows
import said
from memory import Memory

OLD = """VERSION = "1.0.0"


def clamp(value, low, high):
    if value < low:
        return low
    return value


def both(a, b):
    return clamp(a, 0, 10) + clamp(b, 0, 10)
"""
NEW = OLD.replace("1.0.0", "1.0.1").replace(
    "    return value\n", "    if value > high:\n        return high\n    return value\n")
TESTS = """import unittest

import clamp


class Clamp(unittest.TestCase):
    def test_low(self):
        self.assertEqual(clamp.clamp(-1, 0, 10), 0)

    def test_within(self):
        self.assertEqual(clamp.clamp(5, 0, 10), 5)

    def test_both(self):
        self.assertEqual(clamp.both(3, 4), 7)

    def test_version(self):
        self.assertEqual(clamp.VERSION, "{version}")

    def test_again(self):
        self.assertEqual(clamp.clamp(-2, 0, 10), 0)
"""
MORE = """
    def test_high(self):
        self.assertEqual(clamp.clamp(11, 0, 10), 10)

    def test_highest(self):
        self.assertEqual(clamp.clamp(99, 0, 10), 10)
"""
RUST = """pub fn one() -> i32 {
    1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn is_one() {
        assert_eq!(one(), 1, "}");
    }

    #[test]
    #[should_panic(expected = "x")]
    fn is_x() {
        panic!("x");
    }
}
"""


def difference(old, new, path="clamp.py"):
    """The hunks between two texts, by git."""
    with tempfile.TemporaryDirectory(prefix="rondo-pairs-") as directory:
        repository = Path(directory)
        fetch.git(repository, "init", "-q")
        (repository / path).parent.mkdir(parents=True, exist_ok=True)
        for text in (old, new):
            fetch.write(repository / path, text)
            fetch.git(repository, "add", "-A")
            fetch.git(repository, "commit", "-q", "-m", "x")
        return hunks.read_difference(fetch.git(repository, "diff", "-U0", "HEAD~", "HEAD"))


class Differences(unittest.TestCase):
    def test_all_hunks_taken_back_give_the_earlier_text(self):
        lines = [f"{number}\n" for number in range(30)]
        for old, new in (
                (OLD, NEW), (NEW, OLD), ("".join(lines), "".join(lines[3:9] + ["x\n"] + lines[9:])),
                ("".join(lines[5:]), "".join(lines)), ("a\n\x0cb\u2028c\nd\n", "a\n\x0cb\u2028c\n"),
                ("a", "a\nb")):
            found = difference(old, new)
            self.assertEqual(hunks.take_back(found, old, new), old)
            again = [hunks.read(str(hunk)) for hunk in found]
            self.assertEqual(hunks.take_back(again, old, new), old)

    def test_one_hunk_is_taken_back_alone(self):
        version, fix = difference(OLD, NEW)
        self.assertEqual(str(fix), "clamp.py -6,0 +7,2")
        self.assertEqual(hunks.take_back([fix], OLD, NEW), OLD.replace("1.0.0", "1.0.1"))
        self.assertEqual((version.size(), fix.size()), (2, 2))

    def test_what_is_no_code_is_noise(self):
        def noise(language, old, new, path="x"):
            return [hunks.is_noise(hunk, old, new, language, ("1.0.0", "1.0.1"))
                    for hunk in difference(old, new, path)]

        self.assertEqual(noise("python", OLD, NEW), [True, False])
        for language, old, new in (
                ("python", "def f():\n    return 1\n", "def f():\n    '''One.'''\n    return 1\n"),
                ("python", "f(1,\n  2)\n", "f(1, 2)  # two\n"),
                ("python", "U = 'x/1.0.0'\n", "U = 'x/1.0.1'\n"),
                ("go", "a := 1 // one\n", "/* two */ a := 1\n"),
                ("rust", "/// a\nfn f() {}\n", "/// b\nfn f() {\n}\n")):
            self.assertEqual(set(noise(language, old, new)), {True}, new)
        for language, old, new in (("python", "a = '# x'\n", "a = '# y'\n"),
                                   ("go", 's := "// x"\n', 's := "// y"\n'),
                                   ("rust", "let c = '\"'; // \"\n", "let c = '/'; // \"\n")):
            self.assertEqual(set(noise(language, old, new)), {False}, new)

    def test_groups_are_files_and_else_functions(self):
        def hunk(path, function, size):
            return hunks.Hunk(path, (1, 0), (1, size), function)

        small, large = hunk("a", "f", 4), hunk("b", "f", 11)
        first, second, third = hunk("b", "g", 3), hunk("b", "h", 3), hunk("b", "g", 3)
        self.assertEqual(hunks.groups([small, large, first, second, third]),
                         [[small], [first, third], [second]])


class Languages(unittest.TestCase):
    def test_sources_and_tests(self):
        for language, sources, tests, others in (
                ("python", ["src/a/latest.py"], ["tests/a.py", "a/test_b.py", "conftest.py"],
                 ["setup.py", "docs/a.py", "a.txt"]),
                ("go", ["a/b.go"], ["a/b_test.go", "a/testdata/x.go"], ["examples/a.go"]),
                ("rust", ["src/lib.rs", "src/attests.rs"], ["tests/a.rs"], ["build.rs"]),
                ("javascript", ["lib/a.js"], ["test/a.js", "test.js", "a.spec.js"],
                 ["dist/a.js", "a.min.js"]),
                ("java", ["src/main/java/A.java"], ["src/test/java/ATest.java"], ["pom.xml"])):
            for path in sources + tests + others:
                self.assertEqual((languages.is_source(language, path),
                                  languages.is_test(language, path)),
                                 (path in sources, path in tests), path)

    def test_tests_among_the_sources(self):
        self.assertEqual(languages.inline_tests("rust", RUST), [(5, 19)])
        moved = difference(RUST, RUST.replace("is_x", "is_y"), "x.rs")
        self.assertTrue(hunks.is_inline_test(moved[0], RUST, "rust"))


class Held(unittest.TestCase):
    def test_rust_go_and_java(self):
        go = ('package x\n\nimport (\n\t"fmt"\n\t"testing"\n\ty "a/b/v2"\n)\n\n// doc\n'
              'func TestA(t *testing.T) {\n\tfmt.Println("}")\n}\n\n'
              'func TestB(t *testing.T) {\n\ty.X()\n}\n')
        java = ('class T {\n    @Test\n    public void a() throws X {\n        x("}");\n    }\n'
                '    @Test(expected = X.class)\n    void b() { }\n}\n')
        for path, text, names in (("x_test.go", go, ["TestA", "TestB"]),
                                  ("x.rs", RUST, ["is_one", "is_x"]), ("X.java", java, ["a", "b"])):
            self.assertEqual([test.name for test in hold.tests(path, text)], names)
            self.assertEqual([test.name for test in hold.tests(
                path, hold.without(path, text, names[:1]))], names[1:])
        left = hold.without("x_test.go", go, {"TestA"})
        self.assertIn('\t_ "fmt"\n\t"testing"\n\ty "a/b/v2"\n', left)
        self.assertNotIn("doc", left)

    def test_of_those_that_fail_one_stays_and_others_go(self):
        names = [f"test_{number}" for number in range(10)]
        texts = {"test_a.py": "".join(f"def {name}():\n    pass\n" for name in names)}
        for count in range(6):
            failing = [f"test_a.py::{name}" for name in names[:count]]
            held = hold.choose(texts, "seed", failing)
            bad = sum(hold.fails(test, failing) for test in held)
            self.assertTrue(bad == 0 if count < 2 else 0 < bad < count, (count, held))
            self.assertIn(len(held), (3, 4, 5))
            self.assertEqual(held, hold.choose(texts, "seed", failing))


class Versions(unittest.TestCase):
    def test_releases_only_and_by_number(self):
        class Some(registries.Clients):
            def versions_shop(self, package):
                return ["1.10.0", "1.9.0", "2.0.0-rc1", "2.0.0a1", "v1.2", "1.9.0"]

        with tempfile.TemporaryDirectory(prefix="rondo-pairs-") as cache:
            found = Some(Path(cache)).versions("shop", "x")
        self.assertEqual(found, ["v1.2", "1.9.0", "1.10.0"])

    def test_patch_releases_come_first(self):
        versions = ["1.0", "1.0.1", "1.1.0", "1.1.1", "1.1.2", "2.0.0"]
        self.assertEqual(pair_search.neighbours(versions),
                         [("1.1.1", "1.1.2"), ("1.1.0", "1.1.1"), ("1.0", "1.0.1"),
                          ("1.1.2", "2.0.0"), ("1.0.1", "1.1.0")])

    def test_an_npm_package_says_how_it_is_tested(self):
        beside, commands = pair_npm.read(
            '{"dependencies": {"a": "^1.2.3", "b": "~0.3.1", "c": "github:x/y"},'
            ' "devDependencies": {"tape": "^5.1.0", "eslint": "^8.0.0", "d": "^0.2.9"},'
            ' "scripts": {"test": "npm run lint && nyc tape test/*.js && echo ok",'
            ' "unit": "node --test"}}')
        self.assertEqual(beside, ["a@1", "b@0.3", "d@0.2", "tape@5"])
        self.assertEqual(commands, ["node --test", "npx tape test/*.js"])


class Said(unittest.TestCase):
    def test_what_failed(self):
        for output, expected in {
                "FAILED tests/a.py::C::test_b[x - y] - Error: z\nERROR tests/c.py - x\n":
                    ["tests/a.py::C::test_b", "tests/c.py"],
                "FAIL: test_a (test_x.C.test_a)\n": ["test_x.C.test_a"],
                "--- FAIL: TestA (0.00s)\n    --- FAIL: TestA/x (0.00s)\nFAIL\tx\t1s\n": ["TestA"],
                "test a::b ... ok\ntest a::c ... FAILED\n": ["a::c"],
                "  1) adds\n\n  40 passing (78ms)\n  1 failing\n\n  1) sum\n       adds:\n":
                    ["adds"],
                "TAP version 13\n# adds\nok 1 a\nnot ok 2 b\n\n1..2\n# tests 2\n": ["adds"],
                "[ERROR] a.b.FooTest.bar -- Time elapsed: 1 s <<< FAILURE!\n": ["FooTest.bar"],
        }.items():
            self.assertEqual(said.failing(output), expected, output)

    def test_names_that_are_not_there(self):
        self.assertEqual(said.missing(
            "AttributeError: module 'x' has no attribute 'a'\nNameError: name 'b' is not defined\n"
            "TypeError: f() got an unexpected keyword argument 'c'\n"
            "ReferenceError: d is not defined\nTypeError: x.e is not a function\n"
            "AssertionError: name of x is 'y'\n"), set("abcde"))

    def test_how_many(self):
        for output, expected in {
                "--- PASS: TestA (0.0s)\n--- FAIL: TestB (0.0s)\nFAIL\tx\t0.1s\n": (1, 1),
                "test result: ok. 3 passed; 0 failed; 1 ignored\n"
                "test result: FAILED. 1 passed; 2 failed;\n": (4, 2),
                "[ERROR] Tests run: 5, Failures: 1, Errors: 1, Skipped: 0\n": (3, 2),
        }.items():
            self.assertEqual(said.counts(output), expected, output)


class WithReleases(unittest.TestCase):
    """Two releases in archives, as a registry's client would have put them into the cache."""

    def setUp(self):
        self.cache = Path(tempfile.mkdtemp(prefix="rondo-pairs-"))
        self.addCleanup(shutil.rmtree, self.cache)
        self.clients = registries.Clients(self.cache)
        self.clients.prepare_home()
        self.release("1.0.0", OLD, TESTS)
        self.release("1.0.1", NEW, TESTS + MORE)
        self.history = releases.Releases(self.clients, "pypi", "clamp")

    def release(self, version, source, tests):
        folder = self.cache / "archives" / f"pypi-clamp-{version}"
        content = self.cache / f"clamp-{version}"
        (content / "tests").mkdir(parents=True)
        folder.mkdir(parents=True)
        (content / "clamp.py").write_text(source)
        (content / "tests/__init__.py").touch()
        (content / "tests/test_clamp.py").write_text(tests.format(version=version))
        with tarfile.open(folder / f"clamp-{version}.tar.gz", "w:gz") as archive:
            archive.add(content, f"clamp-{version}")

    def pair(self, **more):
        for version in ("1.0.0", "1.0.1"):
            self.history.add(version)
        sums = " ".join(registries.sum_of(self.history.archive(version))
                        for version in ("1.0.0", "1.0.1"))
        values = {"from": "pypi clamp 1.0.0 1.0.1", "sha256": sums, "test": "python3 -m unittest",
                  "hunk": "clamp.py -6,0 +7,2", "lines": 2,
                  "failing": "tests.test_clamp.Clamp.test_high", **more}
        text = pairs.row(values.items()) + "failing: tests.test_clamp.Clamp.test_highest\n"
        return pairs.Pair("pypi-clamp-1.0.1", text)

    def test_states_of_the_files(self):
        texts = pairs.Texts(self.pair(without="test_version"), self.history)
        path, test = "clamp.py", "tests/test_clamp.py"
        self.assertEqual(texts.whole(path, True), NEW)
        self.assertEqual(texts.whole(path, False), OLD.replace("1.0.0", "1.0.1"))
        self.assertEqual(texts.earlier(path), texts.visible(path, False))
        for state in (texts.whole(test, True), texts.earlier(test)):
            self.assertNotIn("test_version", state)
        self.assertNotIn("test_high", texts.earlier(test))
        visible = [name.name for name in hold.tests(test, texts.visible(test, False))]
        self.assertEqual(sum("high" in name for name in visible), 1)
        self.assertEqual(len(visible), 3)

    def test_a_sum_is_checked(self):
        with self.assertRaisesRegex(registries.RegistryError, "has the sum"):
            self.history.add("1.0.0", "0" * 64)

    @unittest.skipUnless(shutil.which("bwrap") and os.environ.get("SANDBOX"), "no sandbox")
    def test_a_mistake_is_found_in_the_releases(self):
        entry = pair_search.Entry("pypi clamp test='python3 -m unittest'")
        entry.beside = []
        memory = Memory(self.cache / "tried")
        found = pair_search.Search(entry, self.history, memory).pair("1.0.0", "1.0.1")
        text = found["rows"]["pypi-clamp-1.0.1"]
        self.assertIn("\nhunk: clamp.py -6,0 +7,2\nlines: 2\nfailing: tests.test_clamp.Clamp."
                      "test_high\nfailing: tests.test_clamp.Clamp.test_highest\n", text)
        again = Memory(self.cache / "tried")
        self.assertEqual(again.ask("green pypi clamp 1.0.1", self.fail)["without"], [])

    @unittest.skipUnless(shutil.which("bwrap") and os.environ.get("SANDBOX"), "no sandbox")
    def test_a_case_hides_its_fix_and_knows_it(self):
        case = pair_case.PairCase(self.pair(without="test_version"), self.cache)
        case.lay_out()
        log = fetch.git(case.repository, "log", "-p", "--all")
        self.assertNotIn("value > high", log)
        self.assertIn("+    def test_high", log)
        self.assertEqual(fetch.git(case.repository, "rev-list", "--count", "HEAD"), "2\n")
        for text, right, same in ((NEW, True, True), (NEW.replace("e > h", "e  >  h"), True, True),
                                  (NEW.replace("return high", "return 10"), True, False),
                                  (NEW.replace("return high", "return 11"), False, False)):
            fetch.git(case.repository, "checkout", "-q", "-f", "-B", "fix", case.base)
            fetch.write(case.repository / "clamp.py", text)
            fetch.git(case.repository, "commit", "-q", "-a", "-m", "Fix")
            self.assertEqual((case.is_same("fix"), case.is_right("fix")), (same, right), text)

    def test_an_edit_among_tests_that_are_held_back(self):
        visible = hold.without("x.rs", RUST, {"is_one"})
        merged = pair_case.merge(RUST, visible, visible.replace("    1\n", "    2\n", 1))
        self.assertEqual(merged, RUST.replace("    1\n", "    2\n", 1))


class Rows(unittest.TestCase):
    def test_every_row_is_a_case_of_its_own(self):
        found = pair_case.read_all(Path(__file__).parent / "pairs")
        listed = {tuple(line.split()[:2]) for line in (Path(__file__).parent / "pairs/packages")
                  .read_text(encoding="utf-8").splitlines()}
        self.assertEqual(len({pair.name for pair in found}), len(found))
        for pair in found:
            self.assertIn((pair.registry, pair.package), listed)
            self.assertEqual([len(digest) for digest in pair.sums], [64, 64], pair.name)
            self.assertTrue(0 < hunks.size(pair.hunks) <= hunks.LARGEST, pair.name)
            self.assertTrue(pair.failing, pair.name)
