"""The releases of a package in one repository of the cache, each a commit without parents."""
import os
import re
import shutil
import subprocess

import fetch
import hunks
import registries

# Whatever git's version, the same function is named beside a hunk.
ATTRIBUTES = "* -text -eol -ident\n*.py diff=python\n*.go diff=golang\n*.rs diff=rust\n" \
             "*.java diff=java\n*.c diff=cpp\n"
PRODUCTS = ["/.venv/", "/node_modules/", "target/", "__pycache__/", "*.pyc", ".pytest_cache/",
            ".hypothesis/", ".cargo/", "/build/"]


class Releases:
    def __init__(self, clients, registry, package):
        self.clients, self.registry, self.package = clients, registry, package
        self.name = re.sub(r"\W+", "-", re.sub(r"^[\w-]+\.\w+/", "", package)).strip("-")
        self.repository = clients.cache / "releases" / f"{registry}-{self.name}"
        self.log = clients.cache / "logs" / f"{registry}-{self.name}"
        if not (self.repository / ".git/info/exclude").exists():
            shutil.rmtree(self.repository, ignore_errors=True)
            self.repository.mkdir(parents=True)
            self.log.parent.mkdir(parents=True, exist_ok=True)
            self.git("init", "-q")
            (self.repository / ".git/info/attributes").write_text(ATTRIBUTES)
            (self.repository / ".git/info/exclude").write_text("\n".join(PRODUCTS) + "\n")

    def git(self, *words, **env):
        return fetch.git(self.repository, *words, **env)

    def archive(self, version):
        return self.clients.archive(self.registry, self.package, version, self.log)

    def add(self, version, sha256=None):
        """Fetches a release if it is not here; its archive's sum must be this one."""
        if self.has(version):
            return
        if sha256:
            self.clients.checked(sha256, self.registry, self.package, version, self.log)
        fresh = self.repository.with_suffix(".unpacked")
        module = f"{self.package}@{version}" if self.registry == "go" else None
        top = self.clients.unpack(self.archive(version), fresh, self.log, module)
        if not top.is_dir():
            raise registries.RegistryError(f"{self.package} {version}: no folder {top.name}")
        index = {"GIT_INDEX_FILE": str(self.repository / ".git/new-index")}
        self.git(f"--work-tree={top}", "add", "-A", "-f", ".", **index)
        tree = self.git("write-tree", **index).strip()
        os.remove(index["GIT_INDEX_FILE"])
        commit = self.git("commit-tree", "-m", f"{self.name} {version}", tree).strip()
        self.git("tag", "-f", version, commit)
        shutil.rmtree(fresh, ignore_errors=True)

    def has(self, version):
        return bool(self.git("tag", "--list", version).strip())

    def files(self, version):
        return self.git("ls-tree", "-r", "-z", "--name-only", version).rstrip("\0").split("\0")

    def text(self, version, path):
        """The text of a file, with its line ends; bytes that are no UTF-8 are kept apart."""
        done = subprocess.run(["git", "cat-file", "blob", f"{version}:{path}"],
                              cwd=self.repository, stdout=subprocess.PIPE, check=True)
        return done.stdout.decode("utf-8", "surrogateescape")

    def difference(self, old, new):
        text = self.git("-c", "core.quotePath=false", "diff", "-U0", "--no-color", "--no-renames",
                        "--diff-algorithm=myers", "--no-ext-diff", old, new)
        return hunks.read_difference(text)

    def check_out(self, version):
        self.git("checkout", "-q", "-f", "--detach", version)
        self.git("clean", "-fdq")

    def export(self, version, directory):
        index = {"GIT_INDEX_FILE": str(self.repository / ".git/export-index")}
        self.git("read-tree", version, **index)
        self.git("checkout-index", "-a", "-f", f"--prefix={directory}/", **index)

    def clean(self):
        """Removes what lies in the work tree; releases stay."""
        for path in self.repository.iterdir():
            if path.name != ".git":
                shutil.rmtree(path) if path.is_dir() and not path.is_symlink() else path.unlink()
