/* Where something is asked, and what is worked out: what is proposed there. */
#include "repair/pool/phrase.h"
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
	assert_true(proposes_for("a.py",
		"def f(x, y):\n    if isinstance(x, list):\n        g(x)\n    if y:\n        h(x)\n",
		"a.py:4  'y' to 'isinstance(x, list)'"));
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

static void brackets_join_questions(void **state)
{
	(void)state;
	assert_true(proposes_for("a.py",
		"def f(u, d):\n    return u.admin or u.name == d.owner and not d.locked\n",
		"a.py:2  'u.admin or u.name == d.owner' to '(u.admin or u.name == d.owner)'"));
	assert_false(proposes_for(
		"a.py", "def f(a, b):\n    return a < 1 and b < 9\n", "a.py:2  '1 and b' to '(1 and b)'"));
}

static void what_is_awaited_elsewhere_is_awaited_first(void **state)
{
	(void)state;
	static const char text[] =
		"class Cart {\n  async total(code) {\n    const coupon = await this.store.coupon(code);\n"
		"    if (this.store.isExpired(code)) return this.sum();\n    return coupon;\n  }\n}\n";
	AUTO_ARENA arena = ARENA_INIT;
	struct repair_file file = {.path = "a.js", .text = text, .n = strlen(text), .editable = true};
	struct test_report report = {0};
	struct repair *repair = repair_new(&arena, &file, 1, &report);
	struct candidate candidate;
	while (repair_next(repair, &candidate) && !strstr(candidate.edit.description, "await"))
		;
	assert_string_equal(candidate.edit.description, "a.js:4  'await ' before it");
	assert_int_equal(
		candidate.edit.files[0].splices[0].offset, strstr(text, "this.store.isExpired") - text);
}

static void arms_of_a_choice_change_places(void **state)
{
	(void)state;
	assert_makes("a.py",
		"def f(n):\n    if n % 3 == 0:\n        return 'a'\n    elif n % 15 == 0:\n"
		"        return 'b'\n    return n\n",
		"a.py:4  swap the arm and the one before",
		"def f(n):\n    if n % 15 == 0:\n        return 'b'\n    elif n % 3 == 0:\n"
		"        return 'a'\n    return n\n");
	assert_makes("a.js",
		"function f(n) {\n  if (n > 1) {\n    g();\n  } else if (n > 9) {\n    h();\n  } else {\n"
		"    i();\n  }\n}\n",
		"a.js:4  swap the arm and the one before",
		"function f(n) {\n  if (n > 9) {\n    h();\n  } else if (n > 1) {\n    g();\n  } else {\n"
		"    i();\n  }\n}\n");
	assert_true(proposes_for("a.go",
		"package a\n\nfunc f(n int) int {\n\tif n > 1 {\n\t\treturn 2\n\t} else if n > 9 {\n"
		"\t\treturn 3\n\t}\n\treturn 4\n}\n",
		"a.go:6  swap the arm and the one before"));
}

static void an_arm_may_have_no_condition(void **state)
{
	(void)state;
	assert_true(proposes_for("a.rs",
		"fn f(c: char, quoted: bool) -> i64 {\n    match c {\n        'a' if !quoted => 1,\n"
		"        _ => 2,\n    }\n}\n",
		"a.rs:3  leave out the condition"));
}

static void defaults_and_units_of_libraries(void **state)
{
	(void)state;
	assert_true(proposes_for("a.lua", "local function f(o)\n  return o.trim or true\nend\n",
		"a.lua:2  'o.trim or true' to 'o.trim ~= false'"));
	assert_true(proposes_for("a.rb", "def f\n  @taken = Hash.new([])\nend\n",
		"a.rb:2  '([])' to ' { |hash, key| hash[key] = [] }'"));
	assert_true(proposes_for("a.go",
		"package a\n\nfunc f(n int) time.Duration {\n\treturn time.Duration(n)\n}\n",
		"a.go:4  count in time.Second"));
	assert_false(proposes_for("a.go",
		"package a\n\nfunc f(n int) time.Duration {\n\treturn time.Duration(n) * time.Second\n}\n",
		"a.go:4  count in time.Second"));
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

static void the_opposite_of_a_comparison_is_another_sign(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct repair_file file = {.path = "a.py", .text = "x = 1\n", .n = 6};
	struct test_report report = {0};
	const struct source *source = repair_new(&arena, &file, 1, &report)->sources;
	static const char *const pairs[][2] = {{"a < b", "a >= b"}, {"a in b", "a not in b"},
		{"a not in b", "a in b"}, {"a is not None", "a is None"}, {"a != 0", "a == 0"},
		{"a < b and c", "not (a < b and c)"}, {"a", "not a"}, {"f(a < b)", "not (f(a < b))"},
		{"a < b < c", "not (a < b < c)"}};
	for (size_t i = 0; i < ARRAY_SIZE(pairs); i++)
		assert_string_equal(phrase_not(source, &arena, pairs[i][0]), pairs[i][1]);
}

static bool comes(const char *path, const char *text, const char *output, const char *description)
{
	return proposes_after(path, text, strlen(text), output, description);
}

static void what_may_be_nothing_is_asked_in_its_place(void **state)
{
	(void)state;
	assert_true(comes("a.js", "function f(a) {\n  return a.b.c;\n}\n",
		"a.js:2:16\nTypeError: Cannot read properties of undefined (reading 'c')\n",
		"a.js:2  '?.' after a.b"));
	assert_true(comes("a.py", "def f(d, k):\n    return d[k]\n", "a.py:2: KeyError: 'x'\n",
		"a.py:2  '[k]' to '.get(k, 0)'"));
}

static void libraries_are_known(void **state)
{
	(void)state;
	assert_true(proposes_for(
		"a.js", "function f(xs) {\n  return xs.sort();\n}\n", "a.js:2  sort by (a, b) => a - b"));
	assert_true(proposes_for("a.c", "int f(int a, int n)\n{\n\treturn a % n;\n}\n",
		"a.c:3  'a % n' to '((a % n) + n) % n'"));
	assert_true(proposes_for(
		"a.js", "function f(s) {\n  return s.replace(/a+/, '');\n}\n", "a.js:2  with the flag g"));
	assert_true(proposes_for("a.py",
		"def g(xs, key=None):\n    return xs\n\ndef f(xs, key):\n    return g(xs)\n",
		"a.py:5  one more argument, key=key"));
}

UNIT(questions)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(loops_and_choices_ask_too),
		cmocka_unit_test(rust_gives_back_without_a_word),
		cmocka_unit_test(brackets_join_questions),
		cmocka_unit_test(what_is_awaited_elsewhere_is_awaited_first),
		cmocka_unit_test(arms_of_a_choice_change_places),
		cmocka_unit_test(an_arm_may_have_no_condition),
		cmocka_unit_test(defaults_and_units_of_libraries),
		cmocka_unit_test(a_truth_may_stand_for_a_question),
		cmocka_unit_test(calls_stand_around_what_is_worked_out),
		cmocka_unit_test(an_object_s_own_values_are_one_off_too),
		cmocka_unit_test(the_opposite_of_a_comparison_is_another_sign),
		cmocka_unit_test(what_may_be_nothing_is_asked_in_its_place),
		cmocka_unit_test(libraries_are_known),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
