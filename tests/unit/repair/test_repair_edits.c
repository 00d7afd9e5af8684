/* What repair proposes, language by language and kind by kind. */
#include "tests/unit/repair_fixture.h"

static void each_language_is_edited_in_its_own_words(void **state)
{
	(void)state;
	assert_true(proposes_for("a.py", "x = a // b\n", "a.py:1  '//' to '%'"));
	assert_false(proposes_for("a.c", "x = a / b;\n", "a.c:1  '/' to '//'"));
	assert_true(proposes_for("a.py", "if a is not None: f()\n", "a.py:1  'is not' to 'is'"));
	assert_true(proposes_for(
		"a.py", "x = a if c else b\n", "a.py:1  swap the branches of the conditional"));
	assert_true(
		proposes_for("a.js", "x = c ? a : b;\n", "a.js:1  swap the branches of the conditional"));
	assert_true(proposes_for("a.py", "return g[i][j]\n", "a.py:1  swap the indices"));
	assert_true(proposes_for("a.rs", "for i in 0..n {}\n", "a.rs:1  '..' to '..='"));
	assert_true(proposes_for("a.sh", "if [ $a -lt 3 ]; then f; fi\n", "a.sh:1  '-lt' to '-le'"));
	assert_true(proposes_for("a.go", "return b, a\n", "a.go:1  swap 'b' and 'a'"));
	assert_true(
		proposes_for("A.java", "if (s.startsWith(p)) f();\n", "A.java:1  startsWith to endsWith"));
	assert_true(proposes_for("a.rb", "x = true\n", "a.rb:1  'true' to 'false'"));
	assert_true(proposes_for("a.py", "if not (a and b): f()\n", "a.py:1  'and' to 'or'"));
	assert_true(proposes_for(
		"a.ts", "const f = (a: number) => g(h, a);\n", "a.ts:1  swap the arguments of g"));
	assert_true(proposes_for(
		"a.cc", "return a.size() + n - 1;\n", "a.cc:1  'a.size() + n - 1' to 'a.size() + n'"));
}

static void a_branch_that_lacks_is_what_the_other_one_does(void **state)
{
	(void)state;
	static const char python[] = "def f(xs):\n    even = 0\n    odd = 0\n    for x in xs:\n"
								 "        if x % 2 == 0:\n            even += 1\n"
								 "    return even, odd\n";
	static const char script[] = "function f(xs) {\n  let a = 0\n  let b = 0\n"
								 "  for (const x of xs) {\n    if (x) {\n      a++\n    }\n  }\n"
								 "  return [a, b]\n}\n";
	assert_true(proposes_for("a.py", python, "a.py:5  else 'odd += 1'"));
	assert_true(proposes_for("a.py", python, "a.py:5  else 'even -= 1'"));
	assert_true(proposes_for("a.js", script, "a.js:5  else 'b++'"));
	assert_true(proposes_for("a.js", script, "a.js:5  else 'a--'"));
	assert_false(proposes_for("a.py",
		"def f(a):\n    b = 0\n    if a:\n        a += 1\n    else:\n        g()\n    return b\n",
		"a.py:3  else 'b += 1'"));
}

static void a_variable_may_be_cleaned_before_it_is_asked(void **state)
{
	(void)state;
	static const char java[] = "class A {\n\tint f(String s) {\n\t\treturn g(s.toCharArray());\n"
							   "\t}\n}\n";
	assert_true(proposes_for("A.java", java, "A.java:3  's' to 's.toLowerCase()'"));
	assert_true(proposes_for(
		"a.js", "function f(s) {\n  return s.split('')\n}\n", "a.js:2  's' to 's.toLowerCase()'"));
	assert_false(proposes_for(
		"a.py", "import os\ndef f(s):\n    return os.getenv(s)\n", "a.py:3  'os' to 'os.strip()'"));
}

static void a_function_gives_back_at_its_end_what_it_does_elsewhere(void **state)
{
	(void)state;
	assert_true(proposes_for("a.py",
		"def find(x, xs):\n    for i in range(len(xs)):\n        if xs[i] == x:\n"
		"            return i\n",
		"a.py:2  insert 'return len(xs)' after it"));
	assert_true(
		proposes_for("a.js", "function has(xs) {\n  if (xs.length) {\n    return true;\n  }\n}\n",
			"a.js:2  insert 'return false;' after it"));
	assert_false(proposes_for("a.py", "def show(xs):\n    for x in xs:\n        print(x)\n",
		"a.py:2  insert 'return False' after it"));
}

static void arguments_are_swapped_but_of_symmetric_functions(void **state)
{
	(void)state;
	assert_true(proposes_for("a.py",
		"def gcd(a, b):\n    if b == 0:\n        return a\n    return gcd(a % b, b)\n",
		"a.py:4  swap the arguments of gcd"));
	assert_false(
		proposes_for("a.py", "from math import gcd\ndef f(a, b):\n    return gcd(a % b, b)\n",
			"a.py:3  swap the arguments of gcd"));
}

static void several_statements_go_into_a_block_together(void **state)
{
	(void)state;
	static const char text[] = "def f(xs):\n    while xs:\n        x = xs[0]\n    g(x)\n"
							   "    xs.remove(x)\n    return xs\n";
	assert_true(proposes_for("a.py", text, "a.py:4  move into the block before"));
	assert_true(proposes_for("a.py", text, "a.py:4  move 2 statements into the block before"));
	assert_false(proposes_for("a.py", text, "a.py:4  move 3 statements into the block before"));
	assert_true(proposes_for("a.py",
		"def f(xs):\n    for x in xs:\n        g(x)\n        h(x)\n        i(x)\n",
		"a.py:4  move 2 statements out of the block"));
}

static void a_boundary_is_taken_in_by_all_comparisons(void **state)
{
	(void)state;
	assert_true(proposes_for("a.py",
		"def f(a, b, c):\n    if a > b and a < c:\n        return a\n    return b\n",
		"a.py  take the boundary in at 2 places (line 2)"));
}

static void what_a_copy_changed_once_it_changes_everywhere(void **state)
{
	(void)state;
	static const char python[] = "def f(a, b):\n    x = a.left < b.right and b.left < a.right\n"
								 "    y = a.top < b.bottom and b.top < a.right\n"
								 "    return x and y\n";
	assert_true(proposes_for("a.py", python, "a.py:3  'right' to 'bottom'"));
	assert_true(
		proposes_for("a.js", "p[0] = f(a, q[0], r)\np[1] = f(a, q[0], r)\np[2] = f(a, q[2], r)\n",
			"a.js:2  '0' to '1'"));
	static const char names[] = "def f(self, start, end):\n"
								"    self.start_time = start.read(self.start_of)\n"
								"    self.end_time = end.read(self.start_of)\n"
								"    return self.end_of\n";
	assert_true(proposes_for("a.py", names, "a.py:3  'start_of' to 'end_of'"));
}

static void what_is_too_much_is_left_out(void **state)
{
	(void)state;
	assert_true(proposes_for("a.py", "x = a * b * c * d\n", "a.py:1  'a * b * c * d' to 'a * b'"));
	assert_true(proposes_for("a.py", "x = a in (1, 2, 3)\n", "a.py:1  without 2"));
	assert_true(proposes_for("a.js", "x = ['a', 'b', 'c'];\n", "a.js:1  without 'a'"));
}

static void what_comes_in_binds_as_closely_as_what_it_replaces(void **state)
{
	(void)state;
	static const char python[] = "def f(a, b, c, d):\n    d = b + c\n    return -d * a\n";
	assert_true(proposes_for("a.py", python, "a.py:3  'a' to '(b + c)'"));
	assert_false(proposes_for("a.py", python, "a.py:3  'a' to 'b + c'"));
	assert_false(proposes_for("a.py", python, "a.py:3  'd' to 'b + c'"));
	static const char ask[] = "def f(a, b):\n    return a >= -99 and b <= 99\n";
	assert_false(proposes_for("a.py", ask, "a.py:2  '-99 and b <= 99' to '(-99 and b <= 99)'"));
	assert_false(proposes_for("a.py", ask, "a.py:2  '99' to 'b <= 99'"));
	assert_false(proposes_for("a.rs", "for i in 0..n {}\n", "a.rs:1  '..' to '...'"));
}

static void all_of_a_list_is_asked(void **state)
{
	(void)state;
	assert_true(proposes_for("a.py", "x = f([int(i) for i in s][-1])\n",
		"a.py:1  '[int(i) for i in s][-1]' to 'sum([int(i) for i in s])'"));
	assert_true(proposes_for(
		"a.py", "def f(xs, k):\n    return sum(x for x in xs)\n", "a.py:2  'xs' to 'xs[:k]'"));
	assert_true(proposes_for("a.js", "function f(n) {\n  n = n - n % 10\n  return n\n}\n",
		"a.js:2  'n - n % 10' to '(n - n % 10) / 10'"));
	assert_false(proposes_for("a.py", "def f(n: int):\n    return n == 2\n", "a.py:2  n to int"));
}

static void a_header_may_be_of_cpp(void **state)
{
	(void)state;
	static const char cpp[] = "#include <vector>\nusing namespace std;\n"
							  "vector<int> f(vector<int> xs) {\n    return xs;\n}\n";
	assert_false(proposes_for("a.h", cpp, "a.h:3  '<' to '<='"));
	assert_false(proposes_for("a.h", cpp, "a.h:3  '<' to '>'"));
	assert_true(
		proposes_for("a.h", "static int f(int a) { return a < 3; }\n", "a.h:1  '<' to '<='"));
}

static void attributes_and_imports_of_rust_are_left_alone(void **state)
{
	(void)state;
	static const char rust[] = "#![allow(dead_code, unused)]\n\n"
							   "use std::{cmp::{max, self}, mem::replace};\n"
							   "#[macro_use]\nextern crate log;\n\n"
							   "#[inline]\nfn f(a: i32, b: i32) -> i32 {\n    a + b\n}\n";
	AUTO_ARENA arena = ARENA_INIT;
	struct repair_file file = {.path = "a.rs", .text = rust, .n = strlen(rust), .editable = true};
	struct test_report report = {0};
	struct repair *repair = repair_new(&arena, &file, 1, &report);
	size_t n = 0;
	for (struct candidate candidate; repair_next(repair, &candidate); n++)
		if (!text_starts_with(candidate.edit.description, "a.rs:8 ") &&
			!text_starts_with(candidate.edit.description, "a.rs:9 ") &&
			!text_starts_with(candidate.edit.description, "a.rs  "))
			fail_msg("%s", candidate.edit.description);
	assert_true(n > 20);
}

static void a_target_is_changed_together_with_what_is_read(void **state)
{
	(void)state;
	assert_makes("a.go",
		"package a\n\nfunc f(xs []int) []int {\n\tout := make([]int, 0)\n"
		"\tfor _, x := range xs {\n\t\txs = append(xs, x)\n\t}\n\treturn out\n}\n",
		"a.go:6  xs to out, also where it is read",
		"package a\n\nfunc f(xs []int) []int {\n\tout := make([]int, 0)\n"
		"\tfor _, x := range xs {\n\t\tout = append(out, x)\n\t}\n\treturn out\n}\n");
}

static void what_delegates_is_proposed_for_what_it_is_named_like(void **state)
{
	(void)state;
	static const char go[] = "package a\n"
							 "func nestedToSql(s Part) string { return s.ToSql() }\n"
							 "func (k *Key) Mapped() string { return k.mapper(k.value) }\n"
							 "func f(getenv func(string) string, p Part, k *Key) string {\n"
							 "\treturn p.ToSql() + os.Getenv(a) + k.value\n"
							 "}\n";
	assert_true(proposes_for("a.go", go, "a.go:5  'p.ToSql()' to 'nestedToSql(p)'"));
	assert_true(proposes_for("a.go", go, "a.go:5  'os.Getenv(a)' to 'getenv(a)'"));
	assert_true(proposes_for("a.go", go, "a.go:5  'value' to 'Mapped()'"));
	assert_false(proposes_for("a.go", go, "a.go:3  'value' to 'Mapped()'"));
	static const char python[] = "def has_proper_prefix(a, b):\n    return a and a in b\n"
								 "def f(a, b):\n    return a.has_prefix(b)\n";
	assert_true(
		proposes_for("a.py", python, "a.py:4  'a.has_prefix(b)' to 'has_proper_prefix(a, b)'"));
}

/* Types are no values: what is proposed for them never compiles. */
static void a_head_in_go_stays(void **state)
{
	(void)state;
	static const char go[] = "package a\n"
							 "func (b Builder) Prefix(sql string) (text string, err error) {\n"
							 "\treturn b.join(sql), nil\n"
							 "}\n";
	AUTO_ARENA arena = ARENA_INIT;
	struct repair_file file = {.path = "a.go", .text = go, .n = strlen(go), .editable = true};
	struct test_report report = {0};
	struct repair *repair = repair_new(&arena, &file, 1, &report);
	for (struct candidate candidate; repair_next(repair, &candidate);)
		assert_false(text_starts_with(candidate.edit.description, "a.go:2 "));
}

static void whole_numbers_stay_whole(void **state)
{
	(void)state;
	assert_true(proposes_for("a.py", "x = 10000000000\n", "a.py:1  '10000000000' to '1000000000'"));
	assert_true(proposes_for("a.py", "x = 9999999999\n", "a.py:1  '9999999999' to '10000000000'"));
	static const char *const texts[] = {
		"10000000000", "123456789012345678901234567890", "0x1F", "0x1e", "0755"};
	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		AUTO_ARENA arena = ARENA_INIT;
		const char *text = arena_printf(&arena, "x = %s\n", texts[i]);
		struct repair_file file = {
			.path = "a.py", .text = text, .n = strlen(text), .editable = true};
		struct test_report report = {0};
		struct repair *repair = repair_new(&arena, &file, 1, &report);
		for (struct candidate candidate; repair_next(repair, &candidate);)
			assert_null(strchr(strstr(candidate.edit.description, "  "), '.'));
	}
	assert_true(proposes_for("a.py", "x = 0.2\n", "a.py:1  '0.2' to '0.8'"));
}

static void lua_is_edited_in_its_own_words(void **state)
{
	(void)state;
	assert_true(
		proposes_for("a.lua", "for k, v in pairs(t) do f() end\n", "a.lua:1  pairs to ipairs"));
	assert_true(proposes_for("a.lua", "if a == b then f() end\n", "a.lua:1  '==' to '~='"));
	assert_true(proposes_for("a.lua", "x = a .. b\n", "a.lua:1  '..' to '+'"));
	assert_false(proposes_for("a.lua", "x = a .. b\n", "a.lua:1  '..' to '...'"));
	assert_true(proposes_for("a.lua", "if a then f() end\n", "a.lua:1  'a' to 'not a'"));
	assert_true(proposes_for("a.lua", "for i = 1, #t do f() end\n", "a.lua:1  '#t' to '#t - 1'"));
	assert_true(proposes_for(
		"a.lua", "local function f(t)\n  t.n = t.m\nend\n", "a.lua:2  '=' to '= t.n +'"));
	assert_true(proposes_for("a.lua", "local function f(t)\n  local n = 0\n  return n\nend\n",
		"a.lua:2  insert 'if #t == 0 then return 0 end'"));
	assert_true(proposes_for("a.lua",
		"local function f(t)\n  for i = 1, #t do\n    g(t[i])\n  end\n  return 1\nend\n",
		"a.lua:3  insert 'break'"));
	assert_false(proposes_for("a.lua",
		"local function f(t)\n  for i = 1, #t do\n    g(t[i])\n  end\n  return 1\nend\n",
		"a.lua:3  insert 'continue'"));
}

static void php_is_edited_in_its_own_words(void **state)
{
	(void)state;
	assert_true(
		proposes_for("a.php", "<?php $x = array_pop($y);\n", "a.php:1  array_pop to array_shift"));
	assert_true(proposes_for("a.php", "<?php $x = $a + ' ' . $b;\n", "a.php:1  '+' to '.'"));
	assert_true(proposes_for("a.php", "<?php if ($a == $b) f();\n", "a.php:1  '==' to '==='"));
	assert_true(proposes_for("a.php", "<?php if ($a) f();\n", "a.php:1  '$a' to '!$a'"));
	assert_true(proposes_for("a.php",
		"<?php $x = f($total, count);\n"
		"$count = 1;\n",
		"a.php:1  'count' to '$count'"));
	assert_true(
		proposes_for("a.php", "<?php return $this->$name;\n", "a.php:1  '$name' to 'name'"));
	assert_true(
		proposes_for("a.php", "<?php foreach ($a as $k => $v) { f($k); }\n", "a.php:1  $k to $v"));
	assert_true(proposes_for("a.php",
		"<?php\nclass A {\n  function f($x) {\n    $this->sum = $x;\n    return $sum;\n  }\n}\n",
		"a.php:5  '$sum' to '$this->sum'"));
	assert_true(proposes_for("a.php",
		"<?php\n"
		"function f($xs) {\n"
		"    $n = $xs[0];\n"
		"    return $n;\n"
		"}\n",
		"a.php:3  insert 'if (empty($xs)) { return 0; }'"));
	assert_false(proposes_for("a.php",
		"<?php\n"
		"function f($n) {\n"
		"    return $n;\n"
		"}\n",
		"a.php:2  f to $n"));
}

static void perl_is_edited_in_its_own_words(void **state)
{
	(void)state;
	assert_true(proposes_for("a.pl", "if ($a == $b) { f() }\n", "a.pl:1  '==' to 'eq'"));
	assert_true(proposes_for("a.pl", "my @s = sort { $a <=> $b } @l;\n", "a.pl:1  '<=>' to 'cmp'"));
	assert_true(proposes_for("a.pl", "push @list, $x;\n", "a.pl:1  push to unshift"));
	assert_true(proposes_for("a.pl", "my $n = lc $x;\n", "a.pl:1  lc to uc"));
	assert_true(
		proposes_for("a.pl", "my @list = (1); my $n = f($list);\n", "a.pl:1  '$list' to '@list'"));
	assert_true(
		proposes_for("a.pl", "my $total = 1; return total + 1;\n", "a.pl:1  'total' to '$total'"));
	assert_true(proposes_for("a.pl",
		"sub f {\n"
		"    my ($x, $y) = @_;\n"
		"    return $x;\n"
		"}\n",
		"a.pl:3  $x to $y"));
	assert_true(proposes_for("a.pl",
		"sub f {\n"
		"    my ($x) = @_;\n"
		"    return 1 if $x;\n"
		"}\n",
		"a.pl:3  '$x' to '!$x'"));
	assert_true(proposes_for("a.pl", "f() unless $x || $y;\n", "a.pl:1  'unless' to 'if'"));
	assert_true(proposes_for("a.pl",
		"for my $x (@l) {\n"
		"    next if $x;\n"
		"}\n",
		"a.pl:2  'next' to 'last'"));
	assert_true(proposes_for("a.pl",
		"sub f {\n"
		"    my (@l) = @_;\n"
		"    my $n = $l[0];\n"
		"    return $n;\n"
		"}\n",
		"a.pl:3  insert 'if (!@l) { return 0; }'"));
	assert_true(proposes_for("a.pl", "use constant LIMIT => 10;\n", "a.pl:1  '10' to '11'"));
	assert_false(proposes_for("a.pl", "my $x = $h{key};\n", "a.pl:1  key to $x"));
}

UNIT(repair_edits)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_language_is_edited_in_its_own_words),
		cmocka_unit_test(a_branch_that_lacks_is_what_the_other_one_does),
		cmocka_unit_test(a_variable_may_be_cleaned_before_it_is_asked),
		cmocka_unit_test(a_function_gives_back_at_its_end_what_it_does_elsewhere),
		cmocka_unit_test(arguments_are_swapped_but_of_symmetric_functions),
		cmocka_unit_test(several_statements_go_into_a_block_together),
		cmocka_unit_test(a_boundary_is_taken_in_by_all_comparisons),
		cmocka_unit_test(what_a_copy_changed_once_it_changes_everywhere),
		cmocka_unit_test(what_is_too_much_is_left_out),
		cmocka_unit_test(what_comes_in_binds_as_closely_as_what_it_replaces),
		cmocka_unit_test(all_of_a_list_is_asked),
		cmocka_unit_test(a_header_may_be_of_cpp),
		cmocka_unit_test(attributes_and_imports_of_rust_are_left_alone),
		cmocka_unit_test(a_target_is_changed_together_with_what_is_read),
		cmocka_unit_test(what_delegates_is_proposed_for_what_it_is_named_like),
		cmocka_unit_test(a_head_in_go_stays),
		cmocka_unit_test(whole_numbers_stay_whole),
		cmocka_unit_test(lua_is_edited_in_its_own_words),
		cmocka_unit_test(php_is_edited_in_its_own_words),
		cmocka_unit_test(perl_is_edited_in_its_own_words),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
