"""Holds tests back: removes them from the texts of their files, so that nobody can read them.

A test is a function test* in Python, and a call of it, test or specify in JavaScript.
"""
import ast
import re
from pathlib import Path

import source_javascript
import source_python

CALLS = ("it", "test", "specify")


class Test:
    """The lines of a test, and the text that has to replace them."""

    def __init__(self, name, start, end, filler):
        self.name, self.start, self.end, self.filler = name, start, end, filler


def python_tests(text):
    source = source_python.Source(text)
    for parent in ast.walk(source.tree):
        if not isinstance(parent, (ast.Module, ast.ClassDef)):
            continue
        for node in parent.body:
            if isinstance(node, source_python.FUNCTIONS) and node.name.startswith(
                    "test") and source.lines(node):
                prefix = parent.name + "." if isinstance(parent, ast.ClassDef) else ""
                filler = " " * node.col_offset + "pass\n" if prefix else ""
                yield Test(prefix + node.name, *source.lines(node), filler)


def javascript_tests(text):
    source = source_javascript.Source(text)
    for block in [source_javascript.Block(None, source.top, None), *source.blocks]:
        for statement in block.statements:
            is_call = statement.kind in CALLS and source.word(statement.first + 1) == "("
            arguments = source.arguments(statement.first + 1) if is_call else None
            if arguments and source.lines(statement):
                yield Test(source.code(*arguments[0]).strip("'\"`"), *source.lines(statement), "")


def tests(path, text):
    """The tests of a file in order; a repeated name gets a number."""
    found, seen = [], {}
    reader = python_tests if Path(path).suffix == ".py" else javascript_tests
    for test in sorted(reader(text), key=lambda test: test.start):
        seen[test.name] = seen.get(test.name, 0) + 1
        if seen[test.name] > 1:
            test.name += f" ({seen[test.name]})"
        found.append(test)
    return found


def without(path, text, names):
    """The text without the tests of these names. A class gets a pass for them: it may have nothing
    else."""
    pieces, at = [], 0
    for test in tests(path, text):
        if test.name in names and test.start >= at:
            pieces += [text[at:test.start], test.filler]
            at = test.end
    return re.sub(r"(?m)^( +pass\n)(?:\s*\1)+", r"\1", "".join(pieces) + text[at:])
