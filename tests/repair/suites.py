"""Runs suites of packages in a sandbox: code that is broken on purpose may do anything."""
import os
import shutil
import signal
import subprocess
from pathlib import Path

import said


class Outcome:
    def __init__(self, exit_code, output):
        self.exit_code, self.output = exit_code, output
        self.passed, self.failed = said.counts(output)

    def failing(self):
        return said.failing(self.output)

    def is_green(self):
        return self.exit_code == 0

    def is_red(self):
        """Some tests fail and some pass: the suite neither hangs nor crashes."""
        return self.exit_code not in (0, None) and self.passed > 0 and self.failed > 0


def box(*writable):
    """The command line of a sandbox: a program reads the machine, writes only these directories,
    works in the first one, and has no network."""
    if not shutil.which("bwrap"):
        raise SystemExit("repair: bwrap is missing, and broken code is not run without it")
    binds = [word for folder in writable for word in ("--bind", str(folder), str(folder))]
    return [
        "bwrap", "--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "--tmpfs", "/tmp",
        *binds, "--unshare-all", "--die-with-parent", "--new-session", "--chdir", str(writable[0])
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
    for name, folder in (("CARGO_HOME", ".cargo"), ("GOCACHE", ".cache/go-build")):
        if (Path(home) / folder).exists():
            env[name] = str(Path(home) / folder)
    if (Path(home) / ".m2").exists():
        env["MAVEN_OPTS"] = f"-Duser.home={home}"  # Java asks the system and not HOME
    return {**env, **others}


def run(directory, command, seconds, home=None):
    """The outcome of a suite; its exit code is None if it had to be stopped. With a home it finds
    there what was fetched for it, and keeps what it builds."""
    writable = [directory, home] if home else [directory]
    env = environment(home or "/tmp", PYTHONDONTWRITEBYTECODE="1", CARGO_PROFILE_DEV_DEBUG="0")
    process = subprocess.Popen([*box(*writable), "sh", "-c", command], env=env,
                               stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                               stderr=subprocess.STDOUT, start_new_session=True)
    try:
        output, _ = process.communicate(timeout=seconds)
        return Outcome(process.returncode, output.decode(errors="replace"))
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        output, _ = process.communicate()
        return Outcome(None, output.decode(errors="replace"))
