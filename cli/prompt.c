/* rondo prompt: what models are told, so that it can be read, and overridden. */
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "cli/cli.h"

static void list(void)
{
	const char *name, *text;
	for (size_t i = 0; run_prompt(i, &name, &text); i++)
		printf("%-22s %.*s\n", name, (int)strcspn(text, "\n.:"), text);
}

static int show(const char *wanted, struct rondo_error *err)
{
	const char *name, *text, *names[64];
	size_t n = 0;
	for (size_t i = 0; run_prompt(i, &name, &text); i++) {
		if (strcmp(name, wanted) == 0) {
			fputs(text, stdout);
			return 0;
		}
		if (n < ARRAY_SIZE(names))
			names[n++] = name;
	}
	error_unknown(err, "unknown prompt", wanted, names, n);
	return error_help(err, "rondo prompt list");
}

static int run(void *state, const struct option_strings *operands, struct arena *arena,
	struct rondo_error *err)
{
	(void)state, (void)arena;
	const char *verb = operands->n ? operands->items[0] : "list";
	if (strcmp(verb, "show") == 0 && operands->n == 2)
		return show(operands->items[1], err);
	if (strcmp(verb, "list") == 0 && operands->n < 2) {
		list();
		return 0;
	}
	error_set(err, RONDO_ERROR_USAGE, "rondo prompt takes 'list' or 'show NAME'");
	return error_help(err, "rondo prompt --help");
}

const struct cli_command prompt_command = {
	.name = "prompt",
	.summary = "list what models are told, or show one of these texts",
	.usage = "[list | show NAME]",
	.details = "An agent of type coder takes other texts by its key prompts: {NAME: text}.\n"
		   "\n"
		   "  rondo prompt show coder\n",
	.most_operands = 2,
	.run = run,
};
