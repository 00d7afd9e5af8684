"""The difference of two releases as hunks, each a run of lines with another run in its place.

A hunk of a row, PATH -A,B +C,D, is to be read as in a difference without context: B lines from line
A of the earlier text stand for D lines from line C of the later one.
"""
import re

import languages

HEAD = re.compile(r"^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@ ?(.*)$")
LARGEST = 10


class Hunk:
    def __init__(self, path, old, new, function=""):
        self.path, self.old, self.new, self.function = path, old, new, function

    def size(self):
        return self.old[1] + self.new[1]

    def lines(self, text, which):
        """Its lines in the text of one of the two releases, "old" or "new"."""
        first = start(getattr(self, which))
        return split(text)[first:first + getattr(self, which)[1]]

    def __str__(self):
        return f"{self.path} -{self.old[0]},{self.old[1]} +{self.new[0]},{self.new[1]}"


def split(text):
    """The lines as git counts them: other separators than a line feed are characters."""
    return re.findall(r"[^\n]*\n|[^\n]+", text)


def start(side):
    """The index of a side's first line. One that is empty names the line before it."""
    return side[0] if side[1] == 0 else side[0] - 1


def read(text):
    """A hunk from its text in a row."""
    found = re.fullmatch(r"(.+) -(\d+),(\d+) \+(\d+),(\d+)", text)
    numbers = [int(number) for number in found.groups()[1:]]
    return Hunk(found[1], (numbers[0], numbers[1]), (numbers[2], numbers[3]))


def read_difference(text):
    """The hunks of files that both sides have."""
    hunks, path, both = [], None, False
    for line in text.splitlines():
        if line.startswith("--- "):
            both = line.startswith("--- a/")
        elif line.startswith("+++ "):
            path, both = line[6:].rstrip("\t"), both and line.startswith("+++ b/")
        found = HEAD.match(line)
        if found and both:
            sides = [int(number or 1) for number in found.groups()[:4]]
            hunks.append(Hunk(path, tuple(sides[:2]), tuple(sides[2:]), found[5]))
    return hunks


def take_back(hunks, old, new):
    """The later text with the hunks as they were in the earlier one."""
    lines = split(new)
    for hunk in sorted(hunks, key=lambda hunk: start(hunk.new), reverse=True):
        at = start(hunk.new)
        lines[at:at + hunk.new[1]] = hunk.lines(old, "old")
    return "".join(lines)


def is_noise(hunk, old, new, language, versions):
    """Whether it changes comments, layout or the version's number, and no code."""
    before, after = hunk.lines(old, "old"), hunk.lines(new, "new")
    plain = [[re.sub(r"\s", "", line.replace(version, "")) for line in lines]
             for lines, version in zip((before, after), versions)]
    if plain[0] == plain[1]:
        return True
    if all(re.search(r"(?i)version", line) and re.search(r"\d", line) for line in before + after):
        return True
    return languages.code(language, take_back([hunk], old, new)) == languages.code(language, new)


def is_inline_test(hunk, new, language):
    at = start(hunk.new) + 1
    return any(first <= at <= last for first, last in languages.inline_tests(language, new))


def size(hunks):
    return sum(hunk.size() for hunk in hunks)


def groups(hunks):
    """Runs of hunks that may be one fix each: those of a file, or of a function where the file has
    too many."""
    found = []
    for path in dict.fromkeys(hunk.path for hunk in hunks):
        of_file = [hunk for hunk in hunks if hunk.path == path]
        if size(of_file) <= LARGEST:
            found.append(of_file)
            continue
        for function in dict.fromkeys(hunk.function for hunk in of_file):
            of_function = [hunk for hunk in of_file if hunk.function == function]
            if size(of_function) <= LARGEST:
                found.append(of_function)
    return found
