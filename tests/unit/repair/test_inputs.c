/* Further inputs for edits that pass: copies of failing tests. */
#include "tests/unit/unit.h"

#include "base/memory.h"
#include "repair/repair.h"

#define PRODUCT \
	"def f(x, y=0):\n    return x\n\nclass Cart:\n    def put(self, x):\n        pass\n    def " \
	"total(self):\n        pass\n"

/* The test file with the copies in it, and their ids; in the arena. NULL: no test can be copied. */
static const char *with_inputs(const char *path, const char *text, const char *const *failing,
	size_t n_failing, struct arena *arena, const char ***ids, size_t *n)
{
	const char *add = "export function add(a, b) {\n\treturn a;\n}\n";
	struct repair_file files[] = {
		{.path = "a.py", .text = PRODUCT, .n = strlen(PRODUCT), .editable = true},
		{.path = "a.js", .text = add, .n = strlen(add), .editable = true},
		{.path = path, .text = text, .n = strlen(text)}};
	struct test_report report = {0};
	struct candidates asked = {.n = 0};
	struct rondo_error err;
	for (size_t i = 0; i < n_failing; i++)
		test_report_add(
			&report, arena, &(struct test_result){.id = failing[i], .status = TEST_FAILED});
	if (!repair_inputs(repair_new(arena, files, ARRAY_SIZE(files), &report), &report, &asked))
		return NULL;
	*ids = asked.input_ids;
	*n = asked.n_input_ids;
	assert_int_equal(asked.inputs.n, 1);
	assert_string_equal(asked.inputs.files[0].path, path);
	AUTO_STRBUF sb = STRBUF_INIT(STRBUF_TEXT);
	assert_int_equal(edit_apply(&asked.inputs.files[0], text, strlen(text), &sb, &err), 0);
	return arena_strndup(arena, sb.text, sb.length);
}

/* Of one test of a file, which may be none. */
static const char *copied(const char *path, const char *text, const char *id, struct arena *arena)
{
	const char **ids;
	size_t n;
	return with_inputs(path, text, &id, 1, arena, &ids, &n);
}

static void a_function_is_copied_with_other_values(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	const char **ids, *failing[] = {"test_a.py::TestF::test_f"};
	size_t n;
	const char *text = with_inputs("test_a.py",
		"from a import f\n\n"
		"class TestF:\n"
		"    def test_f(self):\n"
		"        assert f(3, 'ab') == 4\n\n"
		"    def test_g(self):\n"
		"        pass\n",
		failing, 1, &arena, &ids, &n);
	assert_string_equal(text,
		"from a import f\n\nclass TestF:\n    def test_f(self):\n        assert f(3, 'ab') == 4\n"
		"\n    def test_f_rondo_1(self):\n        assert f(4, 'ab') == 4\n"
		"\n    def test_f_rondo_2(self):\n        assert f(3, '') == 4\n"
		"\n    def test_f_rondo_3(self):\n        assert f(0, 'ab') == 4\n"
		"\n    def test_f_rondo_4(self):\n        assert f(3, 'ba') == 4\n"
		"\n    def test_g(self):\n        pass\n");
	assert_int_equal(n, 4);
	assert_string_equal(ids[3], "test_a.py::TestF::test_f_rondo_4");
}

static void a_call_with_a_title_is_copied(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	const char **ids, *failing[] = {"adds"};
	size_t n;
	const char *text = with_inputs("a.test.js",
		"test('adds', () => {\n"
		"\tassert.equal(add(1, \"x\"), 3);\n"
		"});\n",
		failing, 1, &arena, &ids, &n);
	assert_non_null(strstr(text,
		"});\n\n"
		"test('adds rondo 1', () => {\n"
		"\tassert.equal(add(2, \"x\"), 3);\n"
		"});"));
	assert_non_null(strstr(text,
		"test('adds rondo 2', () => {\n"
		"\tassert.equal(add(1, \"\"), 3);\n"
		"});"));
	assert_string_equal(ids[0], "adds rondo 1");
}

static void a_variable_leads_to_what_it_was_given(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	const char *text = copied("test_a.py",
		"def test_f():\n"
		"    n, want = 3, 4\n"
		"    cart = Cart('x')\n"
		"    cart.put(n)\n"
		"    assert cart.total() == want\n"
		"    assert cart.n == 5\n",
		"test_a.py::test_f", &arena);
	assert_non_null(strstr(text, "    n, want = 4, 4\n    cart = Cart('x')\n"));
	assert_non_null(strstr(text, "    n, want = 3, 4\n    cart = Cart('')\n"));
	assert_null(strstr(text, "3, 5"));
	assert_null(strstr(text, "cart.n == 6"));
	text = copied("test_a.py",
		"def test_f():\n"
		"    for x, want in [(1, 7), (2, 8)]:\n"
		"        assert f(x) == want\n",
		"test_a.py::test_f", &arena);
	assert_non_null(strstr(text, "[(2, 7), (3, 8)]"));
	assert_null(strstr(text, ", 9)"));
}

static void a_decorator_comes_along(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	const char **ids, *failing[] = {"test_a.py::test_f[1-ab-2]"};
	size_t n;
	const char *text = with_inputs("test_a.py",
		"@pytest.mark.timeout(\n"
		"    9)\n"
		"@pytest.mark.parametrize('x, s, want', [(1, 'ab', 2), pytest.param(3, 'ab', 4, id='3')])\n"
		"def test_f(x, s, want):\n    assert f(x, y=s) == want\n",
		failing, 1, &arena, &ids, &n);
	assert_non_null(strstr(text,
		"want\n\n"
		"@pytest.mark.timeout(\n"
		"    9)\n"
		"@pytest.mark.parametrize('x, s, want', [(2, 'ab', 2), pytest.param(4, 'ab', 4, "
		"id='3')])\ndef test_f_rondo_1(x, s, want):\n"));
	assert_non_null(strstr(text,
		"[(1, '', 2), pytest.param(3, '', 4, id='3')])\n"
		"def test_f_rondo_2("));
	assert_int_equal(n, 4);
	assert_string_equal(ids[0], "test_a.py::test_f_rondo_1");
	text = copied("test_a.py",
		"@pytest.mark.parametrize(('x',), [(1,), (5,)])\n"
		"def test_f(x):\n"
		"    assert f(x) == 2\n",
		"test_a.py::test_f[1]", &arena);
	assert_non_null(strstr(text, "[(2,), (6,)])\ndef test_f_rondo_1("));
	text = copied("test_a.py",
		"@pytest.mark.parametrize('x', [1, 5])\n"
		"async def test_f(x):\n"
		"    assert f(x) == 2\n",
		"test_a.py::test_f[1]", &arena);
	assert_non_null(strstr(text,
		"\n"
		"@pytest.mark.parametrize('x', [2, 6])\n"
		"async def test_f_rondo_1("));
}

static void several_tests_of_a_file_are_copied(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	const char **ids, *failing[] = {"test_a.py::test_g", "test_a.py::test_f"};
	size_t n;
	const char *text = with_inputs("test_a.py",
		"def test_f():\n"
		"    assert f(1) == 2\n\n"
		"def test_g():\n"
		"    assert f(5) == 6\n",
		failing, 2, &arena, &ids, &n);
	assert_non_null(strstr(text,
		"def test_f_rondo_4():\n"
		"    assert f(11) == 2\n\n"
		"def test_g():\n"
		"    assert f(5) == 6\n\n"
		"def test_g_rondo_1"));
	assert_int_equal(n, 8);
	assert_string_equal(ids[0], "test_a.py::test_g_rondo_1");
	assert_string_equal(ids[7], "test_a.py::test_f_rondo_4");
}

static void no_copy_has_the_values_of_its_test(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	const char **ids, *failing[] = {"test_a.py::test_f"};
	size_t n;
	const char *text = with_inputs("test_a.py",
		"def test_f():\n"
		"    assert f('aa') == 2\n",
		failing, 1, &arena, &ids, &n);
	assert_int_equal(n, 4);
	for (const char *at = strstr(text, "rondo_1"); at; at = strstr(at + 1, "f('"))
		assert_false(text_starts_with(at, "f('aa')"));
	text = with_inputs("test_a.py",
		"def test_f():\n"
		"    assert f('') == 2\n",
		failing, 1, &arena, &ids, &n);
	assert_non_null(strstr(text, "f('x') == 2"));
	assert_null(strstr(strstr(text, "rondo_1"), "f('')"));
}

static void a_test_without_values_for_the_program_has_no_copies(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	const char *id = "test_a.py::test_f";
	assert_null(copied("test_a.py", "def test_f(x):\n    assert f(x) == f'{x}'\n", id, &arena));
	assert_null(copied("test_a.py", "def test_f():\n    assert f(1)\n", "elsewhere", &arena));
	assert_null(copied("test_a.py", "def test_f(pair):\n    assert f(*pair) == 4\n", id, &arena));
	assert_null(copied("test_a.py",
		"def test_f(pair):\n"
		"    other(5)\n"
		"    assert f(*pair) == Cart(3)\n",
		id, &arena));
	assert_null(copied("test_a.py",
		"@pytest.mark.parametrize('want', [4])\n"
		"def test_f(pair, want):\n"
		"    assert f(*pair) == want\n",
		id, &arena));
}

UNIT(inputs)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_function_is_copied_with_other_values),
		cmocka_unit_test(a_call_with_a_title_is_copied),
		cmocka_unit_test(a_variable_leads_to_what_it_was_given),
		cmocka_unit_test(a_decorator_comes_along),
		cmocka_unit_test(several_tests_of_a_file_are_copied),
		cmocka_unit_test(no_copy_has_the_values_of_its_test),
		cmocka_unit_test(a_test_without_values_for_the_program_has_no_copies),
	};
	return RUN_TESTS(tests);
}
