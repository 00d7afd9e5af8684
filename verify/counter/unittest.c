/* unittest: "shop.test_shapes.ShapesTest.test_area". */
#include <string.h>

#include "base/strbuf.h"
#include "verify/counter/python_text.h"

/* The id's last two parts are the class and the method. */
static const char *unittest_class_of(const char *id, const char **ret_method)
{
	const char *method = strrchr(id, '.'), *class = method;
	while (class && class > id && class[-1] != '.')
		class --;
	if (!method || class == id)
		return NULL;
	*ret_method = method + 1;
	return class;
}

/* Discovery may begin in a folder: the module's name is the path's end. */
static bool unittest_may_hold(const char *id, const char *path)
{
	const char *method, *class = unittest_class_of(id, &method);
	size_t n = class ? (size_t)(class - id - 1) : 0, n_path = strlen(path);
	if (!n || !text_ends_with(path, ".py") || n_path < n + 3)
		return false;
	const char *end = path + n_path - 3 - n;
	if (end > path && end[-1] != '/')
		return false;
	for (size_t i = 0; i < n; i++)
		if (end[i] != (id[i] == '.' ? '/' : id[i]))
			return false;
	return true;
}

static const char *unittest_copy(
	struct counter_plan *plan, size_t number, const struct counter_test *test, bool *ret_has_test)
{
	const struct counter_file *file = plan->files[number];
	const char *method, *class = unittest_class_of(test->id, &method);
	uint32_t from, to, at;
	struct python_function function;
	if (!python_find(
			file, 0, (uint32_t)file->tokens.n, "class", class, (size_t)(method - class - 1), &at) ||
		!python_body(file, at, &from, &to))
		return "it does not stand in its class";
	*ret_has_test = true;
	if (!python_knows_decorators(file, at))
		return PYTHON_DECORATED;
	bool waits = memmem(file->text, file->n, "IsolatedAsyncio", strlen("IsolatedAsyncio"));
	if (!python_find(file, from, to, "def", method, strlen(method), &at))
		return "it does not stand in its class";
	if (!python_function_at(file, at, &function))
		return "it is a function on one line";
	if (counter_is(file, at, "async") && !waits)
		return "nobody waits for it";
	return python_add_copies(plan, number, &function, test,
		arena_strndup(plan->arena, test->id, (size_t)(method - test->id)));
}

const struct counter_type unittest_counter = {
	.name = "unittest",
	.formats = " unittest ",
	.languages = " python ",
	.may_hold = unittest_may_hold,
	.copy = unittest_copy,
	.helpers = python_helpers,
};
