/* A run up to its baseline, without an agent at work: its main checkout is edited by hand. Local,
 * since only what is judged matters. */
#pragma once
#include "tests/unit/unit.h"

#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"
#include "run/stages.h"

static char top[TOP_SIZE];

static void put(const char *path, const char *text)
{
	struct rondo_error err;
	assert_int_equal(file_write(path, text, strlen(text), 0644, &err), 0);
}

/* Into a home of its own, where put_base lays out the repository "shop", which is committed. */
static int make_shop(void (*put_base)(void))
{
	struct rondo_error err;
	if (!make_top(top) || chdir(top) < 0)
		return -1;
	setenv("HOME", top, 1);
	setenv("XDG_STATE_HOME", top, 1);
	setenv("XDG_CACHE_HOME", top, 1);
	file_make_dir("shop/tests", 0755, &err);
	put_base();
	return system("cd shop && git init -q && git add -A && git -c user.name=a -c user.email=a@b "
				  "commit -q -m base");
}

static int remove_shop(void **state)
{
	(void)state;
	struct rondo_error err;
	return chdir("/") == 0 ? file_remove_tree(top, &err) : -1;
}

struct opened {
	struct run run;
	struct scenario scenario;
	struct run_report report;
	struct arena arena;
	struct context ctx;
};

/* `targeted`: test.targeted, or NULL. */
static void open_at_base(struct opened *opened, const char *path, const char *targeted)
{
	struct rondo_error err;
	bool done = true;
	*opened = (struct opened){0};
	struct fix_options options = {0};
	options.executor = "local";
	options.path = path;
	if (order_fix_scenario(&opened->scenario, &options, &opened->arena, &err) < 0)
		fail_msg("%s", err.message);
	opened->scenario.test.targeted = targeted;
	struct order order = {.scenario = &opened->scenario};
	if (run_begin(&opened->run, &order, &opened->ctx, &opened->arena, &opened->report, &err) < 0 ||
		run_open(&opened->run, &done, &err) < 0)
		fail_msg("%s", err.message);
	assert_false(done);
}

/* Give the run back. */
static void close_opened(struct opened *opened)
{
	run_release(&opened->run);
	arena_release(&opened->arena);
}
