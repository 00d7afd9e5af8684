"""A case of tests/repair: one file that holds a buggy program, its tests, tests held back, and the right fix.

It begins with keys, "language: python" and so on, and with what the person who wrote the program was thinking. Then come files, each
behind a line "-- PATH --": PATH as it is, held/PATH for tests that the coder does not see, fix/PATH for the text of the right fix.
"""
import re
from pathlib import Path

HERE = Path(__file__).resolve().parent
KEYS = ("language", "kind", "command", "half")
COMMANDS = {"python": "python3 -m pytest -q", "javascript": "node --test", "c": "make -s check", "go": "go test -v ./...",
            "java": "make -s check", "rust": "cargo test -q --offline --no-fail-fast", "lua": "make -s check",
            "php": "make -s check", "perl": "prove -lv"}


class CaseError(Exception):
    pass


class Case:
    def __init__(self, path):
        self.name = Path(path).stem
        head, *files = re.split(r"^-- (\S+) --\n", Path(path).read_text(encoding="utf-8"), flags=re.M)
        keys = dict(re.findall(rf"^({'|'.join(KEYS)}): (.+)\n", head, flags=re.M))
        self.thought = re.sub(rf"^({'|'.join(KEYS)}): .+\n", "", head, flags=re.M).strip()
        self.language, self.kind, self.half = keys.get("language"), keys.get("kind"), keys.get("half")
        if self.language not in COMMANDS or not self.kind or self.half not in ("tune", "hold") or not self.thought:
            raise CaseError(f"{path}: it needs a language of {', '.join(COMMANDS)}, a kind, a half (tune, hold) and a thought")
        # What rondo is told; None where it shall find the command itself.
        self.command = keys.get("command")
        self.files, self.held, self.fix = {}, {}, {}
        for name, text in zip(files[::2], files[1::2]):
            self.add(path, name, text)
        if not self.held or not self.fix or self.fix.keys() - self.files.keys() or self.held.keys() & self.files.keys():
            raise CaseError(f"{path}: held/ must have new files, and fix/ the text of files that are there")

    def add(self, path, name, text):
        files = {"held": self.held, "fix": self.fix}.get(name.partition("/")[0])
        name = name if files is None else name.partition("/")[2]
        if name.startswith("/") or ".." in name.split("/"):
            raise CaseError(f"{path}: {name} leads out of the directory")
        (self.files if files is None else files)[name] = text

    def test_command(self):
        return self.command or COMMANDS[self.language]

    def lay_out(self, directory, fix=False, held=False):
        files = {**self.files, **(self.fix if fix else {}), **(self.held if held else {})}
        for name, text in files.items():
            path = Path(directory) / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")


def all_cases():
    return sorted(HERE.glob("programs/*.txt")) + sorted(HERE.glob("projects/*.txt"))
