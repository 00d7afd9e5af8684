/* rondo test: scenarios as tests of themselves. */
#include "cli/session.h"
#include <stdio.h>

struct test_command {
	const char *junit;
	int64_t jobs;
};

#define AT(member) offsetof(struct test_command, member)

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

CLI_RUN(test)
{
	const struct test_command *command = state;
	struct session session;
	size_t n_passed = 0, n_failed = 0;
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
			   "in it (the default: scenarios).\n"
			   "\n"
			   "  rondo test scenarios/ --junit results.xml\n",
	.state_size = sizeof(struct test_command),
	.options = options,
	.fallback = "scenarios",
	.most_operands = 10000,
	.run = test_run,
};
