"""Packages from registries, each by its registry's own client: versions, archives, contents.

All clients work in a cache, with a home of their own in it; only they need a network.
"""
import contextlib
import fcntl
import hashlib
import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import tempfile
import time
from pathlib import Path

# The python3 that Debian's packages are for; another one on PATH may lack them.
PATH = "/usr/bin:" + os.environ["PATH"]
REAL_HOME = Path(os.environ.get("HOME", "/"))
KEPT = ("LANG", "TERM", "USER", "SSL_CERT_FILE", "PIP_CERT", "http_proxy", "https_proxy")
ARCHIVES = ("*.tar.gz", "*.tar.xz", "*.tar.bz2", "*.tgz", "*.crate", "*.zip")
SUITES = "bullseye bookworm trixie sid"  # of Debian, whose sources have the releases between them
BACKENDS = "setuptools==80.9.0 wheel setuptools-scm hatchling hatch-vcs flit-core poetry-core " \
           "pdm-backend"
POM = """<project><modelVersion>4.0.0</modelVersion>
<groupId>x</groupId><artifactId>x</artifactId><version>1</version><packaging>pom</packaging>
<dependencies><dependency><groupId>{}</groupId><artifactId>{}</artifactId><version>[0,)</version>
</dependency></dependencies></project>
"""
GIT_CONFIG = """\
[user]
	name = A Person
	email = person@example.org
[init]
	defaultBranch = main
[advice]
	detachedHead = false
[maintenance]
	auto = false
[gc]
	auto = 0
"""


class RegistryError(Exception):
    pass


def order(version):
    """A key that sorts versions as their registries do, as far as numbers decide."""
    return [int(number) for number in re.findall(r"\d+", version)]


class Clients:
    def __init__(self, cache):
        self.cache, self.home = cache, cache / "home"

    def environment(self, **more):
        """A person's, with a home in the cache; Rust's toolchains stay where they are."""
        env = {name: os.environ[name] for name in KEPT if name in os.environ}
        rustup = os.environ.get("RUSTUP_HOME") or REAL_HOME / ".rustup"
        if Path(rustup).exists():
            env["RUSTUP_HOME"] = str(rustup)
        env.update(PATH=PATH, HOME=str(self.home), LC_ALL="C.UTF-8", GIT_CONFIG_NOSYSTEM="1",
                   PIP_DISABLE_PIP_VERSION_CHECK="1", MAVEN_OPTS=f"-Duser.home={self.home}",
                   COMPOSER_ALLOW_SUPERUSER="1", **more)
        return env

    def prepare_home(self):
        self.home.mkdir(parents=True, exist_ok=True)
        (self.home / ".gitconfig").write_text(GIT_CONFIG)

    def sh(self, line, cwd, log, limit=600, **more):
        """The exit code of a line for sh, None where it took too long, and its seconds."""
        start = time.monotonic()
        with open(log, "ab") as out:
            out.write(f"$ {line}\n".encode())
            out.flush()
            child = subprocess.Popen(["sh", "-c", line], cwd=cwd, env=self.environment(**more),
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

    def must(self, line, cwd, log, limit=600):
        code, _ = self.sh(line, cwd, log, limit)
        if code != 0:
            tail = Path(log).read_text(errors="replace")[-1500:]
            raise RegistryError(f"{line}: {'took too long' if code is None else code}\n{tail}")

    def ask(self, *words, cwd=None):
        """What a client prints; empty where it fails."""
        self.prepare_home()
        done = subprocess.run(words, cwd=cwd or self.home, env=self.environment(),
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL, text=True, errors="replace")
        return done.stdout if done.returncode == 0 else ""

    @contextlib.contextmanager
    def turn(self, registry):
        """Waits for other processes: a registry gets one request at a time."""
        with open(self.cache / f"{registry}.lock", "w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield

    # --- Versions, oldest first, without those before a release ---

    def versions(self, registry, package):
        with self.turn(registry):
            found = getattr(self, "versions_" + registry)(package)
        final = [version for version in found if re.fullmatch(r"v?\d+(\.\d+)*", version)]
        return sorted(set(final), key=order)

    def versions_pypi(self, package):
        words = ["python3", "-m", "pip", "index", "versions", "--no-binary", ":all:", package]
        text = self.ask(*words)
        return re.findall(r"[^\s,]+", text.partition("Available versions:")[2].split("\n")[0])

    def versions_npm(self, package):
        found = json.loads(self.ask("npm", "view", package, "versions", "--json") or "[]")
        return found if isinstance(found, list) else [found]

    def versions_go(self, package):
        return self.ask("go", "list", "-m", "-versions", package).split()[1:]

    def versions_crates(self, package):
        """What cargo keeps of the registry's index after it was asked for the package."""
        self.ask("cargo", "info", package)
        found = []
        for path in self.home.glob(f".cargo/registry/index/*/.cache/**/{package.lower()}"):
            for text in path.read_bytes().split(b"\0"):
                if text.startswith(b"{"):
                    told = json.loads(text)
                    found += [] if told["yanked"] else [told["vers"]]
        return found

    def versions_maven(self, package):
        """What Maven keeps of a package after it had to choose among its versions."""
        group, artifact = package.split(":")
        with tempfile.TemporaryDirectory(prefix="rondo-maven-") as folder:
            (Path(folder) / "pom.xml").write_text(POM.format(group, artifact))
            self.ask("mvn", "-q", "-B", "dependency:resolve", cwd=folder)
        at = self.home / ".m2/repository" / group.replace(".", "/") / artifact
        return [version for path in at.glob("maven-metadata-*.xml")
                for version in re.findall(r"<version>(.*?)</version>", path.read_text())]

    # --- Archives ---

    def backends(self, log):
        """A python3 with what most packages are built with: pip asks a source archive for its
        metadata, and else fetches its backend each time."""
        kept = self.cache / "backends"
        if not kept.exists():
            self.must(f"python3 -m venv backends.new && backends.new/bin/python -m pip install -q "
                      f"{BACKENDS} && mv backends.new backends", self.cache, log)
        return kept / "bin/python"

    def fetch_pypi(self, package, version, folder, log):
        words = f"-m pip download -q --no-deps --no-binary :all: -d . {package}=={version}"
        code, _ = self.sh(f"'{self.backends(log)}' {words} --no-build-isolation", folder, log)
        if code != 0:
            self.must(f"python3 {words}", folder, log)

    def fetch_npm(self, package, version, folder, log):
        self.must(f"npm pack --silent {package}@{version}", folder, log)

    def fetch_crates(self, package, version, folder, log):
        self.must(f"cargo info {package}@{version}", folder, log)
        for path in self.home.glob(f".cargo/registry/cache/*/{package}-{version}.crate"):
            shutil.copy(path, folder)

    def fetch_go(self, package, version, folder, log):
        done = subprocess.run(["go", "mod", "download", "-json", f"{package}@{version}"],
                              cwd=folder, env=self.environment(GOFLAGS="-modcacherw"),
                              stdout=subprocess.PIPE, text=True)
        told = json.loads(done.stdout or "{}")
        if "Zip" not in told:
            raise RegistryError(f"{package}: {told.get('Error', done.stdout)}")
        shutil.copy(told["Zip"], folder)

    def debian_sources(self, log):
        """The options with which apt-get finds sources: few machines list them. Its lists lie in
        the cache, so it needs no right to change the machine's."""
        apt = self.cache / "apt"
        listed = [Path("/etc/apt/sources.list"), *Path("/etc/apt/sources.list.d").glob("*")]
        options = (f"-o Dir::State::lists={apt}/lists -o Dir::Cache={apt} "
                   f"-o Dir::Etc::sourcelist=none -o Dir::Etc::sourceparts={apt}/parts "
                   f"-o APT::Sandbox::User=root")
        if not (apt / "parts").exists():
            (apt / "lists/partial").mkdir(parents=True, exist_ok=True)
            (apt / "new").mkdir(exist_ok=True)
            for path in listed:
                if path.suffix in (".list", ".sources") and path.exists():
                    text = re.sub(r"(?m)^(deb|Types: *deb)\b(?!-src)", r"\1-src", path.read_text())
                    text = re.sub(r"(?m)^(Suites:.*-updates\b.*)", rf"\1 {SUITES}", text)
                    (apt / "new" / path.name).write_text(text)
            self.must(f"apt-get {options.replace('/parts', '/new')} update -qq", apt, log)
            (apt / "new").rename(apt / "parts")
        return options

    def debian_versions(self, package, log):
        """Debian's own versions by those of the authors."""
        options = shlex.split(self.debian_sources(log))
        text = self.ask("apt-cache", *options, "madison", package)
        found = {}
        for line in text.splitlines():
            name, version = (word.strip() for word in line.split("|")[:2])
            if name == package:
                found[re.sub(r"^\d+:|-[^-]*$|[+~.](?:dfsg|ds|really).*", "", version)] = version
        return found

    def versions_debian(self, package):
        return self.debian_versions(package, self.cache / "debian.log")

    def fetch_debian(self, package, version, folder, log):
        """The archive as it came from its authors: Debian's part has other versions over time."""
        found = self.debian_versions(package, log)
        if version not in found:
            raise RegistryError(f"{package} {version}: there are {', '.join(found)}")
        self.must(f"apt-get {self.debian_sources(log)} source -qq --tar-only --download-only "
                  f"--only-source {package}={found[version]}", folder, log)

    def fetch_maven(self, package, version, folder, log):
        group, artifact = package.split(":")
        at = f"{group.replace('.', '/')}/{artifact}/{version}"
        get = f"mvn -q -B dependency:get -Dtransitive=false -Dartifact={package}:{version}:zip"
        self.must(f"{get}:source-release || {get}:src", folder, log)
        for path in (self.home / ".m2/repository" / at).glob("*.zip"):
            shutil.copy(path, folder)

    def archive(self, registry, package, version, log, name=None):
        """The archive in the cache; it is fetched if it is not there."""
        name = name or f"{registry}-{re.sub('[/:]', '-', package)}-{version}"
        kept = self.cache / "archives" / name
        if not kept.exists():
            self.prepare_home()
            partial = Path(f"{kept}.partial")
            shutil.rmtree(partial, ignore_errors=True)
            partial.mkdir(parents=True)
            with self.turn(registry):
                getattr(self, "fetch_" + registry)(package, version, partial, log)
            found = [path for pattern in ARCHIVES for path in partial.glob(pattern)
                     if registry != "debian" or re.search(r"\.orig\.tar\.\w+$", path.name)]
            if len(found) != 1:
                raise RegistryError(f"{package} {version}: {len(found)} archives: {found}")
            kept.mkdir(parents=True)
            shutil.move(found[0], kept / found[0].name)
            shutil.rmtree(partial)
        archive, = kept.iterdir()
        return archive

    def checked(self, sha256, registry, package, version, log, name=None):
        """The archive, whose sum must be this one; another one is thrown away."""
        archive = self.archive(registry, package, version, log, name)
        found = sum_of(archive)
        if found != sha256:
            shutil.rmtree(archive.parent)
            raise RegistryError(f"{package} {version}: {archive.name} has the sum {found}, and not "
                                f"{sha256 or 'the one of a row'}")
        return archive

    def unpack(self, archive, fresh, log, module=None):
        """Unpacks into a new folder, and gives the one that the package lies in: the one folder at
        the archive's top, or that of a Go module, as MODULE@VERSION."""
        shutil.rmtree(fresh, ignore_errors=True)
        fresh.mkdir(parents=True)
        command = "unzip -q" if archive.suffix == ".zip" else "tar --no-same-owner -xf"
        self.must(f"{command} {shlex.quote(str(archive))}", fresh, log)
        self.must("chmod -R u+w .", fresh, log)
        inside = list(fresh.iterdir())
        one = inside[0] if len(inside) == 1 and inside[0].is_dir() else fresh
        return fresh / module if module else one


def sum_of(archive):
    return hashlib.sha256(archive.read_bytes()).hexdigest()
