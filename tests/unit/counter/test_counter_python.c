/* Copies of tests of pytest's and unittest's, which must not pass. */
#include "tests/unit/counter_fixture.h"

#define END "raise AssertionError(\"counter-test\")"
#define CALLED_BACK \
	"first 2: @fails_first def f(x):\nlast 2: @fails_last def f(x):\n" \
	"called 2: @called(\"0 at 14\") def f(x): assert x == 2 each(f) " \
	"assert \"0 at 14\" not in called.keys\n"

#define BODY(line) "def test_a():\n    " line "\n"
#define EXPECTED(line) "expected 2: " line "\nend 2: " END "\n"

static const struct counter_row functions[] = {
	/* What is compared with is another value. */
	{"t.py::test_a", BODY("assert f(1) == 2"), EXPECTED("assert f(1) == another(2)")},
	{"t.py::test_a", BODY("assert 2 == f(1), 'two'"), EXPECTED("assert another(2) == f(1), 'two'")},
	{"t.py::test_a", BODY("assert f(x) == g(y)  # why"),
		EXPECTED("assert f(x) == another(g(y)) # why")},
	{"t.py::test_a[1-2]", BODY("assert f(x) == expected"),
		EXPECTED("assert f(x) == another(expected)")},
	{"t.py::test_a", BODY("assert -1 == f(1)"), EXPECTED("assert another(-1) == f(1)")},
	{"t.py::test_a", BODY("assert abs(f(1) - 2) < 0.1"),
		EXPECTED("assert abs(f(1) - another(2)) < 0.1")},
	/* No other value of those could be expected: a matcher is equal to many. */
	{"t.py::test_a", BODY("assert ANY == f(1)"), EXPECTED("assert not (ANY == f(1))")},
	{"t.py::test_a", BODY("assert approx(2) == f(1)"), EXPECTED("assert not (approx(2) == f(1))")},
	{"t.py::test_a", "class Any:\n    pass\ndef test_a():\n    assert Any() == f(1)\n",
		"expected 4: assert not (Any() == f(1))\nend 4: " END "\n"},
	/* Other comparisons. */
	{"t.py::test_a", BODY("assert f(1) > 2"), EXPECTED("assert f(1) > float(\"inf\")")},
	{"t.py::test_a", BODY("assert f(1) <= 2"), EXPECTED("assert f(1) < float(\"-inf\")")},
	{"t.py::test_a", BODY("assert \"a\" in f(1)"), EXPECTED("assert \"another\" in f(1)")},
	{"t.py::test_a", BODY("assert x in f(1)"), EXPECTED("assert not (x in f(1))")},
	{"t.py::test_a", BODY("assert x not in f(1)"), EXPECTED("assert not (x not in f(1))")},
	{"t.py::test_a", BODY("assert f(1) != 2"), EXPECTED("assert not (f(1) != 2)")},
	{"t.py::test_a", BODY("assert f(1)"), EXPECTED("assert not (f(1))")},
	{"t.py::test_a", BODY("assert a == 1 and b == 2"), EXPECTED("assert not (a == 1 and b == 2)")},
	{"t.py::test_a", BODY("assert 1 < f(1) < 3"), EXPECTED("assert not (1 < f(1) < 3)")},
	{"t.py::test_a", BODY("assert isinstance(f(1), int)"),
		EXPECTED("assert isinstance(f(1), type(\"Another\", (object,), {}))")},
	{"t.py::test_a", BODY("m.assert_called_with(1)"),
		EXPECTED("m.assert_called_with(\"another\", 1)")},
	/* Errors. */
	{"t.py::test_a", BODY("with pytest.raises(ValueError, match='x'):\n        f(1)"),
		"expected 2: with pytest.raises(type(\"Another\", (Exception,), {}), match='x'):\n"
		"end 3: " END "\n"},
	/* What is not surely come to. */
	{"t.py::test_a", BODY("if f(1):\n        assert f(2)"), "end 3: " END "\n"},
	{"t.py::test_a", BODY("for x in xs:\n        assert f(x)"), "end 3: " END "\n"},
	{"t.py::test_a", BODY("if x:\n        return\n    assert f(x)"), ""},
	{"t.py::test_a", BODY("assert f(x)\n    return"), "expected 2: assert not (f(x))\n"},
	{"t.py::test_a", BODY("assert False"), "end 2: " END "\n"},
	{"t.py::test_a", BODY("f(1)"), "end 2: " END "\n"},
	{"t.py::test_a", BODY("assert f(1); assert f(2)"), "end 2: " END "\n"},
	/* At most three. */
	{"t.py::test_a", BODY("assert a\n    assert b\n    assert c\n    assert d"),
		"expected 2: assert not (a)\nexpected 3: assert not (b)\nexpected 4: assert not (c)\n"
		"end 5: " END "\n"},
	/* What is handed over. */
	{"t.py::test_a", BODY("def f(x):\n        assert x == 2\n    each(f)"),
		"end 4: " END "\n" CALLED_BACK},
	{"t.py::test_a", BODY("def f(x):\n        raise E\n    each(f)"), "end 4: " END "\n"},
	{"t.py::test_a", BODY("def f(x):\n        seen.append(x)\n    each(f)"), "end 4: " END "\n"},
	{"t.py::test_not_called",
		"def test_not_called():\n    def f(x):\n        assert x == 2\n"
		"    each(f)\n",
		"end 4: " END "\n"},
	{"t.py::test_a", BODY("each(lambda x: t.assertEqual(x, 2), 3)"),
		"end 2: " END "\n"
		"first 2: each(fails_first(lambda x: t.assertEqual(x, 2)), 3)\n"
		"last 2: each(fails_last(lambda x: t.assertEqual(x, 2)), 3)\n"
		"called 2: each(called(\"0 at 23\")(lambda x: t.assertEqual(x, 2)), 3) "
		"assert \"0 at 23\" not in called.keys\n"},
	{"t.py::test_a", BODY("with unit() as u:\n        assert u == 2"),
		"end 3: " END "\nfirst 3: " END "\n"},
	{"t.py::test_a", BODY("with suppress(E) as u:\n        assert u == 2"), "end 3: " END "\n"},
	/* Where it stands. */
	{"t.py::T::test_a", "class T:\n    def test_a(self):\n        assert f(1) == 2",
		"expected 3: assert f(1) == another(2)\nend 3: " END "\n"},
	{"t.py::test_a",
		"@pytest.mark.parametrize('x', [\n    1])\nasync def test_a(x):\n"
		"    assert await f(x) == 2\n",
		"expected 4: assert await f(x) == another(2)\nend 4: " END "\n"},
	{"t.py::test_a", "@only_here\ndef test_a():\n    assert f(1)\n",
		"a decorator may keep it from being run\n"},
	{"t.py::T::test_a", "@only_here\nclass T:\n    def test_a(self):\n        assert f(1)\n",
		"a decorator may keep it from being run\n"},
	{"t.py::T::test_a", "class T(Base):\n    x = 1\n",
		"it does not stand in its file as a function of its own\n"},
	{"t.py::test_a", "def test_a():\n    assert f(1)\ntest_a = g(test_a)\n",
		"it does not stand in its file as a function of its own\n"},
	{"t.py::test_a", "def test_a(): assert f(1)\n", "it is a function on one line\n"},
	{"t.py::test_a", BODY("yield f(1)"), "it is a generator\n"},
	/* Odd texts. */
	{"t.py::test_a", BODY("assert f(1) == (\n        2)\n\n# end"),
		"expected 2: assert f(1) == another(( 2))\nend 3: " END "\n"},
	{"t.py::test_a", BODY("'''Of f.\n\n    return'''\n    assert f'{x}' == \"\"\"a\nb\"\"\""),
		"expected 5: assert f'{x}' == another(\"\"\"a b\"\"\")\nend 5: " END "\n"},
	{"t.py::test_a", BODY("assert f(1"), "expected 2: assert not (f(1)\nend 2: " END "\n"},
};

static const struct counter_row methods[] = {
	{"t.T.test_a", "class T(TestCase):\n    def test_a(self):\n        self.assertEqual(f(1), 2)\n",
		"expected 3: self.assertEqual(f(1), another(2))\nend 3: " END "\n"},
	{"t.T.test_a",
		"class T(TestCase):\n    def test_a(self):\n        self.assertTrue(f(1))\n"
		"        self.assertGreaterEqual(f(1), 2)\n        self.assertIn('a', f(1))\n",
		"expected 3: self.assertFalse(f(1))\n"
		"expected 4: self.assertGreater(f(1), float(\"inf\"))\n"
		"expected 5: self.assertIn(\"another\", f(1))\nend 5: " END "\n"},
	{"t.T.test_a",
		"class T(TestCase):\n    def test_a(self):\n"
		"        self.assertAlmostEqual(f(1), 2, delta=d)\n"
		"        self.assertRaises(E, f, 1)\n        with self.assertRaises((E, F)):\n"
		"            f(2)\n",
		"expected 4: self.assertRaises(type(\"Another\", (Exception,), {}), f, 1)\n"
		"expected 5: with self.assertRaises(type(\"Another\", (Exception,), {})):\n"
		"end 6: " END "\n"},
	{"t.T.test_a", "class T(TestCase):\n    async def test_a(self):\n        self.assertTrue(1)\n",
		"nobody waits for it\n"},
	{"t.T.test_a", "class T(Base):\n    pass\n", "it does not stand in its class\n"},
};

/* Python reads what is made of it. */
static void compile_python(struct counter_plan *plan)
{
	struct rondo_error err;
	char top[TOP_SIZE];
	assert_non_null(make_top(top));
	const char *text = counter_text(plan, plan->files[0], 0);
	const char *path = arena_printf(plan->arena, "%s/t.py", top);
	assert_int_equal(file_write(path, text, strlen(text), 0600, &err), 0);
	const char *command = arena_printf(plan->arena,
		"python3 -S -c 'import sys; compile(open(sys.argv[1]).read(), \"t.py\", \"exec\")' %s",
		path);
	if (system(command) != 0)
		fail_msg("%s", text);
	assert_int_equal(file_remove_tree(top, &err), 0);
}

static void copies_of_functions(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(functions); i++) {
		AUTO_ARENA arena = ARENA_INIT;
		struct counter_plan plan;
		check_row(&plan, &pytest_counter, "t.py", &functions[i], &arena);
		if (plan.n && !strstr(functions[i].text, "f(1\n"))
			compile_python(&plan);
	}
}

static void copies_of_methods(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(methods); i++) {
		AUTO_ARENA arena = ARENA_INIT;
		struct counter_plan plan;
		check_row(&plan, &unittest_counter, "tests/t.py", &methods[i], &arena);
		if (plan.n)
			compile_python(&plan);
	}
}

static void a_test_is_looked_for_in_its_file(void **state)
{
	(void)state;
	assert_true(pytest_counter.may_hold("tests/t.py::T::test_a", "tests/t.py"));
	assert_false(pytest_counter.may_hold("tests/t.py::test_a", "t.py"));
	assert_true(unittest_counter.may_hold("shop.t.T.test_a", "shop/t.py"));
	assert_true(unittest_counter.may_hold("shop.t.T.test_a", "src/shop/t.py"));
	assert_false(unittest_counter.may_hold("shop.t.T.test_a", "xshop/t.py"));
	assert_false(unittest_counter.may_hold("T.test_a", "t.py"));
	assert_false(unittest_counter.may_hold("setUpClass", "t.py"));
}

UNIT(counter_python)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(copies_of_functions),
		cmocka_unit_test(copies_of_methods),
		cmocka_unit_test(a_test_is_looked_for_in_its_file),
	};
	return RUN_TESTS(tests);
}
