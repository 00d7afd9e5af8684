/* What a compiler would refuse is not proposed. */
#include "tests/unit/repair_fixture.h"

static const char go[] =
	"package a\n\ntype cart struct {\n\titems []int\n\tname  string\n\tlimit int\n}\n\n"
	"func (c *cart) add(n int, text string) bool {\n"
	"\tif len(c.items) > c.limit {\n\t\treturn false\n\t}\n"
	"\tfor i, item := range c.items {\n\t\tif item == n {\n\t\t\treturn i > 0\n\t\t}\n\t}\n"
	"\tc.name = text\n\treturn true\n}\n";
static const char rust[] =
	"pub struct Stack {\n    items: Vec<i64>,\n    limit: usize,\n}\n\n"
	"impl Stack {\n    pub fn put(&mut self, value: i64) -> bool {\n"
	"        if self.items.len() > self.limit {\n            return false;\n        }\n"
	"        self.items.push(value);\n        true\n    }\n}\n\n"
	"fn count(text: &str, least: usize) -> usize {\n    let mut n = 0;\n"
	"    for word in text.split(' ') {\n        if word.len() > least {\n"
	"            n += 1;\n        }\n    }\n    n\n}\n";
static const char c[] = "int f(int *items, int n, const char *name)\n{\n\tint sum = 0;\n"
						"\tfor (int i = 0; i < n; i++)\n\t\tsum += items[i];\n"
						"\tg((unsigned char)n);\n\tif (name)\n\t\treturn sum;\n\treturn n;\n}\n";

static const char java[] =
	"class A {\n    List<Integer> f(List<Object> values, Map<String, List<Integer>> sizes) {\n"
	"        List<Integer> result = new ArrayList<>();\n        Integer n = 0;\n"
	"        for (Object x : values) {\n            values.add((Integer) x);\n        }\n"
	"        return sizes.get(n);\n    }\n}\n";

static void values_of_other_kinds_are_not_taken(void **state)
{
	(void)state;
	assert_true(proposes_for("a.go", go, "a.go:14  n to i"));
	assert_false(proposes_for("a.go", go, "a.go:14  n to text"));
	assert_false(proposes_for("a.go", go, "a.go:10  limit to items"));
	assert_false(proposes_for("a.go", go, "a.go:18  'text' to 'text - 1'"));
	assert_true(proposes_for("a.go", go, "a.go:14  'n' to 'n - 1'"));
	assert_false(proposes_for("a.rs", rust, "a.rs:19  least to text"));
	assert_true(proposes_for("a.rs", rust, "a.rs:19  least to n"));
	assert_false(proposes_for("a.rs", rust, "a.rs:8  limit to items"));
	assert_true(proposes_for("a.c", c, "a.c:9  n to sum"));
	assert_false(proposes_for("a.c", c, "a.c:9  n to items"));
	static const char named[] = "id f(id x, int n, struct box b, enum way w)\n{\n\treturn n;\n}\n";
	assert_true(proposes_for("a.c", named, "a.c:3  n to x"));
	assert_true(proposes_for("a.c", named, "a.c:3  n to w"));
	assert_false(proposes_for("a.c", named, "a.c:3  n to b"));
	assert_true(proposes_for("A.java", java, "A.java:6  values to result"));
	assert_true(proposes_for("A.java", java, "A.java:8  sizes to result"));
	assert_true(proposes_for("A.java", java, "A.java:8  'n' to 'n - 1'"));
	assert_false(proposes_for("A.java", java, "A.java:8  n to values"));
	assert_false(proposes_for("A.java", java, "A.java:5  'values' to 'values.trim()'"));
	assert_false(proposes_for("A.java", java, "A.java:5  'values' to 'Math.abs(values)'"));
	assert_false(proposes_for("A.java", java, "A.java:6  insert 'values += 1;'"));
	assert_false(proposes_for("A.java", java, "A.java:6  insert 'n = values;'"));
	static const char equal[] = "class A {\n    boolean f(int a, int b, Integer c, Integer d) {\n"
								"        return a == b || c == d;\n    }\n}\n";
	assert_true(proposes_for("A.java", equal, "A.java:3  'c == d' to 'c.equals(d)'"));
	assert_false(proposes_for("A.java", equal, "A.java:3  'a == b' to 'a.equals(b)'"));
}

static void what_is_not_in_sight_is_not_taken(void **state)
{
	(void)state;
	assert_false(proposes_for("a.go", go, "a.go:10  'c.limit' to 'i'"));
	/* A name that two loops declare is known in the second, too. */
	assert_true(proposes_for("a.go",
		"package a\n\nfunc f(n int) int {\n\tx := 0\n\tfor i := 1; i < n; i++ {\n"
		"\t\tif i%2 == 0 {\n\t\t\tfor j := 1; j < i; j++ {\n\t\t\t\tx += j\n"
		"\t\t\t}\n\t\t} else {\n\t\t\tfor j := 1; j < i; j++ {\n"
		"\t\t\t\tx += i\n\t\t\t}\n\t\t}\n\t}\n\treturn x\n}\n",
		"a.go:12  i to j"));
	assert_false(proposes_for("a.c", c, "a.c:3  '0' to 'i'"));
}

static void brackets_that_hold_no_operand_stay(void **state)
{
	(void)state;
	assert_false(proposes_for("a.c", c, "a.c:6  '(unsigned char)' to '(unsigned char) - 1'"));
	assert_false(proposes_for("a.c", c, "a.c:7  '(name)' to 'g((name))'"));
	assert_false(proposes_for("a.c", c, "a.c:5  '*' to '**'"));
	assert_false(proposes_for("a.js",
		"function f(a) {\n  const b = g(a.c);\n  return { a, b };\n}\n", "a.js:3  'b' to 'g(b)'"));
}

static void a_call_has_as_many_arguments_as_its_function(void **state)
{
	(void)state;
	assert_false(proposes_for("a.rs", rust, "a.rs:11  without the argument value"));
	assert_true(
		proposes_for("a.py", "def f(a, b):\n    return a\n\ndef g(a, b):\n    return f(a)\n",
			"a.py:5  one more argument, b"));
	assert_false(
		proposes_for("a.py", "def f(a, *b):\n    return a\n\ndef g(a, b):\n    return f(b)\n",
			"a.py:5  without the argument b"));
}

/* What a loop walks through is declared before it, also where its items have the same name. */
static void a_loop_may_name_its_items_like_what_it_walks_through(void **state)
{
	(void)state;
	const char *twice = "package a\n\nfunc f(row []int, n int, text string) int {\n"
						"\tfor _, row := range row {\n\t\tif row > n {\n\t\t\treturn row\n"
						"\t\t}\n\t}\n\treturn 0\n}\n";
	const char *outside = "package a\n\nvar f = func(row []int, n int) int {\n"
						  "\tfor _, row := range row {\n\t\tif row > n {\n\t\t\treturn row\n"
						  "\t\t}\n\t}\n\treturn 0\n}\n";
	const char *rows = "fn f(row: &[i64], n: i64) -> i64 {\n    for row in &row {\n"
					   "        if *row > n {\n            return 1;\n        }\n    }\n"
					   "    0\n}\n";
	assert_true(proposes_for("a.go", twice, "a.go:5  '>' to '>='"));
	assert_true(proposes_for("a.go", twice, "a.go:5  row to n"));
	assert_false(proposes_for("a.go", twice, "a.go:5  row to text"));
	assert_true(proposes_for("a.go", outside, "a.go:5  '>' to '>='"));
	assert_false(proposes_for("a.go", outside, "nothing of it, so that all is looked at"));
	assert_true(proposes_for("a.rs", rows, "a.rs:3  '>' to '>='"));
	assert_false(proposes_for("a.rs", rows, "nothing of it, so that all is looked at"));
}

UNIT(kinds)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(values_of_other_kinds_are_not_taken),
		cmocka_unit_test(a_loop_may_name_its_items_like_what_it_walks_through),
		cmocka_unit_test(what_is_not_in_sight_is_not_taken),
		cmocka_unit_test(brackets_that_hold_no_operand_stay),
		cmocka_unit_test(a_call_has_as_many_arguments_as_its_function),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
