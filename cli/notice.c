#include "cli/notice.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/process/process.h"
#include "cli/cli.h"

#define NOTICE_MS 30000 /* that the command may take */
#define NOTICE_OUTPUT ((size_t)4 << 10)

extern char **environ;

static void notice_set(const char *name, const char *value)
{
	setenv(name, value ? value : "", 1);
}

static void notice_run(const char *line, struct rondo_error *err)
{
	AUTO_STRBUF output = STRBUF_INIT(NOTICE_OUTPUT);
	struct process_result result;
	char end[64];
	const char *argv[] = {"/bin/sh", "-c", line, NULL};
	struct process_options options = {.argv = argv,
		.env = (const char *const *)environ,
		.output = &output,
		.timeout_ms = NOTICE_MS};
	if (process_run(&options, &result, err) < 0 ||
		(result.end == PROCESS_EXITED && result.exit_code == 0))
		return;
	strbuf_rtrim(&output);
	error_set(err, RONDO_ERROR_USAGE, "--notify: '%s': %s%s%s", line,
		process_describe(&result, end, sizeof end), output.length ? ": " : "", output.text);
}

void notice_give(const struct notice *notice, const struct run_report *report, bool failed)
{
	struct rondo_error err = {0};
	const struct publication *publication = report->publication;
	const char *branch = publication && publication->commit ? publication->branch : NULL;
	if (clock_now_ms() - notice->started_at_ms < notice->after_ms)
		return;
	if (notice->rings)
		putchar('\a');
	fflush(stdout);
	if (!notice->command)
		return;
	notice_set("RONDO_OUTCOME", failed ? RUN_ERROR_WORD : run_outcome_word(report->outcome));
	notice_set("RONDO_RUN", report->id);
	notice_set("RONDO_BRANCH", branch);
	notice_run(notice->command, &err);
	if (*err.message)
		screen_error(&err);
}
