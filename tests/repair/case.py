"""A case of tests/repair: a buggy program, its tests, hidden tests, and the right fix.

A case is a row (lib/rows.py) of programs/ or projects/. It begins with a line "=== NAME", keys such
as "language: python", and what the author of the program was thinking. Files follow, each after a
line "-- PATH --": PATH itself, held/PATH for hidden tests, fix/PATH for the right fix.
"""
import re
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "lib"))
import rows  # noqa: E402

KEYS = ("language", "kind", "command", "half")
COMMANDS = {
    "python": "python3 -m pytest -q", "javascript": "node --test", "c": "make -s check",
    "go": "go test -v ./...", "java": "make -s check",
    "rust": "cargo test -q --offline --no-fail-fast", "lua": "make -s check",
    "php": "make -s check", "perl": "prove -lv", "typescript": "npm test --silent",
    "c++": "make -s check", "ruby": "rake test", "shell": "bats tests"
}


class CaseError(Exception):
    pass


class Case:
    def __init__(self, path, name, text):
        self.name, self.folder = name, path.parent.name
        head, *files = re.split(r"^-- (\S+) --\n", text, flags=re.M)
        keys = dict(re.findall(rf"^({'|'.join(KEYS)}): (.+)\n", head, flags=re.M))
        self.thought = re.sub(rf"^({'|'.join(KEYS)}): .+\n", "", head, flags=re.M).strip()
        self.language, self.kind, self.half = keys.get("language"), keys.get("kind"), keys.get(
            "half")
        if self.language not in COMMANDS or not self.kind or self.half not in (
                "tune", "hold") or not self.thought:
            raise CaseError(
                f"{name}: it needs a language of {', '.join(COMMANDS)}, a kind, a half (tune, "
                f"hold) and a thought"
            )
        # The value of --test; None if rondo has to find the command.
        self.command = keys.get("command")
        self.files, self.held, self.fix = {}, {}, {}
        for file, text in zip(files[::2], files[1::2]):
            self.add(file, text)
        if not self.held or not self.fix or self.fix.keys() - self.files.keys() or self.held.keys(
        ) & self.files.keys():
            raise CaseError(
                f"{name}: held/ must have new files, and fix/ the text of files that are there")

    def add(self, name, text):
        files = {"held": self.held, "fix": self.fix}.get(name.partition("/")[0])
        name = name if files is None else name.partition("/")[2]
        if name.startswith("/") or ".." in name.split("/"):
            raise CaseError(f"{self.name}: {name} leads out of the directory")
        (self.files if files is None else files)[name] = text

    def test_command(self):
        return self.command or COMMANDS[self.language]

    def lay_out(self, directory, fix=False, held=False):
        files = {**self.files, **(self.fix if fix else {}), **(self.held if held else {})}
        for name, text in files.items():
            path = Path(directory) / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")


def find(*names):
    """The cases of these names; without names all cases."""
    found = [
        row for folder in ("programs", "projects") for row in rows.read_all(HERE / folder)
        if not names or row[1] in names
    ]
    unknown = set(names) - {name for _, name, _ in found}
    if unknown:
        raise CaseError(f"there is no case {', '.join(sorted(unknown))}")
    return [Case(*row) for row in found]
