/*
 * rondo completion: a script for the shell, made of the same tables as everything else: commands,
 * their options, the values of options, and the types that a scenario can name.
 */
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "cli/cli.h"

static void print_commands(const char *before)
{
	for (size_t i = 0; i < cli_commands_n; i++)
		printf("%s%s", i ? " " : before, cli_commands[i]->name);
}

/* What `rondo help` explains beside commands. */
static void print_types(const char *before)
{
	struct option_type type;
	for (const struct run_family *row = run_families; row->plural; row++)
		for (size_t i = 0; row->family->type_key && (type = row->family->type(i)).name; i++)
			printf("%s%s", before, type.name);
}

static void print_lists(const char *before)
{
	printf("%sruns config rules", before);
	for (const struct run_family *row = run_families; row->plural; row++)
		printf(" %s", row->plural);
}

static void print_values(const struct option *option)
{
	for (const char *const *value = option->values; *value; value++)
		printf("%s%s", value == option->values ? "" : " ", *value);
}

/* The keys of a scenario, for --set. */
static void print_keys(const struct option *table, const char *prefix)
{
	for (const struct option *option = table; option && option->name; option++) {
		AUTO_ARENA arena = ARENA_INIT;
		const char *key = arena_printf(&arena, "%s%s", prefix, option->name);
		const char *inner = arena_printf(&arena, "%s.", key);
		if (option->kind == OPTION_SECTION)
			print_keys(option->table, inner);
		else if (option->kind == OPTION_CHILD)
			print_keys(option->family->common, inner);
		if (option->kind != OPTION_SECTION && option->kind != OPTION_MAP)
			printf(" %s=", key);
	}
}

/* --- bash --- */

static void print_names(const struct option *table)
{
	for (const struct option *option = table; option && option->name; option++)
		printf(" --%s", option->name);
}

static void bash_command(const struct cli_command *command)
{
	bool has_choice = false;
	printf("\t%s)\n\t\toptions+='", command->name);
	print_names(command->options);
	puts("'");
	for (const struct option *option = command->options; option && option->name; option++) {
		if (option->kind != OPTION_ENUM)
			continue;
		printf("%s\t\t--%s) words='", has_choice ? "" : "\t\tcase $previous in\n", option->name);
		print_values(option);
		puts("' ;;");
		has_choice = true;
	}
	puts(has_choice ? "\t\tesac ;;" : "\t\t;;");
}

/* What the shell takes for words ends at '=', too. */
static const char bash_words[] =
	"\tlocal current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]}\n"
	"\tif [ \"$current\" = = ]; then current=\n"
	"\telif [ \"$previous\" = = ]; then previous=${COMP_WORDS[COMP_CWORD-2]}; fi\n";

static const char bash_runs[] =
	"\tshow2) words=\"last $(\"${COMP_WORDS[0]}\" list runs 2>/dev/null | sed -n 's/^\\([0-9][^ ]*\\) .*/\\1/p')\" ;;\n";

static void print_bash_function(const char *name)
{
	printf("%s() {\n%s\tlocal options='", name, bash_words);
	print_names(cli_options);
	printf("' words=\n\tCOMPREPLY=()\n\tif [ \"$COMP_CWORD\" = 1 ]; then\n\t\tCOMPREPLY=($(compgen -W '");
	print_commands("");
	puts(" help --help --version' -- \"$current\"))\n\t\treturn\n\tfi\n\tcase ${COMP_WORDS[1]} in");
	for (size_t i = 0; i < cli_commands_n; i++)
		bash_command(cli_commands[i]);
	printf("\thelp) words='");
	print_commands("");
	print_types(" ");
	printf("' ;;\n\tesac\n\tcase ${COMP_WORDS[1]}$COMP_CWORD in\n\tlist2) words='");
	print_lists("");
	printf("' ;;\n\tcompletion2) words='bash zsh fish' ;;\n\tschema2) words='scenario report' ;;\n%s\tesac\n\tcase $previous in -s|--set) words='", bash_runs);
	print_keys(run_scenario_keys, "");
	puts("'; compopt -o nospace 2>/dev/null ;; esac\n"
	     "\tif [[ $current == -* ]]; then COMPREPLY=($(compgen -W \"$options\" -- \"$current\"))\n"
	     "\telif [ -n \"$words\" ]; then COMPREPLY=($(compgen -W \"$words\" -- \"$current\"))\n"
	     "\telse compopt -o default 2>/dev/null; fi\n"
	     "}");
}

static void print_bash(void)
{
	puts("# bash completion for rondo: eval \"$(rondo completion bash)\"");
	print_bash_function("_rondo");
	puts("complete -F _rondo rondo");
}

/* --- zsh: its own way to read what bash reads --- */

static void print_zsh(void)
{
	puts("#compdef rondo\n"
	     "autoload -U +X bashcompinit && bashcompinit");
	print_bash_function("_rondo_words");
	puts("complete -o default -F _rondo_words rondo\n"
	     "# Where this file is the function that completes: complete now.\n"
	     "[ \"${funcstack[1]}\" != _rondo ] || _bash_complete -o default -F _rondo_words");
}

/* --- fish --- */

/* In single quotes. */
static void fish_text(const char *text)
{
	putchar('\'');
	for (; *text; text++) {
		if (*text == '\'' || *text == '\\')
			putchar('\\');
		putchar(*text);
	}
	putchar('\'');
}

static void fish_options(const struct option *table, const char *condition)
{
	for (const struct option *option = table; option && option->name; option++) {
		printf("complete -c rondo -n '%s' -l %s", condition, option->name);
		if (option->letter)
			printf(" -s %c", option->letter);
		if (option->kind == OPTION_ENUM) {
			printf(" -x -a '");
			print_values(option);
			putchar('\'');
		} else if (option->kind != OPTION_BOOL) {
			printf(" -r");
		}
		printf(" -d ");
		fish_text(option->help);
		putchar('\n');
	}
}

static void fish_command(const struct cli_command *command)
{
	AUTO_ARENA arena = ARENA_INIT;
	printf("complete -c rondo -n __fish_use_subcommand -f -a %s -d ", command->name);
	fish_text(command->summary);
	putchar('\n');
	fish_options(command->options, arena_printf(&arena, "__fish_seen_subcommand_from %s", command->name));
}

static void print_fish(void)
{
	puts("# fish completion for rondo: rondo completion fish | source");
	for (size_t i = 0; i < cli_commands_n; i++)
		fish_command(cli_commands[i]);
	fish_options(cli_options, "not __fish_use_subcommand");
	printf("complete -c rondo -n '__fish_seen_subcommand_from help' -f -a '");
	print_commands("");
	print_types(" ");
	printf("'\ncomplete -c rondo -n '__fish_seen_subcommand_from list' -f -a '");
	print_lists("");
	puts("'\ncomplete -c rondo -n '__fish_seen_subcommand_from completion' -f -a 'bash zsh fish'\n"
	     "complete -c rondo -n '__fish_seen_subcommand_from schema' -f -a 'scenario report'\n"
	     "complete -c rondo -n '__fish_seen_subcommand_from show' -f -a "
	     "'last (rondo list runs 2>/dev/null | string match -r \"^[0-9]\\S*\")'");
}

static int run(void *state, const struct option_strings *operands, struct arena *arena,
	struct rondo_error *err)
{
	(void)state, (void)arena;
	static const struct {
		const char *shell;
		void (*print)(void);
	} shells[] = {{"bash", print_bash}, {"zsh", print_zsh}, {"fish", print_fish}};
	const char *wanted = operands->n ? operands->items[0] : "";
	for (size_t i = 0; i < ARRAY_SIZE(shells); i++)
		if (strcmp(shells[i].shell, wanted) == 0) {
			shells[i].print();
			return 0;
		}
	error_set(err, RONDO_ERROR_USAGE, "a shell must be one of bash, zsh, fish, found '%s'", wanted);
	return error_help(err, "rondo completion --help");
}

const struct cli_command completion_command = {
	.name = "completion",
	.summary = "print a completion script for a shell",
	.usage = "bash|zsh|fish",
	.details = "  eval \"$(rondo completion bash)\"       in ~/.bashrc\n"
		   "  rondo completion zsh >_rondo          in a directory of fpath\n"
		   "  rondo completion fish | source        in config.fish\n",
	.needs = "a shell: bash, zsh or fish",
	.most_operands = 1,
	.run = run,
};
