/* rondo check: are these files scenarios? */
#include <stdio.h>

#include "cli/cli.h"

static const char *plural(size_t n)
{
	return n == 1 ? "" : "s";
}

static int run(void *state, const struct option_strings *operands, struct arena *arena,
	struct rondo_error *err)
{
	(void)state;
	AUTO_STRBUF text = STRBUF_INIT(STRBUF_TEXT);
	struct run_check check = {.text = &text};
	static const char *here[] = {"."};
	struct option_strings paths = operands->n ? *operands : (struct option_strings){here, 1};
	if (run_check(&paths, arena, &check, err) < 0)
		return -1;
	fputs(text.text, stdout);
	if (!check.n_problems) {
		printf("%zu file%s, nothing wrong\n", check.n_files, plural(check.n_files));
		return 0;
	}
	printf("%zu error%s in %zu of %zu file%s\n", check.n_problems, plural(check.n_problems), check.n_wrong,
		check.n_files, plural(check.n_files));
	return 2;
}

const struct cli_command check_command = {
	.name = "check",
	.summary = "say all that is wrong in scenario files",
	.usage = "[FILE|DIR...]",
	.details = "Every error of every file, with line and column; a DIR stands for the .yaml, .yml and .json files in\n"
		   "it (the default: here). Nothing is run. Exit code 2 where there is an error.\n"
		   "\n"
		   "  rondo check scenarios/*.yaml\n",
	.most_operands = 10000,
	.run = run,
};
