/* Programs that hold tests of their own: which parts of the text these are, what keeps them, and
 * what they print when sealed. */
#include "tests/unit/suite_fixture.h"

#include "base/file.h"

#define TOKEN "0123456789abcdef"

static void assert_parts(const char *path, const char *text, const char *const *expected, size_t n)
{
	AUTO_ARENA arena = ARENA_INIT;
	struct program_part *parts;
	size_t found = program_parts(path, text, &arena, &parts);
	for (size_t i = 0; i < found && i < n; i++)
		assert_string_equal(
			arena_strndup(&arena, text + parts[i].start, parts[i].end - parts[i].start),
			expected[i]);
	assert_int_equal(found, n);
}
#define PARTS(path, text, ...) \
	assert_parts(path, text, (const char *const[]){__VA_ARGS__}, \
		ARRAY_SIZE(((const char *const[]){__VA_ARGS__})))

static void python_statements(void **state)
{
	(void)state;
	PARTS("x.py", "x = 'assert 1'\n# assert 2\nassert 3\n", "assert 3");
	PARTS("x.py", "assert f(\n  1) == 2  # why\nassert x\n", "assert f(\n  1) == 2", "assert x");
	PARTS("x.py", "assert a == \\\n  b; c()\n", "assert a == \\\n  b");
	PARTS("x.py", "assert 'a;b#c' == \"\"\"\nassert 1\n\"\"\"; assert(2)",
		"assert 'a;b#c' == \"\"\"\nassert 1\n\"\"\"", "assert(2)");
	PARTS("x.py", "if x: assert y\nself.assert_(1)\nasserted = assert_that\n", "assert y");
	PARTS("x.py", "def f():\n\tassert [1, # one]\n\t2]\n", "assert [1, # one]\n\t2]");
}

static void script_statements(void **state)
{
	(void)state;
	PARTS("x.js", "console.assert(a(')') === 1, `${f(\")\")} )`);\nassert (b)\n",
		"console.assert(a(')') === 1, `${f(\")\")} )`);", "assert (b)");
	PARTS("x.ts", "assert.strict.equal(/\\)\"/.test(x), 1); // assert(2)\n/* assert(3) */",
		"assert.strict.equal(/\\)\"/.test(x), 1);");
	PARTS("x.mjs", "function assert(x) { if (!x) throw x; }\nassert(a / 2 / (b))\n",
		"assert(a / 2 / (b))");
	PARTS("x.js", "const assert = require('assert');\nx.assert(1); `assert(2)`; assert(3);",
		"assert(3);");
	PARTS("x.js", "`${`${assert(1)}`}`; console.log('assert(2)');assert.ok(4)", "assert(1)",
		"assert.ok(4)");
	PARTS("x.js", "class A { assert(x) { return x; } }\nnew assert.AssertionError(1);\nassert(1)",
		"assert(1)");
	assert_parts("x.rb", "assert 1\n", NULL, 0);
}

static void examples_of_doctest(void **state)
{
	(void)state;
	PARTS("x.py",
		"\"\"\"Shapes.\n\n>>> area(3, 4)\n12\n>>> for i in x:\n...     f(i)\n0\n\nEnd.\n\"\"\"\n",
		">>> area(3, 4)\n12", ">>> for i in x:\n...     f(i)\n0");
	PARTS("x.py", "def f():\n    r'''\n    >>> f()\n    1'''\n    x = '''\n    >>> g()\n    '''\n",
		">>> f()\n    1");
	PARTS(
		"x.py", "def f():\n    \">>> f()\"\nclass A:\n    # why\n    '''>>> 1\n    '''\n", ">>> 1");
}

static void tests_within_a_program(void **state)
{
	(void)state;
	PARTS("x.py",
		"@slow\ndef test_f():\n    g()\n    assert f() == 1\n\n"
		"def test(x):\n    return x\n\ntest_f()\n",
		"@slow\ndef test_f():\n    g()\n    assert f() == 1", "assert f() == 1", "test_f()");
	PARTS("x.py",
		"class T(unittest.TestCase):\n    def setUp(self): pass\n"
		"    def test_f(self):\n        self.assertEqual(1, 1)\nx = 1\n",
		"class T(unittest.TestCase):\n    def setUp(self): pass\n"
		"    def test_f(self):\n        self.assertEqual(1, 1)",
		"def test_f(self):\n        self.assertEqual(1, 1)");
	PARTS("x.py", "if __name__ == '__main__':\n    import doctest\n    doctest.testmod()\n",
		"if __name__ == '__main__'", "doctest.testmod()");
	PARTS("x.js", "if (require.main === module) {\n  test(\"a\", () => assert(a));\n}\n",
		"if (require.main === module)", "test(\"a\", () => assert(a))", "assert(a)");
	PARTS("x.js", "function testAll() {\n  assert(f());\n}\ntestAll();\nlatest();\n",
		"function testAll() {\n  assert(f());\n}", "assert(f());", "testAll()");
}

static void unfinished_text_does_not_run_away(void **state)
{
	(void)state;
	static const char *const texts[] = {"assert", "assert (", "assert '", "assert \"\"\"x",
		"assert \\", "console.assert(", "console.assert(`${", "assert(/[", "`${`${`${`${", "/*",
		"assert('\\"};
	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		AUTO_ARENA arena = ARENA_INIT;
		struct program_part *parts;
		size_t length = strlen(texts[i]);
		size_t n = program_parts("x.py", texts[i], &arena, &parts);
		for (size_t j = 0; j < n; j++)
			assert_true(parts[j].start < parts[j].end && parts[j].end <= length);
		n = program_parts("x.js", texts[i], &arena, &parts);
		for (size_t j = 0; j < n; j++)
			assert_true(parts[j].start < parts[j].end && parts[j].end <= length);
	}
}

static void a_fix_keeps_every_assertion(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	const char *missing = NULL, *old = "f = 1\nassert f == 2\nassert f > 1\n";
	assert_true(program_keeps_parts(
		"x.py", old, "f = 2\nassert f == 2\nassert new\nassert f > 1\n", &arena, &missing));
	assert_false(program_keeps_parts("x.py", old, "f = 2\nassert f == 2\n", &arena, &missing));
	assert_string_equal(missing, "assert f > 1");
	assert_false(
		program_keeps_parts("x.py", old, "f = 2\nassert f > 1\nassert f == 2\n", &arena, &missing));
	assert_false(
		program_keeps_parts("x.py", old, "f = 2\nassert f == 1\nassert f > 1\n", &arena, &missing));
	assert_string_equal(missing, "assert f == 2");
	assert_false(program_keeps_parts(
		"x.py", old, "if 0:\n    assert f == 2\nassert f > 1\n", &arena, &missing));
	assert_false(program_keeps_parts(
		"x.py", old, "f = 2\n'''\nassert f == 2\n'''\nassert f > 1\n", &arena, &missing));
}

/* A test that still has its text, and is run no more. */
static void what_stands_around_a_test_is_kept(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	static const char *const changes[][3] = {
		{"x.py", "def main():\n    assert f()\n", "def other():\n    assert f()\n"},
		{"x.py", "def main():\n    assert f()\n",
			"def main():\n  try:\n    assert f()\n  except E:\n    pass\n"},
		{"x.py", "if __name__ == '__main__':\n    assert f()\n", "if False:\n    assert f()\n"},
		{"x.py", "def f():\n    '''\n    >>> f()\n    1\n    '''\n",
			"def f():\n    x = '''\n    >>> f()\n    1\n    '''\n"},
		{"x.py", "def f():\n    '''\n    >>> f()\n    1\n    '''\n",
			"def f():\n    '''\n    >>> f()\n    2\n    '''\n"},
		{"x.js", "assert(f());\n", "try { assert(f()); } catch {}\n"},
		{"x.js", "assert(f());\n", "function later() { assert(f()); }\n"},
		{"x.js", "assert(f());\n", "(() => { assert(f()); });\n"},
	};
	for (size_t i = 0; i < ARRAY_SIZE(changes); i++) {
		const char *missing;
		if (program_keeps_parts(changes[i][0], changes[i][1], changes[i][2], &arena, &missing))
			fail_msg("%s", changes[i][2]);
	}
	const char *missing;
	assert_true(
		program_keeps_parts("x.py", "def main():\n    for i in a(3):\n        assert f(i)\n",
			"import b\n\ndef main():\n  for i in a(4):\n      assert f(i)\n", &arena, &missing));
}

static const char *seal(const char *path, const char *text, bool marks, struct arena *arena)
{
	return program_seal_text(path, text, text, TOKEN, marks, arena);
}

static void a_sealed_program_keeps_its_lines(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	const char *text =
		seal("x.py", "def f():\n    '''\n    >>> f()\n    1\n    '''\n    if 1: assert g() # why\n",
			true, &arena);
	assert_int_equal(text_count_lines(text, strlen(text)), 8);
	assert_non_null(strstr(text, "    >>> ["));
	assert_non_null(strstr(text, "] and None;f()\n    1\n"));
	assert_non_null(strstr(text, "    if 1: assert["));
	assert_non_null(strstr(text, "];assert g();assert["));
	assert_non_null(strstr(text, "] # why\n"));
	assert_null(strstr(text, TOKEN)); /* it is not in one piece */
	text = seal("x.ts", "assert(a) // b", true, &arena);
	assert_int_equal(strncmp(text, "void((globalThis[", 17), 0);
	assert_non_null(strstr(text, ",assert(a),("));
	assert_non_null(strstr(text, " // b\n;("));
	assert_null(strstr(seal("x.py", "assert f()\n", false, &arena), "assert["));
	assert_null(seal("x.rb", "a", true, &arena));
	assert_null(program_seal_text("x.py", "assert f()\n", "f()\n", TOKEN, true, &arena));
}

/* What somebody uses the value of, and what is no call. */
static void some_calls_stay_as_they_are(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	static const char *const texts[] = {"await assert.rejects(f());", "return assert.rejects(f());",
		"x = () => assert.rejects(f());", "assert.rejects(f()).then(g);"};
	for (size_t i = 0; i < ARRAY_SIZE(texts); i++)
		assert_int_equal(
			strncmp(seal("x.mjs", texts[i], true, &arena), texts[i], strlen(texts[i])), 0);
}

static void a_program_may_end_as_it_did(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	const char *old = "def main():\n    sys.exit(f())\n\nmain()\nsys.exit()\n";
	const char *fixed = "def main():\n    sys.exit(f())\n\ndef g():\n    sys.exit(f())\n\nmain()\n"
						"sys.exit()\nsys.exit(1, 2)\n";
	const char *text = program_seal_text("x.py", old, fixed, TOKEN, true, &arena);
	assert_non_null(strstr(text, "def main():\n    sys.exit([f(),["));
	assert_non_null(strstr(text, "def g():\n    sys.exit(f())\n"));
	assert_non_null(strstr(text, "\nsys.exit([None,["));
	assert_non_null(strstr(text, "sys.exit(1, 2)\n"));
	assert_non_null(
		strstr(seal("x.js", "process.exit(1);this.exit(2);process.exit()", true, &arena),
			";this.exit(2);"));
}

static void assert_counter(const char *path, const char *text, size_t part, const char *expected)
{
	AUTO_ARENA arena = ARENA_INIT;
	const char *found = program_counter_text(path, text, text, part, "w0rd", &arena);
	if (expected)
		assert_string_equal(found, expected);
	else
		assert_null(found);
}

static void one_more_test_that_fails(void **state)
{
	(void)state;
	assert_counter(
		"x.py", "assert a # b\nassert c\n", 0, "assert a;assert 0,'w0rd' # b\nassert c\n");
	assert_counter(
		"x.py", "'''\n  >>> f()\n  1\n'''\n", 0, "'''\n  >>> f()\n  1\n  >>> 'w0rd'\n  0\n'''\n");
	assert_counter("x.js", "assert(a)", 0, "assert(a);assert(false, \"w0rd\");");
	assert_counter(
		"x.js", "a;\nassert.equal(a, 1);", 0, "a;\nassert.equal(a, 1);;assert.fail(\"w0rd\");");
	assert_counter(
		"x.ts", "console.assert(a);", 0, "console.assert(a);;console.assert(false, \"w0rd\");");
	assert_counter("x.js", "if (a) assert(a)", 0, NULL);
	assert_counter("x.js", "b = () => assert(a)", 0, NULL);
	assert_counter("x.py", "assert a\n", 1, NULL);
}

static void assert_duties(
	const char *path, const char *text, const char *output, const char *expected)
{
	AUTO_ARENA arena = ARENA_INIT;
	AUTO_STRBUF sb = STRBUF_INIT(STRBUF_LINE);
	struct program_duty *duties;
	size_t n = program_duties(path, text, output, TOKEN, &arena, &duties);
	for (size_t i = 0; i < n; i++)
		strbuf_addf(&sb, "%s %s\n", duties[i].mark, duties[i].text);
	assert_string_equal(sb.text, expected);
}

static void what_ran_has_to_run_and_to_pass(void **state)
{
	(void)state;
	assert_duties("x.py", "assert a\nassert b\nassert c\n",
		TOKEN ".0r\n" TOKEN ".0p\n" TOKEN ".1r\n", ".0p assert a\n.1p assert b\n.2p assert c\n");
	assert_duties("x.py", "def f():\n    assert a\nassert b\nif x:\n    assert c\n", TOKEN ".1r\n",
		".1p assert b\n");
	assert_duties("x.py", "def f():\n    assert a\n    return\n    assert b\n", TOKEN ".0r\n",
		".0p assert a\n");
	assert_duties("x.py", "try:\n    assert a\n    assert False\nexcept E:\n    pass\n",
		TOKEN ".0r\n", ".0p assert a\n");
	/* One that was to fail, and was caught. */
	assert_duties("x.py", "def f():\n    assert a\nassert b\n", TOKEN ".0r\n" TOKEN ".1r\n",
		".0r assert a\n.1p assert b\n");
	assert_duties("x.py", "'''\n>>> f()\n1\n>>> g()\n'''\n", TOKEN ".0r\n", ".0r >>> f()\n");
	assert_duties("x.js", "assert(a);\nif (x) assert(b);\n", TOKEN ".0r\n", ".0p assert(a);\n");
	assert_duties(
		"x.js", "assert(a);\nassert(b);\n", TOKEN ".0r\n", ".0p assert(a);\n.1p assert(b);\n");
	assert_duties("x.js", "assert(a);\nassert(b);\n", "", "");
}

/* Which of two files of a tree is a program, and which one tests the other. */
static bool tests_itself(
	const char *path, const char *text, const char *other, const char *other_text)
{
	AUTO_ARENA arena = ARENA_INIT;
	struct rondo_error err;
	char dir[] = "/tmp/rondo-own-XXXXXX";
	const char *paths[] = {path, other};
	assert_non_null(mkdtemp(dir));
	assert_int_equal(
		file_write(arena_printf(&arena, "%s/%s", dir, path), text, strlen(text), 0600, &err), 0);
	assert_int_equal(file_write(arena_printf(&arena, "%s/%s", dir, other), other_text,
						 strlen(other_text), 0600, &err),
		0);
	bool found = program_tests_itself(dir, paths, 2, path, &arena);
	assert_int_equal(file_remove_tree(dir, &err), 0);
	return found;
}

#define SHAPES "def area(w, h):\n    return w * h\n\nclass Box:\n    def volume(self): pass\n"
#define LEVEL "from shapes import area\ndef level(x):\n    return area(x, 2)\n"

static void a_program_calls_what_it_defines(void **state)
{
	(void)state;
	static const char *const programs[] = {"def f(): pass\nassert f() == 1\n",
		LEVEL "assert level(3) == 6\n", LEVEL "def test_level():\n    assert level(3) == 6\n",
		LEVEL "x = level(3)\nassert x == 6\n", "def f():\n    '''\n    >>> f()\n    1\n    '''\n",
		"import unittest\ndef f(): pass\nclass T(unittest.TestCase):\n"
		"    def test_f(self): self.assertEqual(f(), 1)\nunittest.main()\n"};
	static const char *const checks[] = {"from shapes import area\nassert area(1, 2) == 2\n",
		"import shapes\nassert shapes.area(1, 2) == 2\n",
		"import shapes as s\nx = s.area(1, 2)\nassert x == 2\n",
		"from shapes import area\ndef close(a, b): return abs(a - b) < 1\n"
		"assert close(area(1, 2), 2)\n",
		"from shapes import Box\ndef make(): return Box()\nassert make().volume() == 2\n",
		"import subprocess\ndef run(x): return subprocess.run(['./shapes.py', x])\n"
		"assert run('1') == 2\n",
		"import importlib\ns = importlib.import_module(name())\n"
		"def f(): return s.g()\nassert f() == 2\n",
		"import sys\nassert sys.argv\n", "def f(): pass\nf()\n",
		"def test_f():\n    assert test_f\n"};
	for (size_t i = 0; i < ARRAY_SIZE(programs); i++)
		if (!tests_itself("prog.py", programs[i], "shapes.py", SHAPES))
			fail_msg("no program: %s", programs[i]);
	for (size_t i = 0; i < ARRAY_SIZE(checks); i++)
		if (tests_itself("check.py", checks[i], "shapes.py", SHAPES))
			fail_msg("a program: %s", checks[i]);
}

static void so_do_scripts(void **state)
{
	(void)state;
	static const char shapes[] =
		"function area(w, h) { return w * h; }\nmodule.exports = { area };\n";
	assert_true(
		tests_itself("app.js", "function f() {}\nassert(f() === 1);\n", "shapes.js", shapes));
	assert_true(tests_itself("app.js",
		"const { area } = require('./shapes');\nconst f = () => area(1, 2);\nassert(f() === 1);\n",
		"shapes.js", shapes));
	assert_false(tests_itself("check.js",
		"const { area } = require('./shapes');\nassert(area(1, 2) === 2);\n", "shapes.js", shapes));
	assert_false(tests_itself("check.mjs",
		"import * as s from './shapes.js';\nassert.equal(s.area(1, 2), 2);\n", "shapes.js",
		shapes));
	assert_false(tests_itself("check.rb", "def f; end\nassert f\n", "shapes.js", shapes));
}

UNIT(program)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(python_statements),
		cmocka_unit_test(script_statements),
		cmocka_unit_test(examples_of_doctest),
		cmocka_unit_test(tests_within_a_program),
		cmocka_unit_test(unfinished_text_does_not_run_away),
		cmocka_unit_test(a_fix_keeps_every_assertion),
		cmocka_unit_test(what_stands_around_a_test_is_kept),
		cmocka_unit_test(a_sealed_program_keeps_its_lines),
		cmocka_unit_test(some_calls_stay_as_they_are),
		cmocka_unit_test(a_program_may_end_as_it_did),
		cmocka_unit_test(one_more_test_that_fails),
		cmocka_unit_test(what_ran_has_to_run_and_to_pass),
		cmocka_unit_test(a_program_calls_what_it_defines),
		cmocka_unit_test(so_do_scripts),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
