"""Tries one case: rondo fixes a broken repository, and hidden tests judge the fix."""
import json
import os
import shutil
import signal
import subprocess
import time

import fetch
import halves
import suites

# Besides the search, rondo runs the suite for baseline and gate. A longer suite hangs.
REST_SECONDS = 240
LONGEST_SUITE = 120


class InjectedCase:
    """A package with an injection, in the package's own repository. rondo sees the visible tests,
    all tests judge. With a history, the injection is its last commit; else the only one has it."""

    def __init__(self, chosen, repository, history=False):
        self.name, self.repository, self.history = chosen.name, repository, history
        self.half = halves.half(chosen.package.name)
        self.group, self.language = chosen.package.name, chosen.package.language
        self.kind = chosen.injection.kind
        self.place = f"{chosen.injection.path}:{chosen.line}"
        self.chosen, self.command = chosen, chosen.package.test
        self.protect = fetch.test_files(chosen.package, repository)

    def lay_out(self):
        injection = self.chosen.injection
        fetch.git(self.repository, "checkout", "-q", "-f", "visible")
        text = fetch.read(self.repository / injection.path)
        fetch.write(self.repository / injection.path, injection.apply(text))
        fetch.git(self.repository, "commit", "-q", "-a", "-m", "Work on it")
        if not self.history:
            commit = fetch.git(self.repository, "commit-tree", "-m", self.group, "HEAD^{tree}")
            fetch.git(self.repository, "checkout", "-q", "-f", commit.strip())

    def is_right(self, branch):
        """Whether all tests of the package pass on a branch, also those that were held back."""
        fetch.git(self.repository, "checkout", "-q", "-f", branch)
        fetch.git(self.repository, "checkout", "-q", "whole", "--", *self.protect)
        return suites.run(self.repository, self.command, LONGEST_SUITE).is_green()

    def clean(self):
        fetch.git(self.repository, "checkout", "-q", "-f", "visible")
        for branch in fetch.git(self.repository, "branch", "--list", "--format=%(refname:short)",
                                "rondo/*").split():
            fetch.git(self.repository, "branch", "-q", "-D", branch)


def run_rondo(rondo, case, home, seconds):
    """The last line of rondo's --json, and its journal; both are empty if it had to be killed."""
    shutil.rmtree(home / "state", ignore_errors=True)
    words = [str(rondo), "fix", "--json", "--executor", "sandbox", "--limit", f"repair={seconds}s"]
    words += ["--test", case.command] if case.command else []
    for path in case.protect:
        words += ["--protect", path]
    env = suites.environment(home, XDG_STATE_HOME=str(home / "state"),
                             XDG_CACHE_HOME=str(home / "cache"))
    process = subprocess.Popen(words, cwd=case.repository, env=env, stdin=subprocess.DEVNULL,
                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                               start_new_session=True)
    try:
        output, _ = process.communicate(timeout=seconds + REST_SECONDS)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        return {"outcome": "hung"}, []
    last = output.decode(errors="replace").strip().rpartition("\n")[2]
    result = json.loads(last) if last.startswith("{") else {"outcome": "crashed", "reason": last}
    journals = sorted((home / "state/rondo/runs").glob("*/attempts/1/journal.jsonl"))
    events = [json.loads(line)
              for line in journals[-1].read_text().splitlines()] if journals else []
    return result, events


def messages(events, kind):
    return [
        event for event in events if event["type"] == "message" and event["message"]["type"] == kind
    ]


def read_times(events):
    """When each stage ended, in milliseconds: the search begins with the baseline's end. The winner
    is the first candidate that passed after the last useless edit."""
    at = {event["type"]: event["ms"] for event in events}
    begin = at.get("baseline", 0)
    searches = [(event["ms"] - begin, event["data"]) for event in events
                if event["type"] == "search"]
    edits = [event["ms"] - begin for event in messages(events, "edit")]
    winners = [ms - data["ms"] + data["passed_ms"] for ms, data in searches
               if "passed_ms" in data and (len(edits) < 2 or ms > edits[-2])]
    end = at.get("stop", at.get("run.end", begin))
    return {
        "baseline_ms": begin,
        "search_ms": end - begin,
        "gate_ms": at.get("verdict", end) - end,
        "candidates": sum(data.get("tried", 0) for _, data in searches),
        "winner_ms": winners[0] if winners else None,
    }


def read_choice(events):
    """What repair said of the last edit that it chose among those that passed."""
    said = [event["message"].get("data", {}).get("choice") for event in messages(events, "edit")]
    choice = next((one for one in reversed(said) if one), {})
    return {key: value for key, value in choice.items() if key != "others"}


def try_case(rondo, case, home, seconds):
    """The result of a case, as a line of the results; table.py reads it."""
    start = time.monotonic()
    case.lay_out()
    try:
        result, events = run_rondo(rondo, case, home, seconds)
        fixed = result.get("outcome") == "verified"
        line = {
            "case": case.name, "half": case.half, "group": case.group, "kind": case.kind,
            "language": case.language, "place": case.place, "seconds": seconds,
            "outcome": result.get("outcome", "crashed"), **read_times(events)
        }
        search = result.get("search") or {}
        line["warm"], line["confidence"] = search.get("warm"), search.get(
            "confidence", "not told") if fixed else "not fixed"
        line["plausible"] = len(search.get("others", [])) + fixed
        line["edit"] = result.get("fix", {}).get("what") if fixed else None
        line["operator"] = search.get("kind")
        line["choice"] = read_choice(events)
        line["tests"] = result.get("tests")
        line["right"] = case.is_right(result["fix"]["branch"]) if fixed else None
        if hasattr(case, "is_same"):
            line["same"] = case.is_same(result["fix"]["branch"]) if fixed else None
        line["reason"] = None if fixed else (result.get("reason") or result.get("message")
                                             or "")[:300]
    finally:
        case.clean()
    line["total_ms"] = round((time.monotonic() - start) * 1000)
    return line
