"""A case of programs/ or projects/ for bench/repair: rondo sees its visible tests, and the tests
that are held back judge the fix."""
import shutil

import fetch
import suites

LONGEST_SUITE = 120


class ProgramCase:
    def __init__(self, case, cache):
        self.case = case
        self.repository = cache / "programs" / case.name
        self.name, self.group, self.place, self.protect = case.name, case.folder, "", []
        self.half, self.kind = case.half, case.kind
        self.language, self.command = case.language, case.command

    def lay_out(self):
        self.clean()
        self.repository.mkdir(parents=True)
        self.case.lay_out(self.repository)
        fetch.git(self.repository, "init", "-q")
        fetch.git(self.repository, "add", "-A")
        fetch.git(self.repository, "commit", "-q", "-m", "Work on it")

    def is_right(self, branch):
        fetch.git(self.repository, "checkout", "-q", "-f", branch)
        for path, text in self.case.held.items():
            (self.repository / path).parent.mkdir(parents=True, exist_ok=True)
            fetch.write(self.repository / path, text)
        return suites.run(self.repository, self.case.test_command(), LONGEST_SUITE).is_green()

    def clean(self):
        shutil.rmtree(self.repository, ignore_errors=True)
