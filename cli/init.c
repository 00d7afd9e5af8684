/* rondo init: a rondo.yaml to begin with. */
#include "cli/cli.h"

CLI_RUN(init)
{
	struct context ctx = {0};
	const char *file;
	if (run_init(operands->items[0], &ctx, arena, &file, err) < 0)
		return -1;
	AUTO_SCREEN screen;
	screen_init(&screen);
	screen_line(&screen, GLYPH_DONE, "wrote %s", screen_path(&screen, file));
	return 0;
}

const struct cli_command init_command = {
	.name = "init",
	.summary = "write a commented rondo.yaml for this repository",
	.usage = "[DIR]",
	.details = "The file says what was found: the test command, and what else can be set. It is "
			   "never overwritten.\n",
	.fallback = ".",
	.most_operands = 1,
	.run = init_run,
};
