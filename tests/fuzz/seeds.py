"""First inputs of the fuzzers: what lies in tests/fuzz/NAME/, and more of the tests' data."""
import hashlib
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
TESTS = HERE.parent
sys.path.insert(0, str(TESTS / "lib"))

import rows  # noqa: E402

DATA = TESTS / "unit" / "data"
GEMINI = (b'{"candidates":[{"content":{"parts":[{"text":"x"}]},"finishReason":"STOP"}],'
          b'"usageMetadata":{"promptTokenCount":9,"candidatesTokenCount":2}}')

# The first letter of each says what kind it is, as the fuzzer's comment has it.
WRITTEN = {
    "build_file": [
        b"@add_executable(t t.c)\nadd_test(NAME t COMMAND t)\n",
        b"At = executable('t', 't.c')\ntest('t', t)\n",
        b"Bcheck_PROGRAMS = t\nt_SOURCES = t.c \\\n u.c\n",
    ],
    "counter": [
        b"\0\006test_adef test_a():\n    assert f(3, 5) == 15\n",
        b'\2\2abtest("ab", () => { assert.equal(f(3), 15); });',
        b"\5\5TestAfunc TestA(t *testing.T) {\n\tif f(3) != 15 {\n\t\tt.Error()\n\t}\n}\n",
        b"\6\2aa#[test]\nfn aa() {\n    assert_eq!(f(3), 15);\n}\n",
    ],
    "answer": [
        b"r 0 0 16 0 \0\1\0\0\0\0\0\0\0\0\1\0\0\0\0\0\0o 0 0 4 0 \0out\n. 0 0 0 0 \0",
        b"g 0 0 0 0 a\0f 0 1 2 1700000000000000000 b\0x\nd 1 0 0 0 d\0"
        b"l 0 0 5 0 d/l\0../b\0x 0 0 3 0 e\0why. 0 0 0 0 \0",
    ],
    "docker_stream": [b"x\1\0\0\0\0\0\0\3one\2\0\0\0\0\0\0\2er"],
    "raw": [
        b"7 (a) 9 R (x) S 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 21 0 5 4096 77 0\n",
        b"Rss:\t 10 kB\nPss:\t 4 kB\n",
    ],
    "relay_count": [
        b"3a[" + GEMINI + b"," + GEMINI + b"]\n",
        b"7adata: " + GEMINI + b"\n\n",
    ],
}


def files(pattern, top=TESTS):
    """The bytes of the files that a pattern names."""
    return [path.read_bytes() for path in sorted(top.glob(pattern)) if path.is_file()]


def row_texts(pattern):
    """The texts of all rows in the files that a pattern names, with their names."""
    return [(name, text.encode()) for path in sorted(TESTS.glob(pattern))
            for name, text in rows.read(path).items()]


def letters(last):
    """The letters up to one, as bytes."""
    return [bytes([code]) for code in range(ord("a"), ord(last) + 1)]


def some(last, i, n=2):
    """Of the letters up to one, n that differ from input to input: all together would take long."""
    every = letters(last)
    return [every[(i * n + k) % len(every)] for k in range(n)]


def of_suites():
    """What runners print and write, in whatever format (NUL), and in some."""
    printed = files("unit/data/suite/*.txt")
    printed += [text for _, text in row_texts("unit/data/suite/*.rows")]
    written = files("unit/data/suite/*.xml") + files("unit/data/suite/*.json")
    yield from (("utf8", text) for text in printed)
    for kind, patterns in (("tap", ("*tap*.txt", "bats*.txt", "node*.txt", "prove*.txt")),
                           ("junit", ("*.xml",)), ("pytest", ("pytest*.txt",))):
        for pattern in patterns:
            yield from ((kind, b"\1" + text) for text in files(f"unit/data/suite/{pattern}"))
    yield from (("pytest", b"\1" + text) for _, text in row_texts("unit/data/suite/pytest*.rows"))
    for where, texts in ((b"k10", printed), (b"k11", written)):
        for i, text in enumerate(texts):
            yield from (("suite", kind + where + text) for kind in [b"\0", *some("z", i, 8)])


def of_programs():
    """Program text, for all that reads it."""
    programs = [(path.name, path.read_bytes()) for path in
                sorted((TESTS / "data" / "bugfixers").iterdir())]
    for i, (name, text) in enumerate(programs + row_texts("unit/data/repair/*.rows")):
        yield from (("repair", letter + text) for letter in some("m", i))
        yield from (("guard", letter + text) for letter in some("o", i))
        yield from (("reverts", letter + b"x" + text) for letter in some("g", i))
        yield from (("program", letter + text) for letter in some("d", i))
        kind = name.rpartition(".")[2]
        yield "code_block", f"So:\n```{kind}\n# filename: {name}\n".encode() + text + b"```\n"
        yield "glob", f"tests/**/[a-z]*.??\ntests/data/{name}".encode()


def of_scenarios():
    """Scenario files, right and wrong."""
    for pattern in ("fuzz/yaml/*", "scenarios/*/*.yaml", "scenarios/bad/other/*.yaml",
                    "unit/data/autogen/*.json"):
        yield from (("scenario", text) for text in files(pattern))
    yield from (("scenario", text) for text in files("scenarios/*.yaml", TESTS.parent))
    yield from (("scenario", text) for _, text in row_texts("scenarios/bad/*.rows"))
    yield from (("autogen", text) for text in files("unit/data/autogen/*.json"))
    yield from (("yaml", text) for text in files("fuzz/json/*"))


def others():
    """What one line makes."""
    values = "true 90 90s 250ms 5m 512K 1G 0.50 0.00001 -1 head".split() + ["a text"]
    for letter in letters("i"):
        yield from (("option", letter + value.encode()) for value in values)
    for letter in b"4567":
        yield from (("relay_count", bytes([letter]) + b"a" + text) for text in files("fuzz/sse/*"))
    makefile = (TESTS / "Makefile").read_bytes()
    yield "build_file", b"C" + makefile
    yield "build_file", WRITTEN["build_file"][0] + makefile


def everything():
    """Yields the name of a fuzzer and an input."""
    for directory in sorted(path for path in HERE.iterdir() if path.is_dir()):
        yield from ((directory.name, path.read_bytes()) for path in sorted(directory.iterdir())
                    if path.is_file())
    for name, texts in WRITTEN.items():
        yield from ((name, text) for text in texts)
    for source in (of_suites, of_programs, of_scenarios, others):
        yield from source()


def make(target):
    """Writes them all into target/NAME/."""
    for name, text in everything():
        directory = target / name
        directory.mkdir(parents=True, exist_ok=True)
        (directory / hashlib.sha1(text).hexdigest()).write_bytes(text)
