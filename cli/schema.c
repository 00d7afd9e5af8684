/* rondo schema: what a scenario file may hold, for editors, checkers and readers. */
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "cli/cli.h"

struct schema_command {
	const char *format;
};

static const char *const formats[] = {"json", "man", NULL};

static const struct option options[] = {
	{.name = "format", .kind = OPTION_ENUM, .offset = offsetof(struct schema_command, format), .values = formats,
		.fallback = "json", .argument = "FORMAT", .help = "json: JSON Schema; man: rondo-scenario(5) for scdoc"},
	OPTION_END,
};

static int run(void *state, const struct option_strings *operands, struct arena *arena)
{
	(void)operands, (void)arena;
	const struct schema_command *command = state;
	AUTO_STRBUF page = STRBUF_INIT(STRBUF_TEXT);
	if (strcmp(command->format, "man") == 0) {
		run_manual(&page);
		fputs(page.text, stdout);
		return 0;
	}
	AUTO_FREE char *schema = run_schema();
	fputs(schema, stdout);
	return 0;
}

const struct cli_command schema_command = {
	.name = "schema",
	.summary = "print the JSON Schema of scenario files",
	.usage = "[--format json|man]",
	.details = "  rondo schema >scenario.schema.json\n",
	.state_size = sizeof(struct schema_command),
	.options = options,
	.run = run,
};
