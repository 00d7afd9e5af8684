"""What the host has that hostile programs must not reach."""
import os
import socket
import subprocess
import threading
from pathlib import Path

SECRET = "canary-secret-7431"


class Host:
    """Canaries: files, a home, and doors at which nobody may knock."""

    def __init__(self, work, uid):
        self.work, self.outside, self.home = work, work / "outside", work / "home"
        for path in (self.outside, self.home / ".ssh", self.home / ".aws",
                     self.home / ".config/rondo"):
            path.mkdir(parents=True)
        for path in (self.outside / "canary", self.home / ".ssh/id_ed25519",
                     self.home / ".aws/credentials", self.home / ".netrc",
                     self.home / ".config/rondo/config.yaml"):
            path.write_text(SECRET)
        self.abstract = f"rondo-canary-{os.getpid()}-{work.name}"
        self.knocks = []
        self.doors = [
            self.listen(socket.AF_INET, ("127.0.0.1", 0)),
            self.listen(socket.AF_UNIX, "\0" + self.abstract),
            self.listen(socket.AF_UNIX, str(self.outside / "door"))
        ]
        self.port = self.doors[0].getsockname()[1]
        if uid is not None:
            subprocess.run(["chown", "-R", f"{uid}:{uid}", str(work)], check=True)
        self.seen = self.fingerprint()

    def listen(self, family, address):
        door = socket.socket(family)
        door.bind(address)
        door.listen()
        threading.Thread(target=self.answer, args=(door, str(address)), daemon=True).start()
        return door

    def answer(self, door, name):
        while True:
            try:
                door.accept()[0].close()
            except OSError:
                return
            self.knocks.append(name)

    def fingerprint(self):
        seen = {}
        for path in [
                self.outside, *sorted(self.outside.rglob("*")), *sorted(self.home.rglob("*")),
                Path("/usr"),
                Path("/etc"),
                Path("/usr/bin")
        ]:
            status = path.lstat()
            content = path.read_bytes() if path.is_file() else b""
            seen[str(path)] = (status.st_mode, status.st_mtime_ns, content)
        seen["core_pattern"] = Path("/proc/sys/kernel/core_pattern").read_text()
        return seen

    def faults(self):
        after = self.fingerprint()
        for name in sorted(self.seen.keys() | after.keys()):
            if self.seen.get(name) != after.get(name):
                yield f"a canary of the host has changed: {name}"
        for name in self.knocks:
            yield f"somebody came to {name!r}"

    def close(self):
        for door in self.doors:
            try:
                door.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
            door.close()

    def fill_in(self, text):
        for name, value in (("port", self.port), ("pid", os.getpid()), ("outside", self.outside),
                            ("home", self.home), ("abstract", self.abstract)):
            text = text.replace("{{" + name + "}}", str(value))
        return text
