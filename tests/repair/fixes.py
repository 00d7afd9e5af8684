"""What small fixes look like: the kind of change that each hunk of a fix makes, by its tokens."""
import re
import subprocess
from collections import Counter, defaultdict
from difflib import SequenceMatcher

import languages
import tokens

LARGEST = 10
LONGEST_LINE = 300  # a longer one is no text that a person writes
SUFFIXES = {**{suffix: language for language, suffixes in languages.SUFFIXES.items()
               for suffix in suffixes}, ".ts": "typescript"}
SHORT = {"javascript": "js", "typescript": "ts"}
SUBJECT = re.compile(r"(?i)\b(bug|fix)")
LEAVES = {"return", "raise", "throw", "continue", "break", "goto", "panic"}
BRANCHES = {"if", "elif", "unless"}
CASES = {"case", "when", "else", "elif", "default", "except", "catch"}
LOOPS = {"for", "while", "loop", "do"}
LOGICAL = {"and", "or", "&&", "||"}
NEGATIONS = {"not", "!"}
COMPARISONS = {"==", "!=", "===", "!==", "<", ">", "<=", ">=", "is", "in"}
ARITHMETIC = {"+", "-", "*", "/", "%", "//", "**", "<<", ">>", "&", "|", "^"}
ASSIGNMENTS = {"=", "+=", "-=", "*=", "/=", "|=", "&=", ":="}
LITERALS = {"true", "false", "True", "False", "None", "null", "nil", "NULL", "undefined"}
# Documentation in several lines: words without operators, or an asterisk at the beginning.
PROSE = re.compile(r"^(?!.*[=(\[{]| *(?:if|elif|else|for|while|return|raise|assert|import|from|"
                   r"with|except|yield|del|and|or|not|in|is|lambda|async|await)\b)"
                   r".*(?:\b[A-Za-z'`]+[,.:]? +){3}|^\s*(?:\.\. |:\w+|>>> |\"{3})")
STARRED = re.compile(r"^\s*/?\*(?!\w+\s*[=+(-]|\()")
QUOTED = re.compile(r"\"[^\"\n]*\"|'[^'\n]*'|#.*")
IMPORTS = {"import", "from", "use", "#include", "require"}


def is_name(token):
    return bool(re.match(r"[A-Za-z_]\w*$", token))


def is_text(token):
    return token[-1] in "\"'`"


def is_literal(token):
    return token[0].isdigit() or token in LITERALS


def one_for_one(old, new, following):
    """The kind of change where one token stands for another."""
    both = {old, new}
    if is_text(old) and is_text(new):
        return "text changed"
    if is_literal(old) and is_literal(new):
        return "constant changed"
    for kinds, name in ((COMPARISONS, "comparison changed"), (LOGICAL, "and for or"),
                        (ASSIGNMENTS, "assignment operator changed"),
                        (ARITHMETIC, "arithmetic operator changed")):
        if both <= kinds:
            return name
    if is_name(old) and is_name(new):
        return "function replaced" if following == "(" else "name replaced"
    if all(is_name(token) or is_text(token) or is_literal(token) for token in both):
        return "value replaced"
    return "operator changed"


def is_argument(words):
    return words[0] == "," or words[-1] == ","


def what_is_put_in(words, before):
    """The kind of change where some tokens come in, or go, and nothing else."""
    if words == ["await"]:
        return "await", "added", "removed"
    if words[0] in BRANCHES and words[-1] in (":", "{"):
        return "condition", "put around", "taken away"
    if words[0] in LOGICAL or words[-1] in LOGICAL:
        return "condition", "extended", "shortened"
    if {"if", "else"} <= set(words) or words[0] == "?" or words[-1] in ("?", ":"):
        return "choice between values", "added", "removed"
    if before == "return":
        return "returned value", "added", "removed"
    if len(words) == 1 and words[0] in NEGATIONS:
        return "negation", "added", "removed"
    if is_argument(words):
        return "argument or element", "added", "removed"
    if words[0] in (".", "?.", "::"):
        return "member or call at the end", "added", "removed"
    if words[0] == "(" and words[-1] == ")" or before == "(" and not set(words) & {"(", "=", ";"}:
        return "argument or element", "added", "removed"
    if words[0] in ARITHMETIC or words[-1] in ARITHMETIC and len(words) > 1:
        return "term", "added", "removed"
    return "modifier or part", "added", "removed"


def statements(words, text):
    """What whole lines are that come in or go."""
    first = [line.split()[0].strip("({:") for line in text.splitlines() if line.split()]
    if first and set(first) <= IMPORTS | {"const", "}"} and (
            first[0] in IMPORTS or "require" in words):
        return "import"
    if first[0] in BRANCHES:
        return "guard" if set(words) & LEAVES else "conditional statement"
    if first[0] in ("}", "else") and set(words) & (BRANCHES | {"else"}):
        return "case"
    if first[0] in CASES:
        return "case"
    if first[0] in LOOPS:
        return "loop"
    if set(words) & {"try", "catch", "except", "finally", "defer"}:
        return "handling of errors"
    if first[0] in LEAVES:
        return "return or raise"
    if len(first) > 1:
        return "statements"
    if set(words) & ASSIGNMENTS:
        return "assignment"
    return "call" if "(" in words else "declaration or element"


def code(text, language):
    """The text without lines of documentation, as far as lines tell."""
    prose = PROSE if language == "python" else STARRED
    return "".join(line + "\n" for line in text.splitlines()
                   if not prose.search(QUOTED.sub("", line)))


def kind(old, new, language):
    """The kind of change that a hunk makes; None: only comments or layout."""
    before, after = (tokens.words(code(text, language), language) for text in (old, new))
    if before == after:
        return None
    if not before or not after:
        found = statements(before or after, code(old if before else new, language))
        return f"{found} {'removed' if before else 'inserted'}"
    if sorted(before) == sorted(after):
        return "order changed"
    edits = [edit for edit in SequenceMatcher(None, before, after, autojunk=False).get_opcodes()
             if edit[0] != "equal"]
    return of_edits(edits, before, after)


def of_edits(edits, before, after):
    if len(edits) == 1:
        what, first, last, start, end = edits[0]
        if what == "replace" and last - first == end - start == 1:
            return one_for_one(before[first], after[start], (before + [""])[last])
        if what != "replace":
            words = before[first:last] or after[start:end]
            name, added, removed = what_is_put_in(words, before[first - 1] if first else "")
            return f"{name} {added if what == 'insert' else removed}"
    if wraps(edits, after, "insert"):
        return wrapping(after[edits[0][3]:edits[0][4]], "put")
    if wraps(edits, before, "delete"):
        return wrapping(before[edits[0][1]:edits[0][2]], "taken")
    if len(edits) > 1 and all(what == "replace" and last - first == end - start == 1
                              for what, first, last, start, end in edits):
        names = {one_for_one(before[first], after[start], "") for _, first, _, start, _ in edits}
        return names.pop() if len(names) == 1 else "several tokens changed"
    return rewritten(before, after, edits)


def wraps(edits, words, what):
    """Whether one edit opens brackets and the other one closes them."""
    if len(edits) != 2 or {edit[0] for edit in edits} != {what}:
        return False
    side = slice(3, 5) if what == "insert" else slice(1, 3)
    opens, closes = (words[slice(*edit[side])] for edit in edits)
    if opens[0] in ("(", "[") and is_name(opens[-1]):
        opens = opens[1:] + opens[:1]  # "( f" is "f (" one token later
    return opens[-1] in ("(", "{", ":", "[") and closes[-1] in (")", "}", "]") or (
        opens[-1] == "(" and closes[0] in (",", ")"))


def wrapping(opens, how):
    if opens[0] in BRANCHES:
        return "condition " + ("put around" if how == "put" else "taken away")
    return "call " + ("put around a value" if how == "put" else "taken away from a value")


def rewritten(before, after, edits):
    heads = {before[0], after[0]}
    if heads & (BRANCHES | {"while"}) or "}" in heads and set(after) & BRANCHES:
        return "condition rewritten"
    if before[0] == after[0] == "return":
        return "returned value rewritten"
    left = [words.index("=") if "=" in words else None for words in (before, after)]
    if None not in left and before[:left[0]] == after[:left[1]]:
        return "assigned value rewritten"
    return "part replaced" if len(edits) == 1 else "rewritten"


class Fix:
    """The hunks of a commit, as (language, removed text, added text)."""

    def __init__(self):
        self.hunks, self.size = [], 0

    def add(self, sign, line):
        language, old, new = self.hunks[-1]
        self.size += 1 if len(line) < LONGEST_LINE else LARGEST + 1
        self.hunks[-1] = (language, old + line[1:], new) if sign == "-" else (
            language, old, new + line[1:])


def read_log(lines):
    """The fixes of a log with differences, whose commits begin with NUL and the subject."""
    fix, language = None, None
    for line in lines:
        if line.startswith("\0"):
            if fix:
                yield fix
            fix = Fix() if SUBJECT.search(line) else None
        elif fix is None:
            continue
        elif line.startswith("+++ "):
            path = line[6:].rstrip("\t\n")
            suffix = re.search(r"\.\w+$|$", path)[0]
            language = SUFFIXES.get(suffix)
            base = "javascript" if language == "typescript" else language
            if not base or languages.is_test(base, path) or languages.NO_SOURCE.search(path):
                language = None
        elif line.startswith("@@ ") and language:
            fix.hunks.append((language, "", ""))
        elif line[0] in "+-" and not line.startswith("--- ") and language and fix.hunks:
            fix.add(line[0], line)
    if fix:
        yield fix


def fixes_of(clone):
    """The small fixes in a clone's history."""
    words = ["git", "-C", str(clone), "log", "-p", "-U0", "--no-merges", "--no-renames",
             "--no-color", "--no-ext-diff", "--diff-filter=M", "-i", "--grep=fix", "--grep=bug",
             "--format=%x00%s", "HEAD", "--", *("*" + suffix for suffix in SUFFIXES)]
    with subprocess.Popen(words, stdout=subprocess.PIPE) as log:
        lines = (line.decode("utf-8", "replace") for line in log.stdout)
        yield from (fix for fix in read_log(lines) if 0 < fix.size <= LARGEST)


class Counts:
    """How often each kind of change occurs, by language."""

    def __init__(self):
        self.kinds, self.fixes, self.places = defaultdict(Counter), Counter(), Counter()

    def add(self, fix):
        found = [(language, kind(old, new, language)) for language, old, new in fix.hunks]
        found = [(language, name) for language, name in found if name]
        if not found:
            return
        moved = {old.strip() for _, old, _ in fix.hunks} & {new.strip() for _, _, new in fix.hunks}
        for language, name in found:
            if moved - {""} and name.endswith((" inserted", " removed")):
                name = "statement moved"
            self.kinds[name][language] += 1
        language = found[0][0]
        self.fixes[language] += 1
        self.places[min(len(found), 4), language] += 1

    def lines(self):
        """A table, aligned: a head, the number of fixes, of their places, then kinds by number."""
        names = sorted(self.fixes)
        rows = [["kind", *(SHORT.get(name, name) for name in names), "all"]]
        rows += [self.row("fixes", self.fixes, names)]
        for count in range(1, 5):
            places = Counter({name: self.places[count, name] for name in names})
            title = f"fixes, places: {count}{' or more' if count == 4 else ''}"
            rows.append(self.row(title, places, names))
        order = sorted(self.kinds, key=lambda name: (-sum(self.kinds[name].values()), name))
        rows += [self.row(name, self.kinds[name], names) for name in order]
        return [f"{row[0]:34}" + "".join(f"{cell:>8}" for cell in row[1:]) for row in rows]

    @staticmethod
    def row(title, counter, names):
        return [title, *(counter[name] for name in names), sum(counter.values())]
