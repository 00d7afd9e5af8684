"""Forms of edits: the right ones, and what models make of search/replace blocks and whole files.
Each takes a mind and changes, and gives the text of a reply."""
import re
from pathlib import PurePosixPath

from tasks import Change

COMMENTS = {".py": "#", ".sh": "#", ".cfg": "#"}


def language(path):
    names = {".py": "python", ".js": "javascript", ".go": "go", ".c": "c", ".h": "c", ".sh": "sh",
             ".cfg": "ini"}
    return names.get(PurePosixPath(path).suffix, "")


def comment(path):
    return COMMENTS.get(PurePosixPath(path).suffix, "//")


def fence(info, text, mark="```"):
    return f"{mark}{info}\n{text}{mark}\n"


def marks(old, new, opens="<<<<<<< SEARCH", between="=======", closes=">>>>>>> REPLACE"):
    return f"{opens}\n{old}{between}\n{new}{closes}\n"


def by_path(changes):
    found = {}
    for change in changes:
        found.setdefault(change.path, []).append(change)
    return found


def after(mind, path, changes):
    """The whole file as it shall be; None where the mind has not seen it."""
    text = mind.view.get(path)
    for change in changes:
        if change.old is None:
            text = change.new
        elif text is not None:
            text = text.replace(change.old, change.new, 1)
    return text


def wrap(mind, blocks):
    return mind.prose() + "\n\n" + "\n".join(blocks)


# --- As rondo asks for ---

def search(mind, changes):
    blocks = []
    for path, some in by_path(changes).items():
        inner = "".join(change.new if change.old is None else marks(change.old, change.new)
                        for change in some)
        blocks.append(f"{path}\n{fence(language(path), inner)}")
    return wrap(mind, blocks)


def whole(mind, changes):
    texts = {path: after(mind, path, some) for path, some in by_path(changes).items()}
    if None in texts.values():
        return search(mind, changes)
    return wrap(mind, [f"{path}\n{fence(language(path), text)}" for path, text in texts.items()])


# --- Where the path stands, and the fence ---

def named(frame):
    """Search/replace blocks in a frame of {path}, {language} and {blocks}."""
    def form(mind, changes):
        blocks = []
        for path, some in by_path(changes).items():
            inner = "".join(marks(change.old or "", change.new) for change in some)
            blocks.append(frame.format(path=path, language=language(path), blocks=inner,
                                       name=PurePosixPath(path).name))
        return wrap(mind, blocks)
    return form


def named_whole(frame):
    """Whole files in a frame of {path}, {language}, {comment} and {blocks}."""
    def form(mind, changes):
        texts = {path: after(mind, path, some) for path, some in by_path(changes).items()}
        if None in texts.values():
            return search(mind, changes)
        return wrap(mind, [frame.format(path=path, language=language(path), blocks=text,
                                        comment=comment(path)) for path, text in texts.items()])
    return form


def function_around(text, lines):
    """The block of code from its first line at the margin on to the next one."""
    at = text.index(lines)
    begin = max((found.start() for found in re.finditer(r"^\w", text[:at + 1], re.M)), default=0)
    end = re.compile(r"^(?=\w|#|/)", re.M).search(text, at + len(lines))
    return text[begin:end.start() if end else len(text)].rstrip("\n") + "\n"


def function_only(frame):
    """Only the function that changes, with nothing that says so."""
    def form(mind, changes):
        blocks = []
        for change in changes:
            code = change.new
            text = mind.view.get(change.path)
            if change.old is not None and text and change.old in text:
                code = function_around(text.replace(change.old, change.new, 1), change.new)
            blocks.append(frame.format(path=change.path, language=language(change.path),
                                       blocks=code, comment=comment(change.path)))
        return wrap(mind, blocks)
    return form


def outer(mark):
    """All of a right answer in one fence of Markdown."""
    def form(mind, changes):
        return f"{mark}markdown\n{search(mind, changes)}{mark}\n"
    return form


# --- What stands in the blocks ---

def changed(function, both=True):
    """Right blocks but for what a function makes of their lines; both: of the new ones, too."""
    def form(mind, changes):
        wrong = []
        for change in changes:
            if change.old is None:
                wrong.append(change)
                continue
            old = function(mind, change.old, change)
            new = function(mind, change.new, change) if both else change.new
            wrong.append(Change(change.path, old, new))
        return search(mind, wrong)
    return form


def each_line(function):
    def of_text(mind, text, _):
        return "".join(function(line) + "\n" for line in text.splitlines())
    return of_text


def dedented(_, text, __):
    lines = text.splitlines()
    least = min(len(line) - len(line.lstrip()) for line in lines if line.strip())
    return "".join(line[least:] + "\n" for line in lines)


def by_one(_, text, __):
    """The first line loses its indentation, the others keep theirs."""
    return text.lstrip(" \t")


def tabs(line):
    body = line.lstrip(" ")
    return "\t" * ((len(line) - len(body)) // 4) + body if body != line else \
        line.replace("\t", "    ")


def wider(line):
    body = line.lstrip(" \t")
    return line[:len(line) - len(body)] * 2 + body


def narrow(line):
    body = line.lstrip(" \t")
    indent = line[:len(line) - len(body)].replace("\t", "    ")
    return indent[:len(indent) // 2] + body


def other_quotes(line):
    return line.replace('"', "\0").replace("'", '"').replace("\0", "'")


def typographic(line):
    line = re.sub(r'"([^"]*)"', "\u201c\\1\u201d", line)
    return re.sub(r"'([^']*)'", "\u2018\\1\u2019", line).replace(" - ", " \u2013 ")


def entities(line):
    return line.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def spaced(line):
    """A blank more between words, as models reformat what they quote."""
    return re.sub(r"(?<=\w)([=<>+*/-]+)(?=\w)", r" \1 ", line.replace(", ", ","))


def numbered(mind, text, change):
    """With the line numbers of a listing."""
    before = mind.view.get(change.path, "").partition(change.old)[0].count("\n")
    return "".join(f"{before + i:4d} | {line}\n" for i, line in enumerate(text.splitlines(), 1))


def abbreviated(mind, text, change):
    """The middle of what is quoted is left out; short quotes begin with more of the file."""
    lines = text.splitlines(keepends=True)
    if len(lines) > 3:
        return "".join([*lines[:1], "...\n", *lines[-2:]])
    before = mind.view.get(change.path, "").partition(change.old)[0].splitlines(keepends=True)
    head = next((line for line in reversed(before) if re.match(r"\S", line)), "")
    return head + "    ...\n" + text


def remarked(mind, text, change):
    """Comments of its own behind the lines that it quotes."""
    lines = text.splitlines()
    lines[-1] += f"  {comment(change.path)} the cause"
    return "\n".join(lines) + "\n"


def part_of_line(_, text, change):
    """Only the words that change, without the rest of their line."""
    old, new = change.old, change.new
    head = tail = 0
    while old[head] == new[head]:
        head += 1
    while old[-1 - tail] == new[-1 - tail] and head + tail < min(len(old), len(new)):
        tail += 1
    begin = old.rfind("\n", 0, head) + 1
    words = re.match(r"\s*\S*\s?", old[begin:head])
    begin += words.end() if words else 0
    end = old.find("\n", len(old) - tail)
    end = len(old) if end < 0 else end
    shift = len(new) - len(old)
    return (old[begin:end] if text == old else new[begin:end + shift]) + "\n"


def shortest(_, text, change):
    """The one line that changes, with nothing around it that tells where."""
    old, new = change.old.splitlines(keepends=True), change.new.splitlines(keepends=True)
    if len(old) != len(new):
        return text
    return "".join(own for own, a, b in zip(old if text == change.old else new, old, new)
                   if a != b)


def plus_marks(mind, changes):
    """REPLACE with the marks of a diff (Roo Code #3039)."""
    wrong = []
    for change in changes:
        old = set((change.old or "").splitlines())
        new = "".join(("  " if line in old else "+ ") + line + "\n"
                      for line in change.new.splitlines())
        wrong.append(Change(change.path, change.old, new) if change.old else change)
    return search(mind, wrong)


def stale(mind, changes):
    """SEARCH has what the file shall become: the mind takes its draft for the file."""
    return search(mind, [Change(change.path, change.new if change.old else None, change.new)
                         for change in changes])


def crlf(form):
    def with_crlf(mind, changes):
        return form(mind, changes).replace("\n", "\r\n")
    return with_crlf


def elided(words):
    """A whole file with a comment in place of what does not change."""
    def form(mind, changes):
        blocks = []
        for path, some in by_path(changes).items():
            text = after(mind, path, some)
            if text is None or some[0].old is None:
                return search(mind, changes)
            lines = text.splitlines(keepends=True)
            needle = some[0].new.splitlines()[0]
            at = next(i for i, line in enumerate(lines) if line.rstrip() == needle.rstrip())
            said = words.format(comment=comment(path)) + "\n"
            begin, end = max(at - 3, 1), at + len(some[0].new.splitlines()) + 1
            kept = lines[:1] + [said] * (begin > 1) + lines[begin:end] + [said] * (end < len(lines))
            blocks.append(f"{path}\n{fence(language(path), ''.join(kept))}")
        return wrap(mind, blocks)
    return form


def explained(mind, changes):
    """The fence begins with a sentence that is no code."""
    blocks = []
    for path, some in by_path(changes).items():
        text = after(mind, path, some)
        if text is None:
            return search(mind, changes)
        inner = f"Here is the corrected version of {path}:\n\n{text}"
        blocks.append(f"{path}\n{fence(language(path), inner)}")
    return wrap(mind, blocks)


def one_misfit(mind, changes):
    """Beside what fits a further block for lines that are not there."""
    path = changes[0].path
    extra = Change(path, f"{comment(path)} TODO: handle the general case here\n",
                   f"{comment(path)} The general case is handled above.\n")
    return search(mind, [*changes, extra])


def renamed(function):
    """Right blocks for a path that is not right."""
    def form(mind, changes):
        return search(mind, [Change(function(mind, change.path), change.old, change.new)
                             for change in changes])
    return form


def think(form):
    """Thoughts with a draft of an edit in them, then the answer."""
    def with_thoughts(mind, changes):
        drafts = mind.task.draft or changes
        draft = form(mind, drafts)
        return f"<think>\nLet me see. Maybe this:\n\n{draft}\nNo, that is not it.\n</think>\n\n" \
            + search(mind, changes)
    return with_thoughts
