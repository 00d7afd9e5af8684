/* rondo's front door: find the command, read its options, run it. */
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/log.h"
#include "base/memory.h"
#include "cli/cli.h"

#define EXIT_USAGE 2

#define ROW(name) &name##_command,
const struct cli_command *const cli_commands[] = {CLI_COMMANDS(ROW)};
const size_t cli_commands_n = ARRAY_SIZE(cli_commands);

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
	"\n";

static void print_help(void)
{
	fputs(front, stdout);
	puts("commands");
	for (size_t i = 0; i < ARRAY_SIZE(cli_commands); i++)
		printf("  %-10s %s\n", cli_commands[i]->name, cli_commands[i]->summary);
	puts("\noptions\n  --help     this text; rondo COMMAND --help: more on a command\n"
	     "  --version  rondo's version and its libraries'\n"
	     "\nexit codes\n"
	     "  0 verified, or nothing fails   1 not fixed   2 usage   3 cannot judge\n"
	     "  75 try again   130 interrupted   143 terminated\n"
	     "\nmore: man rondo");
}

/* What every command can be told. */
struct main_options {
	bool help, verbose;
	const char *log_file, *state_dir;
};

#define AT(member) offsetof(struct main_options, member)

const struct option cli_options[] = {
	{.name = "help", .kind = OPTION_BOOL, .offset = AT(help), .letter = 'h', .help = "this text"},
	{.name = "verbose", .kind = OPTION_BOOL, .offset = AT(verbose), .letter = 'v',
		.help = "say on standard error what rondo does"},
	{.name = "log-file", .kind = OPTION_STRING, .offset = AT(log_file), .argument = "FILE",
		.help = "append all of what rondo does to FILE"},
	{.name = "state-dir", .kind = OPTION_STRING, .offset = AT(state_dir), .argument = "DIR",
		.help = "keep runs in DIR, in place of ~/.local/state/rondo"},
	OPTION_END,
};

static void print_command_help(const struct cli_command *command)
{
	AUTO_STRBUF options = STRBUF_INIT(STRBUF_TEXT);
	option_help(command->options, &options);
	printf("usage: rondo %s %s\n\n%s\n", command->name, command->usage, command->details);
	option_help(cli_options, &options);
	printf("options\n%s", options.text);
}

static int print_version(void)
{
	printf("rondo %s\n", rondo_version());
	return 0;
}

static const struct cli_command *find_command(const char *name, struct rondo_error *err)
{
	const char *names[ARRAY_SIZE(cli_commands)];
	for (size_t i = 0; i < ARRAY_SIZE(cli_commands); i++) {
		names[i] = cli_commands[i]->name;
		if (strcmp(names[i], name) == 0)
			return cli_commands[i];
	}
	const char *near = text_nearest(name, names, ARRAY_SIZE(names));
	error_set(err, RONDO_ERROR_USAGE, "unknown %s '%s'%s%s%s", *name == '-' ? "option" : "command", name,
		TEXT_HINT(near));
	error_help(err, "rondo --help");
	return NULL;
}

/* RONDO_LOG=info or debug stands for -v and more where no option can be given. */
static int start_log(const struct main_options *options, struct rondo_error *err)
{
	const char *level = getenv("RONDO_LOG");
	if (options->log_file) {
		int fd = open(options->log_file, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
		if (fd < 0)
			return error_errno(err, RONDO_ERROR_USAGE, "cannot write '%s'", options->log_file);
		log_set(LOG_DEBUG, fd);
	} else if (options->verbose || (level && *level)) {
		log_set(level && strcmp(level, "debug") == 0 ? LOG_DEBUG : LOG_INFO, STDERR_FILENO);
	}
	return 0;
}

static int main_check_operands(const struct cli_command *command,
	const struct option_strings *operands, struct rondo_error *err)
{
	if (command->needs && !operands->n)
		return error_set(
			err, RONDO_ERROR_USAGE, "rondo %s needs %s", command->name, command->needs);
	if (operands->n > command->most_operands)
		return error_set(err, RONDO_ERROR_USAGE, "'%s' is one too many for rondo %s",
			operands->items[command->most_operands], command->name);
	return 0;
}

static int carry_out(const struct cli_command *command, const char *const *words, size_t n,
	struct rondo_error *err)
{
	AUTO_ARENA arena = ARENA_INIT;
	struct option_strings operands = {0};
	struct main_options options = {0};
	void *state = arena_alloc(&arena, command->state_size);
	const struct option_group groups[] = {{cli_options, &options}, {command->options, state}, {0}};
	option_defaults(command->options, state, &arena);
	if (option_read_arguments(groups, &arena, words, n, &operands, err) < 0)
		return error_help(err, "rondo %s --help", command->name);
	if (options.help) {
		print_command_help(command);
		return 0;
	}
	if (main_check_operands(command, &operands, err) < 0 || start_log(&options, err) < 0)
		return error_help(err, "rondo %s --help", command->name);
	if (options.state_dir)
		setenv("RONDO_STATE_DIR", options.state_dir, 1);
	return command->run(state, &operands, &arena, err);
}

/* A file that is opened later must not get the number of a closed stream: what is printed would
 * go into it. */
static void main_open_streams(void)
{
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		if (fcntl(fd, F_GETFD) < 0)
			open("/dev/null", O_RDONLY); /* printing to it fails, which main_check_output tells */
}

/* Whether all that was printed could be written is asked once, here. As in git, a pipe that nobody
 * reads is no fault. */
static int main_check_output(int status)
{
	struct rondo_error err;
	struct stat st;
	bool is_pipe = fstat(STDOUT_FILENO, &st) == 0 && (S_ISFIFO(st.st_mode) || S_ISSOCK(st.st_mode));
	bool failed = ferror(stdout);
	errno = 0;
	if ((fclose(stdout) == 0 && !failed) || is_pipe)
		return status;
	if (errno)
		error_errno(&err, RONDO_ERROR_USAGE, "cannot write to standard output");
	else
		error_set(&err, RONDO_ERROR_TRANSIENT, "cannot write to standard output");
	screen_error(&err);
	return status ? status : run_error_exit_code(&err, NULL);
}

static int main_run(int argc, char **argv, struct rondo_error *err)
{
	const char *word = argc > 1 ? argv[1] : "--help";
	if (strcmp(word, "--version") == 0)
		return print_version();
	bool help = strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0 || strcmp(word, "help") == 0;
	if (help && argc <= 2) {
		print_help();
		return argc > 1 ? 0 : EXIT_USAGE;
	}
	if (help && list_type(argv[2]))
		return 0;
	const struct cli_command *command = find_command(help ? argv[2] : word, err);
	if (!command)
		return -1;
	if (help) {
		print_command_help(command);
		return 0;
	}
	return carry_out(command, (const char *const *)argv + 2, (size_t)argc - 2, err);
}

int main(int argc, char **argv)
{
	struct rondo_error err;
	main_open_streams();
	int status = main_run(argc, argv, &err);
	if (status < 0) {
		screen_error(&err);
		status = run_error_exit_code(&err, NULL);
	}
	return main_check_output(status);
}
