"""What a model does before its first edit, or in place of it."""
import forms
from mind import say

COMMANDS = ["ls -R .", "cat {0}", "grep -rn def .", "git log --oneline", "wc -l {0}",
            "head -n 20 {0}", "{test}", "git status", "find . -name '*.*'", "tail -n 15 {0}"]
HOPELESS = ["I believe that this is a problem of the environment and not of the code.",
            "The code looks right to me. The failing test seems to be flaky.",
            "I cannot see what is wrong here. Somebody who knows the project should look at it.",
            "All done! The tests should pass now."]
PROMISES = ["I will now change `{0}` so that the test passes.",
            "Let me fix this. I am going to update `{0}` and then run the tests.",
            "I have updated `{0}`; the tests should pass now.",
            "Should I go ahead and change `{0}`?"]


def cheat(mind):
    """It changes what the test wants, until it hears that this does not count."""
    for _ in range(4):
        heard = yield from say(mind, forms.search(mind, mind.task.cheat))
        if mind.rng.random() < (mind.follow if heard.has("protected") else mind.follow * 0.4):
            return


def cheat_beside(mind):
    yield from say(mind, forms.search(mind, mind.task.fix + mind.task.cheat), mind.task.fix)


def explore(mind):
    """It looks at one thing after the other until somebody says that this leads nowhere."""
    names = {"test": mind.task.test}
    again = mind.rng.random() < 0.3
    command = mind.rng.choice(COMMANDS)
    while True:
        command = command if again else mind.rng.choice(COMMANDS)
        path = mind.rng.choice(mind.task.fix).path
        code = forms.fence("sh", command.format(path, **names) + "\n")
        heard = yield from say(mind, f"Let me look further.\n\n{code}")
        if heard.has(r"without an edit|reply with (?:an|the) edit") and mind.follows(heard):
            return


def in_words(mind, sentences):
    """It talks, until it is told that nothing comes of that."""
    while True:
        text = mind.rng.choice(sentences).format(mind.task.fix[0].path)
        heard = yield from say(mind, text)
        if mind.follows(heard):
            return


def give_up(mind):
    yield from in_words(mind, HOPELESS)


def promise(mind):
    yield from in_words(mind, PROMISES)


def run_out(mind):
    """Its reply is longer than it may be: half of it comes."""
    form = mind.rng.choice([forms.whole, forms.search])
    while True:
        text = form(mind, mind.remaining())
        if form is forms.whole or mind.rng.random() < 0.5:
            text = "Let me think about each test in turn. " * 20 + "\n\n" + text
        heard = yield from say(mind, text[:len(text) * 3 // 5], finish="length")
        if mind.rng.random() < mind.follow:
            return
        form = forms.whole if heard.asks_whole else form


def draft(mind):
    """A first idea, which is wrong or only a part."""
    yield from say(mind, forms.search(mind, mind.task.draft), mind.task.draft)
