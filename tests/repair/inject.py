#!/usr/bin/env python3
"""inject.py [--seed N] [--kind KIND] [--list] FILE: breaks a correct program in one place.

The program is in Python or JavaScript; the mistake is one that people make.
Prints the difference, or with --list the number of places of each kind. The same file and seed give
the same.
"""
import argparse
import difflib
import random
import sys
from pathlib import Path

import inject_javascript
import inject_python

LANGUAGES = {
    ".py": inject_python, ".js": inject_javascript, ".cjs": inject_javascript,
    ".mjs": inject_javascript
}
TWO_PLACES = "the same mistake at two places"
NEAR = 4000


class Injection:
    """One way to break one text: its kind and its place."""

    def __init__(self, kind, path, splices):
        self.kind, self.path, self.splices = kind, path, sorted(splices)

    def apply(self, text):
        for start, end, replacement in reversed(self.splices):
            text = text[:start] + replacement + text[end:]
        return text

    def line(self, text):
        return text.count("\n", 0, self.splices[0][0]) + 1


def language(path):
    return LANGUAGES[Path(path).suffix]


def kinds(path):
    return [*language(path).kinds(), TWO_PLACES]


def pairs(places, text):
    """The same change of the same text at two places that are near each other."""
    last = {}
    for kind, splices in places:
        if len(splices) > 1:
            continue
        start, end, replacement = splices[0]
        change = (kind, text[start:end], replacement)
        before = last.setdefault(change, splices)
        if end > start and before[0][1] < start < before[0][0] + NEAR:
            yield TWO_PLACES, before + splices


def find(path, text):
    """Every injection into a text, in a fixed order."""
    places = list(language(path).find(text))
    for kind, splices in places + list(pairs(places, text)):
        yield Injection(kind, path, splices)


def is_sound(injection, text):
    """Whether it changes the text and leaves it a program. This is slow: call it only before a
    trial."""
    ordered = all(first[1] <= second[0]
                  for first, second in zip(injection.splices, injection.splices[1:]))
    return ordered and injection.apply(text) != text and language(injection.path).compiles(
        injection.apply(text))


def main():
    parser = argparse.ArgumentParser(usage="inject.py [--seed N] [--kind KIND] [--list] FILE")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kind")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("file")
    args = parser.parse_args()
    with open(args.file, encoding="utf-8", newline="") as file:
        text = file.read()
    found = [
        injection for injection in find(args.file, text) if args.kind in (None, injection.kind)
    ]
    if args.list:
        for kind in kinds(args.file):
            print(f"{sum(injection.kind == kind for injection in found):6} {kind}")
        return 0
    random.Random(args.seed).shuffle(found)
    for injection in found:
        if is_sound(injection, text):
            lines = [part.splitlines(keepends=True) for part in (text, injection.apply(text))]
            print(f"{args.file}:{injection.line(text)}: {injection.kind}")
            sys.stdout.writelines(difflib.unified_diff(*lines, args.file, args.file))
            return 0
    print(f"inject.py: {args.file} has no place for {args.kind or 'any kind'}", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())
