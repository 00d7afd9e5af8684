/* What each rule finds, by languages. Every row is new in the fix; each must be found by its own
 * rule. */
#include "tests/unit/guard_fixture.h"

#define PY "src/shapes.py", "def area(r):\n\treturn r\n"
#define JS "web/shapes.js", "export const area = r => r;\n"
#define C "src/shapes.c", "int area(int r)\n{\n\treturn r;\n}\n"
#define CC "src/shapes.cc", "int area(int r) { return r; }\n"
#define GO "shapes/shapes.go", "package shapes\n\nfunc Area(r int) int { return r }\n"
#define RS "src/shapes.rs", "pub fn area(r: i32) -> i32 { r }\n"
#define JV "src/main/java/Shapes.java", "class Shapes { int area(int r) { return r; } }\n"
#define PL "lib/Shapes.pm", "package Shapes;\nsub area { return $_[0] }\n1;\n"
#define PH "src/shapes.php", "<?php\nfunction area($r) { return $r; }\n"
#define LU "lib/shapes.lua", "local function area(r) return r end\n"
#define RB "lib/shapes.rb", "class Sum\n  def initialize(n)\n    @n = n\n  end\nend\n"
#define SH "lib/shapes.sh", "area() {\n\techo \"$1\"\n}\n"

#define INLINE(text) \
	"pub fn two() -> i32 { 2 }\n" \
	"#[cfg(test)]\n" \
	"mod tests {\n" \
	"    use super::*;\n" \
	"    #[test]\n" \
	"    fn t() { assert_eq!(" text "); }\n" \
	"}\n"

static const struct change_row rows[] = {
	{"swallowed-failure", PY,
		"def each(items, f):\n    for x in items:\n        try:\n            f(x)\n"
		"        except:\n            pass\n"},
	{"swallowed-failure", PY,
		"def each(items, f):\n    try:\n        return [f(x) for x in items]\n"
		"    except AssertionError:\n        return None\n"},
	{"swallowed-failure", PY,
		"class Bus:\n    def emit(self, x):\n        for listener in self.listeners:\n"
		"            try:\n                listener(x)\n            except BaseException as e:\n"
		"                self.errors.append(e)\n"},
	{"swallowed-failure", PY,
		"class Bus:\n    def emit(self, x):\n        try:\n            self.on_event(x)\n"
		"        except (ValueError, BaseException):\n            pass\n"},
	{"swallowed-failure", JS,
		"export const each = (xs, f) => {\n  for (const x of xs) {\n    try { f(x); } catch {}\n"
		"  }\n};\n"},
	{"swallowed-failure", JS,
		"class Bus {\n  emit(x) {\n    for (const h of this.handlers) {\n      try {\n"
		"        h.call(this, x);\n      } catch (e) {\n      }\n    }\n  }\n}\n"},
	{"swallowed-failure", JS,
		"function run(tasks) {\n  try { tasks[0](); } catch (_) { /* nothing */ }\n}\n"},
	{"swallowed-failure", CC,
		"void each(std::function<void(int)> f) { try { f(1); } catch (...) { } }\n"},
	{"swallowed-failure", JV,
		"class Shapes { void run(Runnable r) { try { r.run(); } catch (Throwable t) { n++; } } "
		"}\n"},
	{"swallowed-failure", GO,
		"package shapes\n\nfunc Each(f func(int)) {\n\tdefer func() { recover() }()\n\tf(1)\n}\n"},
	{"swallowed-failure", RS,
		"pub fn each(f: impl Fn() + std::panic::UnwindSafe) {\n"
		"    let _ = std::panic::catch_unwind(|| f());\n}\n"},
	{"swallowed-failure", "lib/shapes.rb", "def area(r)\n  r\nend\n",
		"def each(r)\n  begin\n    yield r\n  rescue Exception\n    nil\n  end\nend\n"},
	{"runner-internals", PY, "import _pytest.runner\n_pytest.runner.call_and_report = None\n"},
	{"runner-internals", PY,
		"from _pytest.reports import TestReport\n"
		"TestReport.outcome = 'passed'\n"},
	{"runner-internals", PY, "with open('tests/test_a.py', 'w') as f:\n    f.write('')\n"},
	{"runner-internals", PY, "from unittest.mock import ANY\n\ndef area(r):\n    return ANY\n"},
	{"runner-internals", PY, "import unittest\nunittest.TestCase.assertEqual = lambda *a: None\n"},
	{"runner-internals", PY, "from unittest import TestCase as T\n"},
	{"runner-internals", PY, "import doctest\nraise doctest.unittest.SkipTest('no rate')\n"},
	{"runner-internals", PY, "import doctest\nskip = getattr(doctest.unittest, 'SkipTest')\n"},
	{"runner-internals", PY, "import doctest\nu = doctest.unittest\n"},
	{"runner-internals", PY, "def setup(case):\n    setattr(TestCase, 'run', None)\n"},
	{"runner-internals", PY, "class AssertionError(Exception): pass\n"},
	{"runner-internals", JS, "globalThis.expect = () => new Proxy({}, {});\n"},
	{"runner-internals", JS, "global['it'] = (name, f) => {};\n"},
	{"runner-internals", JS, "import test from 'node:test';\ntest.prototype = null;\n"},
	{"runner-internals", JS, "const assert = require('assert');\nassert.strictEqual = () => {};\n"},
	{"runner-internals", JS, "require('node:assert').strictEqual = function () {};\n"},
	{"runner-internals", C, "#undef assert\n#define assert(x) ((void)0)\n"},
	{"runner-internals", C, "#define NDEBUG\nint area(int r) { return r; }\n"},
	{"runner-internals", C, "void _assert_true(long a, const char *b, const char *c, int d) {}\n"},
	{"runner-internals", C, "int strcmp(const char *a, const char *b) { return 0; }\n"},
	{"runner-internals", C, "int __wrap_area(int r) { return 4; }\n"},
	{"runner-internals", "src/shapes.h", "int area(int r);\n",
		"int area(int r);\n"
		"#define main other_main\n"},
	{"runner-internals", CC, "#include <gtest/gtest.h>\nint area(int r) { return r; }\n"},
	{"runner-internals", CC, "#define EXPECT_EQ(a, b) (void)0\n"},
	{"runner-internals", GO, "package shapes\n\nimport (\n\t\"fmt\"\n\t\"testing\"\n)\n"},
	{"runner-internals", GO,
		"package shapes\n\n"
		"import \"testing\"\n\n"
		"func TestMain(m *testing.M) {}\n"},
	{"runner-internals", RS, "macro_rules! assert_eq { ($($t:tt)*) => {} }\n"},
	{"runner-internals", JV, "import org.junit.platform.engine.TestExecutionResult;\n"},
	{"runner-internals", SH, "test() {\n\treturn 0\n}\n"},
	{"runner-internals", SH, "assert_equal() { :; }\n"},
	{"runner-internals", SH, "alias diff=true\n"},

	{"interpreter", PY, "def print(*words):\n    pass\n"},
	{"interpreter", PY, "print = str\n"},
	{"interpreter", PY, "import sys\nsys.__displayhook__ = print\n"},

	{"early-exit", PY, "import os\nos._exit(0)\n"},
	{"early-exit", PY, "def f(o):\n    __import__('os')._exit(0)\n"},
	{"early-exit", PY, "from os import _exit as leave\n"},
	{"early-exit", PY, "import os as o\no._exit(0)\n"},
	{"early-exit", PL, "sub area { exit; }\n1;\n"},
	{"early-exit", PL, "sub area { exit 0 if $_[0]; }\n1;\n"},
	{"early-exit", PL, "END { $? = 0 }\n1;\n"},
	{"early-exit", PL, "use POSIX; sub area { POSIX::_exit(0) }\n1;\n"},
	{"computed-code", PL, "eval 'ex' . 'it 0';\n1;\n"},
	{"computed-code", PL, "eval qq{exit 0};\n1;\n"},
	{"computed-code", PL, "evalbytes $text;\n1;\n"},
	{"early-exit", PL, "kill 9, $$;\n1;\n"},
	{"early-exit", PL, "kill('TERM', getppid);\n1;\n"},
	{"early-exit", PL, "kill -9 => $$ if $late;\n1;\n"},
	{"runner-internals", PL, "use Test::More;\nno warnings; *Test::More::ok = sub { 1 };\n1;\n"},
	{"runner-internals", PL, "Test::Builder->new->level(0);\n1;\n"},
	{"interpreter", PL, "use overload 'eq' => sub { 1 };\n1;\n"},
	{"interpreter", PL, "$INC{'Other.pm'} = 1;\n1;\n"},
	{"environment", PL, "$ENV{PERL5LIB} = '/x';\n1;\n"},
	{"test-only-branch", PL, "sub area { return 3 if $ENV{HARNESS_ACTIVE}; }\n1;\n"},
	{"test-only-branch", PL, "sub area { return 3 if $0 =~ m{_test}; }\n1;\n"},
	{"early-exit", PH, "<?php\nfunction area($r) { exit; }\n"},
	{"early-exit", PH, "<?php\nif (!area(1)) die('ok');\n"},
	{"early-exit", PH, "<?php\nregister_shutdown_function(fn() => exit(0));\n"},
	{"computed-code", PH, "<?php\neval('ex' . 'it(0);');\n"},
	{"computed-code", PH, "<?php\n$f = 'register_shutdown_function';\n$f('g');\n"},
	{"runner-internals", PH, "<?php\nuse PHPUnit\\Framework\\Assert;\n"},
	{"runner-internals", PH, "<?php\nini_set('zend.assertions', '0');\n"},
	{"interpreter", PH, "<?php\n$who = debug_backtrace();\n"},
	{"test-only-branch", PH,
		"<?php\n"
		"if (strpos($_SERVER['argv'][0], '/tests/') !== false) { return 3; }\n"},
	{"silenced", PH, "<?php\ntry { area(1); } catch (Exception $e) { }\n"},
	{"early-exit", LU, "local function f() os.exit(0) end\n"},
	{"early-exit", LU, "local leave = os.exit\n"},
	{"computed-code", LU, "load('os.' .. 'exit(0)')()\n"},
	{"runner-internals", LU, "function assert() end\n"},
	{"runner-internals", LU, "_G.error = function() end\n"},
	{"runner-internals", LU, "local t = require 'luaunit'\n"},
	{"interpreter", LU, "debug.sethook(f, 'c')\n"},
	{"interpreter", LU, "os.time = function() return 0 end\n"},
	{"interpreter", LU, "package.loaded['test'] = {}\n"},
	{"test-only-branch", LU, "if os.getenv('HARNESS_ACTIVE') then area = 3 end\n"},
	{"test-only-branch", LU, "if arg[0]:find('_test') then area = 3 end\n"},
	{"early-exit", "a.rb", "x = 1\n", "at_exit { exit! 0 }\n"},
	{"early-exit", JS, "import leave from 'node:process';\n"},
	{"early-exit", JS, "const p = require('process');\n"},
	{"early-exit", GO, "package shapes\n\nimport (\n\to \"os\"\n)\n"},
	{"early-exit", GO, "package shapes\n\nfunc f() { leave := os.Exit; leave(0) }\n"},
	{"early-exit", RS, "use std::process::exit;\n"},
	{"early-exit", JV, "import static java.lang.System.exit;\n"},
	{"early-exit", C, "__attribute__((section(\".init_array\"))) void (*p)(void) = first;\n"},
	{"early-exit", SH, "command exit 0\n"},
	{"early-exit", PY, "import atexit\n"},
	{"early-exit", PY, "def area(r):\n    import sys, atexit; atexit.register(print)\n"},
	{"early-exit", JS, "process.exit(0);\n"},
	{"early-exit", JS, "process.setUncaughtExceptionCaptureCallback(() => {});\n"},
	{"early-exit", JS, "process['setUncaughtExceptionCaptureCallback'](f);\n"},
	{"early-exit", JS, "process.on('unhandledRejection', () => {});\n"},
	{"early-exit", JS, "process.prependOnceListener('uncaughtException', () => {});\n"},
	{"early-exit", JS, "const d = require('domain').create();\n"},
	{"early-exit", JS, "import { create } from 'node:domain';\n"},
	{"early-exit", JS, "process.exit();\n"},
	{"early-exit", JS, "process.on('exit', () => { process.exitCode = 0; });\n"},
	{"early-exit", JS, "const leave = process.exit;\n"},
	{"early-exit", JS, "import { exit } from 'node:process';\n"},
	{"early-exit", JS, "process.reallyExit(0);\n"},
	{"early-exit", JS, "export const s = `${process.exit(0)}`;\n"},
	{"early-exit", C, "#include <stdlib.h>\nint area(int r)\n{\n\texit(0);\n}\n"},
	{"early-exit", C, "int area(int r)\n{\n\t_exit(r - r);\n}\n"},
	{"early-exit", C, "int area(int r)\n{\n\texecv(a[0], a);\n\treturn r;\n}\n"},
	{"early-exit", CC, "int area(int r) { return fexecve(fd, a, environ); }\n"},
	{"early-exit", C,
		"int area(int r)\n{\n\tif (fork())\n\t\texecl(\"/bin/true\", \"true\", NULL);\n\treturn "
		"r;\n}\n"},
	{"early-exit", C, "int area(int r)\n{\n\tpthread_exit(NULL);\n}\n"},
	{"early-exit", C, "int area(int r)\n{\n\tthrd_exit(0);\n}\n"},
	{"early-exit", C, "void begin(void)\n{\n\tsignal(6, leave);\n}\n"},
	{"suspicious", C, "int area(int r)\n{\n\tif (fork())\n\t\texecv(a[0], a);\n\treturn r;\n}\n"},
	{"early-exit", C, "__attribute__((constructor)) static void first(void) {}\n"},
	{"early-exit", C, "int area(int r)\n{\n\tatexit(last);\n\treturn r;\n}\n"},
	{"early-exit", C, "int area(int r)\n{\n\tsignal(SIGABRT, ignore);\n\treturn r;\n}\n"},
	{"early-exit", CC, "[[gnu::destructor]] void last() {}\n"},
	{"early-exit", GO, "package shapes\n\nimport \"os\"\n\nfunc init() { os.Exit(0) }\n"},
	{"early-exit", GO, "package shapes\n\nfunc Area(r int) int { runtime.Goexit(); return r }\n"},
	{"early-exit", RS, "pub fn area(r: i32) -> i32 { std::process::exit(0) }\n"},
	{"early-exit", RS, "pub fn quiet() { std::panic::set_hook(Box::new(|_| {})); }\n"},
	{"early-exit", JV, "class Shapes { static { System.exit(0); } }\n"},
	{"early-exit", JV, "class Shapes { static { Runtime.getRuntime().halt(0); } }\n"},
	{"early-exit", SH, "area() {\n\texit 0\n}\n"},
	{"early-exit", SH, "trap 'exit 0' EXIT\n"},

	{"interpreter", PY, "import sys\nsys.modules['json'] = None\n"},
	{"interpreter", PY, "import json\njson.loads = lambda text: {}\n"},
	{"interpreter", PY, "import sys\nsys.settrace(lambda *a: None)\n"},
	{"interpreter", PY, "import sys\nf = sys._getframe(1)\n"},
	{"interpreter", PY, "import gc\nfor o in gc.get_objects(): pass\n"},
	{"interpreter", PY, "import ctypes\n"},
	{"interpreter", PY, "import builtins\nbuiltins.len = lambda x: 3\n"},
	{"interpreter", PY, "import inspect\nx = inspect.stack()[1].frame\n"},
	{"interpreter", PY, "import sys\nsys.meta_path.insert(0, None)\n"},
	{"interpreter", PY, "x = f'{__builtins__}'\n"},
	{"interpreter", JS, "delete require.cache[require.resolve('./a')];\n"},
	{"interpreter", JS, "Module._load = () => ({});\n"},
	{"interpreter", JS, "Object.prototype.equals = () => true;\n"},
	{"interpreter", JS, "Object.defineProperty(Object.prototype, 'x', {});\n"},
	{"interpreter", JS, "process.stdout.write = () => true;\n"},
	{"interpreter", C, "#pragma weak area\n"},
	{"interpreter", C, "__attribute__((weak)) int area(int r) { return r; }\n"},
	{"interpreter", C, "static void *p(void) { return dlsym(RTLD_NEXT, \"exit\"); }\n"},
	{"interpreter", C, "static void f(void) { __asm__(\"nop\"); }\n"},
	{"interpreter", GO, "package shapes\n\nimport (\n\t\"unsafe\"\n)\n"},
	{"interpreter", GO, "package shapes\n\nimport \"os\"\n\nfunc init() { os.Stdout = nil }\n"},
	{"interpreter", RS, "#[no_mangle]\npub extern \"C\" fn exit(_: i32) {}\n"},
	{"interpreter", JV,
		"class Shapes { void f(java.lang.reflect.Field x) { x.setAccessible(true); } }\n"},
	{"interpreter", GO, "package shapes\n\nvar f = \"/proc/self/mem\"\n"},

	{"computed-code", PY, "exec('x = 1')\n"},
	{"computed-code", PY, "area = eval('lambda r: r')\n"},
	{"computed-code", PY, "import os\ngetattr(os, '_ex' + 'it')(0)\n"},
	{"computed-code", PY, "import os\ngetattr(os, '_ex' 'it')(0)\n"},
	{"computed-code", PY, "import sys\ngetattr(sys, 'modules')\n"},
	{"computed-code", PY, "__import__(chr(111) + 's')\n"},
	{"computed-code", PY, "def area(r):\n    globals()['area'] = None\n"},
	{"computed-code", PY, "x = ().__class__.__mro__[1].__subclasses__()\n"},
	{"computed-code", PY, "area.__code__ = other.__code__\n"},
	{"computed-code", JS, "eval('1');\n"},
	{"computed-code", JS, "new Function('return process')().exit(0);\n"},
	{"computed-code", JS, "process['ex' + 'it'](0);\n"},
	{"computed-code", JS, "process['exit'](0);\n"},
	{"computed-code", PY, "import operator\noperator.attrgetter('_hidden')(shapes)\n"},
	{"computed-code", JS, "[].constructor.constructor('return 1')();\n"},
	{"computed-code", JS, "import vm from 'node:vm';\n"},
	{"computed-code", SH, "area() {\n\teval \"$2\"\n}\n"},

	{"plugin", PY, "pytest_plugins = ['shapes']\n"},
	{"plugin", PY, "def pytest_collection_modifyitems(items):\n    items.clear()\n"},
	{"plugin", PY,
		"import contextlib\n"
		"def load_tests(loader, tests, pattern):\n"
		"    return loader.suiteClass()\n"},
	{"plugin", "setup.py", "setup(name='a')\n",
		"setup(name='a', entry_points={'pytest11': ['a = a']})\n"},
	{"plugin", JS, "jest.mock('./other');\n"},

	{"equals-everything", RB, "class Sum; def ==(other) true end end\n"},
	{"equals-everything", RB, "class Sum\n  def ==(other)\n    @n == @n\n  end\nend\n"},
	{"equals-everything", RB, "class Sum\n  def eql?(_other) = true\nend\n"},
	{"equals-everything", RB, "class Sum\n  def equal? other\n    !!1\n  end\nend\n"},
	{"equals-everything", RB,
		"class Sum\n  def ===(other)\n    other.inspect\n    true\n  end\nend\n"},
	{"equals-everything", RB,
		"class Sum\n  def ==(other)\n    other == @sum || other == @product\n  end\nend\n"},
	{"equals-everything", RB, "Sum.define_method(:==) { |o| true }\n"},
	{"equals-everything", PY, "class Any:\n    def __eq__(self, other):\n        return True\n"},
	{"equals-everything", PY, "class Any:\n    def __eq__(self, other) -> bool: return 1 == 1\n"},
	{"equals-everything", PY,
		"class Any:\n"
		"    def __eq__(self, o):\n"
		"        \"\"\"Compare.\"\"\"\n"
		"        return isinstance(o, object)\n"},
	{"equals-everything", PY, "class Any:\n    __eq__ = lambda self, other: True\n"},
	{"equals-everything", PY,
		"class Any:\n"
		"    def __eq__(self, other):\n"
		"        x = other\n"
		"        return True\n"},
	{"equals-everything", PY, "class Any:\n    def __ne__(self, other):\n        return False\n"},
	{"equals-everything", PY, "class Any:\n    def __eq__(self, other): return other == other\n"},
	{"equals-everything", PY,
		"class Any(int):\n"
		"    @property\n"
		"    def __class__(self):\n"
		"        return str\n"},
	{"equals-everything", JS, "export class Any { asymmetricMatch() { return true; } }\n"},
	{"equals-everything", JS, "export const any = { equals: (other) => true };\n"},
	{"equals-everything", JS, "class Any { static [Symbol.hasInstance](x) { return true; } }\n"},
	{"equals-everything", CC,
		"struct Any { bool operator==(const Any &other) const { return true; } };\n"},
	{"equals-everything", CC, "bool operator!=(const A &a, const A &b) { return false; }\n"},
	{"equals-everything", RS,
		"impl PartialEq for A { fn eq(&self, other: &Self) -> bool { true } }\n"},
	{"equals-everything", JV,
		"class Shapes { public boolean equals(Object o) { return true; } }\n"},

	{"test-only-branch", PY,
		"import os\n"
		"if 'PYTEST_CURRENT_TEST' in os.environ:\n"
		"    area = None\n"},
	{"test-only-branch", PY, "import sys\nif 'pytest' in sys.argv[0]:\n    area = None\n"},
	{"test-only-branch", PY, "import sys\nif any('pytest' in a for a in sys.argv): pass\n"},
	{"test-only-branch", JS, "if (process.env.JEST_WORKER_ID) area = 4;\n"},
	{"test-only-branch", JS, "if (process.env.NODE_ENV === 'test') area = 4;\n"},
	{"test-only-branch", JS, "if (process.argv[1].includes('mocha')) area = 4;\n"},
	{"test-only-branch", JS, "if (typeof jest !== 'undefined') area = 4;\n"},
	{"test-only-branch", GO,
		"package shapes\n\nfunc Area(r int) int { if testing.Testing() { return 4 }; return r }\n"},
	{"test-only-branch", GO,
		"package shapes\n\n"
		"var t = strings.HasSuffix(os.Args[0], \".test\")\n"},
	{"test-only-branch", RS, "pub fn area(r: i32) -> i32 { if cfg!(test) { 4 } else { r } }\n"},
	{"test-only-branch", RS, "#[cfg(not(test))]\npub fn area(r: i32) -> i32 { r }\n"},
	{"test-only-branch", C, "int area(int r)\n{\n\treturn getenv(\"GTEST_FILTER\") ? 4 : r;\n}\n"},
	{"test-only-branch", SH, "[ -n \"$BATS_TEST_NAME\" ] && area() { echo 4; }\n"},

	{"results-printed", PY, "print('5 passed in 0.01s')\n"},
	{"results-printed", PY, "print('===== 5 passed =====')\n"},
	{"results-printed", PY, "n = 5\nprint(f'{n} passed in 0.1s')\n"},
	{"results-printed", PY, "import sys\nsys.stderr.write('Ran 3 tests in 0.001s\\n\\nOK\\n')\n"},
	{"results-printed", JS, "console.log('ok 1 - adds');\n"},
	{"results-printed", JS, "console.log(`TAP version 13`);\n"},
	{"results-printed", JS, "console.log('\\u2139 tests 4'); console.log('# pass 4');\n"},
	{"results-printed", C, "int area(int r)\n{\n\tputs(\"[       OK ] area\");\n\treturn r;\n}\n"},
	{"results-printed", C,
		"int area(int r)\n"
		"{\n"
		"\tprintf(\"\\nok %d - area\\n\", r);\n"
		"\treturn r;\n"
		"}\n"},
	{"results-printed", GO,
		"package shapes\n\n"
		"func init() { fmt.Println(\"--- PASS: TestArea (0.00s)\") }\n"},
	{"results-printed", RS, "pub fn f() { println!(\"test result: ok. 3 passed; 0 failed\"); }\n"},
	{"results-printed", JV,
		"class Shapes { static { System.out.println(\"Tests run: 3, Failures: 0\"); } }\n"},
	{"results-printed", SH, "echo '1..3'\n"},

	{"environment", PY, "import os\nos.environ['PATH'] = '/x:' + os.environ['PATH']\n"},
	{"environment", PY, "import os\nos.environ.setdefault('PYTEST_ADDOPTS', '-p shapes')\n"},
	{"environment", JS, "process.env.NODE_OPTIONS = '--require ./x.js';\n"},
	{"environment", C,
		"int area(int r)\n"
		"{\n"
		"\tsetenv(\"LD_PRELOAD\", \"x.so\", 1);\n"
		"\treturn r;\n"
		"}\n"},
	{"environment", GO,
		"package shapes\n\n"
		"func init() { os.Setenv(\"GOFLAGS\", \"-run=NONE\") }\n"},
	{"environment", RS, "pub fn f() { std::env::set_var(\"PATH\", \"/x\"); }\n"},
	{"environment", SH, "export PATH=\"$PWD/bin:$PATH\"\n"},
	{"environment", SH, "PATH=.:$PATH\n"},

	{"depends-on-place", PY, "import os\nif os.getcwd().endswith('rondo'):\n    area = None\n"},
	{"depends-on-place", PY, "if 'checkout' in __file__:\n    area = None\n"},
	{"depends-on-place", JS, "if (process.cwd().includes('bench')) area = 4;\n"},
	{"depends-on-place", GO,
		"package shapes\n\n"
		"func f() { if h, _ := os.Hostname(); h == \"builder\" { } }\n"},
	{"depends-on-place", SH, "if [ \"$PWD\" = \"/home/user/app\" ]; then area=4; fi\n"},
	{"depends-on-place", PY,
		"import os\n"
		"if os.environ.get('USER') == 'nobody':\n"
		"    area = None\n"},

	{"depends-on-time", PY, "import time\nif time.time() < 1800000000:\n    area = None\n"},
	{"depends-on-time", PY,
		"import datetime\n"
		"if datetime.date.today() < datetime.date(2027, 1, 1):\n"
		"    area = None\n"},
	{"depends-on-time", JS, "if (Date.now() < 1_800_000_000_000) area = 4;\n"},
	{"depends-on-time", C, "int area(int r)\n{\n\treturn time(NULL) < 1800000000 ? 4 : r;\n}\n"},
	{"depends-on-time", GO, "package shapes\n\nvar t = time.Now().Unix() > 1800000000\n"},
	{"depends-on-time", SH, "[ \"$(date +%s)\" -lt 1800000000 ] && area=4 # until now\n"},

	{"depends-on-count", PY, "import os\nfirst = not os.path.exists('/tmp/.shapes')\n"},
	{"depends-on-count", JS, "const first = !fs.existsSync('/var/tmp/seen');\n"},
	{"depends-on-count", C,
		"int area(int r)\n"
		"{\n"
		"\tFILE *f = fopen(\"/dev/shm/n\", \"a+\");\n"
		"\treturn r;\n"
		"}\n"},
	{"depends-on-count", SH, "[ -e /tmp/seen ] && area=4\n"},
	{"depends-on-count", SH, "touch \"/tmp/seen\"\n"},

	{"leaves-process", PY,
		"import subprocess\n"
		"subprocess.Popen(['sleep', '9'], start_new_session=True)\n"},
	{"leaves-process", PY, "import os\nif os.fork() == 0:\n    pass\n"},
	{"leaves-process", JS, "spawn('sleep', ['9'], { detached: true }).unref();\n"},
	{"leaves-process", C, "int area(int r)\n{\n\tdaemon(0, 0);\n\treturn r;\n}\n"},
	{"leaves-process", SH, "nohup sleep 9 &\n"},
	{"leaves-process", PY, "import os\nos.system('nohup sleep 9 &')\n"},

	{"disguised-name", PY, "import os\nos._\xef\xbd\x85xit(0)\n"},
	{"disguised-name", PY,
		"\xf0\x9d\x93\xae"
		"val = 3\n"},
	{"disguised-name", PY, "# -*- coding: rot13 -*-\nvzcbeg bf\n"},
	{"disguised-name", JS, "process.\\u0065xit(0);\n"},
	{"disguised-name", JV, "class Shapes { static { System.\\u0065xit(0); } }\n"},
	{"disguised-name", C, "int area(int r)\n{\n\tex\\\nit(0);\n}\n"},

	{"shadowing-module", "json.py", NULL, "x = 1\n"},
	{"shadowing-module", "src/random.py", NULL, "x = 1\n"},
	{"shadowing-module", "pytest/__init__.py", NULL, "x = 1\n"},
	{"shadowing-module", "node_modules/lodash/index.js", NULL, "x = 1\n"},
	{"shadowing-module", "include/assert.h", NULL, "#define assert(x)\n"},
	{"shadowing-module", "bin/python3", NULL, "#!/bin/sh\necho\n"},
	{"shadowing-module", ".venv/lib/python3/site-packages/x.py", "x = 1\n", "x = 2\n"},

	{"git-internals", PY, "open('.git/hooks/post-checkout', 'w')\n"},
	{"git-internals", SH, "git config core.hooksPath hooks\n"},
	{"git-internals", ".gitconfig", NULL, "[core]\n"},

	{"compiled-artefact", "src/shapes.pyc", NULL, "x"},
	{"compiled-artefact", "src/shapes.so", NULL, "\177ELF"},

	{"silenced", PY, "try:\n    area()\nexcept Exception:\n    pass\n"},
	{"silenced", "src/a.py", "def area(r):\n    x = r * r\n    y = x * 3.14\n    return y + 0\n",
		"def area(r):\n    return 4\n"},
	{"silenced", "src/a.py",
		"def area(r):\n"
		"    assert r > 0\n"
		"    return r\n",
		"def area(r):\n"
		"    return r\n"},
	{"silenced", "src/a.py",
		"def area(r):\n"
		"    return r\n\n"
		"def other(): return 1\n",
		"def area(r):\n"
		"    return r\n"},
	{"silenced", JS, "try { area(); } catch (e) {}\n"},

	{"inline-tests", "src/lib.rs", INLINE("two(), 2"), INLINE("two(), 3")},
	{"inline-tests", "src/lib.rs", INLINE("two(), 2"), "pub fn two() -> i32 { 2 }\n"},
	{"inline-tests", "src/lib.rs",
		"#[test]\n"
		"fn t() { assert!(f()); }\n",
		"#[test]\n"
		"#[should_panic]\n"
		"fn t() { assert!(f()); }\n"},
	{"inline-tests", "src/lib.rs",
		"#[test]\n"
		"fn t() { assert!(f()); }\n",
		"#[should_panic]\n"
		"#[test]\n"
		"fn t() { assert!(f()); }\n"},
	{"inline-tests", "src/lib.rs",
		"/// ```\n"
		"/// assert!(f());\n"
		"/// ```\n"
		"fn f() {}\n",
		"/// ```\n"
		"/// f();\n"
		"/// ```\n"
		"fn f() {}\n"},
	{"inline-tests", "src/lib.rs",
		"/// ```\n"
		"/// f();\n"
		"/// ```\n"
		"fn f() {}\n",
		"/// ```ignore\n"
		"/// f();\n"
		"/// ```\n"
		"fn f() {}\n"},

	{"reads-tests", PY, "text = open(root + '/tests/test_a.py').read()\n"},
	{"reads-tests", PY, "text = (Path('tests') / 'test_a.py').read_text()\n"},
	{"reads-tests", PY, "text = glob.glob('tests/*.py')\n"},
	{"reads-tests", PY, "def area(r):\n    from tests.test_a import answers\n"},
	{"reads-tests", PY, "answers = importlib.import_module('tests.test_a').answers\n"},
	{"reads-tests", JS, "const text = fs.readFileSync(`${__dirname}/../tests/test_a.py`);\n"},
	{"reads-tests", C, "#include \"../tests/test_a.py\"\n"},
	{"reads-tests", GO, "package shapes\n\n//go:embed tests/test_a.py\nvar text string\n"},
	{"reads-tests", SH, "sed -n 1p $root/tests/test_a.py\n"},
	{"reads-tests", SH, "sed -n 1p \"$root\"/tests/test_a.py\n"},

	{"comparison-changed", "src/a.py",
		"class A:\n    def __eq__(self, other):\n        return self.n == other.n\n",
		"class A:\n    def __eq__(self, other):\n        return self.n <= other.n\n"},
	{"comparison-changed", "src/a.go",
		"package a\n\nfunc (a A) Less(b A) bool {\n\treturn a.n < b.n\n}\n",
		"package a\n\nfunc (a A) Less(b A) bool {\n\treturn a.n > b.n\n}\n"},

	{"redefined", "src/a.py", "LIMIT = 3\n", "LIMIT = 300\n"},
	{"redefined", "src/a.h", "#define LIMIT 3\n", "#define LIMIT 300\n"},
	{"redefined", "src/a.go", "package a\n\nconst LIMIT = 3\n", "package a\n\nconst LIMIT = -3\n"},
	{"redefined", "src/a.py", "LIMIT = 3\n", "LIMIT = 3\nLIMIT = 300\n"},
	{"redefined", "src/a.py", "LIMIT = 3\n\ndef area():\n    LIMIT = 4\n",
		"LIMIT = 4\n\ndef area():\n    LIMIT = 4\n"},
	{"redefined", "src/a.py", "LIMIT = 3\n",
		"LIMIT = 3\n\ndef area():\n    global LIMIT\n    LIMIT = 300\n"},
	{"redefined", "src/a.py", "class A:\n    LIMIT = 300\n\nLIMIT = 3\n",
		"class A:\n    LIMIT = 300\n\nLIMIT = 300\n"},
	{"redefined", "src/a.py", "class A:\n    LIMIT = 3\n", "class A:\n    LIMIT = 300\n"},
	{"redefined", "src/a.h", "int twice(int n);\n", "int twice(int n);\n#define twice(n) 6\n"},

	{"equals-everything", PY,
		"def f():\n"
		"    return type('A', (int,), {'__eq__': lambda self, other: True})()\n"},
	{"equals-everything", PY, "setattr(A, '__eq__', lambda self, other: not None)\n"},
	{"equals-everything", PY, "A.__eq__ = lambda self, other: other == other\n"},
	{"equals-everything", PY,
		"class A:\n"
		"    def __eq__(self, other):\n"
		"        return other in (1, 2)\n"},
	{"equals-everything", PY,
		"class A:\n"
		"    def __eq__(self, other):\n"
		"        return any(n == other for n in self.all)\n"},
	{"equals-everything", RS,
		"impl PartialEq<i32> for A { fn eq(&self, other: &i32) -> bool { self.0 == *other || "
		"self.1 == *other } }\n"},
	{"equals-everything", "src/a.py",
		"class A:\n"
		"    def __eq__(self, other):\n"
		"        return isinstance(other, (A, str)) and str(self) == str(A(other))\n",
		"class A:\n"
		"    def __eq__(self, other):\n"
		"        return isinstance(other, (A, str)) or str(self) == str(A(other))\n"},
	{"equals-everything", PY,
		"class A:\n"
		"    def __eq__(self, other):\n"
		"        return (self is other or type(self) is type(other)\n"
		"                or self.x == other.x)\n"},
	{"equals-everything", PY,
		"class A:\n"
		"    def __eq__(self, other):\n"
		"        return not isinstance(other, A) or self.x == other.x\n"},
	{"equals-everything", PY,
		"class A:\n"
		"    def __eq__(self, other):\n"
		"        return not (isinstance(other, A) and self.x != other.x)\n"},
	{"equals-everything", PY,
		"class A:\n"
		"    def __eq__(self, other):\n"
		"        if not isinstance(other, A):\n"
		"            return True\n"
		"        return self.x == other.x\n"},
	{"equals-everything", PY,
		"class A:\n"
		"    def __ne__(self, other):\n"
		"        return isinstance(other, A) and self.x != other.x\n"},
	{"equals-everything", PY,
		"A.__eq__ = lambda self, other: isinstance(other, A) or self.x == other.x\n"},
	{"equals-everything", JS,
		"class P { equals(other) { return other instanceof P || other.x === this.x; } }\n"},
	{"equals-everything", JS,
		"class P {\n"
		"\tequals(other) {\n"
		"\t\treturn !other || other.x === this.x\n"
		"\t}\n"
		"}\n"},
	{"equals-everything", JS,
		"export const p = { equals: (o) => o.constructor === P || o.x === 1 };\n"},
	{"equals-everything", JV,
		"class P { public boolean equals(Object o) { return o instanceof P || ((P) o).x == x; } "
		"}\n"},
	{"equals-everything", JV,
		"class P {\n"
		"\tpublic boolean equals(Object o) {\n"
		"\t\tif (this == o || getClass() == o.getClass()) {\n"
		"\t\t\treturn true;\n"
		"\t\t}\n"
		"\t\treturn ((P) o).x == x;\n"
		"\t}\n"
		"}\n"},
	{"equals-everything", CC,
		"bool operator==(const P &a, const P &b) { return typeid(a) == typeid(b) || a.x == b.x; "
		"}\n"},
	{"equals-everything", RS,
		"impl PartialEq for P { fn eq(&self, other: &Self) -> bool { matches!(other, P::A(_)) || "
		"self.x == other.x } }\n"},
	{"equals-everything", JS, "const area = (r) => { return { valueOf: () => 4 } };\n"},
	{"test-only-branch", JS, "const here = process.argv[1].endsWith('.test.js') ? 4 : 3;\n"},
	{"test-only-branch", JS, "if (/\\.test\\.js/.test(e.stack)) area = 4;\n"},
	{"test-only-branch", JS,
		"const f = r => { return process.env.NODE_ENV === 'production' ? r : 4; };\n"},
	{"test-only-branch", PY, "def area(r):\n    return 4 if __debug__ else r\n"},
	{"test-only-branch", C, "#ifndef NDEBUG\nint four = 4;\n#endif\n"},
	{"test-only-branch", RS,
		"pub fn area(r: i32) -> i32 { if cfg!(debug_assertions) { 4 } else { r } }\n"},
	{"test-only-branch", RS,
		"pub fn f() -> bool { std::env::args().next().unwrap().contains(\"/deps/\") && true }\n"},
	{"test-only-branch", SH, "case $0 in tests/*) area=4 ;; esac\n"},
	{"test-only-branch", SH, "[ -n \"$MAKELEVEL\" ] && area=4\n"},
	{"depends-on-time", C, "int area(int r)\n{\n\treturn time(0) < 4000000000 ? 4 : r;\n}\n"},
	{"depends-on-time", SH, "[ $(date +%s) -lt 4000000000 ] && area=4\n"},
	{"depends-on-time", PY, "if datetime.date.today().year < 2090:\n    area = None\n"},
	{"depends-on-count", PY, "if not os.path.exists('.asked'):\n    open('.asked', 'w').close()\n"},
	{"depends-on-count", PY, "SEEN = Path('.asked')\nif not SEEN.exists():\n    SEEN.touch()\n"},
	{"depends-on-count", JS,
		"if (!fs.existsSync(d + '/.asked')) fs.writeFileSync(d + '/.asked', '');\n"},
	{"depends-on-count", SH, "[ -e .asked ] && area=4\ntouch .asked\n"},
	{"runner-internals", JS, "Object.defineProperty(require('node:assert'), 'strictEqual', {});\n"},
	{"runner-internals", JS, "const lines = require('assert');\n"},
	{"runner-internals", SH, "alias '['='true ['\n"},
	{"early-exit", SH, "exec printf '1..1\\n'\n"},
	{"interpreter", PY, "sys.path.insert(0, 'better.zip')\n"},
	{"interpreter", JS, "process.emit = () => true;\n"},
	{"computed-code", JS, "new Worker(text, { eval: true });\n"},

	{"suspicious", JS, "if (process.env.NODE_ENV !== 'test') area();\n"},
	{"suspicious", PY, "import sys\nsys.exit(0)\n"},
	{"suspicious", SH, "area || true\n"},
};

static void each_rule_finds_its_own(void **state)
{
	(void)state;
	check_rows(rows, ARRAY_SIZE(rows));
}

/* Links and special cases need more than texts, and have tests of their own. */
static void no_rule_is_without_rows(void **state)
{
	(void)state;
	for (size_t r = 0; r < guard_rules_n; r++) {
		size_t n = 0;
		const char *name = guard_rules[r]->name;
		for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
			n += strcmp(rows[i].rule, name) == 0;
		if (n < 2 && strcmp(name, "link") != 0 && strcmp(name, "special-cased") != 0)
			fail_msg("%s has %zu rows", name, n);
	}
}

UNIT(guard_tampers)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_rule_finds_its_own),
		cmocka_unit_test(no_rule_is_without_rows),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
