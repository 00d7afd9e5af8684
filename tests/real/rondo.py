"""One `rondo fix` on a real project, and what its events come to."""
import hashlib
import json
import os
import signal
import subprocess
import tempfile
import threading
import time
from pathlib import Path

import projects

BUILD = Path(os.environ.get("RONDO_BUILD", projects.HERE.parent.parent / "build/release"))
RONDO = Path(os.environ.get("RONDO", BUILD / "rondo")).resolve()


def digest():
    return hashlib.sha256(RONDO.read_bytes()).hexdigest()[:12]


def stop(child):
    """Ends a run as a person does, and by force where that has no effect."""
    child.send_signal(signal.SIGINT)
    try:
        child.wait(30)
    except subprocess.TimeoutExpired:
        child.kill()


def fix(project, limit=300, search=60):
    """The exit code (None: it took longer than limit), seconds, events and the text of errors."""
    events, expired = [], threading.Event()
    with tempfile.TemporaryDirectory(prefix="rondo-real-") as state:
        command = [RONDO, "fix", "--json", "--limit", f"repair={search}s",
                   *project.options_list()]
        start = time.monotonic()
        with open(f"{state}/errors", "wb") as errors:
            child = subprocess.Popen(command, cwd=project.root, stdin=subprocess.DEVNULL,
                                     stdout=subprocess.PIPE, stderr=errors, text=True,
                                     env=projects.environment(XDG_STATE_HOME=f"{state}/state"))
        timer = threading.Timer(limit, lambda: (expired.set(), stop(child)))
        timer.start()
        for line in child.stdout:
            events.append(json.loads(line))
        code = child.wait()
        timer.cancel()
        said = Path(f"{state}/errors").read_text(errors="replace").strip()
    return None if expired.is_set() else code, time.monotonic() - start, events, said


def first(events, kind):
    return next((event for event in events if event["type"] == kind), {})


def facts(code, took, events, said):
    """What a table needs of a run."""
    result, begun = first(events, "result"), first(events, "base")
    measured = first(events, "baseline")
    base, baseline = begun.get("data", {}), measured.get("data", {})
    tried = [event["data"]["tried"] for event in events
             if isinstance(event.get("data"), dict) and "tried" in event["data"]]
    run1 = baseline.get("duration_ms", 0) / 1000
    return {
        "code": code, "seconds": round(took, 2), "outcome": result.get("outcome", ""),
        "reason": said.split("\n")[0] if said and not result else result.get("reason", ""),
        "help": said.split("\n")[-1] if not result else result.get("help", ""),
        "command": base.get("command", ""), "found": base.get("origin", ""),
        "tests": baseline.get("tests", 0), "passed": baseline.get("passed", 0),
        "red": len(baseline.get("goal", [])), "goals": baseline.get("goal", [])[:3],
        "first": round(run1, 2),
        "tried": max(tried, default=0), "branch": (result.get("fix") or {}).get("branch") or "",
        "rondo": digest(),
    }
