/* What of a program is read to understand why its tests fail, and what files define. */
#include "tests/unit/unit.h"

#include "base/memory.h"
#include "repair/excerpt/excerpt.h"

/* A test and the program that it tests, in one language. The test of id fails. */
struct sample {
	const char *path, *text, *test_path, *test, *id;
	/* as "kind:first-last", and the lines of a class around after a plus */
	const char *excerpts, *headings;
};

static const struct sample samples[] = {
	{"shop.py",
		"import math\n\nRATE = 2\n\n\nclass Cart:\n    limit = 3\n\n    def __init__(self):\n"
		"        self.items = []\n\n    # What it costs.\n    @property\n    def price(self):\n"
		"        return sum(self.items) * RATE\n\n\ndef unused():\n    def inner():\n"
		"        return 1\n    return inner()\n\n\ndef main():\n    print(Cart().price)\n",
		"test_shop.py",
		"import pytest\nfrom shop import Cart\n\n\n@pytest.mark.parametrize('n', [\n    1,\n])\n"
		"def test_price(n):\n    assert Cart().price == n\n\n\ndef test_other():\n    pass\n",
		"test_shop.py::test_price[1]",
		"test:5-9 test:1-2 run:12-15+6-6 run:9-10+6-6 run:3-3 run:6-15 caller:24-25 imports:1-1",
		"class Cart|  def __init__(self)|  def price(self)|def unused()|def main()"},
	{"shop.js",
		"const fs = require('fs');\n\n/**\n * Adds up.\n */\nfunction total(items) {\n"
		"  return items.length;\n}\n\nconst price = (item) => item * 2;\n\n"
		"class Cart {\n  sum() { return total([]); }\n}\n\nmodule.exports = { total, Cart };\n",
		"test/shop.js",
		"const { total } = require('../shop');\n\ntest('adds', () => {\n  total([1]);\n});\n\n"
		"test('other', () => {});\n",
		"adds", "test:3-5 test:1-1 run:3-8 caller:13-13+12-12 imports:1-1",
		"function total(items)|const price = (item)|class Cart|  sum()"},
	{"shop.go",
		"package shop\n\nimport (\n\t\"fmt\"\n)\n\n// Total adds up.\n"
		"func Total(items []int) (int, error) {\n\treturn len(items), nil\n}\n\n"
		"type Cart struct {\n\titems []int\n}\n\nfunc (c *Cart) Sum() int {\n"
		"\tn, _ := Total(c.items)\n\treturn n\n}\n",
		"shop_test.go",
		"package shop\n\nimport \"testing\"\n\nfunc TestTotal(t *testing.T) {\n\tTotal(nil)\n}\n\n"
		"func TestOther(t *testing.T) {\n}\n",
		"TestTotal", "test:5-7 test:1-3 run:7-10 caller:16-19 imports:1-5",
		"func Total(items []int) (int, error)|type Cart struct|func (c *Cart) Sum() int"},
	{"shop.c",
		"#include <stdio.h>\n#include \"shop.h\"\n\n/* Adds up. */\nstatic int\n"
		"total(const int *items, int n)\n{\n\treturn n;\n}\n\nint sum(void)\n{\n"
		"\treturn total(0, 1);\n}\n",
		"tests/test_shop.c",
		"#include \"shop.h\"\n\nvoid test_total(void)\n{\n\ttotal(0, 1);\n}\n\n"
		"void test_other(void)\n{\n}\n",
		"test_total", "test:3-6 test:1-1 run:4-9 caller:11-14 imports:1-2",
		"static int total(const int *items, int n)|int sum(void)"},
	{"src/lib.rs",
		"use std::fmt;\n\npub struct Cart {\n    items: Vec<u32>,\n}\n\nimpl Cart {\n"
		"    #[inline]\n    pub fn total(&self) -> u32 {\n        1\n    }\n}\n",
		"tests/cart.rs",
		"use shop::Cart;\n\n#[test]\nfn totals() {\n    let c = make();\n    c.total();\n}\n\n"
		"fn make() -> u32 {\n    2\n}\n",
		"totals", "test:3-7 test:1-1 test:9-11 run:8-11+7-7 imports:1-1",
		"pub struct Cart|impl Cart|  pub fn total(&self) -> u32"},
};

static const char *describe(struct arena *arena, const struct excerpt *excerpts, size_t n)
{
	static const char *const kinds[] = {"test", "run", "caller", "imports"};
	AUTO_STRBUF text = STRBUF_INIT(STRBUF_TEXT);
	for (size_t i = 0; i < n; i++) {
		const struct excerpt *excerpt = &excerpts[i];
		assert_true(excerpt->line >= excerpt->first && excerpt->line <= excerpt->last);
		strbuf_addf(
			&text, "%s%s:%u-%u", i ? " " : "", kinds[excerpt->kind], excerpt->first, excerpt->last);
		if (excerpt->class_first)
			strbuf_addf(&text, "+%u-%u", excerpt->class_first, excerpt->class_last);
	}
	return arena_strdup(arena, text.text);
}

static const char *describe_headings(struct arena *arena, const struct repair_file *file)
{
	AUTO_STRBUF text = STRBUF_INIT(STRBUF_TEXT);
	struct heading *headings;
	size_t n = repair_headings(arena, file, &headings);
	for (size_t i = 0; i < n; i++)
		strbuf_addf(
			&text, "%s%*s%s", i ? "|" : "", 2 * (int)headings[i].depth, "", headings[i].text);
	return arena_strdup(arena, text.text);
}

static size_t read_sample(const struct sample *sample, struct arena *arena,
	const char *const *places, size_t n_places, struct excerpt **ret_excerpts)
{
	struct repair_file *files = arena_alloc(arena, 2 * sizeof *files);
	struct test_report report = {.exit_code = 1, .complete = true};
	files[0] = (struct repair_file){
		.path = sample->path, .text = sample->text, .n = strlen(sample->text), .editable = true};
	files[1] = (struct repair_file){
		.path = sample->test_path, .text = sample->test, .n = strlen(sample->test)};
	test_report_add(&report, arena, &(struct test_result){.id = sample->id, .status = TEST_FAILED});
	return repair_excerpts(arena, files, 2, &report, places, n_places, ret_excerpts);
}

static void tests_come_first_then_what_they_run_then_who_calls_it(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(samples); i++) {
		AUTO_ARENA arena = ARENA_INIT;
		struct excerpt *excerpts;
		size_t n = read_sample(&samples[i], &arena, NULL, 0, &excerpts);
		assert_string_equal(describe(&arena, excerpts, n), samples[i].excerpts);
	}
}

static void headings_are_signatures_on_one_line(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(samples); i++) {
		AUTO_ARENA arena = ARENA_INIT;
		const struct repair_file file = {
			.path = samples[i].path, .text = samples[i].text, .n = strlen(samples[i].text)};
		assert_string_equal(describe_headings(&arena, &file), samples[i].headings);
	}
}

static struct repair_file file_of(const char *path, const char *text, bool editable)
{
	return (struct repair_file){
		.path = path, .text = text, .n = strlen(text), .editable = editable};
}

/* Excerpts of what is chosen among these files by an id and an output. */
static const char *choose(struct arena *arena, const struct repair_file *files, size_t n,
	const char *id, const char *output)
{
	struct excerpt *excerpts;
	struct test_report report = {.exit_code = 1, .complete = true, .output = output};
	test_report_add(&report, arena, &(struct test_result){.id = id, .status = TEST_FAILED});
	n = repair_excerpts(arena, files, n, &report, NULL, 0, &excerpts);
	return describe(arena, excerpts, n);
}

#define C_TEST "void a(void)\n{\n\tOTHER(1);\n}\n\nvoid b(void)\n{\n\tTOTAL(1);\n}\n"
#define C_PROGRAM \
	"#ifdef __cplusplus\nextern \"C\" {\n#endif\n#define TOTAL(x) total(x)\n" \
	"#define OTHER(x) other(x)\n\nAPI(int) total(int n)\n{\n\treturn n;\n}\n\n" \
	"int other(int n)\n{\n\treturn n;\n}\n#ifdef __cplusplus\n}\n#endif\n"

/* Unity prints a place for each test. */
static void a_place_of_a_test_that_passes_is_no_trace(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	const struct repair_file files[] = {
		file_of("shop.c", C_PROGRAM, true), file_of("tests/shop.c", C_TEST, false)};
	assert_string_equal(
		choose(&arena, files, 2, "x", "tests/shop.c:3:a:PASS\ntests/shop.c:8:b:FAIL: Expected 2\n"),
		"test:6-9 run:4-4 run:7-10");
}

static void a_program_that_is_one_test_is_known_by_its_name(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	const struct repair_file files[] = {file_of("shop.c", C_PROGRAM, true),
		file_of("tests/other.c", "int run(void)\n{\n\treturn OTHER(1);\n}\n", false),
		file_of("tests/total.c", "\nint main(void)\n{\n\treturn TOTAL(1);\n}\n", false)};
	static const char *const ids[] = {"total", "total.c", "tests/total.c"};
	for (size_t i = 0; i < ARRAY_SIZE(ids); i++)
		assert_string_equal(choose(&arena, files, 3, ids[i], ""), "test:2-5 run:7-10 run:4-4");
}

static void without_a_test_what_is_traced_is_followed(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	const struct repair_file files[] = {
		file_of("shop.py",
			"def a():\n    return b()\n\n\ndef b():\n    return 1\n\n\n"
			"def c():\n    pass\n",
			true),
		file_of("test_shop.py", "def test_c():\n    c()\n", false)};
	assert_string_equal(choose(&arena, files, 1, "x", "shop.py:2: broken"), "run:1-2 run:5-6");
	assert_string_equal(choose(&arena, files, 1, "x", ""), "run:1-2 run:5-6 run:9-10");
}

UNIT(excerpt)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(tests_come_first_then_what_they_run_then_who_calls_it),
		cmocka_unit_test(headings_are_signatures_on_one_line),
		cmocka_unit_test(a_place_of_a_test_that_passes_is_no_trace),
		cmocka_unit_test(a_program_that_is_one_test_is_known_by_its_name),
		cmocka_unit_test(without_a_test_what_is_traced_is_followed),
	};
	return RUN_TESTS(tests);
}
