/* The search as a whole: two edits at once, coverage, progress, what is left out, how much a fix is
 * to be believed. */
#include "tests/unit/unit.h"

#include "base/memory.h"
#include "repair/localise/trace.h"

struct fixture {
	struct arena arena;
	struct repair_file files[4];
	size_t n;
	struct test_report report;
	struct repair *repair;
};

static void add_file(struct fixture *fixture, const char *path, const char *text, bool editable)
{
	fixture->files[fixture->n++] =
		(struct repair_file){.path = path, .text = text, .n = strlen(text), .editable = editable};
}

static struct repair *begin(struct fixture *fixture)
{
	fixture->repair = repair_new(&fixture->arena, fixture->files, fixture->n, &fixture->report);
	return fixture->repair;
}

/* The place of the first candidate described so, from 1, within `most`; 0: it does not come. */
static size_t place(
	struct repair *repair, const char *description, size_t most, struct candidate *ret_candidate)
{
	for (size_t i = 1; i <= most && repair_next(repair, ret_candidate); i++)
		if (strcmp(ret_candidate->edit.description, description) == 0)
			return i;
	return 0;
}

static const char two_functions[] =
	"def add(a, b):\n    return a - b\n\n\ndef rest(a, b):\n    return a + b\n\n\ndef both(a, b):\n"
	"    return add(a, b), rest(a, b)\n";

static void what_made_progress_leads(void **state)
{
	(void)state;
	struct fixture fixture = {.n = 0};
	add_file(&fixture, "a.py", two_functions, true);
	struct candidate candidate;
	struct repair *repair = begin(&fixture);
	assert_true(place(repair, "a.py:2  '-' to '+'", 200, &candidate) > 0);
	int64_t id = candidate.id;
	assert_true(place(repair, "a.py:6  '+' to '-'", 200, &candidate) > 0);
	repair_progress(repair, id, 1);
	repair_progress(repair, id, 1); /* once is enough */
	repair_progress(repair, 12345, 1);
	repair_progress(repair, candidate.id, 0);
	assert_int_equal(repair->n_progress, 1);
	assert_true(place(repair, "a.py  '-' to '+', and '+' to '-'", 60, &candidate) > 0);
	assert_string_equal(candidate.kind, "pair");
	assert_int_equal(candidate.edit.files[0].n, 2);
	assert_true(
		candidate.edit.files[0].splices[0].offset < candidate.edit.files[0].splices[1].offset);
	arena_release(&fixture.arena);
}

static void a_pair_may_be_of_two_files(void **state)
{
	(void)state;
	struct fixture fixture = {.n = 0};
	add_file(&fixture, "a.py", "def add(a, b):\n    return a - b\n", true);
	add_file(&fixture, "b.py", "def rest(a, b):\n    return a + b\n", true);
	struct candidate candidate;
	struct repair *repair = begin(&fixture);
	assert_true(place(repair, "b.py:2  '+' to '-'", 100, &candidate) > 0);
	repair_progress(repair, candidate.id, 2);
	assert_true(place(repair, "a.py  '-' to '+', and b.py: '+' to '-'", 200, &candidate) > 0);
	assert_int_equal(candidate.edit.n, 2);
	assert_string_equal(candidate.edit.files[1].path, "b.py");
	assert_non_null(candidate.edit.files[1].base_hash);
	arena_release(&fixture.arena);
}

static void two_slips_in_a_function_need_no_sign(void **state)
{
	(void)state;
	struct fixture fixture = {.n = 0};
	add_file(&fixture, "a.py", "def f(a, b):\n    if a < b:\n        return a + b\n    return a\n",
		true);
	struct candidate candidate;
	assert_true(place(begin(&fixture), "a.py  '<' to '<=', and '+' to '-'", 400, &candidate) > 0);
	arena_release(&fixture.arena);
}

static const char *text_with(struct fixture *fixture, const struct candidate *candidate)
{
	AUTO_STRBUF sb = STRBUF_INIT(STRBUF_LINE);
	struct rondo_error err;
	assert_int_equal(edit_apply(&candidate->edit.files[0], fixture->files[0].text,
						 fixture->files[0].n, &sb, &err),
		0);
	return arena_strdup(&fixture->arena, sb.text);
}

static void coverage_changes_the_order_at_any_time(void **state)
{
	(void)state;
	struct coverage_line lines[] = {{"a.py", 2, 0, 4, 0}, {"a.py", 6, 2, 0, 0},
		{"a.py", 10, 2, 4, 0}, {"gone.py", 1, 2, 0, 0}, {"a.py", 99, 1, 0, 0}};
	struct coverage coverage = {lines, ARRAY_SIZE(lines), .n_goal = 2, .n_others = 4};
	struct fixture fixture = {.n = 0};
	add_file(&fixture, "a.py", two_functions, true);
	struct repair *repair = begin(&fixture);
	const char *places[1];
	struct map texts = {0};
	struct candidate candidate;
	for (size_t n = 0; repair_next(repair, &candidate); n++) {
		if (n == 5) {
			repair_cover(repair, &coverage);
			repair_suspects(repair, places, 1);
			assert_string_equal(places[0], "a.py:6");
		}
		if (n == 6)
			assert_true(text_starts_with(candidate.edit.description, "a.py:6  "));
		if (n == 20)
			/* nothing is known: nothing changes */
			repair_cover(repair, &(struct coverage){.n_goal = 2});
		const char *text = text_with(&fixture, &candidate);
		assert_null(map_get(&texts, text));
		map_put(&texts, &fixture.arena, text, &fixture);
	}
	arena_release(&fixture.arena);
}

static void what_other_failing_tests_run_is_suspected_too(void **state)
{
	(void)state;
	struct coverage_line lines[] = {{"a.py", 2, 1, 2, 0}, {"a.py", 6, 1, 4, 8}};
	struct coverage coverage = {lines, ARRAY_SIZE(lines), .n_goal = 1, .n_others = 4};
	const char *places[1];
	for (size_t n_also = 0; n_also <= 8; n_also += 8) {
		struct fixture fixture = {.n = 0};
		add_file(&fixture, "a.py", two_functions, true);
		coverage.n_also = n_also;
		lines[1].also = (uint32_t)n_also;
		repair_cover(begin(&fixture), &coverage);
		repair_suspects(fixture.repair, places, 1);
		assert_string_equal(places[0], n_also ? "a.py:6" : "a.py:2");
		arena_release(&fixture.arena);
	}
}

/* Single edits, those at several places, and pairs: also where they were waiting, or a part of them
 * was tried. */
static void coverage_makes_nothing_cheaper_than_it_is(void **state)
{
	(void)state;
	enum { LATER = 60 };
	struct coverage_line lines[] = {
		{"a.py", 2, 0, 4, 0}, {"a.py", 3, 0, 4, 0}, {"a.py", 7, 2, 0, 0}, {"a.py", 8, 2, 0, 0}};
	struct coverage coverage = {lines, ARRAY_SIZE(lines), .n_goal = 2, .n_others = 4};
	struct fixture fixture = {.n = 0};
	struct map costs = {0};
	struct candidate candidate;
	size_t n_pairs = 0, n_groups = 0;
	add_file(&fixture, "a.py",
		"def one(a, b, c):\n"
		"    d = a + b\n"
		"    return d + c\n\n\n"
		"def two(a, b, c):\n"
		"    d = a + b\n"
		"    return d + c\n",
		true);
	repair_cover(begin(&fixture), &coverage);
	while (repair_next(fixture.repair, &candidate))
		map_put(&costs, &fixture.arena, text_with(&fixture, &candidate),
			arena_memdup(&fixture.arena, &candidate.cost, sizeof candidate.cost));
	begin(&fixture);
	for (size_t n = 0; repair_next(fixture.repair, &candidate); n++) {
		if (n == LATER)
			repair_cover(fixture.repair, &coverage);
		const double *cost = map_get(&costs, text_with(&fixture, &candidate));
		if (n <= LATER || !cost)
			continue;
		if (candidate.cost < *cost - 0.001)
			fail_msg("%s: %.3f, with coverage from the start %.3f", candidate.edit.description,
				candidate.cost, *cost);
		n_pairs += strcmp(candidate.kind, "pair") == 0;
		n_groups += strstr(candidate.edit.description, " places ") != NULL;
	}
	assert_true(n_pairs > 5 && n_groups > 5);
	arena_release(&fixture.arena);
}

/* What the first so many candidates say, one a line. */
static const char *first_of(struct fixture *fixture, uint64_t seed, size_t n)
{
	AUTO_STRBUF said = STRBUF_INIT(STRBUF_TEXT);
	struct candidate candidate;
	struct repair *repair = begin(fixture);
	repair_seed(repair, seed);
	for (size_t i = 0; i < n && repair_next(repair, &candidate); i++)
		strbuf_addf(&said, "%s\n", candidate.edit.description);
	return arena_strndup(&fixture->arena, said.text, said.length);
}

static void a_seed_gives_an_order_of_its_own(void **state)
{
	(void)state;
	struct fixture fixture = {.n = 0};
	add_file(&fixture, "a.py", two_functions, true);
	const char *plain = first_of(&fixture, 0, 50), *seven = first_of(&fixture, 7, 50);
	assert_string_equal(first_of(&fixture, 0, 50), plain);
	assert_string_equal(first_of(&fixture, 7, 50), seven);
	assert_string_not_equal(seven, plain);
	assert_string_not_equal(first_of(&fixture, 8, 50), seven);
	arena_release(&fixture.arena);
}

static void files_that_are_left_out_are_told(void **state)
{
	(void)state;
	struct fixture fixture = {.n = 0};
	add_file(&fixture, "a.xyz", "x", true);
	add_file(&fixture, "b.js", "/* @generated by a tool */\nx = 1;\n", true);
	add_file(&fixture, "c.py", "x = 1\n", true);
	add_file(&fixture, "d.d.ts", "export const limit: 3;\n", true);
	struct repair *repair = begin(&fixture);
	const char *why;
	assert_string_equal(repair_skipped(repair, 0, &why), "a.xyz");
	assert_string_equal(why, "its language is not known");
	assert_string_equal(repair_skipped(repair, 1, &why), "b.js");
	assert_string_equal(why, "it says that a program wrote it");
	assert_string_equal(repair_skipped(repair, 2, &why), "d.d.ts");
	assert_string_equal(why, "it declares types alone");
	assert_null(repair_skipped(repair, 3, &why));
	arena_release(&fixture.arena);
}

static void bytes_that_are_no_text_are_kept(void **state)
{
	(void)state;
	static const char text[] = "def f(a, b):\n\tc = 'na\xefve' # \xff\n\treturn a < b, 'caf\xe9'\n";
	struct fixture fixture = {.n = 0};
	add_file(&fixture, "a.py", text, true);
	struct repair *repair = begin(&fixture);
	size_t n = 0;
	for (struct candidate candidate; repair_next(repair, &candidate); n++) {
		AUTO_STRBUF sb = STRBUF_INIT(STRBUF_LINE);
		struct rondo_error err;
		assert_int_equal(edit_apply(&candidate.edit.files[0], text, strlen(text), &sb, &err), 0);
		size_t foreign = 0;
		for (size_t i = 0; i < sb.length; i++)
			foreign += (unsigned char)sb.text[i] >= 0x80;
		assert_int_equal(foreign, 3);
	}
	assert_true(n > 20);
	arena_release(&fixture.arena);
}

static enum candidate_rank rank_in(const char *text, const char *test, const char *description)
{
	struct fixture fixture = {.n = 0};
	add_file(&fixture, "a.py", text, true);
	add_file(&fixture, "test_a.py", test, false);
	test_report_add(&fixture.report, &fixture.arena,
		&(struct test_result){.id = "test_f", .status = TEST_FAILED});
	struct candidate candidate;
	assert_true(place(begin(&fixture), description, 5000, &candidate) > 0);
	enum candidate_rank rank = candidate.rank;
	arena_release(&fixture.arena);
	return rank;
}

/* A number that the failing test waits for may be there for that test alone. */
static void what_only_suits_the_test_is_believed_least(void **state)
{
	(void)state;
	const char *text = "def f(a):\n    b = a < 3\n    return 7\n",
			   *test = "def test_f():\n    assert f(4) == 8\n";
	assert_int_equal(rank_in(text, test, "a.py:2  '<' to '<='"), CANDIDATE_OPERATOR);
	assert_int_equal(rank_in(text, test, "a.py:3  '7' to '6'"), CANDIDATE_LITERAL);
	assert_int_equal(rank_in(text, test, "a.py:3  '7' to '8'"), CANDIDATE_SPECIAL);
	assert_int_equal(rank_in(text, test, "a.py:3  '7' to '1'"), CANDIDATE_LITERAL);
	assert_int_equal(rank_in(text, test, "a.py:2  remove 'b = a < 3'"), CANDIDATE_REMOVAL);
	text = "def f(a):\n    return a - 3\n";
	test = "def test_f():\n    assert f(4) == 1\n";
	assert_int_equal(rank_in(text, test, "a.py:2  'a - 3' to '1'"), CANDIDATE_SPECIAL);
	assert_int_equal(rank_in(text, test, "a.py:2  'a - 3' to '-1'"), CANDIDATE_SPECIAL);
	assert_int_equal(rank_in(text, test, "a.py:2  'a - 3' to '0'"), CANDIDATE_STRUCTURE);
	assert_int_equal(rank_in(text, test, "a.py:2  '3' to '1'"), CANDIDATE_LITERAL);
	assert_int_equal(rank_in("def f(a):\n"
							 "    return 0\n",
						 test, "a.py:2  '0' to '1'"),
		CANDIDATE_LITERAL);
	text = "def f(a):\n    b = a + 7\n    c = b + 7\n    return c + 7\n";
	test = "def test_f():\n    assert f(4) == 8\n";
	assert_int_equal(
		rank_in(text, test, "a.py  '7' to '8' at 3 places (lines 2, 3, 4)"), CANDIDATE_SPECIAL);
}

/* Tests compare by an equality: an edit there makes them pass more easily than any other. */
static void what_tests_compare_with_is_believed_less(void **state)
{
	(void)state;
	const char *text = "class A:\n"
					   "    def __eq__(self, other):\n"
					   "        return isinstance(other, A) and self.x == other.x\n"
					   "\n"
					   "def f(a):\n"
					   "    return A(a and 3)\n",
			   *test = "from a import A, f\n\n\ndef test_f():\n    assert f(0) == A(0)\n";
	assert_int_equal(rank_in(text, test, "a.py:3  'and' to 'or'"), CANDIDATE_EQUALITY);
	assert_int_equal(rank_in(text, test, "a.py:3  '==' to '!='"), CANDIDATE_EQUALITY);
	assert_int_equal(rank_in(text, test, "a.py:6  'and' to 'or'"), CANDIDATE_OPERATOR);
}

static bool comes(const char *path, const char *text, const char *output, const char *description)
{
	struct fixture fixture = {.n = 0, .report = {.output = output}};
	add_file(&fixture, path, text, true);
	struct candidate candidate;
	bool found = place(begin(&fixture), description, 3000, &candidate) > 0;
	arena_release(&fixture.arena);
	return found;
}

static void syntax_is_mended_only_where_it_is_complained_of(void **state)
{
	(void)state;
	const char *text = "def f(a)\n    return a\n", *colon = "a.py:1  insert ':'";
	assert_true(comes("a.py", text,
		"  File \"a.py\", line 1\n    def f(a)\n            ^\nSyntaxError: expected ':'\n",
		colon));
	assert_false(comes("a.py", text, "  File \"a.py\", line 1\nValueError: 3\n", colon));
	assert_true(comes("a.c", "int f(void)\n{\n\tint a = 1\n\treturn a;\n}\n",
		"a.c:4:2: error: expected ',' or ';' before 'return'\n", "a.c:4  insert ';'"));
	assert_true(comes("a.rs", "fn f() -> i32 {\n    let a = 1\n    a\n}\n",
		"error: expected `;`, found `a`\n --> a.rs:2:14\n", "a.rs:2  insert ';'"));
	assert_true(comes("a.js", "function f(a) {\n  retrun a;\n}\n",
		"/x/a.js:2\n  retrun a;\n\nSyntaxError: Unexpected identifier\n",
		"a.js:2  'retrun' to 'return'"));
	assert_true(comes("a.py", "def f(a):\nreturn a\n",
		"a.py\", line 2\nIndentationError: expected an indented block\n",
		"a.py:2  indent the line otherwise"));
	assert_true(
		comes("a.py", "print 'a'\n", "  File \"a.py\", line 1\nSyntaxError: Missing parentheses\n",
			"a.py:1  'print 'a'' to 'print('a')'"));
	assert_true(comes("a.go", "package a\n\nfunc f() int {\n\treturn (1 + 2\n}\n",
		"./a.go:4:15: syntax error: unexpected newline\n", "a.go:4  insert ')'"));
}

static void languages_have_slips_of_their_own(void **state)
{
	(void)state;
	assert_true(comes(
		"a.c", "int f(int a)\n{\n\tint b;\n\treturn g(a);\n}\n", "", "a.c:3  'b' to 'b = 0'"));
	assert_true(comes("a.c", "int f(int a)\n{\n\treturn g(a);\n}\n", "", "a.c:3  '&' before it"));
	assert_true(comes(
		"a.go", "func f() {\n\tx := 1\n\tif y {\n\t\tx := 2\n\t}\n}\n", "", "a.go:4  ':=' to '='"));
	assert_true(comes(
		"a.go", "func f(xs []int) int {\n\treturn g(xs[1:])\n}\n", "", "a.go:2  '[1:]' to '[:1]'"));
	assert_true(
		comes("A.java", "class A { boolean f(String a, String b) {\n\treturn a == b;\n} }\n", "",
			"A.java:2  'a == b' to 'a.equals(b)'"));
	assert_true(comes("a.rs", "fn f(a: Vec<i32>) {\n    g(a);\n}\n",
		"error[E0308]: mismatched types\n --> a.rs:2:7\n", "a.rs:2  '&mut ' before it"));
	assert_false(
		comes("a.rs", "fn f(a: Vec<i32>) {\n    g(a);\n}\n", "", "a.rs:2  '&mut ' before it"));
	assert_true(comes("a.js", "function f(xs) {\n  return xs.sort();\n}\n", "",
		"a.js:2  'xs' to '[...new Set(xs)]'"));
	assert_true(
		comes("A.java", "class A { List<Integer> f(List<Integer> xs) {\n\treturn xs;\n} }\n", "",
			"A.java:2  'xs' to 'new ArrayList<>(xs)'"));
	assert_false(
		comes("a.js", "const f = (a, b) => {\n  return a;\n};\n", "", "a.js:2  'a' to '(a, b)'"));
	assert_true(comes(
		"a.js", "function f(xs) {\n  for (const x in xs) g(x);\n}\n", "", "a.js:2  'in' to 'of'"));
	assert_true(comes("a.py", "import re\ndef f(a):\n    return re.match(r'\\d', a)\n", "",
		"a.py:3  '\\d' to '\\d+' in the string"));
	assert_true(comes(
		"a.cc", "bool f(bool a, bool b)\n{\n\treturn a and b;\n}\n", "", "a.cc:3  'and' to 'or'"));
	assert_true(comes("a.c", "void f(long a)\n{\n\tprintf(\"%d\", a);\n}\n", "",
		"a.c:3  '%d' to '%ld' in the string"));
}

static void a_body_without_braces_is_a_statement(void **state)
{
	(void)state;
	static const char c[] =
		"int f(const int *a, int n)\n{\n\tint sum = 0;\n"
		"\tfor (int i = 0; i < n; i++)\n\t\tsum = a[i];\n"
		"\tif (n > 3) sum = 1;\n\tdo\n\t\tn--;\n\twhile (n);\n\treturn sum;\n}\n";
	assert_true(comes("a.c", c, "", "a.c:5  '=' to '+='"));
	assert_true(comes("a.c", c, "", "a.c:6  '=' to '+='"));
	assert_true(comes("a.c", c, "", "a.c:5  remove 'sum = a[i];'"));
	assert_true(comes("a.c", c, "", "a.c:4  remove 'for (int i = 0; i < n; i++) sum = a[i];'"));
	assert_true(comes("a.c", c, "", "a.c:5  only if n > 3: sum = a[i]"));
	assert_true(comes("a.c", c, "", "a.c:4  insert 'return sum;'"));
	/* Nothing stands beside it. */
	assert_false(comes("a.c", c, "", "a.c:5  insert 'return sum;'"));
	assert_false(comes("a.c", c, "", "a.c:8  insert 'return sum;' after it"));
	assert_false(comes("a.c", c, "", "a.c:5  swap the statement and the one below"));
}

static void what_was_not_brought_in_is_imported(void **state)
{
	(void)state;
	assert_true(comes("a.c", "int f(const char *a)\n{\n\treturn strlen(a);\n}\n",
		"a.c:3:9: warning: implicit declaration of function \xe2\x80\x98strlen\xe2\x80\x99\n",
		"a.c:3  add '#include <string.h>'"));
	assert_true(comes("a.go",
		"package a\n\n"
		"func f(a string) string {\n"
		"\treturn strings.ToUpper(a)\n"
		"}\n",
		"./a.go:4:9: undefined: strings\n", "a.go:4  add 'import \"strings\"'"));
	assert_true(comes("a.js", "const x = fs.existsSync('a');\n",
		"/x/a.js:1\n"
		"ReferenceError: fs is not defined\n",
		"a.js:1  add 'const fs = require('fs');'"));
	assert_true(comes("a.py", "def f():\n    return true\n",
		"  File \"a.py\", line 2, in f\n"
		"NameError: name 'true' is not defined\n",
		"a.py:2  'true' to 'True'"));
	assert_false(comes("a.py", "def f():\n    return math\n", "", "a.py:2  add 'import math'"));
}

/* What puts expressions together would take seconds on a line of thousands of them. */
static void lines_full_of_data_are_edited_by_plain_means(void **state)
{
	(void)state;
	struct fixture fixture = {.n = 0};
	AUTO_STRBUF sb = STRBUF_INIT(STRBUF_TEXT);
	strbuf_adds(&sb, "def f(a, b):\n    return g(a)");
	for (int i = 0; i < 300; i++)
		strbuf_addf(&sb, " + a[%d]", i);
	strbuf_adds(&sb, "\n");
	add_file(&fixture, "a.py", sb.text, true);
	struct repair *repair = begin(&fixture);
	size_t n = 0;
	for (struct candidate candidate; n < 3000 && repair_next(repair, &candidate); n++)
		assert_string_not_equal(candidate.kind, "substitute");
	assert_int_equal(n, 3000);
	arena_release(&fixture.arena);
}

static void what_does_not_end_is_in_a_loop(void **state)
{
	(void)state;
	static const char text[] = "int f(int n, int x)\n{\n\tint p = 1;\n\tif (n == 1)\n"
							   "\t\treturn x == 1;\n\twhile (n < x) {\n\t\tp *= n;\n\t}\n"
							   "\treturn p == x;\n}\n";
	static const char *const messages[] = {"assertion failed",
		"does not end: nothing was printed for 40.1 s", "test timed out after 1000 milliseconds"};
	size_t places[ARRAY_SIZE(messages)];
	for (size_t i = 0; i < ARRAY_SIZE(messages); i++) {
		struct fixture fixture = {.n = 0};
		struct candidate candidate;
		add_file(&fixture, "a.c", text, true);
		test_report_add(&fixture.report, &fixture.arena,
			&(struct test_result){.id = "t", .status = TEST_FAILED, .message = messages[i]});
		places[i] = place(begin(&fixture), "a.c:6  n to p", 400, &candidate);
		arena_release(&fixture.arena);
	}
	assert_true(places[1] > 0 && 3 * places[1] < 2 * places[0]);
	assert_int_equal(places[2], places[1]);
}

static void warnings_name_no_lines(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	static const struct {
		const char *printed, *kept;
	} rows[] = {{"warning: unexpected `cfg` name: `x`\n  --> src/lib.rs:64:13\n   |\n\n"
				 "error[E0308]: mismatched types\n  --> src/lib.rs:70:5\n",
					"\nerror[E0308]: mismatched types\n  --> src/lib.rs:70:5\n"},
		{"a.c:3:5: warning: unused variable 'x' [-Wunused]\na.c:4:5: error: expected ';'\n",
			"a.c:4:5: error: expected ';'\n"},
		{"  a.py:3: DeprecationWarning: invalid escape\nE   UserWarning: too late\na.py:4: in f",
			"E   UserWarning: too late\na.py:4: in f"},
		{"", ""}};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		assert_string_equal(without_warnings(rows[i].printed, &arena), rows[i].kept);
}

UNIT(repair_search)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_made_progress_leads),
		cmocka_unit_test(a_pair_may_be_of_two_files),
		cmocka_unit_test(two_slips_in_a_function_need_no_sign),
		cmocka_unit_test(coverage_changes_the_order_at_any_time),
		cmocka_unit_test(what_other_failing_tests_run_is_suspected_too),
		cmocka_unit_test(coverage_makes_nothing_cheaper_than_it_is),
		cmocka_unit_test(a_seed_gives_an_order_of_its_own),
		cmocka_unit_test(files_that_are_left_out_are_told),
		cmocka_unit_test(bytes_that_are_no_text_are_kept),
		cmocka_unit_test(what_only_suits_the_test_is_believed_least),
		cmocka_unit_test(what_tests_compare_with_is_believed_less),
		cmocka_unit_test(syntax_is_mended_only_where_it_is_complained_of),
		cmocka_unit_test(warnings_name_no_lines),
		cmocka_unit_test(what_does_not_end_is_in_a_loop),
		cmocka_unit_test(languages_have_slips_of_their_own),
		cmocka_unit_test(what_was_not_brought_in_is_imported),
		cmocka_unit_test(a_body_without_braces_is_a_statement),
		cmocka_unit_test(lines_full_of_data_are_edited_by_plain_means),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
