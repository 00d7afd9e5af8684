/* pytest: "tests/test_shapes.py::TestArea::test_area[3-5]". */
#include <string.h>

#include "base/strbuf.h"
#include "verify/counter/python_text.h"

static bool pytest_may_hold(const char *id, const char *path)
{
	size_t n = strlen(path);
	return text_starts_with(id, path) && text_starts_with(id + n, "::");
}

/* The class around, by its name before the next "::". NULL: it is a function's. */
static const char *pytest_next_part(const char *at, size_t *ret_n)
{
	const char *end = strstr(at, "::"), *bracket = strchr(at, '[');
	if (!end || (bracket && bracket < end))
		return NULL;
	*ret_n = (size_t)(end - at);
	return end + 2;
}

static const char *pytest_copy(
	struct counter_plan *plan, size_t number, const struct counter_test *test, bool *ret_has_test)
{
	const struct counter_file *file = plan->files[number];
	const char *at = test->id + strlen(file->path) + 2, *next;
	uint32_t from = 0, to = (uint32_t)file->tokens.n, found = 0;
	struct python_function function;
	size_t n;
	*ret_has_test = true;
	for (; (next = pytest_next_part(at, &n)); at = next) {
		if (!python_find(file, from, to, "class", at, n, &found) ||
			!python_body(file, found, &from, &to))
			return "it does not stand in its class";
		if (!python_knows_decorators(file, found))
			return PYTHON_DECORATED;
	}
	n = strcspn(at, "[");
	if (!python_find(file, from, to, "def", at, n, &found))
		return "it does not stand in its file as a function of its own";
	if (!python_function_at(file, found, &function))
		return "it is a function on one line";
	return python_add_copies(plan, number, &function, test,
		arena_strndup(plan->arena, test->id, (size_t)(at - test->id)));
}

const struct counter_type pytest_counter = {
	.name = "pytest",
	.formats = " pytest ",
	.languages = " python ",
	/* For each failure it would read all of the test file again, and compare long texts. */
	.variable = "PYTEST_ADDOPTS=",
	.added = " --tb=native --assert=plain",
	.may_hold = pytest_may_hold,
	.copy = pytest_copy,
	.helpers = python_helpers,
};
