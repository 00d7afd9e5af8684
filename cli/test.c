/* rondo test: scenarios as tests of themselves. */
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "cli/session.h"

struct test_command {
	const char *junit;
	int64_t jobs;
};

#define AT(member) offsetof(struct test_command, member)
#define USUAL_DIR "scenarios"

static const struct option options[] = {
	OPTION("junit", STRING, AT(junit), "also write the results as JUnit XML", .argument = "FILE"),
	OPTION("jobs", INT, AT(jobs), "so many at once; else as many as there are cores",
		.argument = "N", .letter = 'j', .least = 1, .most = 1000),
	OPTION_END,
};

static void test_show_case(void *owner, const struct run_case *item)
{
	screen_line(owner, item->exit_code ? GLYPH_FAILED : GLYPH_DONE, "%s   %s", item->path,
		screen_time(owner, item->duration_ms));
	screen_row(owner, NULL, item->exit_code ? item->why : NULL);
}

/* Others' programs of this name run a repository's tests. */
static int test_explain_none(struct rondo_error *err)
{
	error_set(err, RONDO_ERROR_USAGE, "there is no directory '" USUAL_DIR "' here");
	return error_help(err,
		"rondo test runs scenarios as tests; rondo fix runs the tests of a repository, and mends "
		"what fails");
}

CLI_RUN(test)
{
	const struct test_command *command = state;
	struct session session;
	size_t n_passed = 0, n_failed = 0;
	if (strcmp(operands->items[0], USUAL_DIR) == 0 && !file_exists(USUAL_DIR))
		return test_explain_none(err);
	if (session_begin(&session, &(struct session_options){.quiet = true}, err) < 0)
		return -1;
	struct run_scenarios tests = {
		.jobs = command->jobs, .done = test_show_case, .owner = &session.view.screen};
	int status = run_scenarios(&tests, operands, &session.ctx, arena, err);
	if (status == 0 && command->junit)
		status = run_scenarios_junit(&tests, command->junit, err);
	for (size_t i = 0; i < tests.n; i++) {
		n_passed += tests.cases[i].ran && !tests.cases[i].exit_code;
		n_failed += tests.cases[i].ran && tests.cases[i].exit_code;
	}
	size_t n_left = tests.n - n_passed - n_failed;
	if (status == 0)
		printf("%zu passed, %zu failed%s\n", n_passed, n_failed,
			n_left ? arena_printf(arena, ", %zu not run", n_left) : "");
	run_scenarios_release(&tests);
	run_screen_release(&session.view);
	int reason = cancel_reason(session.ctx.cancel);
	return status < 0 ? -1 : reason ? 128 + reason : n_failed > 0;
}

const struct cli_command test_command = {
	.name = "test",
	.summary = "run scenarios as tests: each must end as it asserts",
	.usage = "[FILE|DIR...] [options]",
	.details = "A scenario passes where rondo run would exit with 0. A DIR stands for the .yaml, "
			   ".yml and .json files\n"
			   "in it (the default: " USUAL_DIR ").\n"
			   "\n"
			   "  rondo test scenarios/ --junit results.xml\n",
	.state_size = sizeof(struct test_command),
	.options = options,
	.fallback = USUAL_DIR,
	.most_operands = 10000,
	.run = test_run,
};
