/* rondo prompt: the texts that models are given, to read and to override. */
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"

CLI_RUN(prompt)
{
	const char *wanted = operands->n == 2 ? operands->items[1] : NULL;
	const char *name, *text, **names = NULL;
	size_t n = 0;
	if (strcmp(operands->items[0], wanted ? "show" : "list") != 0) {
		error_set(err, RONDO_ERROR_USAGE, "rondo prompt takes 'list' or 'show NAME'");
		return error_help(err, "rondo prompt --help");
	}
	while (run_prompt(n, &name, &text)) {
		if (!wanted)
			printf("%-22s %.*s\n", name, (int)strcspn(text, "\n.:"), text);
		if (wanted && strcmp(name, wanted) == 0)
			return fputs(text, stdout) < 0;
		ARENA_PUSH(arena, names, n, name);
	}
	if (!wanted)
		return 0;
	error_unknown(err, "unknown prompt", wanted, names, n);
	return error_help(err, "rondo prompt list");
}

const struct cli_command prompt_command = {
	.name = "prompt",
	.summary = "list the texts that models are given, or show one of them",
	.usage = "[list | show NAME]",
	.details = "An agent of type coder takes other texts by its key prompts: {NAME: text}.\n"
			   "\n"
			   "  rondo prompt show coder\n",
	.fallback = "list",
	.most_operands = 2,
	.run = prompt_run,
};
