"""Real projects: rows of KIND.rows, their archives, their repositories.

A row (tests/lib/rows.py) begins with keys, one a line:

    from: REGISTRY PACKAGE VERSION; the registry is one that lib/registries.py knows
    sha256: of the archive
    folder: of the archive, which becomes the repository; else its one top folder
    needs: programs without which the project is skipped
    setup: a line for sh, with network; any number of them, what the project's documentation says
    home: the command by which its developers run the suite; one line for each part of it
    clean: what removes the products of home; else the usual build directories are removed
    options: what `rondo fix` needs to work on this project
    tells: what rondo fix says, as a regular expression, where it cannot judge and says why
    bug: FILE:LINE OLD NEW: a mistake to plant, OLD stands once in that line; FILE:LINE[-LAST]
        removes lines; FILE may be **/NAME of the one such file; any number of them
"""
import hashlib
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "lib"))
import registries  # noqa: E402
import rows as rows_file  # noqa: E402

CACHE = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "rondo-real"
CLIENTS = registries.Clients(CACHE)
environment, sh, must = CLIENTS.environment, CLIENTS.sh, CLIENTS.must
KEYS = ["from", "sha256", "folder", "needs", "setup", "home", "clean", "options", "tells", "bug"]
BUILT = ["build", "target", "__pycache__", ".pytest_cache"]
BESIDE = {".venv", "node_modules", "vendor", ".git"}
# What a repository of this kind ignores; an archive often lacks the file.
IGNORED = {
    "python": ".venv/\n__pycache__/\n*.pyc\n*.egg-info/\n.pytest_cache/\nbuild/\n",
    "javascript": "node_modules/\ncoverage/\n.nyc_output/\n",
    "go": "", "rust": "target/\n", "java": "target/\n",
    "c": "build/\n*.o\n*.lo\n*.la\n*.a\n.libs/\n.deps/\n*.log\n*.trs\n",
    "scripts": "vendor/\nblib/\npm_to_blib\n/Makefile\nMYMETA.*\n*.o\n*.c.bs\n",
}
LANGUAGES = {
    "python": "Python", "javascript": "JavaScript", "go": "Go", "rust": "Rust", "java": "Java",
    "c": "C and C++", "scripts": "PHP, Perl, Lua"
}
RealError = registries.RegistryError


class Skip(Exception):
    pass


class Bug:
    def __init__(self, project, text):
        place, *words = shlex.split(text)
        found = re.fullmatch(r"(.+):(\d+)(?:-(\d+))?", place)
        if not found or len(words) not in (0, 2):
            raise RealError(f"{project}: bug: {text}: neither FILE:LINE OLD NEW nor FILE:LINE-LAST")
        self.path, self.first = found[1], int(found[2])
        self.last = int(found[3] or self.first)
        self.old, self.new = words or (None, None)
        self.removes = not words

    def file(self, root):
        found = list(root.glob(self.path))
        if len(found) != 1:
            raise RealError(f"{root.name}: {self.path}: {len(found)} files")
        return found[0]

    def plant(self, root):
        """Puts the mistake into the file, which keeps its line ends and its encoding."""
        file = self.file(root)
        lines = file.read_bytes().splitlines(keepends=True)
        chosen = lines[self.first - 1:self.last]
        if self.removes:
            chosen = []
        elif b"".join(chosen).count(self.old.encode()) != 1:
            raise RealError(f"{root.name}: {self.path}:{self.first}: has not one '{self.old}'")
        else:
            chosen = [b"".join(chosen).replace(self.old.encode(), self.new.encode())]
        lines[self.first - 1:self.last] = chosen
        file.write_bytes(b"".join(lines))


class Project:
    def __init__(self, kind, name, text):
        keys = [line.split(": ", 1) for line in text.splitlines() if line]
        unknown = {key[0] for key in keys} - set(KEYS)
        if unknown:
            raise RealError(f"{kind}.rows: {name}: unknown: {' '.join(unknown)}")
        one = dict(keys)
        self.kind, self.name = kind, name
        self.registry, self.package, self.version = one["from"].split()
        self.sha256 = one.get("sha256", "")
        self.home = " && ".join(value for key, value in keys if key == "home")
        self.folder, self.clean = one.get("folder"), one.get("clean")
        self.needs, self.options = one.get("needs", "").split(), one.get("options", "")
        self.tells, self.setup = one.get("tells"), [v for k, v in keys if k == "setup"]
        self.bugs = [Bug(name, value) for key, value in keys if key == "bug"]
        made_of = repr((one["from"], self.sha256, self.folder, self.setup))
        self.digest = hashlib.sha256(made_of.encode()).hexdigest()[:12]
        self.root = CACHE / "projects" / name

    def options_list(self):
        return shlex.split(self.options)

    def is_ready(self):
        stamp = self.root.with_suffix(".ready")
        return stamp.exists() and stamp.read_text() == self.digest

    def missing(self):
        return [name for name in self.needs if not shutil.which(name, path=registries.PATH)]


def read(patterns=()):
    """The projects of all rows, or those with one of the patterns in their names."""
    found = [Project(path.stem, name, text) for path, name, text in rows_file.read_all(HERE)]
    return [p for p in found if not patterns or any(
        word in (p.name, p.kind) or word.endswith("*") and p.name.startswith(word[:-1])
        for word in patterns)]


def git(root, *words):
    done = subprocess.run(["git", "-c", "gc.auto=0", *words], cwd=root, env=environment(),
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          errors="replace")
    if done.returncode != 0:
        raise RealError(f"git {' '.join(words)} in {root}: {done.stdout}")
    return done.stdout


def unpack(project, log):
    """The repository's files: the folder of the row, or the one folder at the archive's top."""
    archive = CLIENTS.checked(project.sha256, project.registry, project.package, project.version,
                              log, f"{project.name}-{project.version}")
    fresh = project.root.with_suffix(".unpacked")
    module = f"{project.package}@{project.version}" if project.registry == "go" else None
    top = CLIENTS.unpack(archive, fresh, log, module)
    shutil.rmtree(project.root, ignore_errors=True)
    top = top / project.folder if project.folder else top
    if not top.is_dir():
        raise RealError(f"{project.name}: {archive.name} has no folder {top.relative_to(fresh)}")
    shutil.move(top, project.root)
    shutil.rmtree(fresh, ignore_errors=True)


def commit_base(project):
    root = project.root
    shutil.rmtree(root / ".git", ignore_errors=True)
    git(root, "init", "-q")
    ignore = root / ".gitignore"
    if not ignore.exists():
        ignore.write_text(IGNORED[project.kind])
    git(root, "add", "-A", "-f")  # their owners track some files that .gitignore names
    git(root, "commit", "-q", "-m", f"{project.name} {project.version}")
    git(root, "tag", "base")


def exclude_products(project):
    """Has git ignore what set-up and build make, as their owners have; archives often lack the file
    that says so. A .venv or node_modules that .gitignore forgets stays as it is."""
    made = git(project.root, "ls-files", "-o", "--exclude-standard", "--directory").splitlines()
    lines = ["Cargo.lock", "/build/", "*.o"]
    lines += ["/" + path for path in made if path.rstrip("/") not in BESIDE]
    (project.root / ".git/info/exclude").write_text("\n".join(lines) + "\n")


def prepare(project):
    """Fetches a project and sets it up, if that was not done yet. This alone needs a network."""
    if project.is_ready():
        return False
    if project.missing():
        raise Skip(f"without {' '.join(project.missing())}")
    CLIENTS.prepare_home()
    logs = CACHE / "logs"
    logs.mkdir(parents=True, exist_ok=True)
    log = logs / f"{project.name}.setup"
    log.unlink(missing_ok=True)
    project.root.parent.mkdir(parents=True, exist_ok=True)
    stamp = project.root.with_suffix(".ready")
    stamp.unlink(missing_ok=True)
    unpack(project, log)
    commit_base(project)
    for line in project.setup:
        must(line, project.root, log)
    exclude_products(project)
    stamp.write_text(project.digest)
    return True


# --- A repository in a state ---

def plant(project, bug=None):
    """The base, or with the bug as a second commit. What git ignores stays."""
    git(project.root, "reset", "-q", "--hard")
    git(project.root, "clean", "-fdq", *[f"--exclude={name}" for name in sorted(BESIDE)])
    git(project.root, "checkout", "-q", "-B", "main", "base")
    for branch in git(project.root, "for-each-ref", "--format=%(refname)",
                      "refs/heads/rondo").split():
        git(project.root, "update-ref", "-d", branch)
    if bug:
        bug.plant(project.root)
        git(project.root, "commit", "-q", "-a", "-m", f"Change {bug.file(project.root).name}")


def make_cold(project, log):
    """Removes what the suite's last run built in the repository."""
    if project.clean:
        sh(project.clean, project.root, log)
    for top, folders, _ in os.walk(project.root):
        for name in [name for name in folders if name in BUILT]:
            path = Path(top) / name
            tracked = subprocess.run(["git", "ls-files", "--error-unmatch", path], cwd=project.root,
                                     stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            if tracked.returncode != 0:
                shutil.rmtree(path)
                folders.remove(name)
        folders[:] = [name for name in folders if name not in BESIDE]
