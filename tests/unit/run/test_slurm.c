/* What Slurm's programs and a batch's directory say of jobs. */
#include "tests/unit/unit.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/file.h"
#include "base/utf8.h"
#include "run/batch/slurm.h"

static char top[TOP_SIZE];

static int set_up(void **state)
{
	(void)state;
	struct rondo_error err;
	return make_top(top) && chdir(top) == 0 && file_make_dir("slurm", 0755, &err) == 0 ? 0 : -1;
}

static int tear_down(void **state)
{
	(void)state;
	struct rondo_error err;
	return chdir("/") == 0 ? file_remove_tree(top, &err) : -1;
}

static void put(const char *path, const char *text, mode_t mode)
{
	struct rondo_error err;
	assert_int_equal(file_write(path, text, strlen(text), mode, &err), 0);
}

/* It becomes an argument of scancel. */
static void a_job_is_a_number(void **state)
{
	(void)state;
	static const struct {
		const char *text;
		int result;
	} rows[] = {{"{\"job\": \"1234\", \"parts\": 8}", 0},
		{"{\"job\": \"--user=root\", \"parts\": 8}", -1}, {"{\"job\": \"\", \"parts\": 8}", -1},
		{"{\"job\": \"12 34\", \"parts\": 8}", -1}, {"{\"job\": \"1234\", \"parts\": 0}", -1}};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		AUTO_ARENA arena = ARENA_INIT;
		struct slurm_job job;
		put("slurm/job.json", rows[i].text, 0600);
		assert_int_equal(slurm_job_read(".", &arena, &job), rows[i].result);
	}
}

/* The first state is longer than any of Slurm's, in characters of two bytes. */
static void what_squeue_prints_is_cut_between_characters(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct rondo_error err;
	struct slurm_job job = {.id = "7", .n_parts = 2};
	struct slurm_elements found;
	put("squeue",
		"#!/bin/sh\n"
		"echo '0 1 xßßßßßßßßßßßßßßßßßßßß  None'\n"
		"echo '1           0           RUNNING                 Node went down'\n"
		"echo 'no line of it'\n",
		0755);
	setenv("PATH", arena_printf(&arena, "%s:/usr/bin:/bin", top), 1);
	assert_int_equal(slurm_call_squeue(&job, &arena, &found, &err), 0);
	assert_int_equal(found.n, 2);
	assert_int_equal(found.n_running, 1);
	assert_string_equal(found.items[0].reason, "None");
	assert_int_equal(found.items[0].n_restarts, 1);
	assert_int_equal(found.items[1].index, 1);
	assert_string_equal(found.items[1].reason, "Node went down");
}

UNIT(slurm)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_job_is_a_number),
		cmocka_unit_test(what_squeue_prints_is_cut_between_characters),
	};
	return cmocka_run_group_tests(tests, set_up, tear_down);
}
