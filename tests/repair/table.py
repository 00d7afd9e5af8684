"""The results of tests/bench/repair as Markdown."""
from collections import Counter

BUDGETS = (1, 10, 60)
HALVES = ("tune", "hold")
OF_PACKAGES = """\
Each case is a real package with its own suite (tests/repair/packages) and one injected bug of a
kind that people write. The kinds were chosen without regard to what repair can undo. Two fifths of
the tests are hidden from repair.
"""
OF_PROGRAMS = """\
Each case is a small program or project (tests/repair/programs, tests/repair/projects) with a
mistake that somebody could have made and tests that show it. Further tests are hidden from repair.
"""
OF_ALL = """\
*Fixed*: the gate verified a fix with the tests that repair sees. *Right*: that fix also passes the
hidden tests. Developers of repair may look at the cases of the half *tune*, not at those of *hold*.
Every case had one run with the longest budget; the rows of shorter budgets count the fixes that it
had found by then.
"""


def fixed_within(line, seconds):
    found_ms = line["search_ms"] if line["winner_ms"] is None else line["winner_ms"]
    return line["outcome"] == "verified" and found_ms <= seconds * 1000


def share(part, whole):
    return f"{part} of {whole} ({100 * part / whole:.0f} %)" if whole else "-"


def cells(lines, seconds):
    """The share of fixed cases, and the share of right ones among them."""
    fixed = [line for line in lines if fixed_within(line, seconds)]
    return [
        share(len(fixed), len(lines)),
        share(sum(bool(line["right"]) for line in fixed), len(fixed))
    ]


def rows(head, body):
    return [
        *("| " + " | ".join(map(str, row)) + " |" for row in [head, ["---"] * len(head), *body]), ""
    ]


def by_budget(lines):
    longest = max(line["seconds"] for line in lines)
    budgets = [seconds for seconds in BUDGETS if seconds < longest] + [longest]
    halves = [(half, [line for line in lines if line["half"] == half]) for half in HALVES]
    head = ["budget", *(f"{half}: {what}" for half, _ in halves for what in ("fixed", "right"))]
    return rows(head,
                [[f"{seconds} s", *(cell for _, part in halves for cell in cells(part, seconds))]
                 for seconds in budgets])


def by(key, lines):
    """The results with the longest budget by one property, both halves together."""
    longest = max(line["seconds"] for line in lines)
    count = Counter(line[key] for line in lines)
    return rows([key, "fixed", "right", "candidates a second"],
                [[value, *cells(part, longest), speed(part)] for value in sorted(count)
                 for part in [[line for line in lines if line[key] == value]]])


def speed(lines):
    searched = sum(line["search_ms"] for line in lines)
    return f"{1000 * sum(line['candidates'] for line in lines) / searched:.1f}" if searched else "-"


def where_time_went(lines):
    sums = [(what, sum(line[what + "_ms"] for line in lines))
            for what in ("baseline", "search", "gate")]
    total = sum(ms for _, ms in sums) or 1
    return ", ".join(f"{what} {100 * ms / total:.0f} % ({ms / len(lines) / 1000:.1f} s a case)"
                     for what, ms in sums)


def table(lines, command, programs=False):
    if not lines:
        return "No results.\n"
    text = ["# What repair mends", "", (OF_PROGRAMS if programs else OF_PACKAGES) + OF_ALL]
    text += [
        f"Made by `{command}`; {len(lines)} cases, {speed(lines)} candidates a second. Time: "
        f"{where_time_went(lines)}.",
        ""
    ]
    text += by_budget(lines)
    for key in ("language", "group", "kind", "confidence"):
        text += by(key, lines)
    others = Counter(line["outcome"] for line in lines
                     if line["outcome"] not in ("verified", "not_fixed"))
    if others:
        counts = ", ".join(f"{count} {outcome}" for outcome, count in sorted(others.items()))
        text += [f"Neither verified nor not fixed: {counts}.", ""]
    return "\n".join(text)
