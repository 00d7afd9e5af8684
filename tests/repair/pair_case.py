"""A case of pairs/ for bench/repair: rondo sees the tests that stay, all tests judge the fix."""
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

import fetch
import halves
import pair as pairs
import registries
import releases
import rows
import suites

LONGEST_SUITE = 240
PRODUCTS = {"rust": "target/\n", "java": "target/\n", "c": "/build/\n"}


def read_all(folder):
    return [pairs.Pair(name, text) for _, name, text in rows.read_all(folder)]


class PairCase:
    """The repository has the program with its mistake from the first commit on. If they pass, the
    first has the tests of the earlier release; the last has those of the later one."""

    def __init__(self, pair, cache):
        self.pair, self.clients = pair, registries.Clients(cache)
        self.name, self.group, self.language = pair.name, pair.package, pair.language
        self.half, self.kind, self.place = halves.half(pair.package), pair.kind(), pair.place()
        self.command, self.protect = pair.test, []
        self.repository = cache / "pairs" / pair.name
        self.texts = self.base = None

    def lay_out(self):
        self.clean()
        history = releases.Releases(self.clients, self.pair.registry, self.pair.package)
        for version, digest in zip((self.pair.old, self.pair.new), self.pair.sums):
            history.add(version, digest)
        self.texts = pairs.Texts(self.pair, history)
        history.export(self.pair.new, self.repository)
        self.prepare(history.log)
        if self.old_tests_pass():
            self.write_earlier()
            self.commit(f"{self.group} {self.pair.old}")
        self.write(self.texts.visible)
        self.commit(f"{self.group}: tests")
        self.base = fetch.git(self.repository, "rev-parse", "HEAD").strip()

    def prepare(self, log):
        if self.pair.beside:
            fetch.install(self.language, self.pair.beside, self.clients, self.repository, log)
        for line in self.pair.setup:
            self.clients.must(line, self.repository, log)
        with open(self.repository / ".gitignore", "a", encoding="utf-8") as file:
            file.write(fetch.IGNORED + PRODUCTS.get(self.language, ""))
        fetch.git(self.repository, "init", "-q")
        fetch.git(self.repository, "add", "-f", ".gitignore")

    def old_tests_pass(self):
        """Whether there is an earlier state; found out once."""
        kept = self.clients.cache / "pairs" / f"{self.name}.{self.pair.digest}"
        if not kept.exists():
            self.write_earlier()
            outcome = suites.run(self.repository, self.command, LONGEST_SUITE, self.clients.home)
            kept.write_text("two" if outcome.is_green() else "one")
        return kept.read_text() == "two"

    def write_earlier(self):
        self.write(lambda path, fixed: self.texts.earlier(path))

    def write(self, state):
        for path in self.texts.changed():
            text = state(path, False)
            if text is None:
                (self.repository / path).unlink(missing_ok=True)
            else:
                (self.repository / path).parent.mkdir(parents=True, exist_ok=True)
                fetch.write(self.repository / path, text)

    def commit(self, subject):
        fetch.git(self.repository, "add", "-A")
        fetch.git(self.repository, "commit", "-q", "--allow-empty", "-m", subject)

    def edited(self, branch):
        """The texts of the files that a branch has otherwise than the base; None: it has none."""
        names = fetch.git(self.repository, "diff", "--name-only", "-z", self.base, branch)
        fetch.git(self.repository, "checkout", "-q", "-f", branch)
        return {path: fetch.read(self.repository / path)
                if (self.repository / path).is_file() else None
                for path in names.strip("\0").split("\0") if path}

    def is_right(self, branch):
        """Whether all tests pass on a branch, also those that were held back."""
        edited = self.edited(branch)
        for path in self.texts.changed():
            text = self.texts.whole(path, False)
            if path in edited and path not in self.texts.tests:
                text = merge(text, self.texts.visible(path, False), edited[path])
            if text is not None:
                fetch.write(self.repository / path, text)
        return suites.run(self.repository, self.command, LONGEST_SUITE,
                          self.clients.home).is_green()

    def is_same(self, branch):
        """Whether a branch has the text of the real fix, white space apart."""
        def plain(text):
            return re.sub(r"\s", "", text or "")

        edited = self.edited(branch)
        paths = {hunk.path for hunk in self.pair.hunks}
        return set(edited) == paths and all(
            plain(edited[path]) == plain(self.texts.visible(path, True)) for path in paths)

    def clean(self):
        shutil.rmtree(self.repository, ignore_errors=True)


def merge(whole, visible, edited):
    """The edit of the visible text, made in the whole one; the edited text where they conflict."""
    if edited is None or whole == visible:
        return edited
    with tempfile.TemporaryDirectory(prefix="rondo-merge-") as folder:
        for name, text in (("whole", whole), ("visible", visible), ("edited", edited)):
            fetch.write(Path(folder) / name, text)
        done = subprocess.run(["git", "merge-file", "-p", "whole", "visible", "edited"],
                              cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        return done.stdout.decode("utf-8", "surrogateescape") if done.returncode == 0 else edited
