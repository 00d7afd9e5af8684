"""Makes repositories of the listed packages in a cache, with what their suites need.

Archives are checked by their sums. Each repository has two tags: whole has all tests, visible lacks
those that are hidden from the coder.
"""
import hashlib
import os
import re
import shlex
import shutil
import subprocess
import sys
import time
from pathlib import Path

import hold
import suites

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "lib"))
import registries  # noqa: E402

LIST = Path(__file__).with_name("packages")
LONGEST_SUITE = 60
GIT = [
    "git", "-c", "user.name=A Person", "-c", "user.email=person@example.org", "-c",
    "init.defaultBranch=main", "-c", "gc.auto=0"
]
IGNORED = "\n.venv/\nnode_modules/\n__pycache__/\n*.pyc\n.pytest_cache/\n"
REGISTRIES = {"python": "pypi", "javascript": "npm"}
BESIDE = {"python": ".venv", "javascript": "node_modules"}


class Package:
    def __init__(self, keys):
        self.name, self.version = keys["package"].split()
        self.language, self.sha256, self.test = keys["language"], keys["sha256"], keys["test"]
        self.source, self.tests, self.beside = (keys.get(name, "").split()
                                                for name in ("source", "tests", "beside"))
        self.path, self.without = keys.get("path", ""), set(filter(None, [keys.get("without")]))
        self.digest = hashlib.sha256(repr(sorted(keys.items())).encode()).hexdigest()[:12]


def read_list():
    blocks = re.split(r"\n{2,}", re.sub(r"(?m)^#.*\n", "", LIST.read_text()).strip())
    return [Package(dict(line.split(": ", 1) for line in block.splitlines())) for block in blocks]


def git(repository, *words, **more):
    env = {**os.environ, "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_NOSYSTEM": "1", **more}
    done = subprocess.run([*GIT, *words], cwd=repository, env=env, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, errors="replace")
    if done.returncode != 0:
        raise SystemExit(f"repair: git {' '.join(words)} in {repository}: {done.stdout}")
    return done.stdout


def unpack(package, clients, repository):
    """The files of the archive, which its registry's own client fetches if it is not here."""
    log, fresh = log_of(package, clients), repository.with_suffix(".unpacked")
    archive = clients.checked(package.sha256, REGISTRIES[package.language], package.name,
                              package.version, log)
    clients.unpack(archive, fresh, log).rename(repository)
    shutil.rmtree(fresh, ignore_errors=True)


def log_of(package, clients):
    (clients.cache / "logs").mkdir(parents=True, exist_ok=True)
    return clients.cache / "logs" / f"{package.name}.setup"


def install_line(language, beside):
    words = shlex.join(beside)
    if language == "javascript":
        return f"echo {{}} >package.json && npm install --ignore-scripts --no-audit {words}"
    install = f" && python3 -m pip --python .venv/bin/python install -q {words}" if beside else ""
    return "python3 -m venv --without-pip .venv" + install


def install(language, beside, clients, repository, log):
    """Copies the dependencies of a suite, .venv or node_modules, made once for each set."""
    key = " ".join([language, *beside])
    stored = clients.cache / "beside" / hashlib.sha256(key.encode()).hexdigest()[:12]
    if not stored.exists():
        partial = stored.with_suffix(".partial")
        shutil.rmtree(partial, ignore_errors=True)
        partial.mkdir(parents=True)
        clients.must(install_line(language, beside), partial, log)
        partial.rename(stored)
    folder = BESIDE[language]
    if (stored / folder).exists():
        shutil.copytree(stored / folder, repository / folder, symlinks=True)


def test_files(package, repository):
    return sorted({
        str(path.relative_to(repository))
        for pattern in package.tests
        for path in repository.glob(pattern)
    })


def source_files(package, repository):
    return sorted({
        str(path.relative_to(repository))
        for pattern in package.source
        for path in repository.glob(pattern)
    })


def read(path):
    with open(path, encoding="utf-8", errors="surrogateescape", newline="") as file:
        return file.read()


def write(path, text):
    with open(path, "w", encoding="utf-8", errors="surrogateescape", newline="") as file:
        file.write(text)


def take_out(package, repository, choose):
    """Removes the tests of which choose(path, name) is true from the texts."""
    for path in test_files(package, repository):
        text = read(repository / path)
        names = {test.name for test in hold.tests(path, text) if choose(path, test.name)}
        write(repository / path, hold.without(path, text, names))


def held_back(package, repository, seed):
    texts = {path: read(repository / path) for path in test_files(package, repository)}
    return hold.choose(texts, f"{seed} {package.name}")


def must_be_green(package, repository, what):
    start = time.monotonic()
    outcome = suites.run(repository, package.test, LONGEST_SUITE)
    if not outcome.is_green() or not outcome.passed:
        raise SystemExit(
            f"repair: the {what} suite of {package.name} does not pass here\n"
            f"{outcome.output[-3000:]}"
        )
    return time.monotonic() - start


def make_repository(package, clients, seed, repository):
    repository.parent.mkdir(parents=True, exist_ok=True)
    unpack(package, clients, repository)
    install(package.language, package.beside, clients, repository, log_of(package, clients))
    take_out(package, repository, lambda path, name: name in package.without)
    if package.path and "pytest" in package.test:
        write(repository / "pytest.ini", f"[pytest]\npythonpath = {package.path}\n")
    with open(repository / ".gitignore", "a", encoding="utf-8") as file:
        file.write(IGNORED)
    git(repository, "init", "-q")
    # Some projects ignore all names that begin with a dot, and so themselves.
    git(repository, "add", "-f", ".gitignore")
    git(repository, "add", "-A")
    git(repository, "commit", "-q", "-m", f"{package.name} {package.version}")
    git(repository, "tag", "whole")
    must_be_green(package, repository, "whole")
    held = held_back(package, repository, seed)
    take_out(package, repository, lambda path, name: (path, name) in held)
    git(repository, "commit", "-q", "-a", "-m", "Hold tests back")
    must_be_green(package, repository, "visible")
    git(repository, "tag", "visible")


def prepare(package, cache, seed):
    """The package's repository; it is made if it is missing."""
    repository = cache / "packages" / f"{package.name}-{package.version}-{seed}-{package.digest}"
    if not (repository / ".git/refs/tags/visible").exists():
        shutil.rmtree(repository, ignore_errors=True)
        make_repository(package, registries.Clients(cache), seed, repository)
    return repository
