# A warm runner for Python: it has the tests of a suite loaded and tries one candidate after the
# other, each in a process forked for it. Rondo talks to it in lines of JSON on standard input and
# output; what it says is never believed, only used to choose what is tried cold. Put together from
# python_*.py and this file.
#
# A candidate is tried in one of two ways.
#  - Fast: forked from here, where all is loaded; the changed functions get their new code in place
#    (python_swap.py says when).
#  - Slow, and always right: the changed files are written, and a process that was left behind
#    before they were loaded (a level) forks one that loads them as any. The files are then put back
#    as they were. Time limits hold for each test.
import contextlib
import gc
import itertools
import json
import os
import resource
import shutil
import sys
import types

MEASURE = {"cpu_ms": 1000, "wall_ms": 3000}
HANGING = {"cpu_ms": 100, "wall_ms": 300}  # for one that does not end in the suite
MEASURE_MS = 5000  # for all goal tests together


class Refused(Exception):
    """Why this suite cannot be run warm: a sentence."""


class Runner(Forks):
    def __init__(self, requests, answers, request):
        super().__init__(requests, answers)
        self.kind, self.arguments = request["kind"], request["arguments"]
        self.goal, self.others = request["goal"], request["others"]
        self.also = request["also"]  # tests that fail and are not of the goal
        self.hanging = set(request["hanging"])
        self.root = os.path.realpath(os.getcwd())
        self.swapper = Swapper(self.root)
        self.outside = set()  # tests of the goal that look for the changed files on the disk
        self.sound = set()  # other tests of which is known whether they pass as the files are
        self.base_texts = {}
        self.stamp = 0
        self.begun_ms = now_ms()
        sys.dont_write_bytecode = True

    def watch(self):
        """The suite's own code begins to be loaded. What runs of it meanwhile matters where it
        stays loaded. All that is there by now lasts for ever, the garbage collector need not look
        at it."""
        if hasattr(gc, "freeze"):
            gc.freeze()
        gc.enable()
        if not self.job:
            self.swapper.watch()

    def unwatch(self):
        self.swapper.stop()

    def hold(self, tests):
        """All is loaded. Does this process's job, or serves; never returns."""
        self.tests = tests
        tests.name_files()
        if self.job:
            self.work()
        try:
            self.serve()
        except Refused as refusal:
            self.refuse(str(refusal))
        finally:
            self.close()

    def work(self):
        """Does the job, and ends the process."""
        try:
            JOBS[self.job["do"]](self)
        finally:
            os._exit(1)

    def serve(self):
        self.swapper.learn()
        files = [getattr(module, "__file__", None) or "" for module in list(sys.modules.values())]
        # as the import system has them
        self.names = {self.swapper.real(file): file for file in files}
        self.load_ms = 100 + 3 * (now_ms() - self.begun_ms)
        self.fast = not self.shares()
        self.settle()
        missing = [name for name in self.goal if not self.tests.knows(name)]
        if missing:
            raise Refused("the goal test %s was not found" % missing[0])
        self.others = [name for name in self.others if self.tests.find(name)]
        self.measure()
        send(self.answers, {"ready": True, "goal": len(self.goal), "others": len(self.others)})
        for line in self.requests:
            request = json.loads(line)
            send(self.answers,
                 gather(self, request) if request.get("cover") else self.candidate(request))

    def refuse(self, why):
        send(self.answers, {"ready": False, "why": why})
        self.close()

    def close(self):
        """The end: nothing stays."""
        shutil.rmtree(self.place, ignore_errors=True)
        os._exit(0)

    def run_here(self, **job):
        return self.attempt(job) or self.work()

    def run_below(self, **job):
        """By the level that has the most loaded, of those that have not loaded what changes."""
        for level in self.levels:
            outcome = level.ask(dict(job, load_ms=self.load_ms))
            if outcome:
                return outcome
        return {"end": "said", "said": [{"end": "cold"}]}

    def measure(self):
        """How long each goal test takes as the files are: they run in that order. One that passes
        says that this is not the world of the tests. Those that start programs or read the
        product's files, so that changed files have to be on the disk, come last. The regular
        expressions that they needed are compiled here, for all candidates."""
        left = self.goal[:1] if self.tests.one_run else list(self.goal)
        left.sort(key=self.hanging.__contains__)
        took, until = {}, now_ms() + MEASURE_MS
        while self.fast and left and now_ms() < until:
            goal, limits = self.first_alike(left, MEASURE)
            outcome = self.run_here(do="measure", goal=goal, **limits)
            for one in outcome["said"]:
                if "name" not in one:
                    compile_patterns(one.get("patterns", []))
                    continue
                left.remove(one["name"])
                took[one["name"]] = one["ms"]
                if one["outside"]:
                    self.outside.add(one["name"])
                if one["passed"]:
                    raise Refused("the goal test %s passes here as the files are" % one["name"])
            if left and outcome["end"] != "said":
                took[left.pop(0)] = MEASURE["wall_ms"]
        self.goal.sort(key=lambda name: (name in self.outside, took.get(name, MEASURE["wall_ms"])))
        self.fast = self.fast and len(self.outside) < len(self.goal)

    def first_alike(self, names, limits):
        """Those at the beginning that end in the suite, or do not end there; and their limits."""
        hangs = names[0] in self.hanging
        alike = itertools.takewhile(lambda name: (name in self.hanging) == hangs, names)
        return list(alike), HANGING if hangs else limits

    def candidate(self, request):
        begun = now_ms()
        limits = {key: request[key] for key in ("cpu_ms", "wall_ms", "other_cpu_ms")}
        answer = self.try_once(request["files"], limits)
        while answer["end"] == "broken" and not self.is_sound(answer["broken"], limits):
            answer = self.try_once(request["files"], limits)
        return {
            "id": request["id"], "end": answer["end"], "fixed": answer.get("fixed", 0),
            "at": answer.get("at"), "how": answer.get("how"), "broken": answer.get("broken"),
            "ms": round(now_ms() - begun, 1)
        }

    def try_once(self, files, limits):
        texts = self.texts(files)
        if texts is None:
            return {"end": "cold"}
        changes = self.tests.changes(texts) if self.fast else None
        job = dict(limits, do="try", others=self.others)
        if changes is not None:
            answer = self.swap(changes, job)
            if answer:
                return answer
        compiled = []
        try:
            for path, data, edits in texts:
                compiled.append(self.codes.add(edited(data, edits), self.names.get(path, path)))
                if not compiled[-1]:
                    return {"end": "syntax"}
            with self.written(texts):
                return self.load([path for path, _, _ in texts], job)
        except OSError:
            return {"end": "cold"}
        finally:
            for place in filter(None, compiled):
                os.unlink(place)

    def swap(self, changes, job):
        """The fast way; None where it does not tell."""
        if not self.outside:
            return self.conclude(self.run_here(goal=self.goal, changes=changes, **job))
        inside = [name for name in self.goal if name not in self.outside]
        answer = self.conclude(self.run_here(goal=inside, changes=changes, **dict(job, others=[])))
        return answer if answer["end"] != "passed" else None

    def load(self, paths, job):
        """Loads the tests with what was written: first those of the goal that would end it, where
        they can be loaded alone."""
        files = self.tests.files_of(self.goal[:FAILURES])
        if files:
            first = [name for name in self.goal if self.tests.is_within(name, files)]
            answer = self.conclude(
                self.run_below(paths=paths, goal=first, only=files, **dict(job, others=[])))
            is_enough = len(first) == len(self.goal) or answer.get("enough", True)
            if answer["end"] != "passed" and is_enough:
                return answer
        return self.conclude(self.run_below(paths=paths, goal=self.goal, **job))

    @staticmethod
    def conclude(outcome):
        last = outcome["said"][-1] if outcome["said"] else {}
        return last if outcome["end"] == "said" else dict(last, end=outcome["end"])

    def texts(self, files):
        """[(path, bytes before, edits)]; None where one is no source of Python below the root: what
        is compiled, or not there."""
        texts = []
        for change in files:
            path = self.swapper.real(os.path.join(self.root, change["path"]))
            if not path.endswith(".py") or not below(self.root, path):
                return None
            if path not in self.base_texts:
                try:
                    with open(path, "rb") as file:
                        self.base_texts[path] = file.read()
                except OSError:
                    return None
            data = self.base_texts[path]
            texts.append((path, data, edits_of(data, change)))
        return texts

    @contextlib.contextmanager
    def written(self, texts):
        """The files as the candidate has them, for a while. Each has a time of its own, so that
        nobody takes it for another."""
        times = []
        try:
            for path, data, edits in texts:
                status = os.stat(path)
                times.append((status.st_atime_ns, status.st_mtime_ns))
                self.stamp += 1
                overwrite(path, edited(data, edits),
                          (status.st_atime_ns, status.st_mtime_ns + self.stamp * 10**9))
            yield
        finally:
            for (path, data, _), time_ns in zip(texts, times):
                overwrite(path, data, time_ns)

    def is_sound(self, name, limits):
        """Whether another test passes as the files are, with those before it; else it is left out
        from here on."""
        if name not in self.sound:
            self.sound.add(name)
            others = self.others[:self.others.index(name) + 1]
            job = dict(limits, do="survey", others=others, cpu_ms=limits["other_cpu_ms"])
            outcome = self.run_here(**job) if self.fast else self.run_below(paths=[], **job)
            said = [one for one in outcome["said"] if "name" in one]
            unsound = {one["name"] for one in said if not one["passed"]}
            self.others = [other for other in self.others if other not in unsound]
        return name in self.others


def overwrite(path, data, times_ns):
    with open(path, "r+b") as file:
        file.truncate(0)
        file.write(data)
    os.utime(path, ns=times_ns)


def take_streams():
    """Standard input and output, moved away; tests have neither."""
    requests, answers = os.fdopen(private(0), "rb", closefd=False), private(1)
    null = os.open(os.devnull, os.O_RDWR)
    for fd in 0, 1, 2:
        os.dup2(null, fd)
        os.set_inheritable(fd, True)
    if null > 2:
        os.close(null)
    return requests, answers


def main():
    requests, answers = take_streams()
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_FSIZE, (FILE_SIZE, FILE_SIZE))
    line = requests.readline()
    if not line:
        return
    # As where the interpreter starts the suite itself; nobody finds the runner as __main__.
    sys.path[:] = [os.getcwd()] + sys.path[0 if getattr(sys.flags, "safe_path", False) else 1:]
    sys.modules["__main__"] = types.ModuleType("__main__")
    runner = Runner(requests, answers, json.loads(line))
    try:
        KINDS.get(runner.kind, refuse_kind)(runner)
        why = "its runner ended before it ran a test"
    except BaseException as error:
        why = str(error) if isinstance(error, Refused) else "%s: %s" % (type(error).__name__, error)
    if runner.job:
        runner.answer("failed", fixed=0, at=None)
    runner.refuse(why)


def refuse_kind(runner):
    raise Refused("there is no warm runner for '%s'" % runner.kind)


KINDS = {
    "pytest": run_pytest, "unittest": run_unittest, "program": run_program, "doctest": run_doctest
}
JOBS = {"try": try_job, "survey": survey_job, "measure": measure_job, "cover": cover_job}
kept = sys.modules["__main__"]
main()
