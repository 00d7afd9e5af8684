"""The small worlds in which rondo is disturbed, and what must hold in them afterwards."""
import ctypes
import hashlib
import json
import os
import re
import shutil
import signal
import subprocess
import time

HERE = os.path.dirname(os.path.abspath(__file__))
SOURCE = os.path.dirname(os.path.dirname(HERE))
EXIT_STATUS = (0, 1, 2, 3, 75, 129, 130, 143)  # rondo(1)
LIMIT_S = 300

SUITE = '''import sys
sys.path.insert(0, ".")
from shapes import area, double

def test(number, name, found, expected):
    print("ok" if found == expected else "not ok", number, "-", name)
    if found != expected:
        print(f"# found {found}, expected {expected}")

print("1..2")
test(1, "area", area(3, 5), 15)
test(2, "double", double(4), 8)
sys.exit(area(3, 5) != 15 or double(4) != 8)
'''
RED = 'def area(width, height):\n    return width + height\n\n\ndef double(x):\n    return x * 2\n'
DIARY = '''name: diary
task: Keep a diary.
models:
  recorded:
    provider: replay
    replies:
      - "One.\\n\\n```sh\\necho one >>diary; mkdir -p sub; echo 1 >sub/a; cat diary\\n```"
      - "Nothing to run here."
      - "Two.\\n\\n```sh\\necho two >>diary; rm sub/a; cat diary\\n```"
      - TERMINATE
agents: {writer: {type: coder, model: recorded}, runner: executor}
team: {participants: [writer, runner], termination: {text_mention: TERMINATE}}
executor: {type: local}
'''


def become_subreaper():
    """What a program leaves running becomes a child of this process."""
    ctypes.CDLL(None).prctl(36, 1, 0, 0, 0)


def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w") as file:
        file.write(text)


def read(path):
    with open(path, "rb") as file:
        return file.read()


def files_below(top):
    for dir, _, names in os.walk(top):
        for name in names:
            yield os.path.join(dir, name)


class World:
    """A home with one repository, in which all is at the same path each time."""

    def __init__(self, home, rondo):
        self.home, self.rondo = home, rondo
        self.kept = home + ".kept"
        self.repo = home + "/one"
        self.runs = home + "/state/rondo/runs"
        self.env = {
            "HOME": home, "XDG_STATE_HOME": home + "/state", "XDG_CACHE_HOME": home + "/cache",
            "PATH": "/usr/bin:/bin", "GIT_CONFIG_NOSYSTEM": "1", "LC_ALL": "C.UTF-8",
            "TMPDIR": home + "/tmp",
        }

    def git(self, *words, repo=None):
        return subprocess.run(["git", "-C", repo or self.repo, *words], env=self.env,
                              capture_output=True, text=True)

    def tiny(self, repo):
        write(repo + "/shapes.py", RED)
        write(repo + "/tests/run.py", SUITE)
        write(repo + "/Makefile", "check:\n\t@python3 -S tests/run.py\n")
        for words in (("init", "-q"), ("add", "-A"), ("commit", "-qm", "base")):
            self.git(*words, repo=repo)

    def begin(self, prepare):
        """Make the world as each test finds it, and keep a copy."""
        for path in (self.home, self.kept):
            shutil.rmtree(path, ignore_errors=True)
        write(self.home + "/.gitconfig", "[user]\n\tname = A Person\n\temail = p@example.org\n"
              "[init]\n\tdefaultBranch = main\n[maintenance]\n\tauto = false\n")
        os.makedirs(self.home + "/tmp")
        self.tiny(self.repo)
        write(self.home + "/diary.yaml", DIARY)
        prepare(self)
        subprocess.run(["cp", "-a", self.home, self.kept], check=True)
        self.before = self.fingerprint()

    def restore(self):
        subprocess.run(["rm", "-rf", self.home], check=True)
        subprocess.run(["cp", "-a", self.kept, self.home], check=True)

    def run(self, words, env=None, cwd=None):
        """Its exit code, or minus its signal; None: it hangs. Also what it printed."""
        process = subprocess.Popen([self.rondo, *words], cwd=cwd or self.repo,
                                   env={**self.env, **(env or {})}, stdin=subprocess.DEVNULL,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        try:
            out, err = process.communicate(timeout=LIMIT_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            return None, "", ""
        return process.returncode, out.decode(errors="replace"), err.decode(errors="replace")

    def kill_after(self, words, pattern):
        """Begin it and kill it as soon as it prints a line with this pattern."""
        # What it prints further waits in a pipe of a page: it cannot have come to its end.
        process = subprocess.Popen([self.rondo, *words], cwd=self.repo, env=self.env, bufsize=0,
                                   pipesize=4096, stdin=subprocess.DEVNULL,
                                   stdout=subprocess.PIPE)
        for line in process.stdout:
            if pattern in line.decode():
                break
        else:
            raise RuntimeError(f"{words}: no line with {pattern}")
        process.kill()
        process.wait()
        process.stdout.close()
        self.await_nobody()

    def await_nobody(self, seconds=60):
        """Whether all that was left running has ended by itself. What has not is killed."""
        end = time.monotonic() + seconds
        while True:
            try:
                while os.waitpid(-1, os.WNOHANG)[0]:
                    pass
            except ChildProcessError:
                return True
            if time.monotonic() > end:
                break
            time.sleep(0.005)
        with open(f"/proc/{os.getpid()}/task/{os.getpid()}/children") as file:
            for pid in file.read().split():
                os.kill(int(pid), signal.SIGKILL)
        return False

    def fingerprint(self):
        """All that must stay in the user's repository: files, index, HEAD, refs, config ..."""
        lines = []
        for path in files_below(self.repo):
            name = path[len(self.repo):]
            if name.startswith("/.git/objects/") or "/refs/heads/rondo/" in name:
                continue
            lines.append(f"{name} {hashlib.sha256(read(path)).hexdigest()}")
        return sorted(lines)

    def branches(self):
        found = self.git("for-each-ref", "--format=%(refname)", "refs/heads/rondo")
        return found.stdout.split()

    def left(self):
        """Names in cache and temporary directories, without what is random in them."""
        names = set()
        for top in ("cache", "tmp"):
            for dir, dirs, files in os.walk(f"{self.home}/{top}"):
                if dir.count("/") - self.home.count("/") > 4:
                    dirs.clear()
                for name in dirs + files:
                    path = os.path.join(dir, name)[len(self.home):]
                    names.add(re.sub(r"[0-9a-f]{2,}", "#", path))
        return names


# --- What must hold ---

def says_one_sentence(code, out, err):
    lines = err.splitlines()
    said = [line for line in lines if line.startswith("rondo: ")]
    if code in (2, 3, 75) and len(said) != 1 and not re.search("^[✗!] ", out, re.M):
        yield f"exit code {code} with {len(said)} sentences: {err!r}"
    if len(said) > 1 or any(
            not line.startswith(("rondo: ", "  help  ", "  ", "! ")) for line in lines):
        yield f"more than a sentence: {err!r}"


def has_ended_well(code, out, err, kind=""):
    if code is None:
        yield "hangs"
    elif code == -signal.SIGABRT and kind == "allocation":
        pass  # as base/memory.h says
    elif code < 0:
        yield f"killed by {signal.Signals(-code).name}"
    elif code not in EXIT_STATUS:
        yield f"exit code {code}: {err[-1500:]!r}"
    elif "ERROR: " in err and "Sanitizer" in err or "runtime error: " in err:
        yield f"sanitizer: {err[-1500:]!r}"
    else:
        yield from says_one_sentence(code, out, err)


def journals_are_whole(world):
    for path in files_below(world.runs):
        if not path.endswith("journal.jsonl"):
            continue
        text = read(path)
        if text and not text.endswith(b"\n"):
            yield f"half a line ends {os.path.basename(path)}"
        for line in text.splitlines():
            try:
                json.loads(line)
            except ValueError:
                yield f"a line of {os.path.basename(path)} is no JSON: {line[:80]!r}"


def is_fixed(text):
    shapes = {}
    try:
        exec(text, shapes)
        return shapes["area"](3, 5) == 15 and shapes["double"](4) == 8
    except Exception:
        return False


def repository_is_whole(world):
    if world.fingerprint() != world.before:
        changed = set(world.fingerprint()) ^ set(world.before)
        yield f"the user's repository has changed: {sorted(changed)[:4]}"
    fsck = world.git("fsck", "--strict", "--no-dangling", "--no-progress")
    if fsck.returncode or fsck.stdout or fsck.stderr.strip():
        yield f"git fsck: {fsck.stdout[:200]}{fsck.stderr[:200]}"
    for branch in world.branches():
        text = world.git("show", branch + ":shapes.py").stdout
        if not is_fixed(text):
            yield f"{branch} has no fix: {text[:80]!r}"


def can_be_read(world, env=None):
    if os.path.isdir(world.runs) and os.listdir(world.runs):
        for words in (["show"], ["list", "runs"]):
            code, _, err = world.run(words)
            if code != 0:
                yield f"{words[0]} afterwards: exit code {code}: {err!r}"


def leaves_nothing(world, usual):
    code, _, err = world.run(["gc"])
    if code != 0:
        yield f"gc afterwards: exit code {code}: {err!r}"
    more = world.left() - usual
    if more:
        yield f"gc leaves {sorted(more)[:4]}"
