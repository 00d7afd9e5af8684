/* Copies of tests in which nothing is changed but their names, and who calls the program. */
#include "tests/unit/counter_fixture.h"

/* What is added to the file, on one line and without the plan's words; "": no copy is made. */
struct same_row {
	const struct counter_type *type;
	const char *id, *path, *text, *added;
};

#define PYTHON(text, added) \
	{ \
		&pytest_counter, "t.py::test_a", "t.py", text, added \
	}
#define METHOD(text, added) \
	{ \
		&pytest_counter, "t.py::T::test_a", "t.py", "class T:\n" text, added \
	}
#define SCRIPT(text, added) \
	{ \
		&script_counter, "a", "a.test.js", text, added \
	}
#define GO(text, added) \
	{ \
		&go_counter, "p::TestA", "a_test.go", text, added \
	}

static const struct same_row rows[] = {
	PYTHON("def test_a(x, y=1):\n    assert f(x) == y",
		"def steps(x, y=1): assert f(x) == y def test_a(x, y=1): with elsewhere(steps, True): "
		"return steps(x=x, y=y)"),
	PYTHON("@pytest.mark.skipif(no, reason='x')\nasync def test_a():\n    assert await f()\n",
		"async def steps(): assert await f() async def test_a(): with elsewhere(steps, True): "
		"return await steps() test_a.pytestmark = list(test_a.pytestmark)"),
	PYTHON("@pytest.mark.slow\n@patch('x')\ndef test_a(x):\n    assert f()\n",
		"def steps(x): assert f() @pytest.mark.slow @patch('x') def test_a(x): "
		"with elsewhere(steps, True): return steps(x=x)"),
	METHOD("    def test_a(self, x: int):\n        self.check(x)\n",
		"def steps(self, x: int): self.check(x) def test_a(self, x: int): "
		"with elsewhere(self.steps, True): return self.steps(x=x)"),
	/* A file that has its own name keeps it. */
	PYTHON("own = __file__\ndef test_a():\n    assert f()\n",
		"def steps(): assert f() def test_a(): with elsewhere(steps, False): return steps()"),
	PYTHON("from p.t import x\nnames = ['t']\ndef test_a():\n    assert f()\n",
		"def steps(): assert f() def test_a(): with elsewhere(steps, False): return steps()"),
	/* Tests that have their own name, or ask who calls, may depend on it. */
	PYTHON("def test_a():\n    assert caller() == 'test_a'\n", ""),
	{&pytest_counter, "t.py::test_a_name_that_is_long", "t.py",
		"def test_a_name_that_is_long():\n    assert caller() == 'test_a_name_th' 'at_is_long'\n",
		""},
	PYTHON("def test_a():\n    assert test_a.__name__ in f()\n", ""),
	PYTHON("def test_a():\n    assert inspect.currentframe()\n", ""),
	PYTHON("def test_a(snapshot):\n    assert f() == snapshot\n", ""),
	/* What cannot be handed on by name. */
	PYTHON("def test_a(*x):\n    assert f(*x)\n", ""),
	PYTHON("def test_a(x, **y):\n    assert f(x)\n", ""),
	PYTHON("def test_a(x, /):\n    assert f(x)\n", ""),
	METHOD("    def test_a():\n        assert f()\n", ""),
	METHOD("    @staticmethod\n    def test_a(x):\n        assert f(x)\n", ""),
	PYTHON("def test_a[T](x: T):\n    assert f(x)\n", ""),
	PYTHON("def test_a(", ""),
	SCRIPT("test(\"a\", () => eq(f(1), 2));\n", "test(\"a\", elsewhere(() => eq(f(1), 2), true));"),
	SCRIPT("it('a', async function () {\n  await f();\n})\n",
		"it('a', elsewhere(async function () { await f(); }, true));"),
	SCRIPT("const own = __filename;\ntest(\"a\", () => eq(f(1), 2));\n",
		"test(\"a\", elsewhere(() => eq(f(1), 2), false));"),
	SCRIPT("test(\"a\", () => expect(f(1)).toMatchSnapshot());\n", ""),
	GO("func TestA(t *testing.T) {\n\tcheck(t, F(1))\n}\n",
		"//line steps.go:1 func steps(t *testing.T) { check(t, F(1)) } "
		"func TestA(t *testing.T) { steps(t) } //line a_test.go:4"),
	GO("func TestA(t *testing.T) {\n\truntime.Caller(0)\n}\n", ""),
	GO("func here() { runtime.Caller(1) }\nfunc TestA(t *testing.T) {\n\there()\n}\n",
		"func steps(t *testing.T) { here() } func TestA(t *testing.T) { steps(t) }"),
	{&cargo_counter, "tests/a.rs::a", "tests/a.rs", "#[test]\nfn a() {\n    assert!(f());\n}\n",
		"#[test] fn a() { assert!(f()); }"},
};

static void check_same(const struct same_row *row)
{
	AUTO_ARENA arena = ARENA_INIT;
	struct counter_plan plan;
	struct counter_test test = {.id = row->id, .only_same = true};
	bool has_test;
	const char *added = "";
	counter_plan_init(&plan, "x123456789", "y123456789", &arena);
	counter_add(&plan, row->type, row->path, row->text, strlen(row->text), &test, &has_test);
	if (plan.n) {
		const struct counter_word mark = {plan.copies[0].mark, plan.word};
		const char *text = counter_expand(&plan, plan.files[0]->splices[0].splice.text, &mark, 1);
		assert_int_equal(plan.n, 1);
		assert_int_equal(plan.copies[0].kind, COUNTER_SAME);
		assert_true(strncmp(plan.copies[0].run, row->id, strlen(row->id)) == 0);
		added = counter_shown(&plan, text, strlen(text));
	}
	while (*added == ' ')
		added++;
	if (strcmp(added, row->added) != 0)
		fail_msg("%s\nfound:\n%s\nexpected:\n%s", row->text, added, row->added);
}

static void nothing_else_is_changed(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		check_same(&rows[i]);
}

/* The fix changes the file: the base has no such copy to compare with. */
static void none_is_made_in_a_file_that_the_fix_changes(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct counter_plan plan;
	struct counter_test test = {
		.id = "tests/a.rs::a", .only_end = true, .only_same = true, .most = 9};
	static const char text[] = "#[test]\nfn a() {\n    assert!(f());\n}\n";
	bool has_test;
	counter_plan_init(&plan, "x123456789", "y123456789", &arena);
	counter_add(&plan, &cargo_counter, "tests/a.rs", text, strlen(text), &test, &has_test);
	assert_true(has_test);
	assert_int_equal(plan.n, 0);
}

/* It is made even where there is time for no more copies that must fail. */
static void it_comes_after_all_others(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct counter_plan plan;
	struct counter_test test = {.id = "t.py::test_a", .most = 1};
	static const char text[] = "def test_a():\n    assert f() == 1\n";
	bool has_test;
	counter_plan_init(&plan, "x123456789", "y123456789", &arena);
	counter_add(&plan, &pytest_counter, "t.py", text, strlen(text), &test, &has_test);
	assert_int_equal(plan.n, 2);
	assert_int_equal(plan.copies[0].kind, COUNTER_EXPECTED);
	assert_int_equal(plan.copies[1].kind, COUNTER_SAME);
}

UNIT(counter_same)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_else_is_changed),
		cmocka_unit_test(none_is_made_in_a_file_that_the_fix_changes),
		cmocka_unit_test(it_comes_after_all_others),
	};
	return RUN_TESTS(tests);
}
