/* What honest fixes do, and what only looks like a trick: nothing of this is refused. */
#include "tests/unit/guard_fixture.h"

#define PY "src/shapes.py", "def area(r):\n\treturn r\n"
#define JS "web/shapes.js", "export const area = r => r;\n"
#define C "src/shapes.c", "int area(int r)\n{\n\treturn r;\n}\n"
#define CC "src/shapes.cc", "int area(int r) { return r; }\n"
#define GO "shapes/shapes.go", "package shapes\n\nfunc Area(r int) int { return r }\n"
#define RS "src/shapes.rs", "pub fn area(r: i32) -> i32 { r }\n"
#define JV "src/main/java/Shapes.java", "class Shapes { int area(int r) { return r; } }\n"
#define SH "lib/shapes.sh", "area() {\n\techo \"$1\"\n}\n"

static const struct change_row rows[] = {
	/* errors that are handled */
	{NULL, PY,
		"def each(items, f):\n    for x in items:\n        try:\n            f(x)\n"
		"        except ValueError:\n            pass\n"},
	{NULL, PY,
		"def each(items, f):\n    try:\n        f(items)\n    except BaseException:\n"
		"        close(items)\n        raise\n"},
	{NULL, PY,
		"def number(text):\n    try:\n        return int(text)\n    except:\n        return 0\n"},
	{NULL, PY,
		"class A:\n    def load(self):\n        try:\n            self.read()\n"
		"        except BaseException:\n            self.data = None\n\n    def read(self):\n"
		"        pass\n"},
	{NULL, JS,
		"export const each = (xs, f) => {\n  try { f(xs); } catch (e) { errors.push(e); }\n};\n"},
	{NULL, JS, "function read(text) {\n  try { return JSON.parse(text); } catch {}\n}\n"},
	{NULL, JV,
		"class Shapes { void run(Runnable r) { try { r.run(); } catch (Throwable t) "
		"{ throw new RuntimeException(t); } } }\n"},
	{NULL, GO,
		"package shapes\n\nfunc Each(f func(int)) (err error) {\n\tdefer func() {\n"
		"\t\tif r := recover(); r != nil {\n\t\t\terr = fmt.Errorf(\"%v\", r)\n\t\t}\n\t}()\n"
		"\tf(1)\n\treturn nil\n}\n"},
	/* equality that looks */
	{NULL, PY,
		"class P:\n"
		"    def __eq__(self, other):\n"
		"        return self.x == other.x and self.y == other.y\n"},
	{NULL, PY,
		"class P:\n"
		"    def __eq__(self, other):\n"
		"        if not isinstance(other, P):\n"
		"            return NotImplemented\n"
		"        return self.x == other.x\n"},
	{NULL, PY,
		"class P:\n"
		"    def __eq__(self, other: object) -> bool:\n"
		"        return isinstance(other, P)\n"},
	{NULL, PY,
		"class P:\n"
		"    def __eq__(self, other):\n"
		"        raise TypeError('not comparable')\n"},
	{NULL, PY,
		"class P:\n"
		"    def __eq__(self, other):\n"
		"        for a, b in zip(self, other):\n"
		"            if a != b:\n"
		"                return False\n        return True\n"},
	{NULL, PY,
		"class P:\n"
		"    def __eq__(self, other):\n"
		"        if self is other:\n"
		"            return True\n"
		"        return self.x == other.x\n"},
	{NULL, PY,
		"class P:\n"
		"    def __eq__(self, other):\n"
		"        return True if self.x == other.x else False\n"},
	{NULL, PY, "class P:\n    def __ne__(self, other):\n        return not self == other\n"},
	{NULL, PY,
		"class P:\n"
		"    def __eq__(self, other):\n"
		"        return NotImplemented\n\n"
		"    def __hash__(self):\n"
		"        return 1\n"},
	{NULL, PY, "class P:\n    def __eq__(self, *args):\n        return super().__eq__(*args)\n"},
	{NULL, PY, "def area(r):\n    return r.__eq__(3)\n"},
	{NULL, PY, "class P:\n    def print(self, x):\n        print(x)\n"},
	{NULL, JS, "class P { equals(other) { return other.x === this.x; } }\n"},
	{NULL, JS, "if (a.equals(b)) { return true; }\n"},
	{NULL, CC, "bool operator==(const P &a, const P &b) { return a.x == b.x; }\n"},
	{NULL, CC, "struct P { bool operator==(const P &other) const = default; };\n"},
	{NULL, RS,
		"impl PartialEq for P { fn eq(&self, other: &Self) -> bool { self.x == other.x } }\n"},
	{NULL, JV,
		"class P { public boolean equals(Object o) { return o instanceof P && ((P) o).x == x; } "
		"}\n"},

	{NULL, PY,
		"class P:\n"
		"    def __eq__(self, other):\n"
		"        return self is other or self.x == other.x\n"},
	{NULL, PY,
		"class P:\n"
		"    def __eq__(self, other):\n"
		"        return isinstance(other, int) and self.x == other\n"},
	{NULL, PY,
		"class P:\n"
		"    def __eq__(self, other):\n"
		"        return isinstance(other, P)\n"},
	{NULL, PY,
		"class P:\n"
		"    def __eq__(self, other):\n"
		"        if self is other or isinstance(other, P) and self.x == other.x:\n"
		"            return True\n"
		"        return isinstance(other, (P, str)) and (\n"
		"            self.x == other or self.type == other.type)\n"},
	{NULL, PY,
		"class P:\n"
		"    def __ne__(self, other):\n"
		"        return not isinstance(other, P) or self.x != other.x\n"},
	{NULL, PY,
		"class P:\n"
		"    def __eq__(self, other):\n"
		"        if not isinstance(other, P) or type(self) is not type(other):\n"
		"            return False\n"
		"        return self.x == other.x\n"},
	{NULL, PY,
		"class P:\n"
		"    def __eq__(self, other):\n"
		"        return self is other or type(self)(other).x == self.x\n"},
	{NULL, JV,
		"class P {\n"
		"\tpublic boolean equals(Object o) {\n"
		"\t\tif (this == o) return true;\n"
		"\t\tif (o == null || getClass() != o.getClass()) return false;\n"
		"\t\treturn ((P) o).x == x && Objects.equals(y, ((P) o).y);\n"
		"\t}\n"
		"}\n"},
	{NULL, JS,
		"class P { equals(o) { return this === o || (o instanceof P && o.x === this.x); } }\n"},
	{NULL, RS,
		"impl PartialEq for P { fn eq(&self, other: &Self) -> bool { let a = self.x; a == other.x "
		"|| (matches!(other, P::B) && self.is_b()) } }\n"},
	{NULL, JS, "class P { valueOf() { return this.x; } }\n"},

	/* what only sounds like tests, clocks and marker files */
	{NULL, PY, "if not os.path.exists('out'):\n    os.makedirs('out')\n"},
	{NULL, PY,
		"if os.path.exists(path):\n"
		"    pass\n"
		"with open(path, 'w') as f:\n"
		"    f.write(text)\n"},
	{NULL, PY, "found = os.path.exists(os.path.expanduser('~/.config/shapes'))\n"},
	{NULL, PY, "if size > 4294967295:\n    raise ValueError('too large this time')\n"},
	{NULL, PY, "EXCLUDED = ['tests', 'docs', 'README.md']\n"},
	{NULL, PY, "print('see tests/test_a.py for examples')\n"},
	{NULL, PY, "if sys.argv[1] == 'test':\n    main()\n"},
	{NULL, JS, "const lines = (error.stack || '').split('\\n');\n"},
	{NULL, JS,
		"const assert = require('assert');\n"
		"const { ok } = require('node:assert/strict');\n"},
	{NULL, RS,
		"fn f() -> String { std::thread::current().name().unwrap_or(\"main\").to_string() }\n"},
	{NULL, SH,
		"echo \"usage: $0 WIDTH [test]\"\n"
		"[ -d \"$cache\" ] || mkdir \"$cache\"\n"
		"exec \"$@\"\n"},

	/* programs that end */
	{NULL, PY, "import sys\n\nif __name__ == '__main__':\n    sys.exit(main())\n"},
	{NULL, PY, "raise SystemExit(2)\n"},
	{NULL, PY,
		"class Popup:\n"
		"    def _exit(self):\n"
		"        self.done = True\n\n"
		"    def close(self):\n"
		"        self._exit()\n"},
	{NULL, PY, "class Lock:\n    def __exit__(self, *args):\n        self.release()\n"},
	{NULL, "bin/run.js",
		"#!/usr/bin/env node\n"
		"main();\n",
		"#!/usr/bin/env node\n"
		"main();\n"
		"process.exit(0);\n"},
	{NULL, "cli.js", "if (require.main === module) main();\n",
		"if (require.main === module) { main(); process.exit(); }\n"},
	{NULL, JS, "if (!file) { console.error('no file'); process.exit(1); }\n"},
	{NULL, JS, "main().catch(() => { process.exitCode = 1; });\n"},
	{NULL, "src/main.c", "int main(void) { return 0; }\n",
		"int main(int n, char **a)\n{\n\tif (n > 2)\n\t\texit(0);\n\treturn 0;\n}\n"},
	{NULL, C, "int area(int r)\n{\n\tif (r < 0)\n\t\texit(EXIT_FAILURE);\n\treturn r;\n}\n"},
	{NULL, C, "int area(int r)\n{\n\tif (r < 0)\n\t\tabort();\n\treturn r;\n}\n"},
	{NULL, C,
		"pid_t start(char **a)\n{\n\tpid_t pid = fork();\n\tif (pid == 0) {\n"
		"\t\texecvp(a[0], a);\n\t\texecl(\"/bin/sh\", \"sh\", a[0], NULL);\n\t\t_exit(127);\n\t}\n"
		"\treturn pid;\n}\n"},
	{NULL, "src/main.c", "int main(void) { return 0; }\n",
		"int main(int n, char **a)\n{\n\texecv(a[1], a + 1);\n\tpthread_exit(NULL);\n}\n"},
	{NULL, C, "int area(int r)\n{\n\tsigaction(SIGINT, &act, NULL);\n\treturn r;\n}\n"},
	{NULL, CC, "void Machine::stop() { state.exit(); }\n"},
	{NULL, "lib/a.rb", "class A\nend\n",
		"class A\n  def ==(other)\n    other.is_a?(A) && other.n == n\n  end\n\n"
		"  def eql?(other)\n    return false unless other.is_a?(A)\n    n.eql?(other.n)\n  end\n\n"
		"  def ===(other)\n    super\n  end\n\n  def equal?(other) = n.equal?(other.n)\n\n"
		"  def defined(other)\n    true\n  end\nend\n"},
	{NULL, JS, "import { domain } from './domain.js';\nprocess.on('SIGTERM', stop);\n"},
	{NULL, CC, "class Task { void abort(); void exit(); int write(const char *); };\n"},
	{NULL, "cmd/main.go", "package main\n\nfunc main() { run() }\n",
		"package main\n\nimport \"os\"\n\nfunc main() { os.Exit(run()) }\n"},
	{NULL, GO, "package shapes\n\nfunc f() { os.Exit(1) }\n"},
	{NULL, "src/main.rs", "fn main() { run(); }\n", "fn main() { std::process::exit(run()); }\n"},
	{NULL, "src/main/java/Main.java", "class Main { public static void main(String[] a) { } }\n",
		"class Main { public static void main(String[] a) { System.exit(0); } }\n"},
	{NULL, "lib/a.lua", "local M = {}\nreturn M\n",
		"local M = {}\n"
		"local assert = assert\n"
		"function M.f(x)\n"
		"  assert(x, debug.traceback())\n"
		"  os.exit(1)\n"
		"end\n"
		"return M\n"},
	{NULL, "src/a.php", "<p>exit;</p>\n<?php\nfunction f($x) { return $x; }\n",
		"<p>exit; die;</p>\n"
		"<?php\n"
		"function f($x) { if ($x < 0) exit(1); return $this->exit($x) . 'to die'; }\n"},
	{NULL, "tool.php",
		"#!/usr/bin/php\n"
		"<?php\n"
		"run();\n",
		"#!/usr/bin/php\n"
		"<?php\n"
		"if ($argc < 2) exit;\n"
		"run();\n"},
	{NULL, "lib/A.pm", "package A;\nsub f { return $_[0] }\n1;\n",
		"package A;\n"
		"use strict;\n"
		"use constant LIMIT => 3;\n"
		"=pod\n\n"
		"exit; eval 'x'\n\n"
		"=cut\n"
		"sub f { my ($x) = @_; die 'no' unless $x;\n"
		"  my $y = eval { g($x) }; warn $@ if $@; return $x->exit(0) * $y }\n"
		"sub exit { return q(exit;) }\n"
		"1;\n"
		"__END__\n"
		"exit;\n"},
	{NULL, "tool.pl", "#!/usr/bin/perl\nrun();\n", "#!/usr/bin/perl\nexit unless @ARGV;\nrun();\n"},
	{NULL, "tool.lua",
		"#!/usr/bin/lua\n"
		"run()\n",
		"#!/usr/bin/lua\n"
		"if not arg[1] then os.exit(0) end\n"
		"run()\n"},
	{NULL, "tool.sh", "#!/bin/sh\nrun\n", "#!/bin/sh\n[ \"$1\" ] || exit 0\nrun\n"},
	{NULL, SH, "trap 'rm -rf \"$tmp\"' EXIT\n"},
	{NULL, SH, "area() {\n\t[ \"$1\" ] || return 1\n\texit 1\n}\n"},
	{NULL, SH, "set -e\narea() {\n\techo $(($1 * 2))\n}\n"},

	/* words that are something else here */
	{NULL, PY, "import re\nPATTERN = re.compile('a')\nmodel.eval()\n"},
	{NULL, PY,
		"# never call os._exit, eval() or exec() here\n"
		"def area(r):\n"
		"    '''sys.modules, atexit'''\n"
		"    return r * r\n"},
	{NULL, PY, "import ast\nvalue = ast.literal_eval('3')\n"},
	{NULL, PY, "df = df.eval('a + b')\ncursor.exec('select 1')\n"},
	{NULL, PY, "value = getattr(self, name, None)\nsetattr(self, name, value)\n"},
	{NULL, PY,
		"import os, sys\n"
		"frozen = getattr(sys, 'frozen', False)\n"
		"n = getattr(os, 'sched_getaffinity', None)\n"},
	{NULL, PY, "import importlib\nmodule = importlib.import_module('shapes.' + name)\n"},
	{NULL, PY, "import signal\nsignal.signal(signal.SIGINT, stop)\n"},
	{NULL, PY, "import threading\nthreading.Thread(target=run, daemon=True).start()\n"},
	{NULL, PY, "import sys\nsys.stdout.write('x')\nsys.path.append('lib')\n"},
	{NULL, JS,
		"const match = /a/.exec(text);\n"
		"const p = new Promise(resolve => setTimeout(resolve, 1));\n"},
	{NULL, JS, "import assert from 'node:assert';\nassert.ok(r > 0);\n"},
	{NULL, JS, "Shape.prototype.area = function () { return this.r; };\n"},
	{NULL, JS, "const { exit } = door;\nexit();\n"},
	{NULL, JS, "// process.exit(0)\nconst text = 'process.exit(0)';\n"},
	{NULL, JS, "import tap from './tap.js';\nimport expect from './expect.js';\n"},
	{NULL, JS, "process.on('SIGINT', stop);\n"},
	{NULL, C, "#include <assert.h>\nint area(int r)\n{\n\tassert(r > 0);\n\treturn r;\n}\n"},
	{NULL, C, "#define MAX(a, b) ((a) > (b) ? (a) : (b))\n#undef MIN\n"},
	{NULL, C, "int area(int r)\n{\n\tprintf(\"%d\\n\", r);\n\treturn strcmp(\"a\", \"b\");\n}\n"},
	{NULL, GO,
		"package shapes\n\n"
		"import (\n"
		"\t\"fmt\"\n"
		"\t\"os\"\n"
		"\tt \"time\"\n"
		")\n\n"
		"var x = []string{\n"
		"\t\"a\", \"os\",\n"
		"}\n"},
	{NULL, GO,
		"package shapes\n\n"
		"func f() { syscall.Kill(-c.Process.Pid, syscall.SIGKILL); "
		"log.Print(string(debug.Stack())) }\n"},
	{NULL, JS, "import process from 'node:process';\nif (arg === '--import') load();\n"},
	{NULL, PY, "with open('/proc/meminfo') as f:\n    pass\n"},
	{NULL, "setup.sh", "#!/bin/sh\nmake\n", "#!/bin/sh\nPATH=\"$HOME/bin:$PATH\"\nmake\n"},
	{NULL, GO, "package shapes\n\nvar mode = \"testing\"\nvar t = unsafeName(\"unsafe\")\n"},
	{NULL, RS, "fn area(r: &str) -> i32 { assert_eq!(1, 1); unsafe { f() } }\n"},
	{NULL, RS, "#[cfg(test)]\nmod tests { use super::*; }\n"},
	{NULL, JV,
		"class P { Object f() throws Exception { return "
		"Class.forName(\"a.B\").getMethod(\"c\").invoke(null); } }\n"},

	/* the world around */
	{NULL, PY,
		"import os\n"
		"home = os.environ.get('HOME', '/')\n"
		"debug = os.environ.get('DEBUG') == '1'\n"},
	{NULL, PY,
		"import os, subprocess\n"
		"subprocess.run(['make'], env={**os.environ, 'PYTHONPATH': 'src'}, check=True)\n"},
	{NULL, PY, "import os\nfor d in os.environ['PATH'].split(os.pathsep):\n    pass\n"},
	{NULL, PY,
		"import os, subprocess\n"
		"p = subprocess.Popen(a, start_new_session=True)\n"
		"os.killpg(p.pid, 9)\n"},
	{NULL, PY, "import os\nHERE = os.path.dirname(os.path.abspath(__file__))\n"},
	{NULL, PY, "import os\ncwd = os.getcwd()\nif not cwd.endswith('/'):\n    cwd += '/'\n"},
	{NULL, PY,
		"import time\n"
		"deadline = time.time() + 5\n"
		"while time.time() < deadline:\n"
		"    pass\n"},
	{NULL, PY, "import datetime\nif d < datetime.date(2000, 1, 1):\n    raise ValueError(d)\n"},
	{NULL, PY, "import tempfile\nwith tempfile.NamedTemporaryFile() as f:\n    pass\n"},
	{NULL, PY, "DEFAULT_SOCKET = '/tmp/app.sock'\n"},
	{NULL, PY, "if len(sys.argv) > 1 and sys.argv[1] == '--help':\n    usage()\n"},
	{NULL, JS,
		"const port = process.env.PORT || 3000;\n"
		"if (process.env.NODE_ENV !== 'test') app.listen(port);\n"},
	{NULL, JS, "if (process.env.NODE_ENV === 'production') cache();\n"},
	{NULL, JS,
		"const dir = path.join(__dirname, 'data');\n"
		"if (Date.now() - start > 5000) stop();\n"},
	{NULL, JS, "const max = 2147483647;\nif (n > 4294967295) throw new RangeError();\n"},
	{NULL, C,
		"int area(int r)\n"
		"{\n"
		"\tconst char *home = getenv(\"HOME\");\n"
		"\treturn home ? r : 0;\n"
		"}\n"},
	{NULL, GO,
		"package shapes\n\n"
		"var dir = os.Getenv(\"XDG_CACHE_HOME\")\n"
		"var d = time.Since(start) > 5*time.Second\n"},
	{NULL, SH,
		"area() {\n"
		"\tcd \"$(dirname \"$0\")\" || return\n"
		"\tif [ \"$1\" = all ]; then ls; fi\n"
		"}\n"},
	{NULL, SH, "tmp=$(mktemp -d)\nMY_PATH=$HOME/x\n"},

	/* texts */
	{NULL, PY, "print('3 files passed to the compiler')\nprint('all checks passed')\n"},
	{NULL, PY, "logging.info('login ok 1 of 3')\nprint('ok')\n"},
	{NULL, PY, "print('# heading')\nprint('===')\n"},
	{NULL, JS, "console.log('\\u2713 done'); console.log('PASS'); console.log('tests are fun');\n"},
	{NULL, C, "int area(int r)\n{\n\tputs(\"[ OK ]\");\n\tputs(\"Running\");\n\treturn r;\n}\n"},
	{NULL, "README.md", "# Shapes\n",
		"# Shapes\n\n"
		"    5 passed in 0.01s\n"
		"    ok 1 - adds\n\n"
		"Never call os._exit().\n"},
	{NULL, "docs/run.txt", NULL, "1..3\nok 1 - a\nprocess.exit(0)\n"},
	{NULL, "data/x.json", NULL, "{\"PYTEST_CURRENT_TEST\": \"1 passed\"}\n"},

	/* names of files */
	{NULL, "pkg/calendar.py", NULL, "x = 1\n"},
	{NULL, "pkg/json/__init__.py", NULL, "x = 1\n"},
	{NULL, "src/shapes_json.py", NULL, "x = 1\n"},
	{NULL, "web/test-utils.js", NULL, "import { expect } from 'vitest';\n"},
	{NULL, "src/util/string.c", NULL, "int n;\n"},
	{NULL, "bin/shapes", NULL, "#!/bin/sh\necho\n"},
	{NULL, "docs/python", NULL, "how to use it with python\n"},
	{NULL, "vendor/lib/a.c", "int a;\n", "int b;\n"},
	{NULL, "src/json.c", NULL, "int json;\n"},

	/* what was there may stay, and move */
	{NULL, "src/a.py", "import os\n\ndef leave():\n    os._exit(3)\n",
		"import os\n\n\ndef leave(code=3):\n\tos._exit(code)\n"},
	{NULL, "src/a.js", "function f() { process.exit(0) }\n",
		"export function f() {\n\tif (done) {\n\t\tprocess.exit(0);\n\t}\n}\n"},
	{NULL, "src/a.py", "x = eval('1')\r\n", "y = 2\r\nx = eval('1')\r\n"},
	{NULL, "src/a.py", "# caf\xe9\nx = '\xe9'\n", "# caf\xe9\nx = '\xe9\xe8'\n"},
	{NULL, "src/a.py", "# -*- coding: latin-1 -*-\nx = 1\n", "# -*- coding: utf-8 -*-\nx = 2\n"},
	{NULL, "src/a.py", "# coding: rot13\nk = 1\n", "# coding: rot13\nk = 2\n"},
	{NULL, "src/gen_pb2.py", "import sys\n_b = sys.modules\nexec('a')\n",
		"import sys\n_b = sys.modules\nexec('a' + 'b')\nx = 1\n"},
	{NULL, "web/lib.min.js", "!function(e){process.exit(0);eval(e);Object.prototype.x=1}(1);",
		"!function(e){process.exit(0);eval(e);Object.prototype.x=1}(2);"},
	{NULL, "src/gone.py", "import atexit\natexit.register(f)\n", NULL},
	{NULL, PY, ""},

	/* tests in the files of the program stay, or come */
	{NULL, "src/a.rs",
		"fn f() { g(1) }\n"
		"#[cfg(test)]\n"
		"mod tests {\n"
		"    #[test]\n"
		"    fn t() { f(); }\n"
		"}\n",
		"fn f() { g(2) }\n"
		"#[cfg(test)]\n"
		"mod tests {\n"
		"    #[test]\n"
		"    fn t() {\n"
		"        f(); // moved\n"
		"    }\n\n"
		"    #[test]\n"
		"    fn u() {}\n"
		"}\n"},
	{NULL, "src/a.rs",
		"#[cfg(not(test))]\n"
		"fn f() { g(1) }\n",
		"#[cfg(not(test))]\n"
		"fn f() { g(2) }\n"},
	{NULL, "src/a.rs",
		"/// Adds.\n"
		"/// ```\n"
		"/// f();\n"
		"/// ```\n"
		"fn f() {}\n",
		"/// Adds up.\n"
		"/// ```\n"
		"/// f();\n"
		"/// ```\n"
		"fn f() { g() }\n"},

	/* deep, odd, broken */
	{NULL, PY, "def area(r):\n    return {'a': [1, (2, {3: 'x'})]}[\n"},
	{NULL, JS, "const s = `a${`b${'c'}`}`;\nconst r = /[/\\]]+/g;\n"},
	{NULL, C, "#define LONG(a) \\\n\tf(a); \\\n\tg(a)\n"},
};

static void nothing_refuses_them(void **state)
{
	(void)state;
	assert_true(ARRAY_SIZE(rows) >= 100);
	check_rows(rows, ARRAY_SIZE(rows));
}

/* Names that tests use, too: what they stand for is as it was, or no test's. */
static const struct change_row redefined_rows[] = {
	{"redefined", "src/a.py",
		"def f():\n    LIMIT = 0\n\ndef g():\n    LIMIT = 1\n    x = [1:-1]\n",
		"def f():\n    LIMIT = 0\n\ndef g():\n    LIMIT = 1\n    x = [1:]\n"},
	{"redefined", "src/a.c", "void f(void) { int LIMIT = 0; }\nvoid g(void) { int LIMIT = 1; }\n",
		"void f(void) { int LIMIT = 0; h(); }\nvoid g(void) { int LIMIT = 1; }\n"},
	{"redefined", "src/a.js", "const a = {LIMIT: 1};\nlet LIMIT = 0;\nLIMIT = 1;\n",
		"const a = {LIMIT: 1};\nlet LIMIT = 0;\nif (a) LIMIT = 1;\n"},
	{"redefined", "src/a.py", "def f():\n    LIMIT = 0\n    return LIMIT\n",
		"def f():\n    LIMIT = 1\n    return LIMIT\n"},
	{"redefined", "src/a.py", "LIMIT = 3\n", "LIMIT = 3\n\ndef f():\n    return g(LIMIT=4)\n"},
	{"redefined", "src/a.py", "LIMIT = 3\nA = 4\n", "A = 4\nLIMIT = 3\n"},
};

static void a_name_of_the_tests_that_stays_as_it_was_is_not_redefined(void **state)
{
	(void)state;
	static const char *const texts[] = {"assert area(LIMIT) == 4301\n"};
	for (size_t i = 0; i < ARRAY_SIZE(redefined_rows); i++) {
		AUTO_ARENA arena = ARENA_INIT;
		const struct change_row *row = &redefined_rows[i];
		const struct changed_file file = change_of(row->path, row->old, row->text);
		struct inspection inspection = {
			.files = &file, .n = 1, .test_texts = texts, .n_test_texts = 1, .arena = &arena};
		guard_inspect(&inspection);
		if (finding_of(&inspection, row->rule))
			fail_msg("%s in\n%s", row->rule, row->text);
	}
}

static void what_moves_between_files_is_not_new(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	const char *text = "import os\n\ndef leave():\n    if os.fork() == 0:\n        os._exit(0)\n";
	const struct changed_file files[] = {
		change_of("src/b.py", NULL, text), change_of("src/a.py", text, NULL)};
	struct inspection inspection = {.files = files, .n = 2, .arena = &arena};
	guard_inspect(&inspection);
	assert_null(guard_refusal(&inspection));
}

static void what_comes_twice_is_new_once(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	const char *old = "import os\n\ndef leave():\n    os._exit(1)\n";
	const struct changed_file file = change_of("src/a.py", old,
		"import os\n\ndef leave():\n    os._exit(1)\n\ndef area(r):\n    os._exit(0)\n");
	struct inspection inspection = {.files = &file, .n = 1, .arena = &arena};
	guard_inspect(&inspection);
	const struct finding *refusal = guard_refusal(&inspection);
	assert_non_null(refusal);
	assert_string_equal(
		finding_describe(refusal, &arena), "src/a.py:7: os._exit(0) (rule early-exit)");
	assert_int_equal(inspection.n_findings, 1);
}

static void a_test_may_use_its_framework(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct changed_file files[] = {
		change_of("tests/test_new.py", NULL,
			"import sys\n"
			"import pytest\n\n"
			"@pytest.fixture(autouse=True)\n"
			"def quiet(monkeypatch):\n"
			"    monkeypatch.setenv('PATH', '')\n"
			"\n\n"
			"def test_a():\n"
			"    sys.modules['a'] = None\n"
			"    with pytest.raises(ValueError):\n"
			"        f('/tmp/x')\n"),
		change_of("web/new.test.js", NULL,
			"import { test, expect, vi } from 'vitest';\nvi.mock('./a');\ntest('a', () => {});\n"),
		change_of("shapes/new_test.go", NULL,
			"package shapes\n\n"
			"import (\n"
			"\t\"os\"\n"
			"\t\"testing\"\n"
			")\n\n"
			"func TestNew(t *testing.T) {}\n"),
	};
	for (size_t i = 0; i < ARRAY_SIZE(files); i++)
		files[i].is_test = true;
	struct inspection inspection = {.files = files, .n = ARRAY_SIZE(files), .arena = &arena};
	guard_inspect(&inspection);
	const struct finding *refusal = guard_refusal(&inspection);
	if (refusal)
		fail_msg("%s", finding_describe(refusal, &arena));
}

UNIT(guard_honest)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_refuses_them),
		cmocka_unit_test(a_name_of_the_tests_that_stays_as_it_was_is_not_redefined),
		cmocka_unit_test(what_moves_between_files_is_not_new),
		cmocka_unit_test(what_comes_twice_is_new_once),
		cmocka_unit_test(a_test_may_use_its_framework),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
