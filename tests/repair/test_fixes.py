"""The kinds of change that small fixes make, and the histories that they are counted in."""
import tempfile
import unittest
from pathlib import Path

import fetch
import fixes


class Kinds(unittest.TestCase):
    def test_one_line_for_another(self):
        for language, old, new, expected in (
                ("python", "a = 1\n", "a = 2\n", "constant changed"),
                ("python", "a = 'x'\n", "a = 'y'\n", "text changed"),
                ("c", "if (a < b)\n", "if (a <= b)\n", "comparison changed"),
                ("go", "if a && b {\n", "if a || b {\n", "and for or"),
                ("go", "a = b + c\n", "a = b - c\n", "arithmetic operator changed"),
                ("rust", "a += 1;\n", "a -= 1;\n", "assignment operator changed"),
                ("python", "f(a)\n", "f(b)\n", "name replaced"),
                ("python", "f(a)\n", "g(a)\n", "function replaced"),
                ("javascript", "if (a) {\n", "if (a && b) {\n", "condition extended"),
                ("python", "if a and b:\n", "if a:\n", "condition shortened"),
                ("python", "if a:\n", "if not a:\n", "negation added"),
                ("python", "return a\n", "return str(a)\n", "call put around a value"),
                ("java", "f(g(a));\n", "f(a);\n", "call taken away from a value"),
                ("python", "f(a)\n", "f(a, b)\n", "argument or element added"),
                ("c", "f(a, b);\n", "f(a);\n", "argument or element removed"),
                ("javascript", "a = b\n", "a = b.trim()\n", "member or call at the end added"),
                ("go", "a := b\n", "a := b + 1\n", "term added"),
                ("javascript", "return f()\n", "return await f()\n", "await added"),
                ("python", "a = b\n", "a = b if b else c\n", "choice between values added"),
                ("python", "f()\n", "if a:\n    f()\n", "condition put around"),
                ("c", "f();\n", "if (a) {\n\tf();\n}\n", "condition put around"),
                ("python", "f(a, b)\n", "f(b, a)\n", "order changed"),
                ("c", "if (a == f(b))\n", "if (!g(c) || d)\n", "condition rewritten"),
                ("python", "return a + b\n", "return c(d, e)\n", "returned value rewritten"),
                ("python", "a = b.c + d\n", "a = f(b)(d, e)\n", "assigned value rewritten")):
            self.assertEqual(fixes.kind(old, new, language), expected, (old, new))

    def test_lines_that_come_in_or_go(self):
        for language, text, expected in (
                ("python", "if a:\n    return b\n", "guard"),
                ("go", "if a {\n\treturn\n}\n", "guard"),
                ("c", "if (a)\n\tb = c;\n", "conditional statement"),
                ("c", "case 3:\n\tf();\n\tbreak;\n", "case"), ("python", "a = b\n", "assignment"),
                ("java", "f(a);\n", "call"), ("python", "import a\n", "import"),
                ("python", "return a\n", "return or raise"), ("c", "f();\ng();\n", "statements"),
                ("javascript", "a,\n", "declaration or element"),
                ("python", "for a in b:\n    f(a)\n", "loop")):
            self.assertEqual(fixes.kind("", text, language), expected + " inserted", text)
            self.assertEqual(fixes.kind(text, "", language), expected + " removed", text)

    def test_what_is_no_code_is_not_counted(self):
        for language, old, new in (
                ("python", "f(a)  # one\n", "f( a )\n"), ("c", "/* a */\n", "/* b */\n"),
                ("java", " * Says what it does.\n", " * Tells what it does.\n"),
                ("python", "    Gives the number of all lines.\n",
                 "    Returns the number of all lines.\n")):
            self.assertIsNone(fixes.kind(old, new, language), old)


class Histories(unittest.TestCase):
    def test_small_fixes_of_sources_are_counted(self):
        large = "".join(f"x{number} = {number}\n" for number in range(9))
        other = large.replace("x", "y")
        with tempfile.TemporaryDirectory(prefix="rondo-fixes-") as directory:
            repository = Path(directory)
            fetch.git(repository, "init", "-q")
            for subject, a, b, c in (("Begin", "f(1)\n", large, "f(1)\n"),
                                     ("Fix a", "f(2)\n", large, "f(2)\n"),
                                     ("Prefix b", "f(3)\n", large, "f(2)\n"),
                                     ("Fix all", "f(3)\n", other, "f(2)\n"),
                                     ("A bug in two", "f(4)\n", other + "\nf()\n", "f(2)\n"),
                                     ("Fix the tests", "f(4)\n", other + "\nf()\n", "f(5)\n")):
                for name, text in (("a.py", a), ("b.py", b), ("test_c.py", c)):
                    fetch.write(repository / name, text)
                fetch.git(repository, "add", "-A")
                fetch.git(repository, "commit", "-q", "-m", subject)
            counts = fixes.Counts()
            for fix in fixes.fixes_of(repository):
                counts.add(fix)
        table = {line[:34].strip(): line[34:].split() for line in counts.lines()}
        self.assertEqual(table["kind"], ["python", "all"])
        self.assertEqual(table["fixes"], ["2", "2"])
        self.assertEqual(table["fixes, places: 2"], ["1", "1"])
        self.assertEqual(table["constant changed"], ["2", "2"])
        self.assertEqual(table["call inserted"], ["1", "1"])
