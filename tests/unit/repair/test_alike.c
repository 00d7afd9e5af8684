/* What other places of a program do alike: what is proposed of it. */
#include "tests/unit/repair_fixture.h"

static void an_argument_is_wrapped_as_that_of_other_calls_is(void **state)
{
	(void)state;
	static const char js[] =
		"function f(obj) {\n  if (isText(obj)) {\n    return boxed(show(String(obj)));\n  }\n"
		"  return boxed(Number(obj));\n}\n";
	static const char more[] =
		"def f(a, b):\n    return g(1, clean(a))\n\ndef h(a, b):\n    return g(a, b.text)\n";
	assert_true(proposes_for("a.js", js, "a.js:5  'Number(obj)' to 'show(Number(obj))'"));
	assert_true(proposes_for("a.py", more, "a.py:5  'b.text' to 'clean(b.text)'"));
	assert_false(proposes_for("a.py", "def f(a, b):\n    return g(clean(a))\n",
		"a.py:2  'clean(a)' to 'clean(clean(a))'"));
}

static void a_line_is_changed_alike_in_all_its_places(void **state)
{
	(void)state;
	assert_true(proposes_for("a.py",
		"def f(n, short):\n    return f\"{n}B\" if short else f\"{n} Bytes\"\n",
		"a.py  'n' to 'int(n)' at 2 places (line 2)"));
	assert_true(proposes_for("a.js",
		"function f(a, b, start) {\n  while (a > 0 && b > 0) g(a--, b--);\n  return a;\n}\n",
		"a.js  '0' to 'start' at 2 places (line 2)"));
}

static void a_row_of_names_gets_another_of_their_object(void **state)
{
	(void)state;
	static const char py[] =
		"import kinds as T\n\ndef f(kind):\n    if kind is T.Name:\n        return False\n"
		"    return kind in (T.Space, T.Comment.Single)\n";
	assert_true(proposes_for("a.py", py, "a.py:6  T.Name is a member, too"));
	assert_false(proposes_for("a.py", py, "a.py:6  T.Space is a member, too"));
	assert_false(
		proposes_for("a.py", "def f(T, a):\n    a = T.Name\n    return g(T.Space, T.Line)\n",
			"a.py:3  T.Name is a member, too"));
}

static void a_comparison_may_forget_a_field(void **state)
{
	(void)state;
	static const char py[] =
		"class Point:\n    def __init__(self, x, y, z):\n"
		"        self.x, self.y, self.z = x, y, z\n\n    def __eq__(self, other):\n"
		"        return self.x == other.x and self.y == other.y\n\n    def __hash__(self):\n"
		"        return hash((self.x, self.y))\n\ndef ordered(points):\n"
		"    return sorted(points, key=lambda p: p.x)\n";
	static const char cpp[] =
		"bool operator<(const Route &a, const Route &b)\n{\n\treturn a.zone < b.zone;\n}\n\n"
		"int f(Route a)\n{\n\treturn a.service;\n}\n";
	static const char js[] = "const byRank = (a, b) => a.points - b.points;\n"
							 "const f = (x) => x.wins;\n";
	assert_true(proposes_for("a.py", py, "a.py:6  compare z, too"));
	assert_false(proposes_for("a.py", py, "a.py:6  compare y, too"));
	assert_true(proposes_for("a.py", py, "a.py:9  self.z is a member, too"));
	assert_true(proposes_for("a.py", py, "a.py:12  'p.x' to '(p.x, p.z)'"));
	assert_makes("a.cpp", cpp, "a.cpp:3  compare service where zone is equal",
		"bool operator<(const Route &a, const Route &b)\n{\n"
		"\tif (a.zone != b.zone)\n\t\treturn a.zone < b.zone;\n"
		"\treturn a.service < b.service;\n}\n\nint f(Route a)\n{\n\treturn a.service;\n}\n");
	assert_true(proposes_for("a.js", js, "a.js:1  compare wins, too"));
}

static void what_ends_a_block_is_done_in_any_case(void **state)
{
	(void)state;
	assert_makes("a.js",
		"async function run(task) {\n  const result = await task();\n  count--;\n  next();\n"
		"  return result;\n}\n",
		"a.js:3  'count--; next();' also when something is thrown",
		"async function run(task) {\n  try {\n    const result = await task();\n"
		"    return result;\n  } finally {\n    count--;\n    next();\n  }\n}\n");
	assert_makes("a.py",
		"def run(lock):\n    lock.acquire()\n    for x in xs():\n        f(x)\n    "
		"lock.release()\n",
		"a.py:5  'lock.release()' also when something is thrown",
		"def run(lock):\n    lock.acquire()\n    try:\n        for x in xs():\n            f(x)\n"
		"    finally:\n        lock.release()\n");
	assert_false(proposes_for("a.py", "def f(x):\n    x = 1\n    g(x)\n",
		"a.py:3  'g(x)' also when something is thrown"));
}

static void numbers_are_cut_down_to_their_bits(void **state)
{
	(void)state;
	static const char c[] = "int f(uint16_t now, uint16_t start, const char *s)\n{\n"
							"\tif (g(s[0]) && now - start > 9)\n\t\treturn 1;\n\treturn 0;\n}\n";
	assert_true(proposes_for("a.c", c, "a.c:3  'now - start' to '(uint16_t)(now - start)'"));
	assert_true(proposes_for("a.c", c, "a.c:3  's[0]' to '(unsigned char)s[0]'"));
}

static void what_holds_an_expression_in_a_text_is_no_operand(void **state)
{
	(void)state;
	static const char py[] = "def f(user):\n    return f\"{user.first} of {user.last}\"\n";
	static const char js[] = "function f(user) {\n  return `${user.first} of ${user.last}`;\n}\n";
	assert_true(proposes_for("a.py", py, "a.py:2  'user.first' to 'len(user.first)'"));
	assert_false(proposes_for("a.py", py, "a.py:2  '{user.first}' to 'len({user.first})'"));
	assert_false(proposes_for("a.js", js, "a.js:2  '${user.first}' to 'user.first'"));
}

static void lengths_count_characters(void **state)
{
	(void)state;
	assert_true(
		proposes_for("a.rs", "fn f(a: &str, b: &str) -> bool {\n    a.len() == b.len()\n}\n",
			"a.rs  'len()' to 'chars().count()' at 2 places (line 2)"));
	assert_true(proposes_for("a.go", "package a\n\nfunc f(a string) int {\n\treturn len(a)\n}\n",
		"a.go:4  'len(a)' to 'len([]rune(a))'"));
	assert_false(proposes_for("a.go", "package a\n\nfunc f(a []int) int {\n\treturn len(a)\n}\n",
		"a.go:4  'len(a)' to 'len([]rune(a))'"));
}

static void an_operator_does_not_know_all_operands(void **state)
{
	(void)state;
	static const char py[] = "class A:\n    def __eq__(self, other):\n"
							 "        if not isinstance(other, A):\n            return False\n"
							 "        return self.x == other.x\n\n    def same(self):\n"
							 "        return False\n";
	assert_true(proposes_for("a.py", py, "a.py:4  'False' to 'NotImplemented'"));
	assert_false(proposes_for("a.py", py, "a.py:8  'False' to 'NotImplemented'"));
}

static void what_other_methods_set_back_is_set_back_here(void **state)
{
	(void)state;
	static const char py[] = "class Clock:\n    def __init__(self):\n        self.since = None\n\n"
							 "    def start(self, now):\n        self.since = now\n\n"
							 "    def stop(self):\n        self.settle()\n";
	static const char twice[] =
		"class Clock:\n    def clear(self):\n        self.since = None\n        self.left = 0\n"
		"        self.since = None\n\n    def start(self):\n        self.since = None\n"
		"        self.left = 0\n";
	static const char ruby[] = "class Invoice\n  def initialize\n    @total = nil\n  end\n\n"
							   "  def add(x)\n    @lines.push(x)\n    x.log\n  end\nend\n";
	assert_true(proposes_for("a.py", py, "a.py:9  insert 'self.since = None' after it"));
	assert_false(proposes_for("a.py", py, "a.py:3  insert 'self.since = None' after it"));
	assert_false(proposes_for("a.py", twice, "a.py:5  insert 'self.since = None' after it"));
	assert_true(proposes_for("a.rb", ruby, "a.rb:7  insert '@total = nil'"));
}

static void what_a_class_asks_for_is_kept(void **state)
{
	(void)state;
	static const char py[] = "class A:\n    def __init__(self, size):\n        self.n = 0\n\n"
							 "    def f(self):\n        if self.size:\n            return 1\n";
	assert_true(proposes_for("a.py", py, "a.py:3  insert 'self.size = size'"));
}

static void a_method_that_does_more_is_called_for_what_it_calls(void **state)
{
	(void)state;
	static const char js[] =
		"class Sheet {\n  forget(key) {\n    this.values.delete(key);\n"
		"    for (const user of this.users(key)) this.values.delete(user);\n  }\n\n"
		"  set(key) {\n    this.values.delete(key);\n  }\n}\n";
	static const char patch[] = "function patch(base, change) {\n  const more = change.of(base);\n"
								"  return Object.assign(base.part, more);\n}\n";
	assert_true(
		proposes_for("a.js", js, "a.js:4  'this.values.delete(user)' to 'this.forget(user)'"));
	assert_true(
		proposes_for("a.js", js, "a.js:8  'this.values.delete(key)' to 'this.forget(key)'"));
	assert_true(proposes_for(
		"a.js", patch, "a.js:3  'Object.assign(base.part, more)' to 'patch(base.part, more)'"));
}

UNIT(alike)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_argument_is_wrapped_as_that_of_other_calls_is),
		cmocka_unit_test(a_line_is_changed_alike_in_all_its_places),
		cmocka_unit_test(a_row_of_names_gets_another_of_their_object),
		cmocka_unit_test(what_holds_an_expression_in_a_text_is_no_operand),
		cmocka_unit_test(what_other_methods_set_back_is_set_back_here),
		cmocka_unit_test(what_a_class_asks_for_is_kept),
		cmocka_unit_test(a_method_that_does_more_is_called_for_what_it_calls),
		cmocka_unit_test(a_comparison_may_forget_a_field),
		cmocka_unit_test(what_ends_a_block_is_done_in_any_case),
		cmocka_unit_test(numbers_are_cut_down_to_their_bits),
		cmocka_unit_test(lengths_count_characters),
		cmocka_unit_test(an_operator_does_not_know_all_operands),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
