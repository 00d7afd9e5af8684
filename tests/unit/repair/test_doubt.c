/* What hardly any fix does comes later, or not at all. */
#include "tests/unit/repair_fixture.h"

/* The cost of the candidate that says so, in bits. */
static double cost_of(const char *path, const char *text, const char *description)
{
	AUTO_ARENA arena = ARENA_INIT;
	struct repair_file file = {.path = path, .text = text, .n = strlen(text), .editable = true};
	struct test_report report = {0};
	struct repair *repair = repair_new(&arena, &file, 1, &report);
	for (struct candidate candidate; repair_next(repair, &candidate);)
		if (strcmp(candidate.edit.description, description) == 0)
			return candidate.cost;
	fail_msg("nobody proposes %s", description);
	return 0;
}

static void assert_earlier(
	const char *path, const char *text, const char *description, const char *other)
{
	assert_true(cost_of(path, text, description) < cost_of(path, text, other));
}

static void an_operation_that_changes_nothing_comes_later(void **state)
{
	(void)state;
	static const char sum[] = "def f(x):\n    return x % 1.0 + 1.0\n";
	assert_earlier("a.py", sum, "a.py:2  'x % 1.0 + 1.0' to 'x % 1.0'", "a.py:2  '+' to '*'");
	static const char sign[] = "def f(x, y):\n    return x * y * -1\n";
	static const char more[] = "def f(x):\n    return 1 + f(x[1:])\n";
	assert_earlier("a.py", more, "a.py:2  '1 + f(x[1:])' to 'f(x[1:])'", "a.py:2  '+' to '*'");
	assert_earlier("a.py", sign, "a.py:2  'x * y * -1' to 'x * y'", "a.py:2  '-1' to '1'");
}

static void a_statement_that_changes_nothing_comes_later(void **state)
{
	(void)state;
	static const char copy[] = "def f(xs, i, j):\n    xs[j] = xs[i]\n    return g(xs)\n";
	assert_earlier("a.py", copy, "a.py:2  remove 'xs[j] = xs[i]'", "a.py:2  j to i");
	static const char push[] = "function f(n) {\n  let t = [];\n  for (let i = 0; i < n; i++) {\n"
							   "    t.push(i);\n    t.push(n);\n  }\n  return t;\n}\n";
	assert_earlier("a.js", push, "a.js:5  remove 't.push(n);'", "a.js:5  without the argument n");
}

static void an_operator_with_the_same_on_both_sides_comes_later(void **state)
{
	(void)state;
	static const char twice[] = "def f(n):\n    return n >= 8 and n <= 8\n";
	assert_earlier(
		"a.py", twice, "a.py:2  'n >= 8 and n <= 8' to 'n >= 8'", "a.py:2  '<=' to '>='");
	static const char pair[] = "def f(x, y, z):\n    return abs(x - y) + abs(y - x) + z\n";
	assert_earlier("a.py", pair, "a.py:2  swap the operands 'x' and 'y'", "a.py:2  x to y");
}

static void a_loop_may_leave_one_of_its_names_unread(void **state)
{
	(void)state;
	static const char loop[] = "def f(xs):\n    out = []\n    for j, x in enumerate(xs):\n"
							   "        out.append(x)\n        out.append(j)\n    return out\n";
	assert_earlier("a.py", loop, "a.py:5  remove 'out.append(j)'",
		"a.py:3  remove 'for j, x in "
		"enumerate(xs): out.append(x) out.append(j)'");
	assert_true(cost_of("a.py", loop, "a.py:5  remove 'out.append(j)'") < 7);
}

static void a_negation_is_not_negated(void **state)
{
	(void)state;
	assert_false(proposes_for("a.py",
		"def f(xs):\n    out = []\n    for x in xs:\n        if not out:\n            continue\n"
		"        out.append(x)\n    return out\n",
		"a.py:6  insert 'if not (not out): continue'"));
}

static void what_is_calculated_is_no_cleaning_up(void **state)
{
	(void)state;
	static const char late[] = "def f(xs):\n    a = g(xs)\n    b = list(a)\n    return a\n";
	assert_false(proposes_for("a.py", late, "a.py:3  'b = list(a)' also when something is thrown"));
	static const char flag[] = "def f(xs):\n    a = g(xs)\n    xs.close()\n    return a\n";
	assert_true(proposes_for("a.py", flag, "a.py:3  'xs.close()' also when something is thrown"));
}

/* A number that bounds is moved as an operator is changed: it serves no test alone. */
static void a_bound_is_no_literal(void **state)
{
	(void)state;
	static const char range[] = "def f(xs):\n    for i in range(1, len(xs)):\n"
								"        if len(xs) < 3:\n            return xs[2]\n";
	AUTO_ARENA arena = ARENA_INIT;
	struct repair_file file = {.path = "a.py", .text = range, .n = strlen(range), .editable = true};
	struct test_report report = {0};
	struct repair *repair = repair_new(&arena, &file, 1, &report);
	size_t n_found = 0;
	for (struct candidate candidate; repair_next(repair, &candidate);) {
		bool is_bound = strcmp(candidate.edit.description, "a.py:2  '1' to '0'") == 0 ||
			strcmp(candidate.edit.description, "a.py:3  '3' to '2'") == 0;
		bool is_index = strcmp(candidate.edit.description, "a.py:4  '2' to '1'") == 0;
		n_found += is_bound || is_index;
		if (is_bound || is_index)
			assert_int_equal(candidate.rank, is_bound ? CANDIDATE_OPERATOR : CANDIDATE_LITERAL);
	}
	assert_int_equal(n_found, 3);
}

static void a_text_that_is_a_statement_stays(void **state)
{
	(void)state;
	static const char documented[] = "def f(xs):\n    \"\"\"Of numbers.\"\"\"\n    return xs[0]\n";
	assert_false(proposes_for("a.py", documented, "a.py:2  remove '\"\"\"Of numbers.\"\"\"'"));
	assert_false(proposes_for("a.py", documented, "a.py:2  insert 'if not xs: return xs[0]'"));
}

UNIT(doubt)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_operation_that_changes_nothing_comes_later),
		cmocka_unit_test(a_statement_that_changes_nothing_comes_later),
		cmocka_unit_test(an_operator_with_the_same_on_both_sides_comes_later),
		cmocka_unit_test(a_loop_may_leave_one_of_its_names_unread),
		cmocka_unit_test(a_negation_is_not_negated),
		cmocka_unit_test(what_is_calculated_is_no_cleaning_up),
		cmocka_unit_test(a_bound_is_no_literal),
		cmocka_unit_test(a_text_that_is_a_statement_stays),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
