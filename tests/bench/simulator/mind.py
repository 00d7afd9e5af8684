"""A simulated model. It knows what mends its task, and nothing else but what the messages of the
request say. A conversation is a function of the task, the trait and the seed: each request is
answered by going through all of its messages again."""
import difflib
import random
import re
from dataclasses import dataclass

import forms
from tasks import Change

SHOWN = re.compile(r"^(\S+)(?: \(protected\))?\n(`{3,})\w*\n(.*?\n)\2$", re.M | re.S)
OUTPUT = re.compile(r"executor: exitcode: 0 .*?\nCode output: "
                    r"(.*?)(?=\n\n(?:\w+: |\[|You have|This reply)|\Z)", re.S)
LONG = 300  # lines; longer files are seldom written whole
SENTENCES = ["I found the cause.", "The condition is wrong, which the failing test shows.",
             "This is a small mistake; the following change mends it.",
             "Looking at the failing test, the problem is clear:", "Here is the fix."]


@dataclass
class Reply:
    text: str
    finish: str = "stop"


@dataclass
class Heard:
    """What a text says, as a reader takes it."""
    text: str

    def has(self, pattern):
        return re.search(pattern, self.text, re.I) is not None

    @property
    def refused(self):
        return self.has(r"nothing of your last reply was applied|not applied|could not be applied")

    @property
    def asks_whole(self):
        return self.has(r"as whole files|whole new text")

    @property
    def shows_format(self):
        return self.has(r"<<<<<<< SEARCH|path alone on a line")

    @property
    def says_nothing_came(self):
        return self.has(r"no\s+edit|nothing has come|no file has changed|without an edit")

    @property
    def changed(self):
        return self.has(r"executor: \d+ files? changed|executor: exitcode: 0") and \
            not self.has(r"no file has changed")


class Mind:
    def __init__(self, task, trait, seed):
        self.task, self.trait = task, trait
        self.rng = random.Random(f"{seed} {task.name} {trait.name}")
        self.follow = self.rng.uniform(0.6, 0.8)
        self.ignores = 1 if trait.repeats or self.rng.random() < 0.1 else 0
        self.form = self.rng.choice(trait.forms or [forms.search])
        self.view, self.memory, self.pending, self.last_look = {}, {}, [], None

    def prose(self):
        return self.rng.choice(SENTENCES)

    # --- What it takes from a text ---

    def see(self, path, text):
        self.view[path] = text
        self.memory.setdefault(path, text)

    def hear(self, text):
        text = text.replace("\r\n", "\n")
        heard = Heard(text)
        for path, _, content in SHOWN.findall(text):
            self.see(path, content)
        output = OUTPUT.search(text)
        if self.last_look and output:
            self.see(self.last_look, output[1].rstrip("\n") + "\n")
        if heard.changed:
            for change in self.pending:
                text = forms.after(self, change.path, [change])
                if text is not None:
                    self.see(change.path, text)
        self.pending, self.last_look = [], None
        return heard

    def follows(self, heard):
        """Whether it does now what it was told: the more was said, the likelier."""
        if self.ignores:
            self.ignores -= 1
            return False
        told = 1 if heard.refused or heard.shows_format else 0.7 if heard.says_nothing_came else 0.4
        return self.rng.random() < self.follow * told

    # --- What is to be done ---

    def wanted(self, path):
        """A file as it shall be; None where it was never seen."""
        text = self.memory.get(path)
        for draft in self.task.draft:
            if draft.path == path and text is not None and draft.old not in text:
                text = text.replace(draft.new, draft.old, 1)
        for change in self.task.fix:
            if change.path == path and (text is not None or change.old is None):
                text = change.new if change.old is None else \
                    text.replace(change.old, change.new, 1)
        return text

    def differing(self, path):
        """What still differs from it, in pieces with some lines around them."""
        now = self.view.get(path, "").splitlines(keepends=True)
        wanted = self.wanted(path).splitlines(keepends=True)
        groups = difflib.SequenceMatcher(None, now, wanted, False).get_grouped_opcodes(2)
        return [Change(path, "".join(now[group[0][1]:group[-1][2]]),
                       "".join(wanted[group[0][3]:group[-1][4]])) for group in groups]

    def remaining(self):
        """Its idea less what the files have already."""
        left = []
        paths = [change.path for change in self.task.fix + self.task.draft]
        for path in dict.fromkeys(paths):
            own = [change for change in self.task.fix if change.path == path]
            text = self.view.get(path)
            if text is None or own and all(change.old and change.old in text for change in own):
                left += own
            elif self.wanted(path) is not None:
                left += self.differing(path)
        return left

    def unseen(self):
        return [change.path for change in self.task.fix
                if change.old is not None and change.path not in self.view]

    def is_long(self, changes):
        return any(self.view.get(change.path, "").count("\n") > LONG for change in changes)

    def asked_form(self, heard, changes):
        """What it was asked for, but that few write a long file again as a whole."""
        if not heard.asks_whole:
            return forms.search
        if self.is_long(changes) and self.rng.random() < 0.6:
            return self.rng.choice([forms.search, forms.elided("{comment} ... rest unchanged ...")])
        return forms.whole


# --- A conversation: generators that yield replies and are sent what comes back ---

def say(mind, text, changes=(), finish="stop", look=None):
    mind.pending, mind.last_look = list(changes), look
    return mind.hear((yield Reply(text, finish)))


def look(mind, path):
    text = f"Let me look at it first.\n\n{forms.fence('sh', f'cat {path}' + chr(10))}"
    return (yield from say(mind, text, look=path))


def learn(mind, heard, changes):
    """How it writes the next edit, after one that did not do."""
    if mind.follows(heard):
        mind.form = mind.asked_form(heard, changes)
    elif not mind.trait.repeats and mind.rng.random() < 0.5:
        mind.form = mind.rng.choice(mind.trait.forms or [mind.form])


def wonder(mind):
    """All is done as it believes, and the tests fail: it looks what is there."""
    for path in dict.fromkeys(change.path for change in mind.task.fix + mind.task.draft):
        yield from look(mind, path)
    mind.form = forms.search if mind.rng.random() < 0.5 else forms.whole


def converse(mind):
    mind.hear((yield))
    for path in mind.unseen():
        yield from look(mind, path)
    if mind.trait.begins:
        yield from mind.trait.begins(mind)
    while True:
        changes = mind.remaining()
        if not changes:
            yield from wonder(mind)
            changes = mind.remaining() or mind.task.fix
        heard = yield from say(mind, mind.form(mind, changes), changes)
        if not heard.changed:
            learn(mind, heard, changes)
        elif mind.remaining() and mind.rng.random() < 0.7:
            mind.form = forms.search


def reply_to(mind, messages):
    """What it says to all that was said so far."""
    talk = converse(mind)
    next(talk)
    reply, said = None, []
    for message in messages:
        if message["role"] == "assistant":
            reply = talk.send("\n\n".join(said))
            said = []
        elif message["role"] == "user":
            said.append(message["content"])
    return talk.send("\n\n".join(said))
