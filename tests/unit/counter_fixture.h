/* Copies of tests: what is made of the text of a test file. */
#pragma once
#include "base/file.h"
#include "base/memory.h"
#include "base/strbuf.h"
#include "tests/unit/unit.h"
#include "verify/counter/counter.h"

/* A test in a file, and its copies that must fail: a line each, "KIND LINE: what is shown", or why
 * there are none. */
struct counter_row {
	const char *id, *text, *copies;
};

static const char *const counter_kinds[] = {[COUNTER_EXPECTED] = "expected",
	[COUNTER_END] = "end",
	[COUNTER_FIRST] = "first",
	[COUNTER_LAST] = "last",
	[COUNTER_CALLED] = "called"};

static const char *describe_copies(const struct counter_plan *plan, const char *why)
{
	AUTO_STRBUF sb = STRBUF_INIT(STRBUF_TEXT);
	for (size_t i = 0; i < plan->n; i++)
		if (plan->copies[i].kind != COUNTER_SAME)
			strbuf_addf(&sb, "%s %d: %s\n", counter_kinds[plan->copies[i].kind],
				plan->copies[i].line, plan->copies[i].shown);
	if (why)
		strbuf_addf(&sb, "%s\n", why);
	return arena_strndup(plan->arena, sb.text, sb.length);
}

/* Copy a row's test into `plan`; it must come to what the row says. */
__attribute__((unused)) static void check_row(struct counter_plan *plan,
	const struct counter_type *type, const char *path, const struct counter_row *row,
	struct arena *arena)
{
	bool has_test;
	struct counter_test test = {.id = row->id, .most = 20};
	counter_plan_init(plan, "x123456789", "y123456789", arena);
	assert_true(type->may_hold(row->id, path));
	const char *why = counter_add(plan, type, path, row->text, strlen(row->text), &test, &has_test);
	const char *copies = describe_copies(plan, why);
	if (strcmp(copies, row->copies) != 0)
		fail_msg("%s in\n%s\nfound:\n%s\nexpected:\n%s", row->id, row->text, copies, row->copies);
}
