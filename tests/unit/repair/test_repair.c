/* What repair proposes for a text, and what it leaves alone. */
#include "tests/unit/unit.h"

#include "base/memory.h"
#include "repair/search.h"

/* Whether a candidate comes of a text alone that says so; NULL: any. */
static bool proposes(const char *path, const char *text, size_t n, const char *description)
{
	AUTO_ARENA arena = ARENA_INIT;
	struct repair_file file = {.path = path, .text = text, .n = n, .editable = true};
	struct test_report report = {0};
	struct repair *repair = repair_new(&arena, &file, 1, &report);
	for (struct candidate candidate; repair_next(repair, &candidate);)
		if (!description || strcmp(candidate.edit.description, description) == 0)
			return true;
	return false;
}

static bool proposes_for(const char *path, const char *text, const char *description)
{
	return proposes(path, text, strlen(text), description);
}

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

static void what_is_not_code_is_left_alone(void **state)
{
	(void)state;
	assert_false(proposes_for("a.py", "import a.b\nfrom c import d\n# 1 + 2\n'''a < b'''\n", NULL));
	assert_false(proposes_for("a.c", "#include <a.h>\n/* x < 1 */\n", NULL));
	assert_false(proposes_for("a.js", "// true\nimport { a } from 'b';\n", NULL));
	assert_false(proposes_for("a.lua", "--[[ 1 < 2\n]] -- true\n", NULL));
	assert_false(proposes_for("a.php",
		"<p>1 < 2, true</p>\n"
		"<?php // 1 < 2\n"
		"namespace A\\B;\n"
		"use C\\D;\n",
		NULL));
	assert_false(proposes_for("A.pm",
		"package A;\n"
		"use strict;\n\n"
		"=pod\n\n"
		"1 < 2\n\n"
		"=cut\n\n"
		"# 1 < 2\n"
		"__END__\n"
		"1 < 2\n",
		NULL));
	assert_false(proposes_for("a.txt", "1 + 2\n", NULL));
	assert_false(proposes_for("a.py", "", NULL));
}

static void files_that_nobody_wrote_are_left_alone(void **state)
{
	(void)state;
	assert_false(
		proposes_for("a.go", "// Code generated by stringer. DO NOT EDIT.\nvar a = 1\n", NULL));
	assert_true(proposes_for("a.go", "// Do this.\nvar a = \"DO NOT EDIT\" + b\n", NULL));
	assert_false(proposes("a.py", "x = 1\0\n", 7, NULL));
	size_t n = (size_t)5 << 20;
	AUTO_FREE char *text = memory_alloc(n + 1);
	memset(text, '1', n);
	assert_false(proposes("a.js", text, 6000, NULL)); /* one line */
	for (size_t i = 0; i < n; i += 2)
		text[i] = '\n';
	assert_true(proposes("a.js", text, 6000, NULL));
	assert_false(proposes("a.js", text, n, NULL));
}

/* Documentation whose examples are tests would be none behind a comma. */
static void nothing_joins_a_frozen_range(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	static const char text[] = "def f(a):\n"
							   "    '''\n"
							   "    >>> f(1)\n"
							   "    2\n"
							   "    '''\n"
							   "    return a - 1\n";
	size_t start = (size_t)(strstr(text, "'''") - text);
	size_t end = (size_t)(strstr(text, "    return") - 1 - text);
	struct repair_file file = {.path = "a.py",
		.text = text,
		.n = sizeof text - 1,
		.editable = true,
		.frozen_starts = &start,
		.frozen_ends = &end,
		.n_frozen = 1};
	struct test_report report = {
		.output = "  File \"a.py\", line 6\n    return a - 1\nSyntaxError: invalid syntax\n"};
	struct repair *repair = repair_new(&arena, &file, 1, &report);
	for (struct candidate candidate; repair_next(repair, &candidate);)
		for (size_t i = 0; i < candidate.edit.files[0].n; i++) {
			const struct splice *splice = &candidate.edit.files[0].splices[i];
			if (splice->offset == end && *splice->text != '\n')
				fail_msg("%s: '%s'", candidate.edit.description, splice->text);
		}
}

static void an_edit_at_several_places_names_their_own_lines(void **state)
{
	(void)state;
	assert_true(proposes_for("a.py",
		"def f(a):\n\n"
		"    if a < 1:\n"
		"        a += 1\n\n"
		"    if a < 2:\n"
		"        a += 2\n"
		"    return a\n",
		"a.py  'if' to 'while' at 2 places (lines 3, 6)"));
}

static void line_ends_and_tabs_stay(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	const char *text = "def f(a, b):\r\n\treturn a < b\r\n";
	struct repair_file file = {.path = "a.py", .text = text, .n = strlen(text), .editable = true};
	struct test_report report = {0};
	struct repair *repair = repair_new(&arena, &file, 1, &report);
	size_t n = 0;
	for (struct candidate candidate; repair_next(repair, &candidate); n++) {
		AUTO_STRBUF sb = STRBUF_INIT(STRBUF_LINE);
		struct rondo_error err;
		assert_int_equal(edit_apply(&candidate.edit.files[0], text, file.n, &sb, &err), 0);
		for (const char *at = sb.text; (at = strchr(at, '\n')); at++)
			assert_int_equal(at[-1], '\r');
		assert_null(strstr(sb.text, "  "));
		assert_true(text_ends_with(sb.text, "\r\n"));
	}
	assert_true(n > 3);
}

static void splices_are_minimal(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	const char *text = "x = a < b\n";
	struct repair_file file = {.path = "a.py", .text = text, .n = strlen(text), .editable = true};
	struct test_report report = {0};
	struct candidate candidate;
	assert_true(repair_next(repair_new(&arena, &file, 1, &report), &candidate));
	assert_string_equal(candidate.edit.description, "a.py:1  '<' to '<='");
	assert_int_equal(candidate.edit.files[0].n, 1);
	const struct splice *splice = &candidate.edit.files[0].splices[0];
	assert_int_equal(splice->offset, 7);
	assert_int_equal(splice->length, 0);
	assert_string_equal(splice->text, "=");
}

static void the_line_of_a_traceback_is_suspected_first(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	const char *text = "def f(a):\n    return a + 1\n\n\ndef g(a):\n    b = a[2]\n    return b\n";
	struct repair_file file = {
		.path = "lib/a.py", .text = text, .n = strlen(text), .editable = true};
	struct test_report report = {.output = "Traceback (most recent call last):\n"
										   "  File \"/home/ann/work/lib/a.py\", line 6, in g\n"
										   "    b = a[2]\n"
										   "IndexError: list index out of range\n"};
	struct repair *repair = repair_new(&arena, &file, 1, &report);
	const char *places[3];
	assert_int_equal(repair_suspects(repair, places, 3), 3);
	assert_string_equal(places[0], "lib/a.py:6");
	struct candidate candidate;
	assert_true(repair_next(repair, &candidate));
	assert_true(text_starts_with(candidate.edit.description, "lib/a.py:6  "));
}

/* What ran before it is no matter: nothing ran. */
static void the_line_that_does_not_compile_is_suspected_first(void **state)
{
	(void)state;
	static const char go[] = "package a\n\nfunc f(n int) []float64 {\n\txs := []float64{1, 3}\n"
							 "\tfor i := 2; i < n + 1; i++ {\n\t\txs = append(xs, 1 / 2 + 1)\n"
							 "\t\txs = append(xs, xs[i - 1] + i)\n\t}\n\treturn xs\n}\n";
	AUTO_ARENA arena = ARENA_INIT;
	struct repair_file file = {.path = "a.go", .text = go, .n = strlen(go), .editable = true};
	struct test_report report = {.output = "./a.go:7:19: invalid operation: xs[i - 1] + i "
										   "(mismatched types float64 and int)\n"};
	struct repair *repair = repair_new(&arena, &file, 1, &report);
	struct candidate candidate;
	for (int i = 0; i < 20; i++) {
		assert_true(repair_next(repair, &candidate));
		assert_true(text_starts_with(candidate.edit.description, "a.go:7  "));
	}
}

static void every_interpreter_s_places_lead_to_lines(void **state)
{
	(void)state;
	static const struct {
		const char *path, *output;
	} rows[] = {
		{"a.py", "  File \"a.py\", line 3, in f\n"},
		{"src/a.php",
			"PHP Warning:  Undefined variable $x in /home/ann/work/src/a.php on line 3\n"},
		{"src/a.php", "Uncaught Error in /home/ann/work/src/a.php:3\n"},
		{"src/a.php", "#0 /home/ann/work/src/a.php(3): f()\n"},
		{"lib/A.pm", "Can't call method \"x\" on an undefined value at lib/A.pm line 3.\n"},
		{"lib/A.pm", "\tA::f(1) called at /home/ann/work/lib/A.pm line 3\n"},
		{"lib/a.lua", "lua: ./lib/a.lua:3: attempt to index a nil value (local 'x')\n"},
		{"lib/a.lua",
			"stack traceback:\n"
			"\t[C]: in function 'error'\n"
			"\tlib/a.lua:3: in function 'f'\n"},
	};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		AUTO_ARENA arena = ARENA_INIT;
		const char *text = text_ends_with(rows[i].path, "php") ? "<?php\n"
																 "f(1);\n"
																 "f(2);\n"
															   : "f(1)\n"
																 "f(1)\n"
																 "f(2)\n";
		struct repair_file file = {
			.path = rows[i].path, .text = text, .n = strlen(text), .editable = true};
		struct test_report report = {.output = rows[i].output};
		struct repair *repair = repair_new(&arena, &file, 1, &report);
		assert_false(repair->sources[0].traced[2]);
		if (!repair->sources[0].traced[3])
			fail_msg("%s", rows[i].output);
	}
}

static void a_path_that_could_be_several_files_is_none(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct repair_file files[] = {{.path = "a/x.py", .text = "p = 1\n", .n = 6, .editable = true},
		{.path = "b/x.py", .text = "q = 1\n", .n = 6, .editable = true}};
	struct test_report report = {0};
	struct repair *repair = repair_new(&arena, files, 2, &report);
	assert_null(repair_source(repair, "x.py", 4));
	assert_ptr_equal(repair_source(repair, "b/x.py", 6), &repair->sources[1]);
	assert_ptr_equal(repair_source(repair, "/home/ann/b/x.py", 16), &repair->sources[1]);
	assert_null(repair_source(repair, "bb/x.py", 7));
	assert_null(repair_source(repair, "y.py", 4));
}

static void any_report_will_do(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct repair_file file = {.path = "a.py", .text = "x = 1\n", .n = 6, .editable = true};
	static const char *const outputs[] = {"a.py:99999999999999999999999:", "\", line 1", ":1:1:1",
		"a.py:0", "\"a.py\", line ", "name 'x' is not defined", " is not defined",
		"undefined: ", "'", "no attribute 'y", "a.py:1: a.py:-1"};
	for (size_t i = 0; i < ARRAY_SIZE(outputs); i++) {
		struct test_report report = {.output = outputs[i]};
		test_report_add(&report, &arena,
			&(struct test_result){.id = outputs[i],
				.status = TEST_ERROR,
				.message = outputs[i],
				.file = "a.py",
				.line = (int)i - 3});
		struct candidate candidate;
		assert_true(repair_next(repair_new(&arena, &file, 1, &report), &candidate));
	}
}

/* The queue relies on it: a line waits for its next mutation at that one's least cost. */
static void no_mutation_proposes_below_its_least_cost(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	const char *text =
		"def area(width, height):\n"
		"    whole = width * height\n"
		"    return whole\n\n\n"
		"def f(height, width, xs=[]):\n"
		"    a = f'{height}{width}' + str(area(height, width))\n    if not xs and min(xs) < 10:\n"
		"        if width is None:\n            print('%d' % a)\n        a = [], area(1), x.y\n"
		"        return xs[len(xs)] if True else xs[0][1]\n    for i in range(len(xs) - 1):\n"
		"        a += xs.keys(), area(i, 2)\n    raise ValueError(a - 1.5, sqrt, whole)\n\n\n"
		"class C:\n    def __init__(self, size):\n        self.kept = len(size) in (11, 13)\n\n"
		"    def first(self, xs):\n        xs.sort()\n        check(xs)\n"
		"        return xs[self.size]\n\n"
		"    def last(self, ys):\n        ys.sort()\n        return ys[self.size]\n\n"
		"    def __eq__(self, other):\n        found = []\n"
		"        return self.kept == other.kept\n\n"
		"    def at(self, i):\n        try:\n            return self.kept[i]\n"
		"        except KeyError:\n            return 0\n\n"
		"    def full(self):\n        return self.size\n\n"
		"    def most(self):\n        return self.size + 2 * self.kept\n";
	const char *test = "def test_f():\n    with raises(KeyError):\n        f(1, 2)\n";
	const char *script = "function g(a, b) {\n"
						 "    {\n"
						 "        a = b;\n"
						 "    }\n"
						 "    h(a);\n"
						 "    return b;\n"
						 "}\n";
	struct repair_file files[] = {
		{.path = "a.py", .text = text, .n = strlen(text), .editable = true},
		{.path = "b.js", .text = script, .n = strlen(script), .editable = true},
		{.path = "test_a.py", .text = test, .n = strlen(test)}};
	struct test_report report = {
		.output = "a.py:4: name 'heigth' is not defined\n"
				  "a.py:15: name 'sqrt' is not defined\na.py:15: SyntaxError\n"
				  "a.py:9: TypeError: '<' not supported between instances of 'NoneType' and 'int'\n"
				  "a.py:33: AttributeError: 'int' object has no attribute 'kept'\n"
				  "a.py:37: in at\nIndexError: list index out of range\n"};
	test_report_add(&report, &arena, &(struct test_result){.id = "test_f", .status = TEST_FAILED});
	struct repair *repair = repair_new(&arena, files, 3, &report);
	for (size_t m = 0; m < mutations_n; m++) {
		size_t all = 0;
		assert_true(m == 0 || mutations[m]->least >= mutations[m - 1]->least);
		for (uint32_t at = 0; at < repair->sources[0].n_lines + repair->sources[1].n_lines; at++) {
			const struct source *source = &repair->sources[at >= repair->sources[0].n_lines];
			uint32_t line =
				source == repair->sources ? at + 1 : at + 1 - (uint32_t)repair->sources[0].n_lines;
			struct proposal **proposals;
			size_t n = mutation_propose(mutations[m], repair, source, line, &arena, &proposals);
			for (size_t i = 0; i < n; i++)
				if (proposals[i]->cost < mutations[m]->least - 1e-9)
					fail_msg("%s: %s costs %g", mutations[m]->name, proposals[i]->what,
						proposals[i]->cost);
			all += n;
		}
		if (!all)
			fail_msg("%s proposes nothing", mutations[m]->name);
	}
}

/* By what is made and not by a clock: lines are opened when their turn comes. */
static void a_large_file_begins_at_once(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	AUTO_STRBUF sb = STRBUF_INIT(STRBUF_TEXT);
	for (int i = 0; i < 12500; i++)
		strbuf_addf(&sb,
			"def f%d(a, b):\n    if a < %d:\n        return b\n    return f%d(b, a + 1)\n", i, i,
			i ? i - 1 : 0);
	struct repair_file file = {.path = "a.py", .text = sb.text, .n = sb.length, .editable = true};
	struct test_report report = {.output = "a.py:30000: AssertionError\n"};
	struct repair *repair = repair_new(&arena, &file, 1, &report);
	struct candidate candidate;
	const uint32_t n_lines = 50000;
	assert_true(repair->queue.orders <= n_lines);
	assert_true(repair_next(repair, &candidate));
	assert_true(text_starts_with(candidate.edit.description, "a.py:30000  "));
	assert_true(repair->queue.orders <= n_lines + 100);
	for (int i = 0; i < 2000; i++)
		assert_true(repair_next(repair, &candidate));
	assert_true(repair->queue.n <= 3 * n_lines);
}

UNIT(repair)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_language_is_edited_in_its_own_words),
		cmocka_unit_test(a_branch_that_lacks_is_what_the_other_one_does),
		cmocka_unit_test(what_is_too_much_is_left_out),
		cmocka_unit_test(what_comes_in_binds_as_closely_as_what_it_replaces),
		cmocka_unit_test(all_of_a_list_is_asked),
		cmocka_unit_test(a_header_may_be_of_cpp),
		cmocka_unit_test(attributes_and_imports_of_rust_are_left_alone),
		cmocka_unit_test(what_delegates_is_proposed_for_what_it_is_named_like),
		cmocka_unit_test(a_head_in_go_stays),
		cmocka_unit_test(whole_numbers_stay_whole),
		cmocka_unit_test(lua_is_edited_in_its_own_words),
		cmocka_unit_test(php_is_edited_in_its_own_words),
		cmocka_unit_test(perl_is_edited_in_its_own_words),
		cmocka_unit_test(what_is_not_code_is_left_alone),
		cmocka_unit_test(files_that_nobody_wrote_are_left_alone),
		cmocka_unit_test(nothing_joins_a_frozen_range),
		cmocka_unit_test(an_edit_at_several_places_names_their_own_lines),
		cmocka_unit_test(line_ends_and_tabs_stay),
		cmocka_unit_test(splices_are_minimal),
		cmocka_unit_test(the_line_of_a_traceback_is_suspected_first),
		cmocka_unit_test(the_line_that_does_not_compile_is_suspected_first),
		cmocka_unit_test(every_interpreter_s_places_lead_to_lines),
		cmocka_unit_test(a_path_that_could_be_several_files_is_none),
		cmocka_unit_test(any_report_will_do),
		cmocka_unit_test(no_mutation_proposes_below_its_least_cost),
		cmocka_unit_test(a_large_file_begins_at_once),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
