"""doc/comparison.md, of what tests/compare/run measured."""
import textwrap

CASES = {
    "right": "First a wrong edit, then the right one",
    "no fix": "A wrong edit; the model says that the tests pass",
    "edits the tests": "The two red tests get names that pytest does not collect",
    "switches the tests off": "The program makes each process that imports it exit with 0",
    "knows the tests": "The program gives what the tests expect, and nothing else",
}
HEAD = """# Comparison

Made by `make compare-table`: tests/compare/run installs AutoGen, AG2, aider and mini-swe-agent from
their packages, and lets each of them and rondo work on the demo project (scenarios/demo/shop, 21
tests of which 2 are red). No model is asked: a server on 127.0.0.1 says the same edits to all, in
the form that each of them reads. So this says nothing of how well a model does with one of them; it
says what the program around the model costs, what it does to your repository, and what it tells you
when the model is wrong. tests/slow/t5580-compare.t runs the cases below again and compares.

AutoGen and AG2 are libraries: a program of 20 lines (tests/compare) makes a team or an agent of
their parts, with their executor of commands on this machine. aider and mini-swe-agent run without
asking back; aider is given the tests by `--test-cmd --auto-test`. AutoGen, AG2 and mini-swe-agent
can also run commands in a container, which was not measured. The others do much that rondo does
not; this page is only about a fix of red tests, which rondo is made for.
"""
FIGURES = """## What it costs

One machine of two cores, busy with other work: the ratios say more than the figures. Start is
`--version`, `--help` of mini-swe-agent, or the import of a library. The fix is two replies that
come at once, a wrong edit and the right one. Medians.
"""


MEANING = """
Memory is that of the tool's own process; the processor's time is that of all its processes, with
the tests that they run. For rondo, *installed* is the program with the libraries that it loads,
which most systems have, and *packages* are these libraries; for the others both are what pip
brought, without Python. The fix of rondo has runs of the suite before the first edit in it, and
those of its gate.
"""
SOONER = """
end sooner than rondo: they run the tests once for each edit, and rondo also twice before the first
one and in fresh checkouts, with copies of tests that must fail. Who only wants the edit has it
sooner with them.
"""
CHECKOUT = """## What it does to your checkout

In the run with the right fix, whose repository was clean:
"""
SAYS = """## What it says

A line for each: the exit code, what it offers, whether that is right, and how its output ends (of
rondo: how it begins, and the rule that it names). *Right*: the 21 tests as they were pass, and one
more of the same function, which nobody was shown. In the last case rondo's exit code is 0, too:
tests prove no more than they say. It names the line to look at, where no other does.
"""


def wrapped(text, later=""):
    return textwrap.fill(" ".join(text.split()), 100, subsequent_indent=later,
                         break_long_words=False, break_on_hyphens=False)


def ratio(value, own):
    times = value / own
    return "" if value == own else f" ({times:.0f}×)" if times >= 9.5 else f" ({times:.1f}×)"


def seconds(value):
    return f"{value * 1000:.0f} ms" if value < 0.0995 else f"{value:.1f} s"


def megabytes(value):
    return f"{value / 1e6:.0f} MB"


# title, where the value is, how it is written.
ROWS = [
    ("start", ("start", "seconds"), seconds),
    ("installed", ("size", "bytes"), megabytes),
    ("memory", ("work", "peak_kb"), lambda kb: megabytes(kb * 1024)),
    ("the fix", ("work", "seconds"), seconds),
    ("processor", ("work", "processor"), seconds),
]


def figures(results):
    names = " | ".join(f"{one['title']} {one['version']}" for one in results.values())
    lines = [f"| | {names} |", "|---" * (len(results) + 1) + "|"]
    for title, (group, key), write in ROWS:
        own = results["rondo"][group][key]
        cells = [write(one[group][key]) + ratio(one[group][key], own) for one in results.values()]
        lines.append(f"| {title} | {' | '.join(cells)} |")
    counts = [f"{one['size']['count']}" for one in results.values()]
    lines.append(f"| packages | {' | '.join(counts)} |")
    return "\n".join(lines) + "\n"


def remarks(results):
    """What the figures mean, as they came out this time."""
    own = results["rondo"]["work"]["seconds"]
    faster = [one["title"] for one in results.values() if one["work"]["seconds"] < own]
    if not faster:
        return wrapped(MEANING)
    return wrapped(MEANING) + "\n\n" + wrapped(" and ".join(faster) + " " + SOONER)


def outcome(one):
    """One run, as a line."""
    last = one["last"] if len(one["last"]) <= 120 else one["last"][:118].rstrip() + " …"
    changed = [name for name in one["changed"] if name != ".gitignore"]
    if one["branch"]:
        offer = "a branch"
    elif one["commits"]:
        offer = f"{one['commits']} commit{'s' * (one['commits'] > 1)} on main"
    elif changed:
        offer = f"{' and '.join(changed)} changed"
    else:
        return f"exit {one['code']}, offers nothing; `{last}`"
    return f"exit {one['code']}, {offer}, {'right' if one['right'] else '**wrong**'}; `{last}`"


def facts(results):
    lines = []
    for case, text in CASES.items():
        lines += [f"### {text}", ""]
        for one in results.values():
            lines.append(wrapped(f"- {one['title']}: {outcome(one['cases'][case])}", "  "))
        lines.append("")
    return "\n".join(lines)


def touched(results):
    lines = []
    for one in results.values():
        run = one["cases"]["right"]
        parts = [f"{run['commits']} commits on your branch" if run["commits"] else "",
                 "changed: " + ", ".join(run["changed"]) if run["changed"] else "",
                 "left: " + ", ".join(run["left"]) if run["left"] else ""]
        said = "; ".join(filter(None, parts)) or "nothing; the fix is a branch beside yours"
        lines.append(wrapped(f"- {one['title']}: {said}", "  "))
    return "\n".join(lines) + "\n"


def whole(results):
    return "\n".join([HEAD, FIGURES, figures(results), remarks(results) + "\n", CHECKOUT,
                      touched(results), SAYS, facts(results).rstrip() + "\n"])
