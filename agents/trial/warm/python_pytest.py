# The suites of pytest: its own collection, its own fixtures and phases of a test.
#
# Much of what pytest does around a test is for people: progress, texts of failures, what was
# printed and logged, warnings. No outcome depends on it, and it takes longer than a small test. The
# light way leaves it out where nobody could tell, that is where neither a plugin or a conftest of
# the user's has to do with it, nor an option, nor the test itself; else there is the full way,
# which is pytest's own.
import contextlib
import gc
import importlib.util
import os
import sys
import unittest

LEFT_OUT = ("capturemanager", "logging-plugin", "unraisableexception", "threadexception")
PHASES = ("setup", "call", "teardown")
HOOKS = ("runtest_protocol", "runtest_logstart", "runtest_makereport", "runtest_logreport",
         "runtest_logfinish", "exception_interact", "assertrepr_compare", "assertion_pass")
OPTIONS = ("usepdb", "trace", "setupshow", "setuponly", "setupplan", "runxfail")
MARKS = {"skip", "skipif", "xfail", "filterwarnings"}
FIXTURES = {
    "capsys", "capsysbinary", "capfd", "capfdbinary", "capteesys", "caplog", "subtests", "tmp_path",
    "tmpdir", "pytester", "testdir"
}
WORDS = (b"AssertionError", b"pytest_assert", b"add_marker", b"applymarker", b"getfixturevalue")


def is_plain(file):
    """Whether what stands in a file takes no notice of what pytest makes assertions say, and of how
    it runs tests."""
    try:
        with open(file, "rb") as text:
            data = text.read()
    except OSError:
        return False
    return not any(word in data for word in WORDS)


class LightWay:
    """The phases of a test without what nobody reads."""

    def __init__(self, tests, config):
        import pytest
        from _pytest import logging, runner, warnings
        from _pytest.unittest import TestCaseFunction
        twisted = "twisted.trial.unittest" in sys.modules  # for which pytest has a way of its own
        self.types = {pytest.Function} if twisted else {pytest.Function, TestCaseFunction}
        self.tests, self.config, self.manager = tests, config, config.pluginmanager
        self.pytest, self.runner = pytest, runner
        self.catch_logs = logging.catching_logs
        self.catch_warnings = warnings.catch_warnings_for_item
        self.capture = self.manager.get_plugin("capturemanager")
        self.logs = self.manager.get_plugin("logging-plugin")
        self.special = (pytest.skip.Exception, pytest.xfail.Exception, unittest.SkipTest)
        self.final = (pytest.exit.Exception, KeyboardInterrupt)
        self.nose = self.manager.has_plugin("nose")
        self.phases = {when: self.phase(when) for when in PHASES}
        self.plain_files = {}
        self.surroundings, self.used = None, False

    def phase(self, when):
        """What runs this phase: pytest itself, and the plugins that have a part in it."""
        if not self.foreign("runtest_" + when):
            return getattr(self.runner, "pytest_runtest_" + when)
        without = [plugin for plugin in map(self.manager.get_plugin, LEFT_OUT) if plugin]
        return self.manager.subset_hook_caller("pytest_runtest_" + when, without)

    def foreign(self, name):
        """Who else than pytest has to do with this hook."""
        found = getattr(self.config.hook, "pytest_" + name).get_hookimpls()
        return [
            one for one in found
            if one.plugin is not self.tests and not one.function.__module__.startswith("_pytest.")
        ]

    def is_open(self):
        """Whether nobody but pytest has to do with what is left out."""
        option, getini = self.config.option, self.config.getini
        # some warnings may be errors
        strict = sys.warnoptions or option.pythonwarnings or getini("filterwarnings")
        if strict or any(getattr(option, name, False) for name in OPTIONS):
            return False
        if float(getini("faulthandler_timeout") or 0) or any(map(self.foreign, HOOKS)):
            return False
        if not (self.capture and self.logs and self.manager.has_plugin("warnings")):
            return False
        files = {getattr(plugin, "__file__", None) or "" for plugin in self.manager.get_plugins()}
        root = self.tests.runner.root
        files = {file for file in map(os.path.realpath, files) if is_own(root, file)}
        # The hooks of a conftest hold for what lies beside it only.
        near = [one for when in PHASES for one in self.foreign("runtest_" + when)
                if os.path.basename(one.function.__code__.co_filename) == "conftest.py"]
        return not near and all(map(is_plain, files))

    def leads_to(self, item):
        """Whether this test can go it."""
        if type(item) not in self.types or not FIXTURES.isdisjoint(item.fixturenames):
            return False
        if any(mark.name in MARKS for mark in item.iter_markers()):
            return False
        owners = [item.function, item.cls, item.module] if self.nose else []
        if any(hasattr(owner, name) for owner in owners for name in ("setup", "teardown")):
            return False
        file = self.tests.file_of[item]
        if file not in self.plain_files:
            self.plain_files[file] = is_plain(file)
        return self.plain_files[file]

    def surround(self):
        """What is around every test: how it is captured, warned and logged."""
        with contextlib.ExitStack() as stack:
            stack.enter_context(
                self.catch_warnings(config=self.config, ihook=self.config.hook, when="runtest",
                                    item=None))
            stack.enter_context(self.catch_logs(self.logs.caplog_handler,
                                                level=self.logs.log_level))
            self.capture.resume_global_capture()
            self.capture.read_global_capture()
            self.surroundings = stack.pop_all()

    def run(self, item, next_item):
        """As pytest's runtestprotocol()."""
        if self.used:
            self.surroundings.close()
            self.surround()
        self.used = True
        if not item._request:
            item._initrequest()
        if self.passes("setup", item) and self.passes("call", item):
            self.tests.status = self.tests.status or "passed"
        self.passes("teardown", item, nextitem=next_item)
        item._request, item.funcargs = False, None

    def passes(self, when, item, **more):
        try:
            self.phases[when](item=item, **more)
            if not getattr(item, "_excinfo", None):
                return True
            raise item._excinfo.pop(0).value  # noted by a TestCase, which lets none through
        except self.final:
            raise
        except self.special as error:
            self.tell(when, item, error)
        except BaseException as error:
            self.tests.note(item, error)
            self.tests.status = "failed"
        return False

    def tell(self, when, item, error):
        """An exception that means something to pytest's plugins."""
        def again():
            raise error

        report = item.ihook.pytest_runtest_makereport(
            item=item, call=self.runner.CallInfo.from_call(again, when))
        self.tests.pytest_runtest_logreport(report)


def light_way(tests, config, items):
    """It and the tests that can go it: none with a pytest that is not made as those that are
    known."""
    try:
        light = LightWay(tests, config)
        found = set(filter(light.leads_to, items)) if light.is_open() else set()
        if found:
            light.surround()
        return light, found
    except Exception:
        return None, set()


class PytestTests(Tests):
    """A plugin, which is registered behind pytest's own and therefore asked first."""

    def __init__(self, runner):
        super().__init__(runner)
        self.items, self.file_of = {}, {}
        self.unloaded = {}  # what did not load, with its file
        self.root = ""  # of the ids
        self.light, self.light_items = None, set()
        self.status, self.at = None, None

    def pytest_load_initial_conftests(self):
        self.runner.watch()

    def pytest_cmdline_main(self, config):
        self.root = str(getattr(config, "rootpath", None) or config.rootdir)
        if hasattr(config.option, "numprocesses"):
            config.option.dist, config.option.tx = "no", []
        if not self.runner.job:
            self.runner.note_captured()

    def pytest_collection(self, session):
        self.runner.checkpoint()
        if self.runner.job and self.runner.job.get("only"):
            session.config.args[:] = self.runner.job["only"]

    def pytest_collectreport(self, report):
        if report.failed:
            file = os.path.join(self.root, report.nodeid.partition("::")[0])
            self.unloaded[report.nodeid] = os.path.realpath(file)

    def pytest_runtestloop(self, session):
        for item in session.items:
            self.items.setdefault(item.nodeid, item)
            self.items.setdefault(session.config.cwd_relative_nodeid(item.nodeid), item)
            self.file_of[item] = os.path.realpath(str(getattr(item, "path", None) or item.fspath))
        self.files.update(self.file_of.values())
        modules = [getattr(module, "__file__", None) or "" for module in list(sys.modules.values())]
        self.files.update(
            os.path.realpath(file) for file in modules if os.path.basename(file) == "conftest.py")
        self.light, self.light_items = light_way(self, session.config, session.items)
        self.runner.note_captured()
        self.runner.hold(self)

    def pytest_runtest_makereport(self, item, call):
        if call.excinfo:
            self.note(item, call.excinfo.value)

    def note(self, item, error):
        if not self.at:
            self.at = self.place(error.__traceback__, self.file_of.get(item))
            self.note_how(error)

    def pytest_runtest_logreport(self, report):
        if report.failed or self.status == "failed":
            self.status = "failed"
        elif report.skipped:
            self.status = "xfailed" if hasattr(report, "wasxfail") else "skipped"
        elif report.when == "call" and not self.status:
            self.status = "passed"

    def find(self, name):
        if name in self.items:
            return [self.items[name]]
        if name in self.unloaded:
            return []
        within = name + "::", name + "["  # a file or class; a function with parameters
        return [item for nodeid, item in self.items.items() if nodeid.startswith(within)]

    def knows(self, name):
        return name in self.unloaded or super().knows(name)

    def files_of(self, names):
        items = [item for name in names for item in self.find(name)]
        files = {self.file_of[item] for item in items}
        files |= {self.unloaded[name] for name in names if name in self.unloaded}
        is_part = len(files) < len({*self.file_of.values(), *self.unloaded.values()})
        return sorted(files) if is_part and all(map(os.path.isfile, files)) else []

    def is_within(self, name, files):
        if name in self.unloaded:
            return self.unloaded[name] in files
        items = self.find(name)
        return bool(items) and all(self.file_of[item] in files for item in items)

    def run(self, plan, begin, end):
        plan = iter(plan)
        following = next(plan, None)
        while following:
            (name, item), following = following, next(plan, None)
            next_item = following and following[1]
            self.status, self.at = None, None
            begin()
            if item in self.light_items:
                self.light.run(item, next_item)
            else:
                item.config.hook.pytest_runtest_protocol(item=item, nextitem=next_item)
            end(name, self.status or "failed", self.at)


def can_assert_plainly(names):
    """Whether assertions need no words of pytest's, in the files of these tests and the conftests
    above them."""
    files = {name.partition("::")[0] for name in names}
    folders = {os.path.dirname(file) for file in files}
    for folder in list(folders):
        while folder not in ("", os.sep):
            folder = os.path.dirname(folder)
            folders.add(folder)
    conftests = filter(os.path.exists, (os.path.join(folder, "conftest.py") for folder in folders))
    return not sys.flags.optimize and all(map(is_plain, files)) and all(map(is_plain, conftests))


def run_pytest(runner):
    gc.disable()  # until there is something of the suite's
    import pytest
    words = ["-p", "no:cacheprovider", "--tb=no", "--verbosity=0", "--maxfail=0"]
    words.append("--basetemp=" + os.path.join(runner.temporary, "pytest"))
    if can_assert_plainly(runner.goal + runner.others):
        words.append("--assert=plain")
    has_cov = importlib.util.find_spec("pytest_cov")
    if has_cov and not os.environ.get("PYTEST_DISABLE_PLUGIN_AUTOLOAD"):
        words.append("--no-cov")
    sys.argv = [os.path.join(os.path.dirname(pytest.__file__), "__main__.py")] + runner.arguments
    runner.checkpoint()
    code = pytest.main(runner.arguments + words, plugins=[PytestTests(runner)])
    raise Refused("pytest ended with code %d before it ran a test" % code)
