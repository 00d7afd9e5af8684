# Drives the warm runner for Python as rondo does. RUNNER names its text, PYTHON the interpreter.
import json
import os
import subprocess

RUNNER = os.environ.get("RUNNER", "warm.py")
PYTHON = os.environ.get("PYTHON", "python3")


class Warm:
    def __init__(self, kind, arguments, goal, others, root="."):
        self.root = root
        command = [PYTHON, os.path.abspath(RUNNER)]
        self.process = subprocess.Popen(command, cwd=root, stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE)
        self.ready = self.ask(kind=kind, arguments=arguments, goal=goal, others=others,
                              also=[], hanging=[])

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.stdin.close()
        assert self.process.wait(20) == 0, "the runner ended with %d" % self.process.returncode
        self.process.stdout.close()

    def ask(self, **request):
        self.process.stdin.write(json.dumps(request).encode() + b"\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        assert line, "the runner is gone"
        return json.loads(line)

    def read(self, path):
        with open(os.path.join(self.root, path), "rb") as file:
            return file.read()

    def try_files(self, files, cpu_ms=1000, wall_ms=10000):
        return self.ask(id=1, files=files, cpu_ms=cpu_ms, wall_ms=wall_ms, other_cpu_ms=cpu_ms)

    def try_change(self, path, old, new, **limits):
        """`old`, which stands there once, replaced by `new`."""
        data = self.read(path)
        assert data.count(
            old.encode()) == 1, "'%s' stands %d times in %s" % (old, data.count(old.encode()), path)
        splice = {"offset": data.index(old.encode()), "length": len(old.encode()), "text": new}
        answer = self.try_files([{"path": path, "splices": [splice]}], **limits)
        assert self.read(path) == data, "%s did not stay as it was" % path
        return answer
