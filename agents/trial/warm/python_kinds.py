# The suites that can be run warm. Each kind loads its tests and hands them to the runner's hold():
#
#   files                   real paths of the files that hold tests
#   one_run                 all tests are one execution
#   find(name)              the tests behind an id of rondo's: one, or all of a file or class that
#                           did not load; [] for none
#   knows(name)             whether an id is one of the suite's, also where it has no test as long
#                           as something does not load
#   plan(names)             each (id, test), found as it is asked for: few candidates come as far as
#                           the second
#   run(plan, begin, end)   runs them in this order: begin() before each, end(id, status, at) behind
#                           it
#   files_of(names)         the files to be loaded for these tests alone, as the kind wants them; []
#                           where that saves nothing
#   is_within(name, files)  whether a test, or all behind an id, is in these
#   changes(texts)          what changed texts mean here, to be given to change(); None: they have
#                           to be loaded, or do not compile
#   change(changes)         makes them hold in this process
import ast
import importlib
import importlib.util
import linecache
import os
import re
import sys
import types
import unittest

SAID = 200  # characters of an error that tell it from another


class Tests:
    one_run = False

    def __init__(self, runner):
        self.runner, self.files = runner, set()
        self.names = {}  # the file of what has this co_filename, where that holds tests
        self.how = None  # of the last error that was noted

    def plan(self, names):
        return ((name, test) for name in names for test in self.find(name))

    def knows(self, name):
        return bool(self.find(name))

    def files_of(self, names):
        return []

    def is_within(self, name, files):
        return False

    def changes(self, texts):
        found = []
        for path, data, edits in texts:
            one = self.runner.swapper.find(path, data, edits)
            if one is None:
                return None
            found += one
        return found

    @staticmethod
    def change(changes):
        swap(changes)

    def name_files(self):
        """All is loaded."""
        endings = {os.path.basename(file) for file in self.files}
        for module in list(sys.modules.values()):
            name = getattr(module, "__file__", None) or ""
            if os.path.basename(name) in endings:
                self.names[name] = os.path.realpath(name)

    def place(self, traceback, file):
        """file:line of the deepest frame in a test's own file, else in another that holds tests."""
        found = None
        while traceback:
            path = self.names.get(traceback.tb_frame.f_code.co_filename)
            if path == file or (path in self.files and (not found or found[0] != file)):
                found = (path, traceback.tb_lineno)
            traceback = traceback.tb_next
        return self.line(*found) if found and below(self.runner.root, found[0]) else None

    def note_how(self, error):
        """What kind of error it is, and what it says but for addresses."""
        try:
            text = re.sub(r"0x[0-9a-f]+", "", str(error))
        except Exception:
            text = ""
        self.how = "%s %s" % (type(error).__name__, text[:SAID])

    def line(self, path, number):
        return "%s:%d" % (path[len(self.runner.root) + 1:], number)


# --- unittest ---

class UnittestResult(unittest.TestResult):
    """Tells each test's end. Makes no text of failures."""

    def __init__(self, tests, names, begin, end):
        super().__init__()
        self.tests, self.names, self.begin, self.end = tests, names, begin, end
        self.running, self.status, self.at = None, None, None

    def startTest(self, test):
        self.running, self.status, self.at = test, None, None
        self.begin()

    def stopTest(self, test):
        self.running = None
        self.end(self.names[id(test)], self.status or "failed", self.at)

    def set(self, test, status):
        if test is self.running and self.status != "failed":
            self.status = status

    def addSuccess(self, test):
        self.set(test, self.status or "passed")

    def addError(self, test, err):
        self.set(test, "failed")
        if not self.at:
            self.at = self.tests.place(err[2], self.tests.file_of(self.running or test))
            self.tests.note_how(err[1])

    addFailure = addError

    def addSkip(self, test, reason):
        self.set(test, "skipped")

    def addExpectedFailure(self, test, err):
        self.set(test, "xfailed")

    def addUnexpectedSuccess(self, test):
        self.set(test, "failed")

    def addSubTest(self, test, subtest, err):
        if err:
            self.addError(test, err)


class UnittestPlan(unittest.TestSuite):
    """A suite whose tests are found as it comes to them."""
    _cleanup = False

    def __init__(self, tests):
        super().__init__()
        self.tests = tests

    def __iter__(self):
        return self.tests


class UnittestTests(Tests):
    """What unittest's program gives its tests to."""

    def __init__(self, runner):
        super().__init__(runner)
        self.cases, self.unloaded = {}, set()

    def add(self, suite):
        for test in suite:
            if isinstance(test, unittest.TestSuite):
                self.add(test)
            elif type(test).__module__ == "unittest.loader":
                self.unloaded.add(test._testMethodName)
            else:
                self.cases[test.id()] = test
                self.files.add(self.file_of(test))

    @staticmethod
    def file_of(test):
        module = sys.modules.get(type(test).__module__)
        return os.path.realpath(getattr(module, "__file__", None) or "")

    def find(self, name):
        if name in self.cases:
            return [self.cases[name]]
        if name in self.unloaded:
            return []
        folder = re.sub(r"\.(setUp|tearDown)(Class|Module)$", "", name) + "."
        return [test for other, test in self.cases.items() if other.startswith(folder)]

    def knows(self, name):
        return name in self.unloaded or super().knows(name)

    def run(self, plan, begin, end):
        names = {}

        def tests():
            for name, test in plan:
                names[id(test)] = name
                yield test

        UnittestPlan(tests())(UnittestResult(self, names, begin, end))


class UnittestRunner:
    def __init__(self, tests):
        self.tests = tests

    def run(self, suite):
        self.tests.add(suite)
        self.tests.runner.hold(self.tests)


def run_unittest(runner):
    sys.argv = ["python -m unittest"] + runner.arguments
    runner.checkpoint()
    runner.watch()
    unittest.main(module=None, argv=sys.argv, testRunner=UnittestRunner(UnittestTests(runner)),
                  exit=False)


# --- One program with assertions and examples of doctest ---

class Statement:
    """An assertion or an example: its bytes and lines."""

    def __init__(self, data, start, end, is_example):
        self.start, self.text, self.is_example = start, data[start:end], is_example
        self.first = data.count(b"\n", 0, start) + 1
        self.last = self.first + self.text.count(b"\n")


def is_prompt(line, prompt):
    return line.lstrip(b" \t\r\f\v")[:4].rstrip() == prompt


def find_examples(data, start, end):
    """As verify/suite/program/examples.c finds them: an example ends at a blank line, or where the
    next one begins."""
    quotes = re.match(rb"\w*(\"\"\"|''')", data[start:end])
    if not quotes:
        return
    at, end = start + quotes.end(), end - 3
    begun, behind, typing = None, None, False
    while at < end:
        newline = data.find(b"\n", at, end)
        line = data[at:end if newline < 0 else newline]
        typing = typing and is_prompt(line, b"...")
        if begun is not None and not typing and (not line.strip() or is_prompt(line, b">>>")):
            yield Statement(data, begun, behind, True)
            begun = None
        if begun is None and is_prompt(line, b">>>"):
            begun, typing = at + len(line) - len(line.lstrip(b" \t\r\f\v")), True
        at += len(line)
        behind = at
        at += 1
    if begun is not None:
        yield Statement(data, begun, behind, True)


def find_statements(data):
    """Its assertions and examples, in order."""
    offsets, found = [0], []
    for line in data.split(b"\n"):
        offsets.append(offsets[-1] + len(line) + 1)

    def place(node):
        return (offsets[node.lineno - 1] + node.col_offset,
                offsets[node.end_lineno - 1] + node.end_col_offset)

    for node in ast.walk(ast.parse(data)):
        if isinstance(node, ast.Assert):
            found.append(Statement(data, *place(node), False))
        elif isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef,
                               ast.AsyncFunctionDef)) and ast.get_docstring(node):
            found += find_examples(data, *place(node.body[0].value))
    return sorted(found, key=lambda statement: statement.start)


def statement_ids(statements):
    """As verify/suite/runners/program.c makes them: text on one line, cut, numbered where it comes
    again."""
    ids, seen = [], {}
    for statement in statements:
        name = re.sub(rb"[ \t\n\r\f\v]+", b" ", statement.text)[:160].decode("utf-8", "ignore")
        seen[name] = seen.get(name, 0) + 1
        ids.append("%s (%d)" % (name, seen[name]) if seen[name] > 1 else name)
    return ids


def moved_lines(spans, data, edits):
    """The first and last lines of statements when a text has been edited; None where an edit
    reaches into one and makes it longer or shorter."""
    spans = list(spans)
    for offset, length, text in reversed(edits):
        first = data.count(b"\n", 0, offset) + 1
        last = first + data.count(b"\n", offset, offset + length)
        more = text.count(b"\n") - (last - first)
        if more and any(start <= last and end >= first for start, end in spans):
            return None
        spans = [(start + more, end + more) if start > last else (start, end)
                 for start, end in spans]
    return spans


def lines_of(statements):
    return [(statement.first, statement.last) for statement in statements]


class ProgramTests(Tests):
    """Its tests are its assertions, by their place: those before the one that ends the program have
    passed; and its examples, which doctest runs all. Without any there is one test, the end of the
    program."""
    one_run = True

    def __init__(self, runner, path, data, name):
        super().__init__(runner)
        self.path, self.data, self.base_data, self.name = path, data, data, name
        self.code = None
        self.base = find_statements(data)
        self.spans = lines_of(self.base)
        self.index = {name: i for i, name in enumerate(statement_ids(self.base))}
        self.failed, self.started = set(), set()  # examples
        self.tell = None  # is called for each example that begins

    def find(self, name):
        if name in self.index:
            return [self.index[name]]
        return [] if self.base else [0]

    def changes(self, texts):
        path, data, edits = texts[0] if texts else (self.path, self.base_data, [])
        if len(texts) > 1 or path != self.path:
            return None
        try:
            text, spans = edited(data, edits), moved_lines(self.spans, data, edits)
            code = compile(text, self.path, "exec", dont_inherit=True)
            return text, code, lines_of(find_statements(text)) if spans is None else spans
        except SYNTAX_ERRORS:
            return None

    def change(self, changes):
        self.data, self.code, self.spans = changes

    def run(self, plan, begin, end):
        begin()
        ended, place = self.execute(), None
        if -1 in self.failed:
            ended = -1
        if self.base and ended is not None and ended >= 0:
            place = self.line(self.path, self.base[ended].first)
        elif self.failed:
            place = self.line(self.path, self.base[min(self.failed)].first)
        for name, i in plan:
            end(name, "failed" if self.has_failed(i, ended) else "passed", place)

    def has_failed(self, i, ended):
        """An example that was not run at all has not passed, unless it says so itself."""
        if (self.base and self.base[i].is_example and i not in self.started
                and b"+SKIP" not in self.base[i].text):
            return True
        return i in self.failed or (ended is not None and i >= ended)

    def execute(self):
        """Runs it as the program, or by doctest as a module. Which assertion ended it: None for
        none, -1 for something else."""
        self.watch_examples()
        module = types.ModuleType(self.name)
        module.__file__ = self.path
        sys.modules[self.name] = module
        code = self.code or compile(self.data, self.path, "exec", dont_inherit=True)
        try:
            self.load(code, module)
        except SystemExit as error:
            if self.failed:
                return None
            return None if not error.code and self.exits_as_ever(error.__traceback__) else -1
        except BaseException as error:
            return self.ended_by(error.__traceback__)
        return None

    def load(self, code, module):
        if self.name == "__main__":
            exec(code, module.__dict__)
            return
        sys.path.insert(0, os.path.dirname(self.path))  # as doctest does
        exec(code, module.__dict__)
        del sys.path[0]
        sys.modules["doctest"].testmod(module)

    def watch_examples(self):
        """doctest tells which examples fail; it looks for their lines in the file as it is now."""
        doctest = sys.modules.get("doctest")
        if not doctest or not any(statement.is_example for statement in self.base):
            return
        lines = self.data.decode("utf-8", "replace").splitlines(True)
        linecache.cache[self.path] = len(self.data), None, lines, self.path

        def failed(_, out, test, example, *__):
            self.failed.add(self.example_at(test, example))

        def started(_, out, test, example):
            at = self.example_at(test, example)
            self.started.add(at)
            if self.tell and at >= 0:
                self.tell(at)

        runner = doctest.DocTestRunner
        runner.report_failure = runner.report_unexpected_exception = failed
        runner.report_start = started

    def example_at(self, test, example):
        """By its line and what is typed, else by the one or the other; -1: it is not known."""
        typed = example.source.partition("\n")[0].encode()
        alike = [
            i for i, statement in enumerate(self.base) if statement.is_example and
            statement.text[3:].strip().partition(b"\n")[0].strip() == typed.strip()
        ]
        line = (test.lineno or 0) + example.lineno + 1
        here = [
            i for i, (first, _) in enumerate(self.spans)
            if first == line and self.base[i].is_example
        ]
        return (sorted(set(alike) & set(here)) + alike + here + [-1])[0]

    def lines(self, traceback):
        found = []
        while traceback:
            if traceback.tb_frame.f_code.co_filename == self.path:
                found.append(traceback.tb_lineno)
            traceback = traceback.tb_next
        return found

    def exits_as_ever(self, traceback):
        """Whether it is a line of the unchanged program that ends it: a new one is not believed."""
        text = self.data.split(b"\n")
        return any(text[line - 1] in self.base_data.split(b"\n")
                   for line in self.lines(traceback)[-1:])

    def ended_by(self, traceback):
        found = -1
        for line in self.lines(traceback):
            found = next((i for i, (start, end) in enumerate(self.spans)
                          if start <= line <= end and not self.base[i].is_example), found)
        return found


def run_program(runner):
    run_file(runner, "__main__")


def run_doctest(runner):
    """python -m doctest FILE."""
    if runner.arguments:
        run_file(runner, os.path.basename(runner.arguments[0])[:-len(".py")])


def run_file(runner, name):
    if len(runner.arguments) != 1 or not runner.arguments[0].endswith(".py"):
        raise Refused("a program is one file of Python")
    path = os.path.realpath(runner.arguments[0])
    with open(path, "rb") as file:
        data = file.read()
    sys.argv = list(runner.arguments)
    if name == "__main__":
        sys.path[0] = os.path.dirname(path)
    if b">>>" in data:
        importlib.import_module("doctest")
    runner.checkpoint()
    if runner.job:
        with open(path, "rb") as file:
            data = file.read()
    else:
        import_foreign(data, runner.root)
    runner.hold(ProgramTests(runner, path, data, name))


def import_foreign(data, root):
    """What the program imports first, but for what lies beside it."""
    for node in ast.parse(data).body:
        names = [node.module] if isinstance(node, ast.ImportFrom) and not node.level else []
        names += [one.name for one in node.names] if isinstance(node, ast.Import) else []
        for name in names:
            try:
                spec = importlib.util.find_spec(name.partition(".")[0])
                if spec and spec.origin and not is_own(root, os.path.realpath(spec.origin)):
                    importlib.import_module(name)
            except Exception:
                pass  # so will it in the program
