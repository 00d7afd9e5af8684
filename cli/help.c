/* rondo help: what rondo does, a command, or a type that a scenario can name. */
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"

static const char front[] =
	"rondo turns a red test suite green and leaves a verified git branch.\n"
	"\n"
	"  rondo fix                          in a repository: find the tests, make them pass\n"
	"  rondo fix --test 'pytest -q' DIR   with this test command\n"
	"  rondo fix broken.py                one program whose own assertions fail\n"
	"  rondo fix --model openai/NAME      what no small edit mends, a model is asked for\n"
	"  rondo run FILE                     another team and task, from a scenario file\n"
	"  rondo show                         what was said and done in the last run\n"
	"\n"
	"The coder needs no model, no key and no network; your files are not touched.\n"
	"\n"
	"commands\n";

static const char back[] =
	"\noptions\n  --help     this text; rondo COMMAND --help: more on a command\n"
	"  --version  rondo's version; rondo doctor tells its libraries'\n"
	"\nexit codes\n"
	"  0 verified, or nothing fails   1 not fixed   2 usage   3 cannot judge\n"
	"  75 try again   129, 130, 143 stopped by a signal\n"
	"\nmore: man rondo\n";

void help_front(void)
{
	fputs(front, stdout);
	for (size_t i = 0; i < cli_commands_n; i++)
		printf("  %-10s %s\n", cli_commands[i]->name, cli_commands[i]->summary);
	fputs(back, stdout);
}

const struct option *cli_meaning(const struct option *option)
{
	return option->key ? run_config_key(option->key) : option;
}

const char *cli_help(const struct option *option)
{
	return option->help ? option->help : cli_meaning(option)->help;
}

/* A line an option: names, argument, help, default. */
static void help_command_table(const struct option *table)
{
	AUTO_ARENA arena = ARENA_INIT;
	for (const struct option *option = table; option && option->name; option++) {
		const struct option *meaning = cli_meaning(option);
		AUTO_STRBUF names = STRBUF_INIT(STRBUF_LINE);
		if (option->letter)
			strbuf_addf(&names, "-%c, ", option->letter);
		strbuf_addf(&names, "%s--%s", option->letter ? "" : "    ", option->name);
		if (option->argument)
			strbuf_addf(&names, " %s", option->argument);
		printf("  %-24s %s", names.text, cli_help(option));
		bool takes = !option_is_flag(option), is_enum = takes && meaning->kind == OPTION_ENUM;
		const char *fallback = takes ? meaning->fallback : NULL;
		if (is_enum)
			printf(" (%s%s", option_meaning(meaning, &arena), fallback ? "" : ")");
		if (fallback)
			printf("%sdefault: %s)", is_enum ? "; " : " (", fallback);
		puts("");
	}
}

/* "[runs|config|rules]": the words that the operand can be. */
static void help_words_of(const struct cli_command *command, struct strbuf *sb)
{
	AUTO_STRBUF words = STRBUF_INIT(STRBUF_TEXT);
	command->words(&words);
	for (char *at = words.text; *at; at++)
		strbuf_addc(sb, *at != ' ' ? *at : at == words.text ? '[' : '|');
	strbuf_addc(sb, ']');
}

void help_command_options(const struct cli_command *command)
{
	AUTO_STRBUF words = STRBUF_INIT(STRBUF_LINE);
	if (!command->usage)
		help_words_of(command, &words);
	printf("usage: rondo %s %s\n\n%s\noptions\n", command->name,
		command->usage ? command->usage : words.text, command->details);
	help_command_table(command->options);
	help_command_table(cli_options);
}

static void help_options(const struct option *table)
{
	AUTO_ARENA arena = ARENA_INIT;
	for (const struct option *option = table; option && option->name; option++) {
		printf("  %-20s %s: %s", option->name, option->help, option_meaning(option, &arena));
		if (option->fallback)
			printf(" (default: %s)", option->fallback);
		puts(option->required ? ", must be given" : "");
	}
}

/* What the types of that name can be told; false: there is none. */
static bool help_types(const char *name)
{
	bool found = false;
	struct option_type type;
	for (const struct run_family *row = run_families; row->plural; row++)
		for (size_t i = 0; (type = row->family->type(i)).name; i++) {
			const struct option_family *family = row->family;
			if (strcmp(type.name, name) != 0)
				continue;
			printf("%s%s, %s %s: %s\n", found ? "\n" : "", name,
				strchr("aeiou", *family->noun) ? "an" : "a", family->noun, type.summary);
			help_options(type.options);
			help_options(family->common);
			found = true;
		}
	return found;
}

static void help_words(struct strbuf *sb)
{
	struct option_type type;
	for (size_t i = 0; i < cli_commands_n; i++)
		strbuf_addf(sb, " %s", cli_commands[i]->name);
	for (const struct run_family *row = run_families; row->plural; row++)
		for (size_t i = 0; (row->family->type_key || row->family->only_named) &&
			(type = row->family->type(i)).name; i++)
			strbuf_addf(sb, " %s", type.name);
}

/* What is neither a command nor a type. */
static int help_refuse(const char *wanted, struct arena *arena, struct rondo_error *err)
{
	AUTO_STRBUF words = STRBUF_INIT(STRBUF_TEXT);
	const char **names = NULL;
	size_t n = 0;
	help_words(&words);
	for (char *at = words.text, *word; (word = strsep(&at, " "));)
		ARENA_PUSH(arena, names, n, word);
	error_unknown(err, "there is no command and no type", wanted, names, n);
	return error_help(
		err, "rondo --help names the commands, rondo list --help what lists the types");
}

CLI_RUN(help)
{
	if (!operands->n)
		help_front();
	if (!operands->n || help_types(operands->items[0]))
		return 0;
	for (size_t i = 0; i < cli_commands_n; i++)
		if (strcmp(cli_commands[i]->name, operands->items[0]) == 0) {
			help_command_options(cli_commands[i]);
			return 0;
		}
	return help_refuse(operands->items[0], arena, err);
}

const struct cli_command help_command = {
	.name = "help",
	.summary = "more on a command, or on a type that a scenario can name",
	.usage = "[COMMAND|TYPE]",
	.details = "  rondo help fix\n"
			   "  rondo help text_mention\n",
	.most_operands = 1,
	.words = help_words,
	.run = help_run,
};
