"""A pair of neighbouring releases of a package: a row of pairs/, and the texts that it stands for.

The later release with some hunks taken back is the program with a real mistake; the tests of the
later release show it. A row (tests/lib/rows.py) has keys, one a line, and no text of a package:

    from: REGISTRY PACKAGE EARLIER LATER
    sha256: of the two archives
    beside: what has to be installed for the suite, with versions
    setup: a line for sh, with network; any number of them
    test: the suite's command
    without: NAME of a test that does not pass here, in any release; any number of them
    hunk: PATH -A,B +C,D: a part of the fix (hunks.py); any number of them
    lines: removed and added by the fix
    failing: a test that fails without the fix, as its runner names it; some of them, if many
"""
import hashlib

import hold
import hunks
import languages

REGISTRIES = {
    "pypi": "python", "go": "go", "crates": "rust", "npm": "javascript", "maven": "java",
    "debian": "c"
}
MOST_NAMES = 20


class Pair:
    def __init__(self, name, text):
        keys = [line.split(": ", 1) for line in text.splitlines()]
        one, self.name = dict(keys), name
        self.registry, self.package, self.old, self.new = one["from"].split()
        self.language = REGISTRIES[self.registry]
        self.sums, self.test = one["sha256"].split(), one["test"]
        self.beside = one.get("beside", "").split()
        self.setup = [value for key, value in keys if key == "setup"]
        self.without = {value for key, value in keys if key == "without"}
        self.hunks = [hunks.read(value) for key, value in keys if key == "hunk"]
        self.failing = [value for key, value in keys if key == "failing"]
        self.digest = hashlib.sha256(text.encode()).hexdigest()[:12]

    def place(self):
        return f"{self.hunks[0].path}:{hunks.start(self.hunks[0].new) + 1}"

    def kind(self):
        """What the fix does to the text; nobody has read it."""
        count = sum(hunk.size() for hunk in self.hunks)
        size = "1-2" if count < 3 else "3-5" if count < 6 else "6-10"
        added = all(hunk.old[1] == 0 for hunk in self.hunks)
        removed = all(hunk.new[1] == 0 for hunk in self.hunks)
        what = "only adds" if added else "only removes" if removed else "changes"
        return f"{what} {size} lines"


def row(values):
    """The text of a row from its keys and values."""
    return "".join(f"{key}: {value}\n" for key, value in values)


class Texts:
    """The files of a pair in all states: with the fix or without, with all tests or some."""

    def __init__(self, pair, releases):
        self.pair, self.releases = pair, releases
        self.files = releases.files(pair.new)
        self.cache = {}
        self.tests = [path for path in self.files if languages.is_test(pair.language, path)]
        self.mixed = [
            path for path in self.files if languages.is_source(pair.language, path)
            and languages.inline_tests(pair.language, self.release(pair.new, path))
        ]
        self.held = hold.choose({path: self.whole(path, fixed=True) for path in self.with_tests()},
                                pair.name, pair.failing)

    def release(self, version, path):
        if (version, path) not in self.cache:
            self.cache[version, path] = self.releases.text(version, path)
        return self.cache[version, path]

    def with_tests(self):
        return [path for path in self.tests + self.mixed
                if path.endswith(languages.SUFFIXES[self.pair.language])]

    def changed(self):
        """All files that some state has otherwise than the later release."""
        return sorted({*(hunk.path for hunk in self.pair.hunks), *self.with_tests()})

    def leave_out(self, path, text, names):
        return hold.without(path, text, names) if names else text

    def whole(self, path, fixed):
        """With all tests that pass here."""
        text = self.release(self.pair.new, path)
        back = [] if fixed else [hunk for hunk in self.pair.hunks if hunk.path == path]
        if back:
            text = hunks.take_back(back, self.release(self.pair.old, path), text)
        return self.without_failing(path, text)

    def without_failing(self, path, text):
        if not self.pair.without or path not in self.with_tests():
            return text
        return self.leave_out(path, text, {
            test.name for test in hold.tests(path, text)
            if hold.function_name(test.name) in self.pair.without
        })

    def visible(self, path, fixed):
        """Without the tests that are held back."""
        return self.leave_out(path, self.whole(path, fixed),
                              {name for file, name in self.held if file == path})

    def earlier(self, path):
        """Before the later release's tests came: the mistake, and the tests of the earlier release;
        None where that has no such file."""
        if path not in self.releases.files(self.pair.old):
            return None
        old, new = (self.release(version, path) for version in (self.pair.old, self.pair.new))
        if path in self.tests:
            text = old
        else:
            tests = [hunk for hunk in self.releases.difference(self.pair.old, self.pair.new)
                     if hunk.path == path and hunks.is_inline_test(hunk, new, self.pair.language)]
            mine = [hunk for hunk in self.pair.hunks if hunk.path == path]
            text = hunks.take_back(mine + tests, old, new)
        text = self.without_failing(path, text)
        return self.leave_out(path, text, {name for file, name in self.held if file == path})
