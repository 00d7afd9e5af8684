"""Each kind of break of JavaScript in a minimal text, and the reader of JavaScript."""
import shutil
import unittest

import inject
import inject_javascript
from source_javascript import Source, tokens

STATEMENTS = {
    "deleted statement": ("a();\nreturn a;", "return a;"),
    "deleted guard": ("if (a) {\n  return 0;\n}\nreturn b;", "return b;"),
    "dropped update in a loop": ("while (a) {\n  b();\n  a -= 1;\n}", "while (a) {\n  b();\n}"),
    "forgotten break": ("switch (a) {\n  case 1:\n    b();\n    break;\n}",
                        "switch (a) {\n  case 1:\n    b();\n}"),
    "forgotten condition": ("if (a) b();", " b();"),
    "forgotten case": ("if (a) {\n  b();\n} else {\n  b(1);\n}", "if (a) {\n  b();\n}"),
    "swapped branches": ("return a ? b : 0;", "return a ? 0 : b;"),
    "statement moved into a block": ("for (;;) {\n  b();\n}\na();", "for (;;) {\n  b();\na(); }"),
    "statement moved out of a block": ("for (;;) {\n  b();\n  a();\n}",
                                       "for (;;) {\n  b();\n} a();"),
    "wrong order of statements": ("a = b;\nb = 1;", "b = 1;\na = b;"),
    "early return": ("for (;;) {\n  b();\n}\nreturn a;", "for (;;) {\n  b();\nreturn a; }"),
    "forgotten return": ("return b(a);", "b(a);"),
    "forgotten this": ("this.size = a;", "var size = a;"),
    "dropped part of a condition": ("return a && b;", "return b;"),
    "comparison at its boundary": ("return a < b;", "return a <= b;"),
    "comparison the wrong way round": ("return a < b;", "return a > b;"),
    "lost negation": ("return a !== b;", "return a === b;"),
    "and for or": ("return a && b;", "return a || b;"),
    "wrong variable": ("return a + b;", "return a + a;"),
    "wrong value returned": ("return a.x;", "return b;"),
    "wrong constant": ("return a + 2;", "return a + 3;"),
    "wrong default": ("return a || 'x';", "return a || 'xx';"),
    "wrong arithmetic": ("return a * b;", "return a / b;"),
    "missing plus or minus one": ("return a - 1;", "return a;"),
    "wrong loop bound": ("for (i = 0; i < a.length; i++) b();",
                         "for (i = 0; i < a.length - 1; i++) b();"),
    "off-by-one slice": ("return a.slice(b);", "return a.slice(b + 1);"),
    "wrong key": ("return a.x + a.y;", "return a.y + a.y;"),
    "forgotten member": ("return [1, 2, 3];", "return [1, 3];"),
    "wrong regular expression": ("return /a+/g.test(a);", "return /a+/.test(a);"),
    "wrong method": ("a.push(b);", "a.unshift(b);"),
    "wrong order of arguments": ("return f(a, b);", "return f(b, a);"),
    "forgotten argument": ("return f(a, b);", "return f(a);"),
    "missing conversion": ("return Number(a);", "return a;"),
    "missing copy": ("return a.slice();", "return a;"),
    "missing call around a value": ("return Math.abs(a);", "return a;"),
    "missing cleaning of a value": ("return a.trim();", "return a;"),
    "forgotten await": ("return await a;", "return a;"),
    "wrong exception type": ("throw new TypeError(a);", "throw new Error(a);"),
}


def function(statements):
    return "async function f(a, b) {\n" + "".join(f"  {line}\n"
                                                  for line in statements.split("\n")) + "}\n"


def injected(text, kind):
    return [
        injection.apply(text) for injection in inject.find("x.js", text) if injection.kind == kind
    ]


def lean(text):
    """The text without indentation, which finders that move statements do not adjust."""
    return [line.strip() for line in text.splitlines()]


class Kinds(unittest.TestCase):
    def test_each_kind_breaks_its_sample(self):
        for kind, (before, after) in STATEMENTS.items():
            with self.subTest(kind):
                self.assertIn(lean(function(after)),
                              [lean(text) for text in injected(function(before), kind)])

    def test_each_kind_has_a_sample(self):
        self.assertEqual(set(inject_javascript.kinds()), STATEMENTS.keys())

    def test_the_same_mistake_at_two_places(self):
        before, after = function("a(b - 1);\nb(b - 1);"), function("a(b);\nb(b);")
        self.assertIn(after, injected(before, inject.TWO_PLACES))

    @unittest.skipUnless(shutil.which("node"), "no node")
    def test_what_does_not_compile_is_not_sound(self):
        text = function("return a;")
        self.assertTrue(inject.is_sound(inject.Injection("other", "x.js", [(0, 6, "")]), text))
        self.assertFalse(inject.is_sound(inject.Injection("broken", "x.js", [(0, 14, "")]), text))


class Reading(unittest.TestCase):
    def words(self, text):
        return [token.text for token in tokens(text)]

    def first_words(self, text):
        return [statement.kind for statement in Source(text).top]

    def test_a_slash_divides_or_begins_an_expression(self):
        self.assertEqual(self.words("a / b / c"), ["a", "/", "b", "/", "c"])
        self.assertEqual(self.words("x = /[/]\\//g"), ["x", "=", "/[/]\\//g"])
        self.assertEqual(self.words("return /a/"), ["return", "/a/"])

    def test_templates_nest(self):
        self.assertEqual(self.words("a(`x${b ? `}` : '`'}`)"),
                         ["a", "(", "`x${b ? `}` : '`'}`", ")"])

    def test_comments_are_no_tokens(self):
        self.assertEqual(self.words("a /* ( */ // )\nb"), ["a", "b"])

    def test_semicolons_may_be_left_out(self):
        self.assertEqual(self.first_words("const a = b\n  .c()\nlet d\nif (a) e()\nelse f()\ng()"),
                         ["const", "let", "if", "g"])

    def test_labels_of_a_switch(self):
        source = Source("switch (a) {\n  case 'x': b();\n  default: c();\n}")
        self.assertEqual([statement.kind for statement in source.top[0].bodies[0].statements],
                         ["b", "c"])

    def test_what_is_not_closed_is_refused(self):
        for text in ("f(", "f)", "'x"):
            with self.assertRaises(SyntaxError):
                Source(text)
