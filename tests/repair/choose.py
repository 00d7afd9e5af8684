"""Chooses injections that a visible test detects, of many kinds. The same seed gives the same."""
import hashlib
import random

import fetch
import inject
import suites
from memory import Memory

HANGS = 20
MOST_TRIES = 12
ROUNDS = 4
# Each package begins with another kind: all kinds occur although a package has room for a few.
STEP = 7


class Chosen:
    """Injection `number` of a package, and the tests that fail with it."""

    def __init__(self, package, number, injection, line, failing):
        self.package, self.number, self.injection = package, number, injection
        self.line, self.failing = line, failing
        self.name = f"{package.name}-{number:02}"


def key_of(injection, text):
    """What a tried injection is known by."""
    made = repr([injection.path, injection.apply(text)])
    return hashlib.sha256(made.encode()).hexdigest()[:16]


def candidates(package, repository, seed):
    """Injections with their texts by kind; the seed gives the order within a kind."""
    by_kind = {}
    for path in fetch.source_files(package, repository):
        text = fetch.read(repository / path)
        for injection in inject.find(path, text):
            by_kind.setdefault(injection.kind, []).append((injection, text))
    for kind, found in by_kind.items():
        random.Random(f"{seed} {package.name} {kind}").shuffle(found)
    return by_kind


def failing_tests(package, repository, injection, text):
    """How many visible tests fail with it; 0 if none or all fail, or the suite hangs."""
    if not inject.is_sound(injection, text):
        return 0
    fetch.write(repository / injection.path, injection.apply(text))
    try:
        outcome = suites.run(repository, package.test, HANGS)
        return outcome.failed if outcome.is_red() else 0
    finally:
        fetch.write(repository / injection.path, text)


def choose(package, index, repository, seed):
    """Yields the injections of a package: of each kind in turn the first that a visible test
    detects."""
    fetch.git(repository, "checkout", "-q", "-f", "visible")
    memory = Memory(repository.parent / f"{repository.name}.tried")
    left, number = candidates(package, repository, seed), 0
    kinds = inject.kinds(fetch.source_files(package, repository)[0])
    start = index * STEP % len(kinds)
    for kind in (kinds[start:] + kinds[:start]) * ROUNDS:
        for _ in range(MOST_TRIES):
            if not left.get(kind):
                break
            injection, text = left[kind].pop()
            failing = memory.ask(
                key_of(injection, text),
                lambda i=injection, t=text: failing_tests(package, repository, i, t))
            if failing:
                number += 1
                yield Chosen(package, number, injection, injection.line(text), failing)
                break
