"""What came of the conversations, in figures."""
from statistics import median

import traits
from published import PUBLISHED

WANTED = 0.95  # of the conversations end verified
HEAD = ["trait", "conversations", "verified", "not", "turns", "tokens", "requests"]


def held(results):
    return [facts for facts in results if facts["outcome"] != "skipped"]


def is_silent(facts):
    """Whether it ended, or did not, without a word of why."""
    return facts["outcome"] != "verified" and not (
        facts["outcome"] in ("not_fixed", "refused", "verified_in_part") and facts["reason"] and
        any(facts["reason"][:40] in line for line in facts["said"]))


def is_good(results):
    some = held(results)
    verified = sum(facts["outcome"] == "verified" for facts in some)
    return verified >= WANTED * len(some) and not any(map(is_silent, some))


def middle(results, key):
    values = [facts[key] for facts in results if key in facts]
    return f"{median(values):.0f}" if values else "-"


def row(name, results):
    verified = sum(facts["outcome"] == "verified" for facts in results)
    return [name, str(len(results)), str(verified), str(len(results) - verified),
            middle(results, "turns"), middle(results, "tokens"), middle(results, "requests")]


def rows(results):
    names = [trait.name for trait in traits.TRAITS]
    groups = [(name, [facts for facts in held(results) if facts["trait"] == name])
              for name in names]
    return [row(name, some) for name, some in groups if some] + [row("all", held(results))]


def table(results):
    lines = [HEAD, *rows(results)]
    widths = [max(map(len, column)) for column in zip(*lines)]
    return "\n".join("  ".join([line[0].ljust(widths[0])] + [
        cell.rjust(width) for cell, width in zip(line[1:], widths[1:])]) for line in lines)


def section(results):
    """What stands in doc/models.md."""
    verified = sum(facts["outcome"] == "verified" for facts in held(results))
    lines = [
        f"Of {len(held(results))} conversations with models that know the right fix and write it "
        f"as real models do,", f"{verified} ended verified, and each of the others said why:", "",
        "| the model | conversations | verified | turns | tokens | requests |",
        "|---|---|---|---|---|---|"]
    for name, count, good, _, *medians in rows(results):
        what = PUBLISHED[name][0] if name in PUBLISHED else "all"
        lines.append("| " + " | ".join([what.replace("<", "`<`").replace("&lt;", "`&lt;`"), count,
                                        good, *medians]) + " |")
    return "\n".join(lines) + "\n"
