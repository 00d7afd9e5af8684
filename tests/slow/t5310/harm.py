# What a candidate does to the world is its own affair: harm.py NAME. Each is followed by candidates
# that are judged as ever.
import os
import subprocess
import sys

from cases import APP, OTHER, TESTS, body, expect, project, small, unharmed

AS_EVER = """

def test_as_ever():
    import builtins, os, random, sys, threading
    assert app.seen == [] and app.Thing.count == 0 and app.LIMIT == 10
    assert os.path.basename(os.getcwd()) == "leak"
    assert "LEAK" not in os.environ and "leak" not in sys.path
    assert threading.active_count() == 1 and "leaked" not in sys.modules and not hasattr(os, "leak")
    assert "leak" not in dir(builtins) and sys.getrecursionlimit() < 5000
    assert random.getstate() == state


import random
state = random.getstate()
"""


def leaks():
    """Nothing that code changes in its process is seen by the next candidate."""
    os.mkdir("leak")
    os.chdir("leak")
    with small(tests=TESTS + AS_EVER, others=[OTHER, "test_app.py::test_as_ever"]) as warm:
        for text in (
                "seen.append(1)", "Thing.count += 1", "globals().update(LIMIT=11)",
                "import builtins; builtins.leak = 1", "os.chdir('/')", "os.environ['LEAK'] = '1'",
                "os.leak = 1", "import sys; sys.path.append('leak')",
                "import sys; sys.modules['leaked'] = os", "import sys; sys.setrecursionlimit(5000)",
                "import random; random.seed(1)",
                "import threading, time; threading.Thread(target=time.sleep, args=(60,), "
                "daemon=True).start()"
        ):
            expect(body(warm, text + "; return x * 2"), "broken", fixed=1,
                   broken="test_app.py::test_as_ever")
            expect(body(warm, "return x * 2"), "passed", fixed=1)


def open_files():
    """A file that was opened while the tests were loaded would be read on by each candidate: then
    each loads them itself."""
    opens = "import app\n\nfile = open(__file__)\nassert file.readline()\n"
    tests = TESTS.replace("import app\n", opens) + \
        "\n\ndef test_file():\n    assert file.readline() == '\\n' and not file.seek(0, 2)\n"
    with small(tests=tests, others=[OTHER, "test_app.py::test_file"]) as warm:
        for _ in range(3):
            expect(body(warm, "return x * 2"), "passed")


def threads():
    """Threads are not copied by a fork."""
    app = APP + ("\n\nimport threading\n\n"
                 "threading.Thread(target=threading.Event().wait, daemon=True).start()\n")
    tests = TESTS + ("\n\ndef test_thread():\n    import threading\n"
                     "    assert threading.active_count() == 2\n")
    with small(app=app, tests=tests, others=[OTHER, "test_app.py::test_thread"]) as warm:
        expect(body(warm, "return x * 2"), "passed")
        expect(body(warm, "return x * 4"), "failed")


def programs():
    """Where tests start programs, these find the candidate's files on the disk; and where tests
    read the product's text."""
    project({"main.py": "import app\nprint(app.wrong(3))\n"})
    run = "import subprocess, sys\n\n\ndef test_goal():\n" \
          "    assert subprocess.check_output([sys.executable, 'main.py']) == b'6\\n'\n"
    read = (
        "import app, inspect\n\n\ndef test_goal():\n"
        "    assert 'x * 2' in inspect.getsource(app.wrong)\n"
    )
    other = "\n\ndef test_other():\n    pass\n"
    for tests in run, read:
        with small(tests=tests + other) as warm:
            for _ in range(3):
                expect(body(warm, "return x * 2"), "passed", fixed=1)
                expect(body(warm, "return x * 3"), "failed")


def ends():
    """What ends the candidate's process, or never ends."""
    with small() as warm:
        for text, end in (
            ("os._exit(0)", "died"), ("os.killpg(0, 9)", "died"),
            ("os.kill(os.getpid(), 9)", "died"), ("os.closerange(0, 4096)", "died"),
            ("raise SystemExit", "failed"), ("raise KeyboardInterrupt", "died"),
            ("import signal; signal.signal(signal.SIGPROF, signal.SIG_IGN)\\n    while 1: pass",
             "timeout"), ("import signal; signal.pause()",
                          "timeout"), ("import ctypes; ctypes.string_at(0)", "died")):
            limits = {"cpu_ms": 300, "wall_ms": 1500} if end == "timeout" else {}
            expect(body(warm, text.replace("\\n", "\n"), **limits), end)
            expect(body(warm, "return x * 2"), "passed")
        unharmed(warm)


def processes():
    """What it starts ends with it, in its group or out of it; and says nothing in its name."""
    sleep = "\n        import time; time.sleep(600 + len('%s'))" % os.getpid()
    with small() as warm:
        for text in (
                "if os.fork() == 0:" + sleep, "if os.fork() == 0:\n        os.setsid()" + sleep,
                "if os.fork() == 0:\n        os.setsid()\n        if os.fork(): os._exit(0)\n"
                "        os.setsid()"
                + sleep):
            expect(body(warm, text + "\n    return x * 2"), "passed")
            found = subprocess.run(["ps", "-eo", "pid,ppid,args"],
                                   stdout=subprocess.PIPE).stdout.decode()
            runners = [line for line in found.split("\n") if os.environ["RUNNER"] in line]
            assert len(runners) <= 3, runners
        expect(body(warm, "return x * 2 if os.fork() == 0 else x"), "failed")
        forks = (
            "for _ in range(20):\n        if os.fork() == 0:\n            while 1: pass\n"
            "    return x * 2"
        )
        expect(body(warm, forks), "passed")
        unharmed(warm)


def memory():
    with small() as warm:
        for text in ("return bytearray(3 << 30)",
                     "return [bytearray(1 << 20) for _ in range(4000)]"):
            expect(body(warm, text, cpu_ms=20000, wall_ms=60000), "failed")
        unharmed(warm)


def disk():
    """100 MB are too much for a file; and nothing of its temporary files stays."""
    write = "import tempfile\n    with open(tempfile.mkstemp()[1], 'wb') as file:\n" \
            "        file.write(b'x' * (%d << 20))\n    return x * 2"
    with small() as warm:
        expect(body(warm, write % 100), "failed")
        expect(body(warm, write % 40), "passed")
        expect(
            body(warm, "import tempfile; return 0 if os.listdir(tempfile.gettempdir()) else x * 2"),
            "passed")
        expect(
            body(warm,
                 "import shutil, tempfile; shutil.rmtree(tempfile.gettempdir()); return x * 2"),
            "passed")
        expect(body(warm, "print('x' * (80 << 20)); return x * 2", cpu_ms=5000), "failed")
        unharmed(warm)


def deleted():
    """The files of the tree are rondo's to restore; the runner goes on, and says cold where one it
    would write is gone."""
    with small() as warm:
        deleting = APP.replace("return x + 1", "os.unlink('app.py'); return x * 2")
        expect(warm.try_files([{"path": "app.py", "content": deleting}]), "passed")
        expect(warm.try_files([{"path": "app.py", "content": APP.replace("x + 1", "x * 2")}]),
               "passed")
        slow = APP.replace("x + 1", "x * 2").replace("LIMIT = 10", "LIMIT = 9")
        expect(warm.try_files([{"path": "app.py", "content": slow}]), "cold")
        project({"app.py": APP})
        unharmed(warm)


if __name__ == "__main__":
    globals()[sys.argv[1]]()
