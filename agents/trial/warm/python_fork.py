# Processes for candidates: each is forked from one that has loaded what it needs, tells what it
# found through a pipe, and is then killed with all that it started. Nothing of it stays.
import contextlib
import fcntl
import gc
import json
import os
import random
import resource
import select
import shutil
import signal
import socket
import stat
import sys
import tempfile
import threading
import time

PRIVATE = 100  # from here on are descriptors that tests do not meet by accident
MEMORY = 1 << 30
FILE_SIZE = 50 << 20


def now_ms():
    return time.monotonic() * 1000


def private(fd):
    """The descriptor, moved to where tests do not meet it."""
    moved = fcntl.fcntl(fd, fcntl.F_DUPFD_CLOEXEC, PRIVATE)
    os.close(fd)
    return moved


def send(fd, message):
    """A line of JSON; an empty one for no message."""
    data = (json.dumps(message) if message is not None else "").encode() + b"\n"
    while data:
        data = data[os.write(fd, data):]


def open_descriptors():
    return [int(name) for name in os.listdir("/proc/self/fd")]


def system_library():
    """The C library; None where it cannot be called."""
    try:
        import ctypes
        return ctypes.PyDLL(None)
    except (ImportError, OSError, AttributeError):
        return None


def bare_fork(library):
    """os.fork() without what Python does behind it for the sake of other threads (new locks, new
    seeds): there are none."""
    def fork():
        pid = library.fork()
        if pid < 0:
            raise OSError("no process can be started")
        return pid

    return fork


def unnamed_file():
    """A descriptor of a new file, in memory where the system has such."""
    try:
        return os.memfd_create("captured", 0)
    except (AttributeError, OSError):
        with tempfile.TemporaryFile() as file:
            return os.dup(file.fileno())


def children_of_mine():
    found = []
    for name in filter(str.isdigit, os.listdir("/proc")):
        with contextlib.suppress(OSError, ValueError, IndexError):
            with open("/proc/%s/stat" % name, "rb") as file:
                if int(file.read().rpartition(b")")[2].split()[1]) == os.getpid():
                    found.append(int(name))
    return found


def kill_children():
    """Ends all that is left of a candidate, also what hid in a session of its own."""
    with contextlib.suppress(ChildProcessError):
        while True:
            if os.waitpid(-1, os.WNOHANG)[0]:
                continue
            for pid in children_of_mine():
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
            os.waitpid(-1, 0)


def listen(reader, first_wall_ms, wall_ms):
    """What a candidate says until it has come to its end; an empty line is a sign of life: the next
    test begins."""
    said, rest, deadline = [], b"", now_ms() + first_wall_ms
    poll = select.poll()
    poll.register(reader, select.POLLIN)
    while not said or "end" not in said[-1]:
        if not poll.poll(max(0, deadline - now_ms())):
            return {"end": "timeout", "said": said}
        data = os.read(reader, 1 << 16)
        if not data:
            return {"end": "died", "said": said}
        *lines, rest = (rest + data).split(b"\n")
        said += [json.loads(line) for line in lines if line]
        if lines:
            deadline = now_ms() + wall_ms
    return {"end": "said", "said": said}


class Level:
    """A process that stands where nothing has been loaded that came later, and starts candidates
    there."""

    def __init__(self, fd):
        self.fd, self.answers = fd, os.fdopen(fd, "rb", closefd=False)

    def ask(self, job):
        """What became of it; None: this level has loaded what the candidate changes, or is gone."""
        try:
            send(self.fd, job)
            return json.loads(self.answers.readline().strip() or b"null")
        except OSError:
            return None


class Forks:
    """One process of the runner: the one that serves, a level, or a candidate's, which has a
    job."""

    def __init__(self, requests, answers):
        self.requests, self.answers = requests, answers
        self.descriptors = set(open_descriptors())
        self.captured = []  # descriptors of the files that hold what tests print, by file
        self.levels = []  # what has the most loaded comes first
        self.job, self.fork, self.begun = None, None, False
        self.place = tempfile.mkdtemp(prefix="warm-")
        self.temporary = os.path.join(self.place, "tmp")
        os.mkdir(self.temporary)
        os.environ["TMPDIR"] = tempfile.tempdir = self.temporary
        self.codes = Codes(os.path.realpath(os.getcwd()), os.path.join(self.place, "codes"))

    def settle(self):
        """Before candidates are started here: what all of them need to know."""
        library = system_library()
        if library:
            # PR_SET_CHILD_SUBREAPER: what candidates leave behind becomes a child of this process
            library.prctl(36, 1, 0, 0, 0)
        alone = len(os.listdir("/proc/self/task")) == 1
        is_bare = library and alone and sys.implementation.name == "cpython"
        self.fork = bare_fork(library) if is_bare else os.fork
        self.random = random.getstate()
        with open("/proc/self/statm") as file:
            self.size = int(file.read().split()[0]) * resource.getpagesize()
        gc.collect()
        if hasattr(gc, "freeze"):
            gc.freeze()

    def note_captured(self):
        """The files that pytest has opened for what tests print: each candidate gets its own."""
        files = {}
        for fd in open_descriptors():
            with contextlib.suppress(OSError):
                if below(self.temporary, os.readlink("/proc/self/fd/%d" % fd)):
                    files.setdefault(os.fstat(fd).st_ino, []).append(fd)
        self.captured = list(files.values())

    def shares(self):
        """Whether something is open or running here that candidates would have in common: a fork
        copies neither."""
        if threading.active_count() > 1:
            return True
        known = self.descriptors.union(*self.captured)
        for fd in open_descriptors():
            with contextlib.suppress(OSError):
                mode = os.fstat(fd).st_mode
                if fd < PRIVATE and fd not in known and not (stat.S_ISCHR(mode)
                                                             or stat.S_ISDIR(mode)):
                    return True
        return False

    # --- Seen from outside ---

    def attempt(self, job):
        """Runs a job in a process of its own: {"end", "said"}, end being "said", "died" or
        "timeout". Gives None in that process. It has load_ms until its first test begins, and then
        its limits for each."""
        reader, writer = os.pipe()
        pid = self.fork()
        if pid == 0:
            try:
                os.close(reader)
                self.become(job, private(writer))
            except BaseException:
                os._exit(1)
            return None
        os.close(writer)
        outcome = listen(reader, job["wall_ms"] + job.get("load_ms", 0), job["wall_ms"])
        for kill in os.killpg, os.kill:
            with contextlib.suppress(OSError):
                kill(pid, signal.SIGKILL)
        _, status = os.waitpid(pid, 0)
        kill_children()
        os.close(reader)
        signalled = os.WTERMSIG(status) if os.WIFSIGNALED(status) else None
        if outcome["end"] == "died" and signalled == signal.SIGPROF:
            outcome["end"] = "timeout"
        self.clean()
        return outcome

    def clean(self):
        """Empties the temporary directory, which may have gone."""
        with contextlib.suppress(OSError):
            if not os.listdir(self.temporary):
                return
        shutil.rmtree(self.temporary, ignore_errors=True)
        os.makedirs(self.temporary, exist_ok=True)

    def checkpoint(self):
        """Leaves a level behind that starts candidates here. Returns again in each candidate's
        process."""
        if self.job or (self.levels and self.shares()):
            return
        ours, theirs = [private(end.detach()) for end in socket.socketpair()]
        pid = os.fork()
        if pid:
            os.close(theirs)
            os.waitpid(pid, 0)
            self.levels.insert(0, Level(ours))
            return
        # Not a child of the one that serves, whose only children are then candidates and what these
        # leave behind.
        if os.fork():
            os._exit(0)
        os.close(ours)
        self.close_private()
        self.levels = []
        self.requests, self.answers = os.fdopen(theirs, "rb", closefd=False), theirs
        self.become_level()

    def become_level(self):
        try:
            self.unwatch()
            for line in self.requests:
                job = json.loads(line)
                if not self.fork:
                    self.settle()
                    modules = list(sys.modules.values())
                    files = [getattr(module, "__file__", None) or "" for module in modules]
                    loaded = set(map(os.path.realpath, files))
                outcome = self.attempt(job) if loaded.isdisjoint(job["paths"]) else None
                if self.job:
                    return
                send(self.answers, outcome)
        finally:
            if not self.job:
                os._exit(0)

    # --- Seen from inside ---

    def become(self, job, writer):
        """This process is a candidate's from here on."""
        self.job, self.writer, self.pid = job, writer, os.getpid()
        self.codes.keeps = False
        os.setpgid(0, 0)
        self.close_private()
        for fds in self.captured:
            fresh = unnamed_file()
            for fd in fds:
                os.dup2(fresh, fd, inheritable=fd < 3)
            os.close(fresh)
        if self.fork is os.fork:
            random.setstate(self.random)  # it seeds again
        with contextlib.suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_AS, (self.size + MEMORY, self.size + MEMORY))
        self.limit(job["cpu_ms"] + job.get("load_ms", 0))

    def close_private(self):
        for fd in {self.requests.fileno(), self.answers} | {level.fd for level in self.levels}:
            os.close(fd)

    @staticmethod
    def limit(cpu_ms):
        signal.setitimer(signal.ITIMER_PROF, cpu_ms / 1000)

    def begin_test(self):
        """Each has the whole of the time; the first from the start, where nothing is loaded before
        it."""
        if self.begun or self.job.get("load_ms"):
            self.limit(self.job["cpu_ms"])
            self.say()
        self.begun = True

    def say(self, message=None):
        """To the process that started this candidate. A process that the tests forked says
        nothing."""
        if os.getpid() == self.pid:
            send(self.writer, message)

    def answer(self, end, **more):
        self.say(dict(more, end=end))
        os._exit(0)
