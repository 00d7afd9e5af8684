"""Runs suites of packages in a sandbox: code that is broken on purpose may do anything."""
import os
import re
import shutil
import signal
import subprocess
from pathlib import Path


class Outcome:
    def __init__(self, exit_code, output):
        self.exit_code, self.output = exit_code, output
        self.passed, self.failed = counts(output)

    def is_green(self):
        return self.exit_code == 0

    def is_red(self):
        """Some tests fail and some pass: the suite neither hangs nor crashes."""
        return self.exit_code not in (0, None) and self.passed > 0 and self.failed > 0


def counts(output):
    """How many tests passed and failed, from the last lines of pytest, unittest, mocha or tape."""
    def last(pattern):
        found = re.findall(pattern, output)
        return int(found[-1]) if found else 0

    if re.search(r"(?m)^Ran \d+ tests? in", output):
        end = output.rsplit("\nRan ", 1)[-1]
        failed = sum(map(int, re.findall(r"(?:failures|errors)=(\d+)", end)))
        return last(r"(?m)^Ran (\d+) tests? in") - failed, failed
    if re.search(r"(?m)^1\.\.\d+$", output):
        return last(r"(?m)^# pass +(\d+)"), last(r"(?m)^# fail +(\d+)")
    if re.search(r"\d+ passing", output):
        return last(r"(\d+) passing"), last(r"(\d+) failing")
    return last(r"(\d+) passed"), last(r"(\d+) failed") + last(r"(\d+) errors?\b")


def box(directory):
    """The command line of a sandbox: a program reads the machine, writes only its directory and has
    no network."""
    if not shutil.which("bwrap"):
        raise SystemExit("repair: bwrap is missing, and broken code is not run without it")
    return [
        "bwrap", "--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "--tmpfs", "/tmp",
        "--bind",
        str(directory),
        str(directory), "--unshare-all", "--die-with-parent", "--new-session", "--chdir",
        str(directory)
    ]


def environment(home, **others):
    """The environment of programs: a home of their own; compilers below the user's home work."""
    env = {
        "PATH": os.environ["PATH"], "HOME": str(home), "LC_ALL": "C.UTF-8",
        "GIT_CONFIG_NOSYSTEM": "1", "NO_COLOR": "1"
    }
    for name, folder in (("RUSTUP_HOME", ".rustup"), ("CARGO_HOME", ".cargo")):
        path = Path(os.environ.get(name) or Path.home() / folder)
        if path.exists():
            env[name] = str(path)
    return {**env, **others}


def run(directory, command, seconds):
    """The outcome of a suite; its exit code is None if it had to be stopped."""
    process = subprocess.Popen([*box(directory), "sh", "-c", command],
                               env=environment("/tmp", PYTHONDONTWRITEBYTECODE="1"),
                               stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                               stderr=subprocess.STDOUT, start_new_session=True)
    try:
        output, _ = process.communicate(timeout=seconds)
        return Outcome(process.returncode, output.decode(errors="replace"))
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        output, _ = process.communicate()
        return Outcome(None, output.decode(errors="replace"))
