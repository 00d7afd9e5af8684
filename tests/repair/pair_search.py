"""Finds pairs of releases of a package that show a real mistake with its real fix."""
import re
import shlex
import shutil
import time

import fetch
import hold
import hunks
import languages
import pair as pairs
import pair_npm
import registries
import said
import suites

FETCH = {
    "go": ["go mod download"], "crates": ["cargo fetch"],
    "maven": ["mvn -q -B -Drat.skip -Dmaven.test.failure.ignore test"],
}
PYTEST = ".venv/bin/python -m pytest -q"
TESTS = {
    "pypi": [PYTEST, PYTEST + " -o addopts= -o filterwarnings=default"],
    "go": ["go test ./...", "go test -vet=off ./..."],
    "crates": ["cargo test --offline --tests"],
    "maven": ["mvn -q -B -o -Drat.skip test"],
    "debian": ["cmake -S . -B build >/dev/null && cmake --build build >/dev/null && "
               "ctest --test-dir build --output-on-failure"],
}
# Seconds for a suite, and for its first run, which may have to build all.
LONGEST = {"pypi": 30, "npm": 30, "go": 60, "crates": 90, "maven": 90, "debian": 60}
FIRST = {"pypi": 60, "npm": 60, "go": 240, "crates": 400, "maven": 300, "debian": 300}
SLOW = 25  # seconds, when the machine does other work, too
# Parts of a difference that are tried, and hunks beyond which none is. Debian leaves out releases,
# and a C program has few other sources of cases.
MOST_GROUPS = {"debian": 30}
MOST_HUNKS = {"debian": 2000}
MOST_FAILING_HERE = 8
MOST_OTHERS = 6
MOST_BROKEN = 3  # pairs of a package that cannot be run here


class No(Exception):
    """Why a pair is none."""


class Entry:
    """A package of the list, and how it is tested where that is not as usual."""

    def __init__(self, line):
        self.registry, self.package, *options = shlex.split(line)
        keys = dict(option.split("=", 1) for option in options)
        self.language = pairs.REGISTRIES[self.registry]
        self.beside = keys.get("beside", "").split()
        if self.registry == "pypi" and not any("pytest" == word.split("=")[0]
                                               for word in self.beside):
            self.beside.insert(0, "pytest==8.3.4")
        self.tests = [keys["test"]] if "test" in keys else TESTS.get(self.registry, [])
        self.by_package = self.registry == "npm" and not self.tests
        self.setup = [keys["setup"]] if "setup" in keys else FETCH.get(self.registry, [])


def neighbours(versions):
    """Neighbouring releases, patch releases first, each from the newest. Of others few are small
    enough."""
    found = list(zip(versions, versions[1:]))[::-1]
    patches = [two for two in found if is_patch(*two)]
    return patches + [two for two in found if two not in patches][:MOST_OTHERS]


def is_patch(old, new):
    before, after = registries.order(old), registries.order(new)
    return len(after) > 2 and before[:2] == after[:2]


def write(repository, texts):
    """Writes what differs: a file that is written again is built again."""
    for path, text in texts.items():
        if not (repository / path).exists() or fetch.read(repository / path) != text:
            fetch.write(repository / path, text)


class Search:
    def __init__(self, entry, releases, memory):
        self.entry, self.releases, self.memory = entry, releases, memory
        self.root, self.home = releases.repository, releases.clients.home
        self.installed = self.prepared = None

    def run(self, command, seconds):
        return suites.run(self.root, said.loud(command), seconds, self.home)

    def pair(self, old, new):
        """The rows of a pair, as {name: text}, or why there are none."""
        try:
            return {"rows": dict(self.find(old, new))}
        except No as why:
            return {"why": str(why)[:300]}
        except (registries.RegistryError, OSError) as error:
            return {"why": "error: " + str(error)[-300:]}

    def find(self, old, new):
        for version in (old, new):
            self.releases.add(version)
        difference = self.releases.difference(old, new)
        groups = self.groups(old, new, difference)
        if not groups:
            raise No("no small difference of sources")
        if not self.tests_differ(old, new, difference):
            raise No("no small difference of sources with one of tests")
        self.releases.check_out(new)
        told = self.memory.ask(f"green {self.entry.registry} {self.entry.package} {new}",
                               lambda: self.green(new))
        if "why" in told:
            raise No("not green: " + told["why"])
        self.prepare(new)
        start = time.monotonic()
        if len(groups) > 1 and not self.notices(told, old, new, sum(groups, [])):
            raise No("no test notices any")
        if time.monotonic() - start > SLOW:
            raise No("not green: slow")
        found = 0
        for group in groups:
            if leaks(group, difference, self.releases, self.entry.language, new):
                continue
            text = self.case(told, old, new, group, found)
            if text:
                found += 1
                yield text
        if not found:
            raise No("no test notices one")

    def groups(self, old, new, difference):
        """The hunks that are the whole difference, if they are few; of a patch release also those
        that belong together."""
        language = self.entry.language
        found = [hunk for hunk in difference if languages.is_source(language, hunk.path)]
        if len(found) > MOST_HUNKS.get(self.entry.registry, 80):
            return []
        texts = {path: [self.releases.text(version, path) for version in (old, new)]
                 for path in {hunk.path for hunk in found}}
        found = [hunk for hunk in found if not hunks.is_inline_test(
            hunk, texts[hunk.path][1], language) and not hunks.is_noise(
                hunk, *texts[hunk.path], language, (old.lstrip("v"), new.lstrip("v")))]
        if found and hunks.size(found) <= hunks.LARGEST:
            return [found]
        several = hunks.groups(found) if is_patch(old, new) else []
        return several[::1 + len(several) // MOST_GROUPS.get(self.entry.registry, 8)]

    def tests_differ(self, old, new, difference):
        """Whether the later release has other tests, without which no mistake is shown."""
        language = self.entry.language
        paths = self.releases.git("diff", "--name-only", "-z", old, new).split("\0")
        return any(languages.is_test(language, path) for path in paths) or any(
            hunks.is_inline_test(hunk, self.releases.text(new, hunk.path), language)
            for hunk in difference if languages.is_source(language, hunk.path))

    def read_package(self, version):
        """Lets an npm package say itself how it is tested."""
        if self.entry.by_package:
            text = self.releases.text(version, "package.json")
            self.entry.beside, self.entry.tests = pair_npm.read(text)

    def prepare(self, version):
        """What the suite needs, beside the release that is checked out."""
        if self.prepared == version:
            return
        self.prepared = version
        log, clients = self.releases.log, self.releases.clients
        self.read_package(version)
        if self.entry.beside and self.entry.beside != self.installed:
            folder = self.root / fetch.BESIDE[self.entry.language]
            shutil.rmtree(folder, ignore_errors=True)
            fetch.install(self.entry.language, self.entry.beside, clients, self.root, log)
            self.installed = self.entry.beside
        for line in self.entry.setup:
            clients.must(line, self.root, log)

    def green(self, version):
        """The command with which the release's own suite passes, and what must be left out for
        that. A case has it pass once more."""
        self.prepare(version)
        why = "no command is known"
        for command in self.entry.tests:
            if self.entry.registry == "pypi" and (self.root / "src").is_dir():
                command += " -o pythonpath=src"
            outcome, without = self.run(command, FIRST[self.entry.registry]), []
            if outcome.is_red() and len(outcome.failing()) <= MOST_FAILING_HERE:
                without = sorted({hold.function_name(name) for name in outcome.failing()})
                self.leave_out(version, without)
                outcome = self.run(command, LONGEST[self.entry.registry])
            if outcome.is_green() and outcome.passed > 4 and not outcome.failed:
                return {"test": command, "without": without}
            lines = outcome.output.strip().splitlines()
            why = "hangs" if outcome.exit_code is None else " / ".join(
                [line for line in lines if "Error" in line or "error" in line][:1] + lines[-1:])
        return {"why": why[-300:]}

    def leave_out(self, version, names):
        names = set(names)
        for path in self.releases.files(version):
            if languages.is_test(self.entry.language, path) or self.entry.language == "rust":
                if path.endswith(languages.SUFFIXES[self.entry.language]):
                    text = fetch.read(self.root / path)
                    gone = {test.name for test in hold.tests(path, text)
                            if hold.function_name(test.name) in names}
                    if gone:
                        fetch.write(self.root / path, hold.without(path, text, gone))

    def values(self, told, old, new, group, failing):
        sums = " ".join(registries.sum_of(self.releases.archive(version))
                        for version in (old, new))
        values = [("from", f"{self.entry.registry} {self.entry.package} {old} {new}"),
                  ("sha256", sums)]
        if self.entry.beside:
            values.append(("beside", " ".join(self.entry.beside)))
        values += [("setup", line) for line in self.entry.setup]
        values.append(("test", told["test"]))
        values += [("without", name) for name in told["without"]]
        values += [("hunk", str(hunk)) for hunk in group]
        values.append(("lines", hunks.size(group)))
        return values + [("failing", name) for name in failing[:pairs.MOST_NAMES]]

    def case(self, told, old, new, group, number):
        """The name and text of a row, if the tests notice that the hunks are taken back."""
        name = f"{self.entry.registry}-{self.releases.name}-{new.lstrip('v')}"
        name += f"-{number + 1}" if number else ""
        pair = pairs.Pair(name, pairs.row(self.values(told, old, new, group, [])))
        texts = pairs.Texts(pair, self.releases)
        outcome = self.judge(texts, pair.test, "whole", False)
        failing = outcome.failing()
        if not outcome.is_red() or not failing or self.lacks(group, new, outcome) or (
                self.judge(texts, pair.test, "whole", False).failing() != failing):
            return None
        text = pairs.row(self.values(told, old, new, group, failing))
        pair = pairs.Pair(name, text)
        return (name, text) if self.holds(pairs.Texts(pair, self.releases)) else None

    def lacks(self, group, new, outcome):
        """Whether a test wants a name that the hunks bring: that is a new feature, or half of a
        change, and no mistake. Compilers refuse such a program."""
        added = "".join("".join(hunk.lines(self.releases.text(new, hunk.path), "new"))
                        for hunk in group)
        return bool(said.missing(outcome.output) & set(re.findall(r"\w+", added)))

    def holds(self, texts):
        """Whether the tests that stay visible notice the mistake, and all pass with the fix, by the
        command as it is."""
        command = texts.pair.test
        if not (self.judge(texts, command, "visible", False).is_red()
                and self.judge(texts, command, "visible", True).is_green()
                and self.judge(texts, command, "whole", True).is_green()):
            return False
        return suites.run(self.root, command, LONGEST[self.entry.registry], self.home).is_green()

    def judge(self, texts, command, tests, fixed):
        write(self.root, {path: getattr(texts, tests)(path, fixed) for path in texts.changed()})
        return self.run(command, LONGEST[self.entry.registry])

    def notices(self, told, old, new, group):
        """Whether any test fails with all of the hunks taken back, or nothing can be built."""
        pair = pairs.Pair("x", pairs.row(self.values(told, old, new, group, [])))
        texts = pairs.Texts(pair, self.releases)
        return not self.judge(texts, pair.test, "whole", False).is_green()


def leaks(group, difference, releases, language, new):
    """Whether the fix also stands elsewhere, such as in what was built of the sources."""
    def added(hunk):
        lines = hunk.lines(releases.text(new, hunk.path), "new")
        return {re.sub(r"\s", "", line) for line in lines if len(line.strip()) > 12}

    mine = set().union(*map(added, group))
    paths = {hunk.path for hunk in group}
    others = [hunk for hunk in difference
              if hunk.path not in paths and not languages.is_test(language, hunk.path)]
    return any(mine & added(hunk) for hunk in others)
