/* Where something is asked, and what is worked out: what is proposed there. */
#include "tests/unit/repair_fixture.h"

static void loops_and_choices_ask_too(void **state)
{
	(void)state;
	static const char go[] = "package a\n\nfunc f(xs []int, x int, m map[int]int) int {\n"
							 "\tlow, high := 0, len(xs)\n\tfor low < high {\n\t\tlow++\n\t}\n"
							 "\tif v, ok := m[x]; ok {\n\t\treturn v\n\t}\n\treturn low\n}\n";
	assert_true(proposes_for("a.go", go, "a.go:5  'low < high' to 'high == low'"));
	assert_true(proposes_for("a.go", go, "a.go:8  'ok' to 'ok && v < x'"));
	assert_false(proposes_for("a.go", go, "a.go:8  'ok' to 'ok - 1'"));
	assert_true(proposes_for("a.c",
		"int f(int n, int most)\n{\n\tfor (int i = 0; i < n; i++)\n\t\tg(i);\n\treturn most;\n}\n",
		"a.c:3  'i < n' to 'i < n && i < most'"));
	assert_true(proposes_for("a.js",
		"function f(xs, limit, least) {\n  return xs.filter((x) => x > limit);\n}\n",
		"a.js:2  'x > limit' to 'x > limit && x < least'"));
}

static void rust_gives_back_without_a_word(void **state)
{
	(void)state;
	static const char rust[] = "fn f(n: usize, limit: usize) -> bool {\n    n < limit\n}\n\n"
							   "fn g(open: bool) -> bool {\n    open\n}\n";
	assert_true(proposes_for("a.rs", rust, "a.rs:2  'n < limit' to 'n < limit && n > 0'"));
	assert_true(proposes_for("a.rs", rust, "a.rs:6  'open' to '!open'"));
}

static void a_truth_may_stand_for_a_question(void **state)
{
	(void)state;
	assert_true(proposes_for("a.py",
		"def f(text):\n    depth = 0\n    for c in text:\n        depth += 1\n    return True\n",
		"a.py:5  'True' to 'depth == 0'"));
}

static void calls_stand_around_what_is_worked_out(void **state)
{
	(void)state;
	assert_true(proposes_for(
		"a.py", "def f(a, b):\n    return a - b\n", "a.py:2  'a - b' to 'abs(a - b)'"));
	assert_true(proposes_for("a.c", "int f(int a, int b)\n{\n\treturn a / b;\n}\n",
		"a.c:3  'a / b' to '(double)(a / b)'"));
	assert_true(
		proposes_for("a.py", "def f(n):\n    return n * n // 2\n", "a.py:2  'n' to '(n + 1)'"));
}

static void an_object_s_own_values_are_one_off_too(void **state)
{
	(void)state;
	assert_true(proposes_for("a.py", "class A:\n    def f(self):\n        return range(self.n)\n",
		"a.py:3  'self.n' to 'self.n + 1'"));
	assert_true(proposes_for("a.js",
		"class A {\n  async f(code) {\n    if (this.store.has(code)) {\n      return 1;\n    }\n"
		"    return 2;\n  }\n}\n",
		"a.js:3  'await ' before it"));
}

UNIT(questions)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(loops_and_choices_ask_too),
		cmocka_unit_test(rust_gives_back_without_a_word),
		cmocka_unit_test(a_truth_may_stand_for_a_question),
		cmocka_unit_test(calls_stand_around_what_is_worked_out),
		cmocka_unit_test(an_object_s_own_values_are_one_off_too),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
