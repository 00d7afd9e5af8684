/* rondo schema: what a scenario file may hold, and what a report holds; for editors, checkers and
 * readers. */
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "cli/cli.h"

static const char *const formats[] = {"json", "man", NULL};

static const struct option options[] = {
	OPTION("format", ENUM, 0, "json: JSON Schema; man: rondo-scenario(5) for scdoc",
		.values = formats, .fallback = "json", .argument = "FORMAT"),
	OPTION_END,
};

static void schema_words(struct strbuf *sb)
{
	strbuf_adds(sb, " scenario report");
}

CLI_RUN(schema)
{
	const char *const *format = state;
	const char *what = operands->items[0];
	bool is_report = strcmp(what, "report") == 0;
	if (!is_report && strcmp(what, "scenario") != 0)
		return error_set(
			err, RONDO_ERROR_USAGE, "there is no schema '%s': scenario or report is meant", what);
	AUTO_STRBUF page = STRBUF_INIT(STRBUF_TEXT);
	bool is_page = strcmp(*format, "man") == 0;
	if (is_report && is_page)
		return error_set(
			err, RONDO_ERROR_USAGE, "--format man is for scenarios: reports have no man page");
	if (is_page) {
		run_manual(&page);
		fputs(page.text, stdout);
		return 0;
	}
	AUTO_FREE char *schema = is_report ? run_report_schema() : run_schema();
	fputs(schema, stdout);
	return 0;
}

const struct cli_command schema_command = {
	.name = "schema",
	.summary = "print the JSON Schema of scenario files, or of reports",
	.usage = "[scenario|report] [--format json|man]",
	.details = "  rondo schema >scenario.schema.json\n"
			   "  rondo schema report >report.schema.json\n",
	.fallback = "scenario",
	.most_operands = 1,
	.words = schema_words,
	.state_size = sizeof(const char *),
	.options = options,
	.run = schema_run,
};
