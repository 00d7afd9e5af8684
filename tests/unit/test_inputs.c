/* Further inputs for edits that pass: copies of failing tests. */
#include "tests/unit/unit.h"

#include "base/memory.h"
#include "repair/repair.h"

/* The test file with the copies in it, and their ids; in the arena. */
static const char *with_inputs(const char *path, const char *text, const char *id, struct arena *arena, const char ***ids, size_t *n)
{
	const char *product = "def f(x):\n    return x\n";
	struct repair_file files[] = {{.path = "a.py", .text = product, .n = strlen(product), .editable = true},
		{.path = path, .text = text, .n = strlen(text)}};
	struct test_report report = {0};
	struct edit edit;
	struct rondo_error err;
	test_report_add(&report, arena, &(struct test_result){.id = id, .status = TEST_FAILED});
	if (!repair_inputs(repair_new(arena, files, 2, &report), &report, &edit, ids, n))
		return NULL;
	assert_int_equal(edit.n, 1);
	assert_string_equal(edit.files[0].path, path);
	AUTO_STRBUF sb = STRBUF_INIT(STRBUF_TEXT);
	assert_int_equal(edit_apply(&edit.files[0], text, strlen(text), &sb, &err), 0);
	return arena_strndup(arena, sb.text, sb.length);
}

static void a_function_is_copied_with_other_values(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	const char **ids;
	size_t n;
	const char *text = with_inputs("test_a.py",
		"from a import f\n\nclass TestF:\n    def test_f(self):\n        assert f(3, 'ab') == 4\n\n    def test_g(self):\n        pass\n",
		"test_a.py::TestF::test_f", &arena, &ids, &n);
	assert_string_equal(text,
		"from a import f\n\nclass TestF:\n    def test_f(self):\n        assert f(3, 'ab') == 4\n"
		"\n    def test_f_rondo_1(self):\n        assert f(4, 'ab') == 4\n"
		"\n    def test_f_rondo_2(self):\n        assert f(3, '') == 4\n"
		"\n    def test_f_rondo_3(self):\n        assert f(3, 'ab') == 11\n"
		"\n    def test_f_rondo_4(self):\n        assert f(0, 'ab') == 4\n"
		"\n    def test_g(self):\n        pass\n");
	assert_int_equal(n, 4);
	assert_string_equal(ids[3], "test_a.py::TestF::test_f_rondo_4");
}

static void a_call_with_a_title_is_copied(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	const char **ids;
	size_t n;
	const char *text = with_inputs("a.test.js", "test('adds', () => {\n\tassert.equal(add(1, \"x\"), 3);\n});\n", "adds", &arena, &ids, &n);
	assert_non_null(strstr(text, "});\n\ntest('adds rondo 1', () => {\n\tassert.equal(add(2, \"x\"), 3);\n});"));
	assert_non_null(strstr(text, "test('adds rondo 2', () => {\n\tassert.equal(add(1, \"\"), 3);\n});"));
	assert_string_equal(ids[0], "adds rondo 1");
}

static void parameters_are_no_part_of_a_copy_s_name(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	const char **ids;
	size_t n;
	with_inputs("test_a.py", "def test_f(x=1):\n    assert f(x) == 2\n", "test_a.py::test_f[1-2]", &arena, &ids, &n);
	assert_string_equal(ids[0], "test_a.py::test_f_rondo_1");
}

static void a_test_without_values_has_no_copies(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	const char **ids;
	size_t n;
	assert_null(with_inputs("test_a.py", "def test_f(x):\n    assert f(x) == f'{x}'\n", "test_a.py::test_f", &arena, &ids, &n));
	assert_null(with_inputs("test_a.py", "def test_f():\n    assert f(1)\n", "elsewhere", &arena, &ids, &n));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_function_is_copied_with_other_values),
		cmocka_unit_test(a_call_with_a_title_is_copied),
		cmocka_unit_test(parameters_are_no_part_of_a_copy_s_name),
		cmocka_unit_test(a_test_without_values_has_no_copies),
	};
	return RUN_TESTS(tests);
}
