/* rondo doctor: what works on this machine, and the command that mends what does not. */
#include <stdio.h>

#include "cli/cli.h"

static const struct option options[] = {OPTION_END};

static int run(void *state, const struct option_strings *operands, struct arena *arena)
{
	(void)state;
	(void)operands;
	struct screen screen;
	struct doctor_line *lines;
	size_t n;
	bool well = true;
	screen_init(&screen);
	run_doctor(arena, &lines, &n);
	printf("rondo %s   %s\n\n", rondo_version(), run_library_versions(arena));
	for (size_t i = 0; i < n; i++) {
		const struct doctor_line *line = &lines[i];
		screen_line(&screen, line->optional ? GLYPH_NEUTRAL : line->works ? GLYPH_DONE : GLYPH_LOOK,
			"%-10s %s", line->name, line->found);
		if (line->help)
			screen_line(&screen, GLYPH_NONE, "%-10s help: %s", "", line->help);
		well &= line->works || line->optional;
	}
	return well ? 0 : 3;
}

const struct cli_command doctor_command = {
	.name = "doctor",
	.summary = "what works on this machine, and what mends the rest",
	.usage = "",
	.details = "Tries each executor and tells what was found. Exit code 3 where what every run needs does not work.\n",
	.options = options,
	.run = run,
};
