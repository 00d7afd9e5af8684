# Which lines of the product each test runs, that is of the files below the root that hold no tests
# and are not installed. A process of its own tells it of one test after the other. Where a test
# hangs or ends the process, the next continues after it.
import os
import re
import resource
import signal
import sys
import threading
import time

ALSO = 30  # tests that fail and are not of the goal, at most
TEST_FILE = re.compile(r"(^|/)(test_[^/]*|[^/]*_test|tests?|conftest)\.py$")


class Tracer:
    """Lines that ran since the last take(), by path below the root. Of a program that is its own
    test also which of its assertions is about to run: switch(i)."""

    def __init__(self, tests, switch):
        self.tests, self.switch = tests, switch
        self.program = getattr(tests, "path", None)
        self.assertions = {one.first: i for i, one in enumerate(tests.base)} if self.program else {}
        self.lines = {}
        # by file name: what is called for each line of it; None for files that do not count
        self.locals = {}

    def counts(self, path):
        root = self.tests.runner.root
        if not is_own(root, path) or not os.path.exists(path):
            return False
        return path == self.program or not (path in self.tests.files or TEST_FILE.search(path))

    def local_of(self, path):
        lines = self.lines.setdefault(os.path.relpath(path, self.tests.runner.root), set())
        assertions = self.assertions if path == self.program else {}

        def local(frame, event, argument):
            if event == "line":
                if frame.f_lineno in assertions:
                    self.switch(assertions[frame.f_lineno])
                lines.add(frame.f_lineno)
            return local

        return local

    def trace(self, frame, event, argument):
        name = frame.f_code.co_filename
        if name not in self.locals:
            path = os.path.realpath(name)
            self.locals[name] = self.local_of(path) if self.counts(path) else None
        return self.locals[name]

    def start(self):
        threading.settrace(self.trace)
        sys.settrace(self.trace)

    def take(self):
        taken = {path: sorted(lines) for path, lines in self.lines.items() if lines}
        for lines in self.lines.values():
            lines.clear()
        return taken


def cover_job(runner):
    """In a candidate's process: says {"name", "lines"} for each test."""
    tests, budget = runner.tests, runner.job["budget_ms"] / 1000
    plan = list(tests.plan(runner.job["names"]))
    names, ended = [name for name, _ in plan], []
    begun = time.process_time()

    def tell(name, **more):
        runner.say(dict(more, name=name, lines=tracer.take()))
        ended.append(name)

    def out_of_time(*_):
        sys.settrace(None)
        tell(current[-1] if current else names[min(len(ended), len(names) - 1)], end="late")
        os._exit(0)

    def end_test(name, status, at):
        if not tests.one_run:
            tell(name)
        if time.process_time() - begun > budget:
            runner.answer("covered")

    current = []

    def switch(i):
        if current and current[-1] != ids[i]:
            tell(current[-1])
        current.append(ids[i])

    ids = list(getattr(tests, "index", ()))
    tests.tell = switch
    tracer = Tracer(tests, switch)
    signal.signal(signal.SIGPROF, out_of_time)
    tracer.start()
    tests.run(plan, runner.begin_test, end_test)
    if tests.one_run:
        tell(current[-1] if current else names[0])
    runner.answer("covered")


def gather(runner, request):
    """The answer to "cover": of the goal tests, then of others that fail, then of those beside
    them, then of the rest, as long as there is time."""
    if not runner.fast:
        return {"lines": None, "n_goal": 0, "n_others": 0, "n_also": 0}
    near = {folder_of(name) for name in runner.goal}
    also = [name for name in runner.also if runner.tests.find(name)][:ALSO]
    others = sorted(runner.others, key=lambda name: folder_of(name) not in near)
    left, counted, ran = runner.goal + also + others, {}, [0, 0, 0]
    kinds = dict.fromkeys(others, 1) | dict.fromkeys(also, 2) | dict.fromkeys(runner.goal, 0)
    limits_of_one = {key: request[key] / 4 for key in ("cpu_ms", "wall_ms")}
    until, until_cpu = now_ms() + request["wall_ms"], spent_ms() + request["cpu_ms"]
    while left and now_ms() < until and spent_ms() < until_cpu:
        names, limits = runner.first_alike(left, limits_of_one)
        budget_ms = until_cpu - spent_ms()
        outcome = runner.run_here(do="cover", names=names, budget_ms=budget_ms, **limits)
        told = [one for one in outcome["said"] if "name" in one]
        for one in told:
            kind = kinds.get(one["name"], 1)
            ran[kind] += 1
            count_lines(counted, one["lines"], kind)
        if runner.tests.one_run:
            break
        is_whole = outcome["said"][-1:] == [{"end": "covered"}]
        past = left.index(told[-1]["name"]) + 1 if told else 0
        left = left[len(names) if is_whole else past + (outcome["end"] != "said"):]
    lines = {
        path: [[line] + counts for line, counts in sorted(by_line.items())]
        for path, by_line in counted.items()
    }
    return {"lines": lines, "n_goal": ran[0], "n_others": ran[1], "n_also": ran[2]}


def spent_ms():
    """Processor time of all candidates so far."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return 1000 * (used.ru_utime + used.ru_stime)


def count_lines(counted, lines, kind):
    for path, numbers in lines.items():
        by_line = counted.setdefault(path, {})
        for number in numbers:
            by_line.setdefault(number, [0, 0, 0])[kind] += 1


def folder_of(name):
    return name.partition("::")[0] if "::" in name else name.rpartition(".")[0]
