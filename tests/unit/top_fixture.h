/* A directory for each test, removed after it. */
#pragma once
#include "tests/unit/unit.h"

#include "base/file.h"

static char top[TOP_SIZE];

static int set_up(void **state)
{
	(void)state;
	return make_top(top) ? 0 : -1;
}

static int tear_down(void **state)
{
	(void)state;
	struct rondo_error err;
	return file_remove_tree(top, &err);
}
