#!/usr/bin/env python3
"""faults_table.py FILE: prints doc/faults.md.

FILE is what tests/unit/models/test_faults.c wrote: a line a row of faults.rows and dialect, with
number, title, dialect, what was wanted and what was seen.
"""
import re
import sys

DIALECTS = {"openai": "Chat", "openai_responses": "Responses", "anthropic": "Messages"}
LAST = 72
HEAD = """\
# Faults of models and networks

Made by `make faults-table`: a server of the tests plays each case in each dialect that has it (Chat
Completions, Responses, Messages), and what came of it stands beside what was wanted. The same test
is a part of `make check`; its rows are in
[tests/unit/data/models/faults.rows](../tests/unit/data/models/faults.rows), with what is sent and
the whole message. A case with + is beyond the list that the design was made from.

- reply: what the model said is whole and counts. After N tries: what had broken off is counted as
  lost, and nothing of it is kept
- cut off: by a limit of tokens; nothing of it is applied
- refusal: the model's or its provider's; it is said in the chat
- final: no other try is made; the message names what to change
- may pass: the call fails after so many tries, and the run ends with exit code 75
- = what was seen is what was wanted, to the letter; - the dialect does not have the case
"""


def short(outcome):
    """An outcome in two or three words."""
    kind = re.match("reply|cut off|refused|final|may pass|cancelled", outcome)[0]
    asked = re.search(r", asked (again|(\d+) times)|\((\d+) tries\)", outcome)
    kind = {"refused": "refusal"}.get(kind, kind)
    tries = asked and (asked[2] or asked[3])
    if not asked:
        return kind
    if kind == "may pass":
        return f"{kind}, {tries} tries"
    return f"{kind} after {tries or 'more'} tries"


def read(path):
    """[(number, title, wanted, {dialect: seen})], in the order of the numbers."""
    rows = {}
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            number, title, dialect, wanted, seen = line.rstrip("\n").split("\t")
            pattern = ".*".join(map(re.escape, wanted.split("...")))
            fits = re.fullmatch(pattern, seen, re.S)
            row = rows.setdefault((number, title), (number, title, short(wanted), {}))
            row[3][dialect] = "=" if fits else seen

    def order(row):
        return (int(row[0].partition("-")[0]) if row[0] != "+" else LAST + 1, row[1])

    return sorted(rows.values(), key=order)


def missing(rows):
    """The numbers of the list that no row has."""
    found = set()
    for number, *_ in rows:
        first, _, last = number.partition("-")
        if first != "+":
            found.update(range(int(first), int(last or first) + 1))
    return sorted(set(range(1, LAST + 1)) - found)


def main(path):
    rows = read(path)
    if missing(rows):
        sys.exit(f"no row has the cases {missing(rows)}")
    print(HEAD)
    print("| case | what happens | wanted | " + " | ".join(DIALECTS.values()) + " |")
    print("| --- | --- | --- |" + " --- |" * len(DIALECTS))
    for number, title, wanted, seen in rows:
        cells = [seen.get(dialect, "-") for dialect in DIALECTS]
        print(f"| {number} | {title} | {wanted} | " + " | ".join(cells) + " |")
    outcomes = [seen for *_, cells in rows for seen in cells.values()]
    equal = outcomes.count("=")
    print(f"\n{len(rows)} cases, played {len(outcomes)} times: {equal} as wanted.")


main(*sys.argv[1:])
