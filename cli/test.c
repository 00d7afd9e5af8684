/* rondo test: scenarios as tests of themselves. */
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/xml.h"
#include "cli/session.h"

struct test_command {
	const char *junit;
	int64_t jobs;
};

static const struct option options[] = {
	{.name = "junit", .kind = OPTION_STRING, .offset = offsetof(struct test_command, junit), .argument = "FILE",
		.help = "also write the results as JUnit XML"},
	{.name = "jobs", .kind = OPTION_INT, .offset = offsetof(struct test_command, jobs), .argument = "N", .letter = 'j',
		.least = 1, .most = 1000, .help = "so many at once; else as many as there are cores"},
	OPTION_END,
};

static void show_case(void *owner, const struct run_case *item)
{
	screen_line(owner, item->exit_code ? GLYPH_FAILED : GLYPH_DONE, "%s   %s", item->path,
		screen_time(owner, item->duration_ms));
	screen_row(owner, NULL, item->exit_code ? item->why : NULL);
}

static void add_case(struct strbuf *sb, const struct run_case *item)
{
	strbuf_adds(sb, "  <testcase classname=\"scenario\" name=\"");
	xml_add_text(sb, item->path);
	strbuf_addf(sb, "\" time=\"%.3f\"", (double)item->duration_ms / 1000);
	if (item->ran && !item->exit_code) {
		strbuf_adds(sb, "/>\n");
		return;
	}
	const char *why = item->why ? item->why : "";
	const char *element = item->exit_code == 1 ? "failure" : "error";
	if (!item->ran) {
		strbuf_adds(sb, "><skipped/></testcase>\n");
		return;
	}
	strbuf_addf(sb, ">\n    <%s message=\"exit code %d\">", element, item->exit_code);
	xml_add_text(sb, why);
	strbuf_addf(sb, "</%s>\n  </testcase>\n", element);
}

struct counts {
	size_t passed, failed, errors, skipped;
};

static struct counts count(const struct run_scenarios *tests)
{
	struct counts counts = {0};
	for (size_t i = 0; i < tests->n; i++) {
		const struct run_case *item = &tests->cases[i];
		counts.skipped += !item->ran;
		counts.passed += item->ran && item->exit_code == 0;
		counts.failed += item->ran && item->exit_code == 1;
		counts.errors += item->ran && item->exit_code > 1;
	}
	return counts;
}

static int write_junit(const struct run_scenarios *tests, const char *path, struct rondo_error *err)
{
	struct counts counts = count(tests);
	AUTO_STRBUF sb = STRBUF_INIT(STRBUF_RECORD);
	strbuf_addf(&sb,
		"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuite name=\"rondo\" tests=\"%zu\" failures=\"%zu\" "
		"errors=\"%zu\" skipped=\"%zu\">\n",
		tests->n, counts.failed, counts.errors, counts.skipped);
	for (size_t i = 0; i < tests->n; i++)
		add_case(&sb, &tests->cases[i]);
	strbuf_adds(&sb, "</testsuite>\n");
	return file_write(path, sb.text, sb.length, 0644, err);
}

/* 0: all passed; 1: one did not; above: a signal ended it. */
static int exit_code(const struct counts *counts, const struct cancel *cancel)
{
	int reason = cancel_reason(cancel);
	if (reason)
		return 128 + reason;
	return counts->failed || counts->errors;
}

static int run(void *state, const struct option_strings *operands, struct arena *arena,
	struct rondo_error *err)
{
	const struct test_command *command = state;
	static const char *here[] = {"scenarios"};
	struct option_strings paths = operands->n ? *operands : (struct option_strings){here, 1};
	struct session session;
	if (session_begin(&session, &(struct session_options){.quiet = true}, err) < 0)
		return -1;
	struct run_scenarios tests = {.jobs = command->jobs, .done = show_case, .owner = &session.view.screen};
	int status = run_scenarios(&tests, &paths, &session.ctx, arena, err);
	if (status == 0 && command->junit)
		status = write_junit(&tests, command->junit, err);
	struct counts counts = count(&tests);
	if (status == 0)
		printf("%zu passed, %zu failed%s\n", counts.passed, counts.failed + counts.errors,
			counts.skipped ? arena_printf(arena, ", %zu not run", counts.skipped) : "");
	run_scenarios_release(&tests);
	run_screen_release(&session.view);
	return status < 0 ? -1 : exit_code(&counts, session.ctx.cancel);
}

const struct cli_command test_command = {
	.name = "test",
	.summary = "run scenarios as tests: each must end as it asserts",
	.usage = "[FILE|DIR...] [options]",
	.details = "A scenario passes where rondo run would exit with 0. A DIR stands for the .yaml, .yml and .json files\n"
		   "in it (the default: scenarios).\n"
		   "\n"
		   "  rondo test scenarios/ --junit results.xml\n",
	.state_size = sizeof(struct test_command),
	.options = options,
	.most_operands = 10000,
	.run = run,
};
