/*
 * rondo completion: a script for the shell, which asks rondo itself for the words that fit:
 * commands, their options, values and operands. They come from the tables that all else comes from.
 */
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "cli/cli.h"

/* --- The words, a line each, with what they mean after a tab --- */

/* The last word of a command line, and what comes before it. */
struct asked {
	const char *current, *before;
	int n_head; /* of "--option=" in the same word, which is part of each answer */
	const char *head;
};

static void complete_word(const struct asked *asked, const char *word, const char *meaning)
{
	if (*word && text_starts_with(word, asked->current))
		printf("%.*s%s\t%s\n", asked->n_head, asked->head, word, meaning);
}

/* The keys of a scenario, for --set. */
static void complete_keys(const struct asked *asked, const struct option *table, const char *prefix)
{
	for (const struct option *option = table; option && option->name; option++) {
		AUTO_STRBUF key = STRBUF_INIT(STRBUF_LINE);
		strbuf_addf(&key, "%s%s.", prefix, option->name);
		if (option->kind == OPTION_SECTION)
			complete_keys(asked, option->table, key.text);
		else if (option->kind == OPTION_CHILD)
			complete_keys(asked, option->family->common, key.text);
		key.text[key.length - 1] = '=';
		if (option->kind != OPTION_SECTION && option->kind != OPTION_MAP)
			complete_word(asked, key.text, option->help);
	}
}

static void complete_operands(
	const struct asked *asked, const struct cli_command *command, struct arena *arena)
{
	AUTO_STRBUF words = STRBUF_INIT(STRBUF_TEXT);
	struct rondo_error ignored;
	const char **ids;
	size_t n;
	if (command->words)
		command->words(&words);
	for (char *at = words.text, *word; (word = strsep(&at, " "));)
		complete_word(asked, word, "");
	if (!command->takes_run || run_list(arena, SIZE_MAX, &ids, &n, &ignored) < 0)
		return;
	complete_word(asked, "last", "");
	for (size_t i = 0; i < n; i++)
		complete_word(asked, ids[i], "");
}

/* Options, or what the value of one can be. Whether the word is one of them, by its form. */
static bool complete_options(const struct asked *asked, const struct option *table)
{
	for (const struct option *option = table; option && option->name; option++) {
		char letter[] = {'-', option->letter, '\0'};
		AUTO_STRBUF name = STRBUF_INIT(STRBUF_LINE);
		strbuf_addf(&name, "--%s", option->name);
		if (*asked->current == '-')
			complete_word(asked, name.text, cli_help(option));
		if (option_is_flag(option) ||
			(strcmp(asked->before, name.text) != 0 && strcmp(asked->before, letter) != 0))
			continue;
		const struct option *meaning = cli_meaning(option);
		const char *const *value = meaning->values;
		for (; value && *value; value++)
			complete_word(asked, *value, "");
		if (meaning->kind == OPTION_SECTION)
			complete_keys(asked, meaning->table, "");
		if (strcmp(option->name, "set") == 0)
			complete_keys(asked, run_scenario_keys, "");
		return true;
	}
	return *asked->current == '-';
}

/* For the last word; bash has a '=' as a word of its own, others the whole of --option=value. */
static void complete_line(const char *const *words, size_t n, struct arena *arena)
{
	struct asked asked = {
		.current = n ? words[n - 1] : "", .before = n > 1 ? words[n - 2] : "", .head = ""};
	const char *equals = strchr(asked.current, '=');
	if (equals == asked.current) {
		asked.current = "";
	} else if (equals && text_starts_with(asked.current, "--")) {
		asked.head = asked.current;
		asked.n_head = (int)(equals - asked.current) + 1;
		asked.before = arena_strndup(arena, asked.current, (size_t)asked.n_head - 1);
		asked.current = equals + 1;
	} else if (strcmp(asked.before, "=") == 0 && n > 2) {
		asked.before = words[n - 3];
	}
	if (n < 2)
		complete_word(&asked, "--version", "rondo's version");
	for (size_t i = 0; i < cli_commands_n; i++) {
		const struct cli_command *command = cli_commands[i];
		if (n < 2)
			complete_word(&asked, command->name, command->summary);
		if (n < 2 || strcmp(words[0], command->name) != 0)
			continue;
		if (!complete_options(&asked, command->options) && n == 2)
			complete_operands(&asked, command, arena);
	}
	complete_options(&asked, cli_options);
}

/* --- The scripts --- */

static const char bash_function[] =
	"_rondo_words() {\n"
	"\tlocal IFS=$'\\n' asked=(\"${COMP_WORDS[@]:1:$COMP_CWORD}\")\n"
	"\tCOMPREPLY=($(\"${COMP_WORDS[0]}\" completion words -- \"${asked[@]}\" 2>/dev/null |\n"
	"\t\tcut -f1))\n"
	"\tcase ${COMPREPLY[0]} in\n"
	"\t'') compopt -o default 2>/dev/null ;;\n"
	"\t*=) compopt -o nospace 2>/dev/null ;;\n"
	"\tesac\n"
	"}\n";

static const struct {
	const char *name, *begin, *function, *end;
} shells[] = {
	{"bash", "# bash completion for rondo: eval \"$(rondo completion bash)\"\n", bash_function,
		"complete -F _rondo_words rondo\n"},
	/* Its own way to read what bash reads. Where this file is the function that completes: now. */
	{"zsh", "#compdef rondo\nautoload -U +X bashcompinit && bashcompinit\n", bash_function,
		"complete -o default -F _rondo_words rondo\n"
		"[ \"${funcstack[1]}\" != _rondo ] || _bash_complete -o default -F _rondo_words\n"},
	{"fish", "# fish completion for rondo: rondo completion fish | source\n",
		"function __rondo_words\n"
		"\tset -l words (commandline -opc) (commandline -ct)\n"
		"\t$words[1] completion words -- $words[2..-1] 2>/dev/null\n"
		"end\n",
		"complete -c rondo -n 'count (__rondo_words) >/dev/null' -f -a '(__rondo_words)'\n"},
};

static void completion_words(struct strbuf *sb)
{
	for (size_t i = 0; i < ARRAY_SIZE(shells); i++)
		strbuf_addf(sb, " %s", shells[i].name);
}

CLI_RUN(completion)
{
	const char *wanted = operands->items[0];
	if (strcmp(wanted, "words") == 0) {
		complete_line(operands->items + 1, operands->n - 1, arena);
		return 0;
	}
	for (size_t i = 0; i < ARRAY_SIZE(shells); i++)
		if (strcmp(shells[i].name, wanted) == 0) {
			printf("%s%s%s", shells[i].begin, shells[i].function, shells[i].end);
			return 0;
		}
	error_set(err, RONDO_ERROR_USAGE, "a shell must be one of bash, zsh, fish, found '%s'", wanted);
	return error_help(err, "rondo completion --help");
}

const struct cli_command completion_command = {
	.name = "completion",
	.summary = "print a completion script for a shell",
	.usage = "bash|zsh|fish",
	.details =
		"  eval \"$(rondo completion bash)\"       in ~/.bashrc\n"
		"  rondo completion zsh >_rondo          in a directory of fpath\n"
		"  rondo completion fish | source        in config.fish\n"
		"\n"
		"The scripts call rondo completion words -- WORD...: it prints what the last can be.\n",
	.needs = "a shell: bash, zsh or fish",
	.most_operands = 10000,
	.words = completion_words,
	.run = completion_run,
};
