/*
 * read_report DIR COMMAND [TIMEOUT_MS [ID...]]: what rondo makes of a run of a suite, without a run
 * of its own around it: the command runs in DIR as it is on this machine, for these tests alone
 * where ids are named, and what was read is printed, the conclusion first:
 *
 *	format	pytest
 *	complete	or: problem	why it is not
 *	exit	1
 *	status	id	file:line	duration_ms	message        for each result
 *
 * Line ends within a value are shown as \n, tabs as \t.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "agents/agent.h"
#include "base/cancel.h"
#include "base/file.h"
#include "base/memory.h"
#include "executors/world.h"

enum { TIMEOUT_MS = 120000 };

static void must(int result, const struct rondo_error *err)
{
	if (result == 0)
		return;
	fprintf(stderr, "read_report: %s\n", err->message);
	exit(2);
}

static void print_value(const char *value)
{
	for (; value && *value; value++)
		if (*value == '\n' || *value == '\t')
			printf("\\%c", *value == '\n' ? 'n' : 't');
		else
			putchar(*value);
}

static void print_result(const struct test_result *result)
{
	printf("%s\t", test_status_name(result->status));
	print_value(result->id);
	putchar('\t');
	if (result->file)
		printf("%s:%d", result->file, result->line);
	printf("\t%lld\t", (long long)result->duration_ms);
	print_value(result->message);
	putchar('\n');
}

static void print_report(const struct test_report *report)
{
	printf("format\t%s\n", report->format ? report->format : "none");
	printf("%s", report->complete ? "complete" : "problem\t");
	print_value(report->problem);
	printf("\nexit\t%d\n", report->exit_code);
	for (size_t i = 0; i < report->n; i++)
		print_result(report->results[i]);
}

/* Run it with the local executor, whose cache is a directory that goes again. */
static void read_suite(const char *dir, const char *cache, const struct suite *suite,
	const struct judge_options *asked, struct arena *arena)
{
	struct rondo_error err;
	struct world world;
	struct test_report report;
	const struct context ctx = {.cancel = NULL};
	struct world_options options = {
		.root = dir, .tools = suite->type->tools, .sight = EXECUTOR_SEES_HOST};
	must(world_build(&options, arena, &world, &err), &err);
	struct checkout place = {.worktree = NULL};
	must(executor_new(
			 &(struct executor_plan){.type = &local_executor, .settings = &executor_defaults},
			 &world, dir, cache, &ctx, &place.executor, &err),
		&err);
	must(judge(&place, suite, asked, arena, &report, &ctx, &err), &err);
	print_report(&report);
	executor_free(place.executor);
}

int main(int argc, char **argv)
{
	AUTO_ARENA arena = ARENA_INIT;
	struct rondo_error err;
	struct suite suite;
	char cache[] = "/tmp/read-report-XXXXXX";
	if (argc < 3 || !mkdtemp(cache)) {
		fprintf(stderr, "usage: read_report DIR COMMAND [TIMEOUT_MS [ID...]]\n");
		return 2;
	}
	const char *dir = file_real_path(&arena, argv[1], &err);
	must(dir ? 0 : -1, &err);
	suite_from_command(argv[2], "from the command line", &arena, &suite);
	struct judge_options asked = {.timeout_ms = argc > 3 ? atoll(argv[3]) : TIMEOUT_MS};
	if (argc > 4) {
		asked.ids = (const char *const *)argv + 4;
		asked.n_ids = (size_t)argc - 4;
		if (!suite_targeted(&suite, asked.ids, asked.n_ids, &arena)) {
			fprintf(stderr, "read_report: this runner cannot run some tests alone: %s\n", argv[2]);
			return 1;
		}
	}
	read_suite(dir, cache, &suite, &asked, &arena);
	must(file_remove_tree(cache, &err), &err);
	return 0;
}
