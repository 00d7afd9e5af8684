/* A change of one file or several, given to the guard as texts. */
#pragma once
#include "tests/unit/unit.h"

#include "base/memory.h"
#include "verify/guard/guard.h"

struct change_row {
	const char *rule; /* that finds it; NULL: none does */
	const char *path;
	const char *old, *text; /* NULL: not there */
};

static inline struct changed_file change_of(const char *path, const char *old, const char *text)
{
	return (struct changed_file){.path = path,
		.old = old,
		.text = text,
		.n_old = old ? strlen(old) : 0,
		.n_text = text ? strlen(text) : 0,
		.old_mode = old ? 0100644 : 0,
		.mode = text ? 0100644 : 0};
}

static inline const struct finding *finding_of(
	const struct inspection *inspection, const char *rule)
{
	for (size_t i = 0; i < inspection->n_findings; i++)
		if (strcmp(inspection->findings[i].rule->name, rule) == 0)
			return &inspection->findings[i];
	return NULL;
}

/* Whether the row's rule finds it, or where it has none nothing refuses it. What is not so is
 * printed. */
static inline bool check_row(const struct change_row *row)
{
	AUTO_ARENA arena = ARENA_INIT;
	static const char *const base[] = {
		"README.md", "pkg/__init__.py", "pkg/a.py", "src/a.py", "tests/test_a.py", "web/a.js"};
	static const char *const tests[] = {"tests/test_a.py"},
							 *const texts[] = {"assert area(LIMIT, twice(3)) == 4301\n"};
	const struct changed_file file = change_of(row->path, row->old, row->text);
	struct inspection inspection = {.files = &file,
		.n = 1,
		.base_paths = base,
		.n_base_paths = ARRAY_SIZE(base),
		.test_paths = tests,
		.n_test_paths = 1,
		.test_texts = texts,
		.n_test_texts = 1,
		.goal_texts = texts,
		.n_goal_texts = row->rule != NULL,
		.arena = &arena};
	guard_inspect(&inspection);
	const struct finding *refusal = guard_refusal(&inspection);
	bool right = row->rule ? finding_of(&inspection, row->rule) != NULL : !refusal;
	if (!right && refusal)
		print_error("%s: refused: %s\n", row->rule ? row->rule : "honest",
			finding_describe(refusal, &arena));
	if (!right)
		print_error("%s in %s:\n%s", row->rule ? row->rule : "honest", row->path, row->text);
	return right;
}

static inline void check_rows(const struct change_row *rows, size_t n)
{
	size_t wrong = 0;
	for (size_t i = 0; i < n; i++)
		wrong += !check_row(&rows[i]);
	assert_int_equal(wrong, 0);
}
