"""Real projects: rows of KIND.rows, their archives, their repositories.

A row (tests/lib/rows.py) begins with keys, one a line:

    from: REGISTRY PACKAGE VERSION; the registry is one of the functions fetch_...
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
import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "lib"))
import rows as rows_file  # noqa: E402

CACHE = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "rondo-real"
HOME = CACHE / "home"
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


class RealError(Exception):
    pass


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
        return [name for name in self.needs if not shutil.which(name, path=PATH)]


def read(patterns=()):
    """The projects of all rows, or those with one of the patterns in their names."""
    found = [Project(path.stem, name, text) for path, name, text in rows_file.read_all(HERE)]
    return [p for p in found if not patterns or any(
        word in (p.name, p.kind) or word.endswith("*") and p.name.startswith(word[:-1])
        for word in patterns)]


# The python3 that Debian's packages are for; another one on PATH may lack them.
PATH = "/usr/bin:" + os.environ["PATH"]
REAL_HOME = Path(os.environ.get("HOME", "/"))


def environment(**more):
    """A person's, with a home in the cache; Rust's toolchains stay where they are."""
    keep = ("LANG", "TERM", "USER", "SSL_CERT_FILE", "PIP_CERT", "http_proxy", "https_proxy")
    env = {name: os.environ[name] for name in keep if name in os.environ}
    rustup = os.environ.get("RUSTUP_HOME") or REAL_HOME / ".rustup"
    if Path(rustup).exists():
        env["RUSTUP_HOME"] = str(rustup)
    env.update(PATH=PATH, HOME=str(HOME), LC_ALL="C.UTF-8", GIT_CONFIG_NOSYSTEM="1",
               PIP_DISABLE_PIP_VERSION_CHECK="1",
               MAVEN_OPTS=f"-Duser.home={HOME}", COMPOSER_ALLOW_SUPERUSER="1", **more)
    return env


def sh(line, cwd, log, limit=600, **more):
    """The exit code of a line for sh, None where it took too long, and its seconds."""
    start = time.monotonic()
    with open(log, "ab") as out:
        out.write(f"$ {line}\n".encode())
        out.flush()
        child = subprocess.Popen(["sh", "-c", line], cwd=cwd, env=environment(**more),
                                 stdin=subprocess.DEVNULL, stdout=out, stderr=out,
                                 start_new_session=True)
        try:
            code = child.wait(limit)
        except subprocess.TimeoutExpired:
            code = None
        finally:
            try:
                os.killpg(child.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
            child.wait()
    return code, time.monotonic() - start


def must(line, cwd, log, limit=600):
    code, _ = sh(line, cwd, log, limit)
    if code != 0:
        tail = Path(log).read_text(errors="replace")[-1500:]
        raise RealError(f"{line}: {'took too long' if code is None else code}\n{tail}")


def git(root, *words):
    done = subprocess.run(["git", "-c", "gc.auto=0", *words], cwd=root, env=environment(),
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          errors="replace")
    if done.returncode != 0:
        raise RealError(f"git {' '.join(words)} in {root}: {done.stdout}")
    return done.stdout


# --- Archives, each by the client of its registry ---

def fetch_pypi(package, version, folder, log):
    must(f"python3 -m pip download -q --no-deps --no-binary {package} -d . {package}=={version}",
         folder, log)


def fetch_npm(package, version, folder, log):
    must(f"npm pack --silent {package}@{version}", folder, log)


def fetch_crates(package, version, folder, log):
    (folder / "src").mkdir()
    (folder / "src/lib.rs").touch()
    (folder / "Cargo.toml").write_text(
        f'[package]\nname = "fetch"\nversion = "0.0.0"\nedition = "2021"\n'
        f'[dependencies]\n{package} = "={version}"\n')
    must("cargo fetch", folder, log)
    for path in HOME.glob(f".cargo/registry/cache/*/{package}-{version}.crate"):
        shutil.copy(path, folder)


def fetch_go(package, version, folder, log):
    done = subprocess.run(["go", "mod", "download", "-json", f"{package}@{version}"], cwd=folder,
                          env=environment(GOFLAGS="-modcacherw"), stdout=subprocess.PIPE, text=True)
    told = json.loads(done.stdout or "{}")
    if "Zip" not in told:
        raise RealError(f"{package}: {told.get('Error', done.stdout)}")
    shutil.copy(told["Zip"], folder)


def debian_sources(log):
    """The options with which apt-get finds sources: few machines list them. Its lists lie in the
    cache, so it needs no right to change the machine's."""
    apt = CACHE / "apt"
    listed = [Path("/etc/apt/sources.list"), *Path("/etc/apt/sources.list.d").glob("*")]
    options = (f"-o Dir::State::lists={apt}/lists -o Dir::Cache={apt} -o Dir::Etc::sourcelist=none"
               f" -o Dir::Etc::sourceparts={apt}/parts -o APT::Sandbox::User=root")
    if not (apt / "parts").exists():
        (apt / "lists/partial").mkdir(parents=True, exist_ok=True)
        (apt / "new").mkdir(exist_ok=True)
        for path in listed:
            if path.suffix in (".list", ".sources") and path.exists():
                text = re.sub(r"(?m)^(deb|Types: *deb)\b(?!-src)", r"\1-src", path.read_text())
                (apt / "new" / path.name).write_text(text)
        must(f"apt-get {options.replace('/parts', '/new')} update -qq", apt, log)
        (apt / "new").rename(apt / "parts")
    return options


def fetch_debian(package, version, folder, log):
    """The archive as it came from its authors: Debian's part has other versions over time."""
    must(f"apt-get {debian_sources(log)} source -qq --tar-only --download-only --only-source "
         f"{package}", folder, log)


def fetch_maven(package, version, folder, log):
    group, artifact = package.split(":")
    at = f"{group.replace('.', '/')}/{artifact}/{version}"
    must(f"mvn -q -B dependency:get -Dtransitive=false "
         f"-Dartifact={package}:{version}:zip:source-release", folder, log)
    for path in (HOME / ".m2/repository" / at).glob("*.zip"):
        shutil.copy(path, folder)


ARCHIVES = {".gz": "*.tar.gz", ".xz": "*.tar.xz", ".bz2": "*.tar.bz2", ".tgz": "*.tgz",
            ".crate": "*.crate", ".zip": "*.zip"}


def archive_of(project, log):
    """The archive in the cache; it is fetched if it is not there, and its sum is compared."""
    kept = CACHE / "archives" / f"{project.name}-{project.version}"
    if not kept.exists():
        partial = Path(f"{kept}.partial")
        shutil.rmtree(partial, ignore_errors=True)
        partial.mkdir(parents=True)
        globals()["fetch_" + project.registry](project.package, project.version, partial, log)
        found = [path for pattern in ARCHIVES.values() for path in partial.glob(pattern)
                 if project.registry != "debian" or re.search(r"\.orig\.tar\.\w+$", path.name)]
        if len(found) != 1:
            raise RealError(f"{project.name}: {len(found)} archives: {found}")
        shutil.rmtree(kept, ignore_errors=True)
        kept.mkdir(parents=True)
        shutil.move(found[0], kept / found[0].name)
        shutil.rmtree(partial)
    archive, = kept.iterdir()
    found = hashlib.sha256(archive.read_bytes()).hexdigest()
    if found != project.sha256:
        shutil.rmtree(kept)
        raise RealError(f"{project.name}: {archive.name} has the sum {found}, and the row says "
                        f"{project.sha256 or 'none'}")
    return archive


def unpack(project, archive, log):
    """The repository's files: the folder of the row, or the one folder at the archive's top."""
    fresh = project.root.with_suffix(".unpacked")
    shutil.rmtree(fresh, ignore_errors=True)
    fresh.mkdir(parents=True)
    command = "unzip -q" if archive.suffix == ".zip" else "tar --no-same-owner -xf"
    must(f"{command} '{archive}'", fresh, log)
    top = fresh
    if project.registry == "go":
        top = fresh / f"{project.package}@{project.version}"
    else:
        inside = list(fresh.iterdir())
        top = inside[0] if len(inside) == 1 else fresh
    shutil.rmtree(project.root, ignore_errors=True)
    top = top / project.folder if project.folder else top
    if not top.is_dir():
        raise RealError(f"{project.name}: {archive.name} has no folder {top.relative_to(fresh)}")
    shutil.move(top, project.root)
    shutil.rmtree(fresh, ignore_errors=True)
    must("chmod -R u+w .", project.root, log)


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


def prepare_home():
    HOME.mkdir(parents=True, exist_ok=True)
    (HOME / ".gitconfig").write_text(
        "[user]\n\tname = A Person\n\temail = person@example.org\n[init]\n\tdefaultBranch = main\n"
        "[advice]\n\tdetachedHead = false\n[maintenance]\n\tauto = false\n")


def prepare(project):
    """Fetches a project and sets it up, if that was not done yet. This alone needs a network."""
    if project.is_ready():
        return False
    if project.missing():
        raise Skip(f"without {' '.join(project.missing())}")
    prepare_home()
    logs = CACHE / "logs"
    logs.mkdir(parents=True, exist_ok=True)
    log = logs / f"{project.name}.setup"
    log.unlink(missing_ok=True)
    project.root.parent.mkdir(parents=True, exist_ok=True)
    stamp = project.root.with_suffix(".ready")
    stamp.unlink(missing_ok=True)
    unpack(project, archive_of(project, log), log)
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
