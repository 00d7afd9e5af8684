/*
 * rondo completion: a script for the shell, made of the same tables as everything else: commands,
 * their options, the values of options, and the types that a scenario can name.
 */
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "cli/cli.h"

static const struct option options[] = {OPTION_END};

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
	printf("%sruns config", before);
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
	for (const struct option *option = table; option->name; option++) {
		AUTO_ARENA arena = ARENA_INIT;
		const char *key = arena_printf(&arena, "%s%s", prefix, option->name);
		if (option->kind == OPTION_SECTION)
			print_keys(option->table, arena_printf(&arena, "%s.", key));
		else if (option->kind < OPTION_TEXTS)
			printf(" %s=", key);
	}
}

/* --- bash --- */

static void bash_command(const struct cli_command *command)
{
	printf("\t%s)\n\t\toptions='--help", command->name);
	for (const struct option *option = command->options; option->name; option++)
		printf(" --%s", option->name);
	puts("'\n\t\tcase $previous in");
	for (const struct option *option = command->options; option->name; option++) {
		if (option->kind != OPTION_ENUM)
			continue;
		printf("\t\t--%s) words='", option->name);
		print_values(option);
		puts("' ;;");
	}
	puts("\t\tesac ;;");
}

static void print_bash(void)
{
	puts("# bash completion for rondo: eval \"$(rondo completion bash)\"\n"
	     "_rondo() {\n"
	     "\tlocal current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]}\n"
	     "\tlocal options= words=\n"
	     "\tCOMPREPLY=()\n"
	     "\tif [ \"$COMP_CWORD\" = 1 ]; then");
	printf("\t\tCOMPREPLY=($(compgen -W '");
	print_commands("");
	puts(" help --help --version' -- \"$current\"))\n\t\treturn\n\tfi\n\tcase ${COMP_WORDS[1]} in");
	for (size_t i = 0; i < cli_commands_n; i++)
		bash_command(cli_commands[i]);
	printf("\thelp) words='");
	print_commands("");
	print_types(" ");
	puts("' ;;\n\tesac");
	printf("\tcase ${COMP_WORDS[1]}$COMP_CWORD in\n\tlist2) words='");
	print_lists("");
	printf("' ;;\n\tcompletion2) words='bash zsh fish' ;;\n"
	       "\tshow2) words=\"last $(${COMP_WORDS[0]} list runs | cut -d' ' -f1)\" ;;\n\tesac\n"
	       "\tcase $previous in -s|--set) words='");
	print_keys(run_scenario_keys, "");
	puts("'; compopt -o nospace ;; esac\n"
	     "\tif [ -n \"$words\" ]; then COMPREPLY=($(compgen -W \"$words\" -- \"$current\"))\n"
	     "\telif [[ $current == -* ]]; then COMPREPLY=($(compgen -W \"$options\" -- \"$current\"))\n"
	     "\telse compopt -o default 2>/dev/null; fi\n"
	     "}\n"
	     "complete -F _rondo rondo");
}

/* --- zsh: its own way to read what bash reads --- */

static void print_zsh(void)
{
	puts("#compdef rondo\n"
	     "autoload -U +X bashcompinit && bashcompinit");
	print_bash();
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

static void fish_command(const struct cli_command *command)
{
	printf("complete -c rondo -n __fish_use_subcommand -f -a %s -d ", command->name);
	fish_text(command->summary);
	putchar('\n');
	for (const struct option *option = command->options; option->name; option++) {
		printf("complete -c rondo -n '__fish_seen_subcommand_from %s' -l %s", command->name, option->name);
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

static void print_fish(void)
{
	puts("# fish completion for rondo: rondo completion fish | source");
	for (size_t i = 0; i < cli_commands_n; i++)
		fish_command(cli_commands[i]);
	printf("complete -c rondo -n '__fish_seen_subcommand_from help' -f -a '");
	print_commands("");
	print_types(" ");
	printf("'\ncomplete -c rondo -n '__fish_seen_subcommand_from list' -f -a '");
	print_lists("");
	puts("'\ncomplete -c rondo -n '__fish_seen_subcommand_from completion' -f -a 'bash zsh fish'");
}

static int run(void *state, const struct option_strings *operands, struct arena *arena)
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
	struct rondo_error err;
	error_set(&err, RONDO_ERROR_USAGE, "a shell must be one of bash, zsh, fish, found '%s'", wanted);
	error_help(&err, "rondo completion --help");
	screen_error(&err);
	return run_error_exit_code(&err, NULL);
}

const struct cli_command completion_command = {
	.name = "completion",
	.summary = "print a completion script for a shell",
	.usage = "bash|zsh|fish",
	.details = "  eval \"$(rondo completion bash)\"       in ~/.bashrc\n"
		   "  rondo completion zsh >_rondo          in a directory of fpath\n"
		   "  rondo completion fish | source        in config.fish\n",
	.options = options,
	.most_operands = 1,
	.run = run,
};
