# What is done in a candidate's process.
import contextlib
import itertools
import os
import re
import resource
import sys
import threading
import time
import warnings

GREEN = ("passed", "xfailed")
FAILURES = 3  # of the goal's tests end a candidate


def try_job(runner):
    """Judges the candidate; before that, where it was forked from what is loaded, changes the code
    in place."""
    if runner.job.get("changes"):
        runner.tests.change(runner.job["changes"])
    Judge(runner).run()


def survey_job(runner):
    """Which of some tests pass."""
    def end_test(name, status, at):
        runner.say({"name": name, "passed": status in GREEN})

    runner.tests.run(runner.tests.plan(runner.job["others"]), runner.begin_test, end_test)
    runner.answer("surveyed")


def measure_job(runner):
    """Each goal test as the files are: what it takes, whether it passes, and whether it goes
    outside of this process."""
    read, passed, known = product_files_read(runner), {}, set(compiled_patterns())
    programs = resource.getrusage(resource.RUSAGE_CHILDREN)

    def end_test(name, status, at):
        passed[name] = passed.get(name, True) and status == "passed"

    for name in runner.job["goal"]:
        begun = time.perf_counter()
        runner.tests.run(runner.tests.plan([name]), runner.begin_test, end_test)
        before, programs = programs, resource.getrusage(resource.RUSAGE_CHILDREN)
        runner.say({
            "name": name, "ms": 1000 * (time.perf_counter() - begun),
            "passed": passed.get(name, False), "outside": programs != before or bool(read)
        })
        read.clear()
    runner.answer("measured", patterns=[key for key in compiled_patterns() if key not in known])


def compiled_patterns():
    """The regular expressions that `re` remembers: (text, flags)."""
    try:
        return [(pattern, flags) for _, pattern, flags in list(re._cache)
                if isinstance(pattern, str)]
    except (AttributeError, TypeError, ValueError):
        return []


def compile_patterns(patterns):
    """Lets `re` remember them."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for pattern, flags in patterns:
            with contextlib.suppress(Exception):
                re.compile(pattern, flags)


def product_files_read(runner):
    """A list in which the product's files appear that are read from here on, but for imports."""
    seen = []

    def hook(event, arguments):
        if event == "open" and isinstance(arguments[0], str) and arguments[0].endswith(".py"):
            path = os.path.realpath(arguments[0])
            imported = "importlib" in sys._getframe(1).f_code.co_filename
            if is_own(runner.root, path) and path not in runner.tests.files and not imported:
                seen.append(path)

    sys.addaudithook(hook)
    return seen


class Judge:
    """What a candidate is worth: the goal tests first, until three have failed; then the others,
    until one fails."""

    def __init__(self, runner):
        self.runner, self.tests, self.job = runner, runner.tests, runner.job
        self.waiting = {name: len(self.tests.find(name)) for name in self.job["goal"]}
        self.failed = [name for name, n in self.waiting.items() if n == 0]
        self.ended = set()  # others that passed
        self.fixed, self.at, self.how = 0, None, None

    def run(self):
        self.judge_goal()
        plan = self.tests.plan(itertools.chain(self.job["goal"], self.job["others"]))
        self.tests.run(plan, self.runner.begin_test, self.end_test)
        self.judge_goal(ended=True)
        for name in self.job["others"]:
            if name not in self.ended:
                self.answer("broken", broken=name)
        for thread in threading.enumerate():
            if thread is not threading.current_thread() and not thread.daemon:
                thread.join()
        self.answer("passed")

    def answer(self, end, **more):
        enough = len(self.failed) >= FAILURES
        self.runner.answer(end, fixed=self.fixed, at=self.at, how=self.how, enough=enough, **more)

    def end_test(self, name, status, at):
        if name in self.waiting:
            self.end_goal_test(name, status, at)
            return
        self.judge_goal(ended=True)
        self.ended.add(name)
        if status not in GREEN:
            self.answer("broken", broken=name)

    def end_goal_test(self, name, status, at):
        self.waiting[name] -= 1
        if status != "passed" and name not in self.failed:
            self.failed.append(name)
            if not self.at:
                self.at, self.how = at, self.tests.how
        if self.waiting[name] == 0 and name not in self.failed:
            self.fixed += 1
            self.runner.say({"fixed": self.fixed})  # for the case that it runs out of time
        self.judge_goal()

    def judge_goal(self, ended=False):
        waits = any(self.waiting.values())
        is_over = ended and (waits or self.failed)
        if len(self.failed) >= FAILURES or (self.failed and not waits) or is_over:
            self.answer("failed")
        if not waits:
            self.job["cpu_ms"] = self.job["other_cpu_ms"]
