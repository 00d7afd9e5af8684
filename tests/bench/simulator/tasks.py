"""The tasks: small red repositories, and what mends them. A file tasks/NAME.task has

    # what is special about it
    test: the test command
    needs: the programs, or modules of Python, without which it is skipped
    crlf: a file whose lines end in CRLF
    === PATH                a file; a line "@fill N" in it stands for N short functions
    === fix PATH            what mends a file: lines, a line "--- becomes", lines
    === new PATH            a file whose making mends it
    === draft PATH          a first idea that is not right, or only a part
    === cheat PATH          how a test would have to lie

and nothing of the last four is in the repository.
"""
import importlib.util
import re
import shutil
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

HERE = Path(__file__).resolve().parent / "tasks"
HEAD = re.compile(r"^=== (?:(fix|new|draft|cheat) )?(\S+)\n", re.M)
FILLING = '''def is_multiple_of_{0}(value):
    return value % {0} == 0


'''


@dataclass
class Change:
    """Lines of a file and what takes their place. None: there is no such file yet."""
    path: str
    old: str | None
    new: str


@dataclass
class Task:
    name: str
    test: str = ""
    needs: list = field(default_factory=list)
    crlf: str = ""
    files: dict = field(default_factory=dict)
    fix: list = field(default_factory=list)
    draft: list = field(default_factory=list)
    cheat: list = field(default_factory=list)


def filled(text):
    number = 1

    def fill(found):
        nonlocal number
        first, number = number, number + int(found[1])
        return "".join(FILLING.format(i + 1) for i in range(first, number))

    return re.sub(r"^@fill (\d+)\n", fill, text, flags=re.M)


def read_change(kind, path, text):
    if kind == "new":
        return Change(path, None, text)
    old, _, new = text.partition("--- becomes\n")
    return Change(path, old, new)


def read(path):
    head, *parts = HEAD.split(path.read_text(encoding="utf-8"))
    task = Task(path.stem)
    for key, value in re.findall(r"^(\w+): (.*)$", head, re.M):
        setattr(task, key, value.split() if key == "needs" else value)
    for kind, name, text in zip(parts[::3], parts[1::3], parts[2::3]):
        if kind is None:
            task.files[name] = filled(text)
        else:
            getattr(task, "fix" if kind == "new" else kind).append(read_change(kind, name, text))
    for change in task.fix + task.draft + task.cheat:
        if change.old is not None and task.files[change.path].count(change.old) != 1:
            raise ValueError(f"{path}: the lines of {change.path} must stand there once")
    return task


def read_all():
    return [read(path) for path in sorted(HERE.glob("*.task"))]


def missing(task):
    """The programs that it needs and that are not there."""
    return [name for name in task.needs
            if not shutil.which(name) and not (name == "pytest" and
                                               importlib.util.find_spec(name))]


def plant(task, root):
    """A repository with the task's files, in one commit."""
    for name, text in task.files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if name == task.crlf:
            text = text.replace("\n", "\r\n")
        path.write_bytes(text.encode())
    for command in (["init", "-q"], ["add", "-A"], ["commit", "-q", "-m", "base"]):
        subprocess.run(["git", "-c", "user.name=A Person", "-c", "user.email=person@example.org",
                        *command], cwd=root, check=True)
