/* A crash names no line: it was at the one that the failing tests ran last. */
#include "tests/unit/repair_fixture.h"

static const char text[] = "int last(const struct node *list)\n{\n"
						   "\tif (list->next == NULL)\n\t\treturn list->value;\n"
						   "\treturn last(list->next);\n}\n";

/* The place of a candidate, from 1, after a program ended so; 0: it is none of the first. */
static size_t place_after(const char *end, const char *description)
{
	AUTO_ARENA arena = ARENA_INIT;
	struct repair_file file = {.path = "a.c", .text = text, .n = strlen(text), .editable = true};
	struct test_report report = {.output = end};
	struct coverage_line lines[] = {{"a.c", 3, 5, 1, 0}, {"a.c", 4, 1, 1, 0}, {"a.c", 5, 1, 1, 0}};
	const struct coverage coverage = {lines, ARRAY_SIZE(lines), .n_goal = 5, .n_others = 1};
	struct repair *repair = repair_new(&arena, &file, 1, &report);
	struct candidate candidate;
	repair_cover(repair, &coverage);
	for (size_t i = 1; i <= 1000 && repair_next(repair, &candidate); i++)
		if (strcmp(candidate.edit.description, description) == 0)
			return i;
	return 0;
}

static void what_a_crash_asked_for_may_be_null(void **state)
{
	(void)state;
	static const char guard[] = "a.c:3  insert 'if (list == NULL) return 0;'";
	size_t after_crash = place_after("make: *** [Makefile:2: check] Segmentation fault", guard);
	size_t after_failure = place_after("make: *** [Makefile:2: check] Error 1", guard);
	assert_in_range(after_crash, 1, 100);
	assert_true(!after_failure || after_failure > 2 * after_crash);
}

UNIT(crash)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_a_crash_asked_for_may_be_null),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
