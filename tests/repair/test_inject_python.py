"""Each kind of break of Python in a minimal text."""
import unittest

import inject
import inject_python

# Statements of a function f(a, b), before and after. Most kinds find several places; one of them
# must be this.
STATEMENTS = {
    "deleted statement": ("a = 1\nreturn a", "return a"),
    "deleted guard": ("if a:\n    return 0\nreturn b", "return b"),
    "dropped update in a loop": ("while a:\n    b()\n    a -= 1", "while a:\n    b()"),
    "forgotten condition": ("if a:\n    b()\n    b(1)\nreturn b", "b()\nb(1)\nreturn b"),
    "forgotten case": ("if a:\n    b()\nelif b:\n    a()\nelse:\n    b(1)\nreturn",
                       "if a:\n    b()\nelse:\n    b(1)\nreturn"),
    "swapped branches": ("return a if b else 0", "return 0 if b else a"),
    "statement moved into a block": ("for x in a:\n    b(x)\nb(0)",
                                     "for x in a:\n    b(x)\n    b(0)"),
    "statement moved out of a block": ("for x in a:\n    b(x)\n    b(0)",
                                       "for x in a:\n    b(x)\nb(0)"),
    "wrong order of statements": ("a = b\nb = 1", "b = 1\na = b"),
    "early return": ("for x in a:\n    b(x)\nreturn b", "for x in a:\n    b(x)\n    return b"),
    "forgotten return": ("return b(a)", "b(a)"),
    "forgotten self": ("self.size = a", "size = a"),
    "dropped part of a condition": ("return a and b", "return b"),
    "comparison at its boundary": ("return a < b", "return a <= b"),
    "comparison the wrong way round": ("return a < b", "return a > b"),
    "lost negation": ("return a not in b", "return a in b"),
    "and for or": ("return a and b", "return a or b"),
    "wrong variable": ("return a + b", "return a + a"),
    "wrong value returned": ("x = a\nreturn x", "x = a\nreturn b"),
    "wrong constant": ("return a + 2", "return a + 3"),
    "wrong arithmetic": ("return a // b", "return a / b"),
    "missing plus or minus one": ("return a - 1", "return a"),
    "wrong loop bound": ("return range(a, b)", "return range(a, b - 1)"),
    "off-by-one slice": ("return a[1:]", "return a[:]"),
    "wrong key": ("return a['x'], b['y']", "return a['y'], b['y']"),
    "forgotten member": ("return a in (1, 2, 3)", "return a in (1, 3)"),
    "wrong regular expression": ("return re.match('a+$', a)", "return re.match('a*$', a)"),
    "wrong format": ("return '%05.2f' % a", "return '%f' % a"),
    "wrong method": ("a.append(b)", "a.extend(b)"),
    "wrong order of arguments": ("return f(a, b)", "return f(b, a)"),
    "forgotten argument": ("return f(a, key=b)", "return f(a)"),
    "missing conversion": ("return int(a)", "return a"),
    "missing copy": ("return a[:]", "return a"),
    "missing call around a value": ("return sorted(a)", "return a"),
    "missing cleaning of a value": ("return a.strip()", "return a"),
    "wrong exception type": ("raise ValueError(a)", "raise TypeError(a)"),
}
# Whole texts, for breaks outside of such statements.
TEXTS = {
    "wrong default argument": ("def f(a=True):\n    return a\n", "def f(a=False):\n    return a\n"),
    "forgotten await": ("async def f(a):\n    return await a\n", "async def f(a):\n    return a\n"),
}


def function(statements):
    return "def f(a, b):\n" + "".join(f"    {line}\n" for line in statements.split("\n"))


def injected(text, kind):
    return [
        injection.apply(text) for injection in inject.find("x.py", text) if injection.kind == kind
    ]


class Kinds(unittest.TestCase):
    def test_each_kind_breaks_its_sample(self):
        for kind, (before, after) in STATEMENTS.items():
            with self.subTest(kind):
                self.assertIn(function(after), injected(function(before), kind))
        for kind, (before, after) in TEXTS.items():
            with self.subTest(kind):
                self.assertIn(after, injected(before, kind))

    def test_each_kind_has_a_sample(self):
        self.assertEqual(set(inject_python.kinds()), STATEMENTS.keys() | TEXTS.keys())

    def test_the_same_mistake_at_two_places(self):
        before, after = function("a(b - 1)\nb(b - 1)"), function("a(b)\nb(b)")
        self.assertIn(after, injected(before, inject.TWO_PLACES))


class Places(unittest.TestCase):
    def test_columns_are_characters_and_line_ends_stay(self):
        text = "def f(a):\r\n    return 'äöü', a - 1\r\n"
        self.assertEqual(injected(text, "missing plus or minus one"),
                         ["def f(a):\r\n    return 'äöü', a\r\n"])

    def test_strings_of_several_lines_are_not_indented(self):
        self.assertEqual(injected(function("if a:\n    b('''\nx''')"), "forgotten condition"), [])

    def test_a_docstring_is_no_statement(self):
        self.assertEqual(injected(function('"""What it does."""\nreturn a'), "deleted statement"),
                         [])

    def test_a_block_keeps_a_statement(self):
        self.assertIn(function("if a:\n    pass\nreturn b"),
                      injected(function("if a:\n    b()\nreturn b"), "deleted statement"))

    def test_what_does_not_compile_is_not_sound(self):
        text = function("return a")
        broken = inject.Injection("deleted statement", "x.py", [(0, 3, "")])
        self.assertFalse(inject.is_sound(broken, text))
        self.assertFalse(inject.is_sound(inject.Injection("nothing", "x.py", [(0, 3, "def")]),
                                         text))
