"""The results of tests/bench/repair as Markdown."""
import textwrap
from collections import Counter

BUDGETS = (1, 10, 60)
HALVES = ("tune", "hold")
FEW = 10  # a language with fewer cases is an experiment
OF = {
    "packages": """\
Each case is a real package with its own suite (tests/repair/packages) and one injected bug of a
kind that people write. The kinds were chosen without regard to what repair can undo. Two fifths of
the tests are hidden from repair.
""",
    "programs": """\
Each case is a small program or project (tests/repair/programs, tests/repair/projects) with a
mistake that somebody could have made and tests that show it. Further tests are hidden from repair.
""",
    "pairs": """\
Each case is a real mistake with its real fix of at most ten lines: a release of a package, with the
fix of the next release taken back, and the tests of that next release (tests/repair/pairs). Two
fifths of the tests are hidden from repair. The fix is nowhere in the history.
""",
}
TITLES = {"packages": "injected mistakes", "pairs": "real mistakes", "programs": "programs"}
HISTORY = "The mistake is the last commit of a history.\n"
NO_HISTORY = "There is one commit, with the mistake in it: history does not help.\n"
OF_ALL = """\
*Fixed*: the gate verified a fix with the tests that repair sees. *Right*: that fix also passes the
hidden tests. A package belongs to one half whole. Developers of repair may look at the half *tune*,
not at *hold*. Every case had one run with the longest budget; the rows of shorter budgets count the
fixes that it had found by then.
"""
COLUMNS = ("right of all", "fixed", "right of fixed")


def fixed_within(line, seconds):
    """Within the whole budget: also where the last step ended a little after it."""
    if seconds >= line["seconds"]:
        return line["outcome"] == "verified"
    found_ms = line["search_ms"] if line["winner_ms"] is None else line["winner_ms"]
    return line["outcome"] == "verified" and found_ms <= seconds * 1000


def share(part, whole):
    return f"{part} of {whole} ({100 * part / whole:.0f} %)" if whole else "-"


def cells(lines, seconds):
    """The shares that COLUMNS names."""
    fixed = [line for line in lines if fixed_within(line, seconds)]
    right = sum(bool(line["right"]) for line in fixed)
    return [
        share(right, len(lines)), share(len(fixed), len(lines)), share(right, len(fixed))
    ]


def rows(head, body):
    return [
        *("| " + " | ".join(map(str, row)) + " |" for row in [head, ["---"] * len(head), *body]), ""
    ]


def halves(lines):
    """Those that have cases."""
    parts = [(half, [line for line in lines if line["half"] == half]) for half in HALVES]
    return [(half, part) for half, part in parts if part]


def longest(lines):
    return max(line["seconds"] for line in lines)


def by_budget(lines):
    budgets = [seconds for seconds in BUDGETS if seconds < longest(lines)] + [longest(lines)]
    head = ["budget", *(f"{half}: {what}" for half, _ in halves(lines) for what in COLUMNS)]
    return rows(head, [[
        f"{seconds} s", *(cell for _, part in halves(lines) for cell in cells(part, seconds))
    ] for seconds in budgets])


def by_confidence(lines):
    """How many of the fixes that are told with a confidence are right, in all and in each half."""
    def right(part):
        return share(sum(bool(line["right"]) for line in part), len(part))

    fixed = [line for line in lines if line["outcome"] == "verified"]
    names = [half for half, _ in halves(lines)]
    body = []
    for value in sorted({line["confidence"] for line in fixed}):
        part = [line for line in fixed if line["confidence"] == value]
        body.append([value, right(part), *(right([line for line in part if line["half"] == half])
                                           for half in names)])
    return rows(["confidence", "right", *(f"{half}: right" for half in names)], body)


def by(key, lines):
    """The results with the longest budget by one property, both halves together."""
    body = []
    for value, count in sorted(Counter(line[key] for line in lines).items()):
        part = [line for line in lines if line[key] == value]
        few = " (experimental)" if key == "language" and count < FEW else ""
        body.append([f"{value}{few}", count, *cells(part, longest(lines)), speed(part)])
    return rows([key, "cases", *COLUMNS, "candidates a second"], body)


def speed(lines):
    searched = sum(line["search_ms"] for line in lines)
    return f"{1000 * sum(line['candidates'] for line in lines) / searched:.1f}" if searched else "-"


def where_time_went(lines):
    sums = [(what, sum(line[what + "_ms"] for line in lines))
            for what in ("baseline", "search", "gate")]
    total = sum(ms for _, ms in sums) or 1
    return ", ".join(f"{what} {100 * ms / total:.0f} % ({ms / len(lines) / 1000:.1f} s a case)"
                     for what, ms in sums)


def same_as_real(lines):
    """How many right fixes are the text that the package's owners wrote."""
    right = [line for line in lines if line["right"]]
    return [
        f"Of the right fixes, {share(sum(bool(line.get('same')) for line in right), len(right))} "
        f"have the text of the real one, white space apart.",
        ""
    ]


def others(lines):
    """What became of cases that were neither verified nor left unfixed."""
    counts = Counter(line["outcome"] for line in lines
                     if line["outcome"] not in ("verified", "not_fixed"))
    said = ", ".join(f"{count} {outcome}" for outcome, count in sorted(counts.items()))
    return [f"Neither verified nor not fixed: {said}.", ""] if counts else []


def section(kind, lines, history):
    """All about one yardstick, without what is told of its languages."""
    settings = {"packages": HISTORY if history else NO_HISTORY}
    text = [OF[kind] + settings.get(kind, "")] + by_budget(lines)
    if kind == "pairs":
        text += same_as_real(lines)
    for key in ("group", "kind"):
        text += by(key, lines)
    return text + others(lines)


def summary(parts):
    """What was fixed in each half with the longest budget, by yardstick and in all."""
    everything = [line for _, lines in parts for line in lines]
    body = []
    for half in HALVES[::-1]:
        for what, lines in [*((TITLES[kind], lines) for kind, lines in parts),
                            ("together", everything)]:
            part = [line for line in lines if line["half"] == half]
            if part:
                body.append([half, what, len(part), *cells(part, longest(part))])
    return rows(["half", "", "cases", *COLUMNS], body)


def table(parts, command, history=False):
    """The document of one yardstick or several: (kind, lines) of each."""
    parts = [(kind, part) for kind, part in parts if part]
    lines = [line for _, part in parts for line in part]
    if not lines:
        return "No results.\n"
    text = ["# What repair mends", "", OF_ALL]
    made = (f"Made by `{command}`; {len(lines)} cases, the first of each list, {speed(lines)} "
            f"candidates a second. Time: {where_time_went(lines)}.")
    text += [textwrap.fill(made, 100, break_on_hyphens=False), ""]
    if len(parts) > 1:
        text += summary(parts)
    text += by_confidence(lines) + by("language", lines)
    for kind, part in parts:
        text += [f"## {TITLES[kind].capitalize()}", ""] if len(parts) > 1 else []
        text += section(kind, part, history)
    return "\n".join(text)
