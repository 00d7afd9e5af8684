"""What the results of run come to, as a table for people."""
import os
import platform
import re
import textwrap
import time
from pathlib import Path

import projects

KINDS = list(projects.LANGUAGES)


def verdict_of_green(project, facts):
    """green, told (it says truly why it cannot judge), not found (no test command), searched (it
    worked on a green suite), untrue, silent."""
    if facts["code"] is None:
        return "too long"
    if facts["outcome"] == "nothing_fails":
        return "green"
    if facts["tried"]:
        return "searched"
    if facts["reason"].startswith("no test command found"):
        return "not found"
    if project.tells and re.search(project.tells, facts["reason"]):
        return "told"
    return "untrue" if facts["reason"] else "silent"


def circumstances():
    """Where and when a record is made."""
    models = re.findall(r"model name\s*: (.*)", Path("/proc/cpuinfo").read_text(errors="replace"))
    return {"date": time.strftime("%Y-%m-%d", time.gmtime()),
            "machine": f"{os.cpu_count()} cores ({models[0] if models else platform.machine()}), "
                       f"Linux {platform.release()}",
            "load": round(os.getloadavg()[0], 1)}


def measured(chosen, records):
    """When, where and with which builds all that was, in a sentence or two."""
    names = {p.name for p in chosen}
    made = [record for (name, _), record in records.items() if name in names and "date" in record]
    if not made:
        return "Nothing was measured."
    dates, machines = ({record[key] for record in made} for key in ("date", "machine"))
    builds = {record["rondo"] for record in made if "rondo" in record}
    loads = sorted(record["load"] for record in made if "load" in record)
    return (f"Measured on {' and '.join(sorted(dates))}, on {' and '.join(sorted(machines))}, with "
            f"{len(builds)} build{'s' * (len(builds) != 1)} of rondo, at a load of "
            f"{loads[0]:.0f} to {loads[-1]:.0f}. Times tell little where the load is above the "
            "number of cores.")


def seconds(value):
    return f"{value:.1f}" if value < 10 else f"{value:.0f}"


def row_of_project(project, records):
    home = records.get((project.name, "home"), {})
    green = records.get((project.name, "green"), {})
    bugs = [records[project.name, f"bug {n + 1}"] for n in range(len(project.bugs))
            if (project.name, f"bug {n + 1}") in records]
    cells = [project.name]
    cells.append(f"{seconds(home['cold'])} / {seconds(home['warm'])}" if home else "-")
    if green:
        ratio = green["first"] / home["warm"] if home.get("warm") else 0
        cells += [green["verdict"], f"{green['tests']}", seconds(green["first"]) + (
            f" ({ratio:.1f} x)" if ratio else "")]
    else:
        cells += ["-"] * 3
    told = [f"{bug['verdict'].replace('_', ' ')}{'*' if bug['removes'] else ''} ({bug['tried']})"
            for bug in bugs]
    cells.append("; ".join(told) or "-")
    return "| " + " | ".join(cells) + " |"


def sums(chosen, records):
    greens = [records[p.name, "green"] for p in chosen if (p.name, "green") in records]
    bugs = [record for (name, part), record in records.items()
            if part.startswith("bug") and name in {p.name for p in chosen}]
    count = {}
    for record in greens:
        count[record["verdict"]] = count.get(record["verdict"], 0) + 1
    fixed = {}
    for record in bugs:
        fixed[record["verdict"]] = fixed.get(record["verdict"], 0) + 1
    without = sum(1 for p in chosen if not p.options and records.get((p.name, "green"), {}).get(
        "verdict") in ("green", "told"))
    lines = [
        f"- projects: {len(chosen)}, measured: {len(greens)}",
        f"- green: {count.pop('green', 0)}; told truly: {count.pop('told', 0)}" + "".join(
            f"; {word}: {n}" for word, n in sorted(count.items())),
        f"- work without an option: {without}",
        f"- bugs: {len(bugs)}, right: {fixed.pop('right', 0)}, fixed otherwise: "
        f"{fixed.pop('other', 0)}" + "".join(f", {w}: {n}" for w, n in sorted(fixed.items())),
    ]
    removed = [record for record in bugs if record["removes"]]
    lines.append(f"- of them code removed: {len(removed)}, right: "
                 f"{sum(record['verdict'] == 'right' for record in removed)}")
    return lines


def ratios(chosen, records):
    """The middle of the first run to home, by kind."""
    lines = ["| kind | projects | first run to warm home, middle (worst) |", "| --- | --- | --- |"]
    for kind in KINDS:
        found = []
        for p in (p for p in chosen if p.kind == kind):
            home, green = records.get((p.name, "home")), records.get((p.name, "green"))
            if home and green and green["first"] and home["warm"]:
                found.append(green["first"] / home["warm"])
        found.sort()
        if found:
            lines.append(f"| {projects.LANGUAGES[kind]} | {len(found)} | "
                         f"{found[len(found) // 2]:.1f} ({found[-1]:.1f}) |")
    return lines


def report(chosen, records):
    for p in chosen:  # a row may have learnt since what rondo says truly
        if (p.name, "green") in records:
            green = records[p.name, "green"]
            green["verdict"] = verdict_of_green(p, green)
    lines = ["# Real projects and their ecosystems", "",
             "Made by `make real real-table` from `tests/real`, whose rows name versions and sums.",
             "", *textwrap.wrap(measured(chosen, records), 100), "",
             "- home: seconds of the suite by the developers' command, cold and warm",
             "- rondo fix: what it says on the project as it is. green: nothing to fix; told: it "
             "stops at once and says truly why; not found: it sees no test command; searched: it "
             "looked for a mistake in a program that has none; too long: it was stopped",
             "- sandbox: seconds of the suite's first run, beside the second, and the ratio to "
             "warm home; tests/bench/real measures one after the other",
             "- mistakes: for each planted mistake the outcome and the candidates tried. A * means "
             "that the mistake removes code.", "",
             "A - was not measured.", ""]
    for kind in KINDS:
        rows = [p for p in chosen if p.kind == kind]
        if not rows:
            continue
        lines += [f"## {projects.LANGUAGES[kind]}", "",
                  "| project | home | rondo fix | tests | sandbox | mistakes |",
                  "| --- | --- | --- | --- | --- | --- |"]
        lines += [row_of_project(p, records) for p in rows] + [""]
    lines += ["## Sums", ""] + sums(chosen, records) + [""] + ratios(chosen, records)
    told = [(p.name, records[p.name, "green"]) for p in chosen if (p.name, "green") in records]
    lines += ["", "## Why not", ""] + [
        f"- {name}: {green['reason'] or 'nothing was said'}" for name, green in told
        if green["verdict"] != "green"]
    others = [(name, part, record) for (name, part), record in sorted(records.items())
              if record.get("verdict") == "other"]
    if others:
        lines += ["", "## Fixed otherwise", ""]
        for name, part, record in others:
            changed = [line for line in record["difference"].splitlines()
                       if re.match(r"[-+](?![-+])", line)]
            lines += [f"{name}, {part}:", "", *("    " + line for line in changed[:12]), ""]
    lines = [part for line in lines for part in (
        textwrap.wrap(line, 100, subsequent_indent="  ") if line.startswith("- ") else [line])]
    return "\n".join(lines).rstrip() + "\n"
