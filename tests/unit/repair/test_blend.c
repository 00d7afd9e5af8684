/* Several candidates in one text: the text, what must stay out of it, and what compilers say of
 * it. */
#include "tests/unit/blend_fixture.h"

static const char *const first_numbers[] = {"0", "1", "2", "3", "4", "5", "6", NULL};

static const char program[] =
	"#include <stdio.h>\n"
	"#include <unistd.h>\n"
	"\n"
	"static int add(int a, int b)\n"
	"{ static int calls;\n"
	"	/* { */ calls++;\n"
	"	return a - b + calls; // }\n"
	"}\n"
	"\n"
	"int line(void) { return __LINE__; }\n"
	"\n"
	"static int find(const char *text, char c)\n"
	"{\n"
	"	int i;\n"
	"	for (i = 0; text[i]; i++)\n"
	"		if (text[i] == c)\n"
	"			goto found;\n"
	"	return -1;\n"
	"found:\n"
	"	return i;\n"
	"}\n"
	"\n"
	"int main(void)\n"
	"{\n"
	"	add(0, 0);\n"
	"	printf(\"%d %d %d %d\\n\", add(2, 3), find(\"abc\", 'c'), line(), __LINE__);\n"
	"	return 0;\n"
	"}\n";

static const char *const c_compilers[] = {
	"gcc -std=c90 -pedantic -Wall -Werror -Wno-error -x c program.c -o program",
	"gcc -std=c17 -O2 -x c program.c -o program", "g++ -O2 -x c++ program.c -o program",
	"clang -std=c17 -O2 -w -x c program.c -o program",
	"clang++ -w -O2 -x c++ program.c -o program"};

static void expect_choices(size_t first, size_t end_at)
{
	struct blending blending;
	AUTO_STRBUF plain = STRBUF_INIT(STRBUF_LINE);
	/* The C of before 1999 has no comment that ends with its line. */
	strbuf_adds(&plain, program);
	memcpy(strstr(plain.text, "// }"), "    ", 4);
	for (size_t i = first; i < end_at && is_there(c_compilers[i]); i++) {
		begin(&blending, "src/program.c", i ? program : plain.text);
		propose_change(&blending, "a - b", "a + b");
		propose_change(&blending, "text[i] == c", "text[i] == 'b'");
		propose_change(&blending, "goto found", "return 7");
		propose_change(&blending, "calls++", "calls += 2");
		assert_string_equal(build_and_choose(&blending, "program.c", c_compilers[i], first_numbers),
			"0: 1 2 10 26\n"
			"0\n"
			"1: 124\n"
			"2: 134\n"
			"3: 7 2 10 26\n"
			"0\n"
			"4: 1 1 10 26\n"
			"0\n"
			"5: 1 7 10 26\n"
			"0\n"
			"6: 3 2 10 26\n"
			"0\n");
		end(&blending);
	}
}

static void c_does_as_it_is_told(void **state)
{
	(void)state;
	expect_choices(0, 1);
}

static void long_so_it_does_with_other_compilers(void **state)
{
	(void)state;
	expect_choices(1, ARRAY_SIZE(c_compilers));
}

static void cpp_does_as_it_is_told(void **state)
{
	(void)state;
	static const char text[] =
		"#include <iostream>\n"
		"#include <string>\n"
		"namespace shapes {\n"
		"template <typename T> class box {\n"
		"	T width_, height_;\n"
		"public:\n"
		"	box(T width, T height) : width_(width), height_{height} { width_ += 0; }\n"
		"	auto area() const noexcept { return width_ + height_; }\n"
		"	std::string name() const { std::string s(\"}\"); return s + \"b\"; }\n"
		"};\n"
		"}\n"
		"int main()\n"
		"{\n"
		"	shapes::box<int> b(2, 3);\n"
		"	std::cout << b.area() << b.name() << std::endl;\n"
		"}\n";
	static const char *const numbers[] = {"0", "3", "4", "5", NULL};
	static const char *const compilers[] = {"g++ -O1 a.cpp -o program", "clang++ a.cpp -o program"};
	for (size_t i = 0; i < ARRAY_SIZE(compilers) && is_there(compilers[i]); i++) {
		struct blending blending;
		begin(&blending, "a.cpp", text);
		propose_change(&blending, "width_ + h", "width_ * h");
		propose_change(&blending, "s + \"b\"", "s + \"c\"");
		propose_change(&blending, "b.name()", "b.name().size()");
		assert_string_equal(build_and_choose(&blending, "a.cpp", compilers[i], numbers),
			"0: 5}b\n0\n3: 6}b\n0\n4: 5}c\n0\n5: 52\n0\n");
		end(&blending);
	}
}

/* One that changes several functions changes them together. */
static void a_candidate_may_change_two_functions(void **state)
{
	(void)state;
	struct blending blending;
	begin(&blending, "a.c", program);
	propose_change(&blending, "a - b", "a + b");
	propose_change(&blending, "return -1", "return -2");
	struct splice *both = arena_alloc(&blending.arena, 2 * sizeof *both);
	both[0] = *blending.candidates[0].edit.files[0].splices;
	both[1] = (struct splice){(size_t)(strstr(program, "== c)") - program), 4, "== 'x'"};
	blending.candidates[1].edit.files[0] =
		(struct file_edit){.path = "a.c", .splices = both, .n = 2};
	static const char *const numbers[] = {"0", "3", "4", NULL};
	assert_string_equal(build_and_choose(&blending, "a.c", "gcc a.c -o program", numbers),
		"0: 1 2 10 26\n0\n3: 7 2 10 26\n0\n4: 7 -1 10 26\n0\n");
	end(&blending);
}

/* A header is included by several others; its guard does not stand first. */
static void a_header_may_be_included_twice(void **state)
{
	(void)state;
	struct blending blending;
	static const char text[] =
		"/* Sums. */\n"
		"#ifndef SUM_H\n"
		"#define SUM_H\n"
		"static inline int sum(int a, int b)\n"
		"{\n"
		"	return a - b;\n"
		"}\n"
		"#endif\n";
	static const char *const numbers[] = {"0", "3", NULL};
	begin(&blending, "sum.h", text);
	propose_change(&blending, "a - b", "a + b");
	assert_string_equal(
		build_and_choose(&blending, "sum.h",
			"printf '#include \"sum.h\"\\n#include \"sum.h\"\\n"
			"int main(void) { return sum(3, 2); }\\n' >a.c && gcc -Wall -Werror a.c -o program",
			numbers),
		"0: 1\n3: 5\n");
	end(&blending);
}

static void what_cannot_be_chosen_stays_out(void **state)
{
	(void)state;
	assert_held("a.c", program, "a - b", "a + b", true);
	assert_held("a.c", program, "int a,", "long a,", false);
	assert_held("a.c", program, "<stdio.h>", "<string.h>", false);
	assert_held("a.c", program, "a - b", "(a - b", false);
	assert_held("a.c", program, "a - b", "a } - { b", false);
	assert_held("a.c", program, "a - b", "a /* - b", false);
	assert_held("a.py", "def f():\n    return 1\n", "1", "2", false);
	assert_held("a.c", "#define F(x) f(x) { \\\n\treturn 1; \\\n}\n", "1", "2", false);
	assert_held("a.c",
		"int f(void) {\n"
		"#define A 1\n"
		"\treturn A;\n"
		"}\n",
		"return A", "return 2", false);
	assert_held("a.c", "int f(a)\nint a;\n{\n\treturn 1;\n}\n", "1", "2", false);
	assert_held("a.c", "int f(void *p)\n{\nx:\n\tgoto *p;\n\treturn 1;\n}\n", "1", "2", false);
	assert_held("a.cc", "constexpr int f(int a) { return a + 1; }\n", "1", "2", false);
	assert_held("a.cc", "int f(int a) { return a + 1; }\n", "1", "2", true);
	assert_held("a.cc", "struct s {\n\tint f(int a) const { return a + 1; }\n};\n", "1", "2", true);
}

static void a_full_blend_says_how_far_it_came(void **state)
{
	(void)state;
	struct blending blending;
	AUTO_STRBUF text = STRBUF_INIT(STRBUF_TEXT);
	strbuf_adds(&text, "int f(void)\n{\n\tint a = 1;\n");
	for (int i = 0; i < 4000; i++)
		strbuf_adds(&text, "\ta = a * 3 + 1;\n");
	strbuf_adds(&text, "\treturn a;\n}\n");
	begin(&blending, "a.c", text.text);
	for (int i = 0; i < 10; i++)
		propose_change(&blending, "a = 1", "a = 2");
	blend_text(&blending);
	assert_in_range(blending.blend.n, 2, 8);
	assert_int_equal(blending.blend.n_held, blending.blend.n);
	end(&blending);
}

/* What compilers find wrong in a candidate's text is told of it, and not of another one. */
static void compilers_blame(void **state)
{
	(void)state;
	static const char *const compilers[] = {
		"gcc -Wall -c", "g++ -x c++ -Wall -c", "clang -Wall -c", "clang++ -x c++ -Wall -c"};
	for (size_t i = 0; i < ARRAY_SIZE(compilers) && is_there(compilers[i]); i++) {
		struct blending blending;
		bool blamed[MOST] = {false};
		begin(&blending, "program.c", program);
		propose_change(&blending, "a - b", "a + nobody");
		propose_change(&blending, "a - b", "a; int unused = b");
		propose_change(&blending, "int i;", "struct nothing i;");
		propose_change(&blending, "return i", "goto nowhere");
		propose_change(&blending, "return i", "return 3");
		const char *printed = build_and_choose(&blending, "program.c",
			arena_printf(&blending.arena, "%s program.c", compilers[i]), first_numbers);
		assert_int_equal(blend_blame(&blending.blend, printed, blamed), 3);
		assert_true(blamed[0] && blamed[2] && blamed[3]);
		memcpy(blending.without, blamed, sizeof blamed);
		blend_text(&blending);
		assert_false(blending.blend.holds[0]);
		assert_int_equal(blending.blend.n_held, 2);
		end(&blending);
	}
}

/* Two candidates in one build. */
static void begin_two(struct blending *blending)
{
	begin(blending, "program.c", program);
	propose_change(blending, "a - b", "a + b");
	propose_change(blending, "return i", "return 3");
	blend_text(blending);
}

/* Rust says of a name that is not known where another one like it is: often another candidate. */
static void a_hint_blames_only_where_the_error_blames_nobody(void **state)
{
	(void)state;
	struct blending blending;
	static const char drawn[] = "error[E0425]: cannot find value `pr` in this scope\n"
								"  --> program.c:%zu:12\n   |\n%zu | return pr;\n   |        ^^\n"
								"help: the binding `pr` is available in a different scope\n"
								"  --> program.c:%zu:9\n   |\n%zu | int pr;\n   |     ^^\n";
	begin_two(&blending);
	const struct blend_lines *lines = blending.blend.lines;
	const size_t others[] = {lines[0].first, 1};
	for (size_t i = 0; i < ARRAY_SIZE(others); i++) {
		bool blamed[MOST] = {false};
		const char *printed = arena_printf(
			&blending.arena, drawn, others[i], others[i], lines[1].first, lines[1].first);
		assert_int_equal(blend_blame(&blending.blend, printed, blamed), 1);
		assert_true(blamed[lines[i].candidate]);
	}
	end(&blending);
}

/* "from" stands in errors, too, and not only before the file that includes another one. */
static void an_error_may_say_from(void **state)
{
	(void)state;
	struct blending blending;
	bool blamed[MOST] = {false};
	begin_two(&blending);
	const struct blend_lines *lines = blending.blend.lines;
	const char *printed = arena_printf(&blending.arena,
		"                 from program.c:%zu:\n"
		"program.c:%zu:7: error: invalid conversion from 'int' to 'char *'\n",
		lines[0].first, lines[1].first);
	assert_int_equal(blend_blame(&blending.blend, printed, blamed), 1);
	assert_true(blamed[lines[1].candidate]);
	end(&blending);
}

static void of_files_with_one_name_the_nearest_is_blamed(void **state)
{
	(void)state;
	struct blend_lines lines[] = {{.path = "src/a/mod.rs", .first = 1, .end = 9, .candidate = 0},
		{.path = "src/b/mod.rs", .first = 1, .end = 9, .candidate = 1}};
	struct blend blend = {.lines = lines, .n_lines = ARRAY_SIZE(lines), .n = 2};
	bool blamed[2] = {false};
	assert_int_equal(blend_blame(&blend, "/tree/src/b/mod.rs:3:7: error: no\n", blamed), 1);
	assert_true(blamed[1]);
	assert_int_equal(blend_blame(&blend, "mod.rs:3:7: error: no\n", blamed), 2);
}

static void maven_puts_places_into_brackets(void **state)
{
	(void)state;
	struct blending blending;
	bool blamed[MOST] = {false};
	begin_two(&blending);
	const struct blend_lines *lines = blending.blend.lines;
	const char *printed = arena_printf(&blending.arena,
		"[\033[1;31mERROR\033[m] /tree/program.c:[%zu,26] cannot find symbol\n", lines[1].first);
	assert_int_equal(blend_blame(&blending.blend, printed, blamed), 1);
	assert_true(blamed[lines[1].candidate]);
	end(&blending);
}

UNIT(blend)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(c_does_as_it_is_told),
		cmocka_unit_test(long_so_it_does_with_other_compilers),
		cmocka_unit_test(cpp_does_as_it_is_told),
		cmocka_unit_test(a_candidate_may_change_two_functions),
		cmocka_unit_test(a_header_may_be_included_twice),
		cmocka_unit_test(what_cannot_be_chosen_stays_out),
		cmocka_unit_test(a_full_blend_says_how_far_it_came),
		cmocka_unit_test(compilers_blame),
		cmocka_unit_test(a_hint_blames_only_where_the_error_blames_nobody),
		cmocka_unit_test(an_error_may_say_from),
		cmocka_unit_test(of_files_with_one_name_the_nearest_is_blamed),
		cmocka_unit_test(maven_puts_places_into_brackets),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
