/* rondo check: are these files scenarios? */
#include <stdio.h>

#include "cli/cli.h"

CLI_RUN(check)
{
	AUTO_STRBUF text = STRBUF_INIT(STRBUF_TEXT);
	struct run_check check = {.text = &text};
	if (run_check(operands, arena, &check, err) < 0)
		return -1;
	fputs(text.text, stdout);
	if (check.n_problems)
		printf("%zu error%s in %zu of ", check.n_problems, text_plural(check.n_problems),
			check.n_wrong);
	printf("%zu file%s%s\n", check.n_files, text_plural(check.n_files),
		check.n_problems ? "" : ", nothing wrong");
	return check.n_problems ? 2 : 0;
}

const struct cli_command check_command = {
	.name = "check",
	.summary = "say all that is wrong in scenario files",
	.usage = "[FILE|DIR...]",
	.details = "Every error of every file, with line and column; a DIR stands for the .yaml, .yml "
			   "and .json files in\n"
			   "it (the default: here). Nothing is run. Exit code 2 where there is an error.\n"
			   "\n"
			   "  rondo check scenarios/*.yaml\n",
	.fallback = ".",
	.most_operands = 10000,
	.run = check_run,
};
