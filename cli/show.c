/* rondo show: what was said and done in a run. */
#include <stdio.h>

#include "cli/cli.h"

static const struct option options[] = {OPTION_END};

static int run(void *state, const struct option_strings *operands, struct arena *arena)
{
	(void)state;
	struct rondo_error err;
	AUTO_STRBUF text = STRBUF_INIT(STRBUF_RECORD);
	const char *dir = run_find(arena, operands->n ? operands->items[0] : NULL, &err);
	if (!dir || run_show(dir, &text, &err) < 0) {
		screen_error(&err);
		return run_error_exit_code(&err, NULL);
	}
	fputs(text.text, stdout);
	return 0;
}

const struct cli_command show_command = {
	.name = "show",
	.summary = "what was said and done in a run",
	.usage = "[RUN]",
	.details = "RUN is the beginning of a run's id, or last (the default).\n",
	.options = options,
	.most_operands = 1,
	.run = run,
};
