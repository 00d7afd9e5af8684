"""Holds tests back: removes them from the texts of their files, so that nobody can read them.

A test is a function test* in Python, a call of it, test or specify in JavaScript, a function Test*
in Go, and in Rust and Java what is marked as one.
"""
import ast
import random
import re
from collections import Counter
from pathlib import Path

import tokens
import source_javascript
import source_python

SHARE = 0.4
CALLS = ("it", "test", "specify")
# Marks and head of a test, up to the brace of its body; the name is the last group.
HEADS = {
    "go": r"^(?://[^\n]*\n)*func (Test\w*)\(\w+ \*testing\.T\) *(?=\{)",
    "rust": r"^[ \t]*#\[test\]\s*(?:#\[[^\n]*\]\s*|//[^\n]*\n\s*)*"
            r"(?:pub )?fn (\w+)\(\)[^{;]*(?=\{)",
    "java": r"^[ \t]*@Test\b(?:\([^)]*\))?\s*(?:@\w+(?:\([^)]*\))?\s*)*"
            r"(?:public |protected |private )?(?:static )?void (\w+)\(\)[^{;]*(?=\{)",
}
READERS = {".py": "python", ".go": "go", ".rs": "rust", ".java": "java", ".js": "javascript",
           ".cjs": "javascript", ".mjs": "javascript"}


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


def brace_tests(language, text):
    for head in re.finditer(HEADS[language], text, flags=re.M):
        end = tokens.closing(text, head.end(), language)
        if end:
            end = text.find("\n", end) + 1 or len(text)
            yield Test(head[1], head.start(), end, "")


def read(path, text):
    language = READERS.get(Path(path).suffix)
    try:
        if language == "python":
            return list(python_tests(text))
        if language == "javascript":
            return list(javascript_tests(text))
        return list(brace_tests(language, text)) if language else []
    except (SyntaxError, ValueError):
        return []


def tests(path, text):
    """The tests of a file in order; a repeated name gets a number."""
    found, seen = [], {}
    for test in sorted(read(path, text), key=lambda test: test.start):
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
    rest = "".join(pieces) + text[at:]
    if path.endswith(".go"):
        return without_imports(text, rest)
    return re.sub(r"(?m)^( +pass\n)(?:\s*\1)+", r"\1", rest)


def without_imports(before, text):
    """A Go text, whose compiler refuses imports that only the removed tests used."""
    def mark(found):
        name = found[2] or re.sub(r"/v\d+$", "", found[3]).rpartition("/")[2]
        used = [re.search(rf"\b{re.escape(name)}\.", part) for part in (before, text)]
        return found[0] if used[1] or not used[0] else f"{found[1]}_ \"{found[3]}\""

    end = re.search(r"(?m)^(func|type|var|const)\b", text)
    head = text[:end.start()] if end else text
    return re.sub(r"(?m)^(\s+|import )(?:(\w+) )?\"([^\"\n]+)\"", mark,
                  head) + text[len(head):]


def function_name(name):
    """The name of a test without its class or module, and without the number of a repeated name."""
    return re.split(r"[.:]", re.sub(r" \(\d+\)$", "", name))[-1]


def fails(test, failing):
    """Whether a runner has named this test, (path, name), as one that fails."""
    return function_name(test[1]) in {function_name(name) for name in failing}


def free(texts):
    """All tests of the texts as (path, name), and those that no other test calls."""
    names = [(path, test.name) for path, text in texts.items() for test in tests(path, text)]
    words = Counter(re.findall(r"\w+", "\n".join(texts.values())))
    defined = Counter(function_name(name) for _, name in names)
    return names, [(path, name) for path, name in names if not path.endswith((".py", ".go"))
                   or words[function_name(name)] <= defined[function_name(name)]]


def choose(texts, seed, failing=()):
    """40 % of the tests, chosen by the seed. Of those that fail, one stays and others go."""
    names, alone = free(texts)
    bad = [test for test in alone if fails(test, failing)]
    all_bad = sum(fails(test, failing) for test in names)
    rest = [test for test in alone if test not in bad]
    chance, held = random.Random(seed), set()
    if all_bad > 1:
        count = min(max(1, round(all_bad * SHARE)), all_bad - 1, len(bad))
        held |= set(chance.sample(bad, count))
    count = min(round((len(names) - all_bad) * SHARE), len(rest))
    return held | set(chance.sample(rest, count))
