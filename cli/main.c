/* rondo's front door: find the command, read its options, run it. */
#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/log.h"
#include "base/memory.h"
#include "cli/cli.h"

#define EXIT_USAGE 2

REGISTRY_DEFINE(struct cli_command, cli_commands, CLI_COMMANDS(&CLI_SYMBOL));
OPTION_TYPES(cli_commands)

/* The options of every command. */
struct main_options {
	bool help, verbose;
	const char *colour, *log_file, *state_dir;
};

#define AT(member) offsetof(struct main_options, member)

const struct option cli_options[] = {
	OPTION("help", BOOL, AT(help), "this text", .letter = 'h'),
	OPTION("verbose", BOOL, AT(verbose), "say on standard error what rondo does", .letter = 'v'),
	OPTION("color", ENUM, AT(colour),
		"when to print in colour; auto: on a terminal, but for NO_COLOR", .values = screen_colours,
		.fallback = "auto", .argument = "WHEN"),
	OPTION("log-file", STRING, AT(log_file), "append all of what rondo does to FILE",
		.argument = "FILE"),
	OPTION("state-dir", STRING, AT(state_dir), "keep runs in DIR, in place of ~/.local/state/rondo",
		.argument = "DIR"),
	OPTION_END,
};

const struct cli_command *cli_find(const char *name, struct rondo_error *err)
{
	const struct option_family family = {.noun = "command", .type = cli_commands_at};
	const struct cli_command *command = NULL;
	if (*name == '-')
		error_set(
			err, RONDO_ERROR_USAGE, "unknown option '%s'; options stand after a command", name);
	else
		command = option_type_find(&family, name, err).self;
	if (!command)
		error_help(err, "rondo --help");
	return command;
}

/* RONDO_LOG=info or debug stands for -v and more where no option can be given. */
static int main_start_log(const struct main_options *options, struct rondo_error *err)
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

static int main_check_operands(const struct cli_command *command, struct option_strings *operands,
	struct arena *arena, struct rondo_error *err)
{
	if (command->fallback && !operands->n)
		ARENA_PUSH(arena, operands->items, operands->n, command->fallback);
	if (command->needs && !operands->n)
		return error_set(
			err, RONDO_ERROR_USAGE, "rondo %s needs %s", command->name, command->needs);
	if (operands->n > command->most_operands)
		return error_set(err, RONDO_ERROR_USAGE, "'%s' is one too many for rondo %s",
			operands->items[command->most_operands], command->name);
	return 0;
}

static int main_carry_out(
	const struct cli_command *command, const char *const *words, size_t n, struct rondo_error *err)
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
		help_command_options(command);
		return 0;
	}
	if (main_check_operands(command, &operands, &arena, err) < 0 ||
		main_start_log(&options, err) < 0)
		return error_help(err, "rondo %s --help", command->name);
	screen_choose_colour(options.colour);
	if (options.state_dir)
		setenv("RONDO_STATE_DIR", options.state_dir, 1);
	return command->run(state, &operands, &arena, err);
}

/* A core file would hold keys. No limit is enforced where cores go through a pipe, but for 1: that
 * none is made. */
static void main_leave_no_core(void)
{
	struct rlimit limit;
	if (getrlimit(RLIMIT_CORE, &limit) == 0 && limit.rlim_max >= 1) {
		limit.rlim_cur = 1;
		setrlimit(RLIMIT_CORE, &limit);
	}
}

/* The large blocks of arenas go back to the system as soon as they are free. Without this the first
 * one that is freed raises the size from which on that is so. */
static void main_give_memory_back(void)
{
#ifdef M_MMAP_THRESHOLD
	mallopt(M_MMAP_THRESHOLD, 512 << 10);
#endif
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
	if (argc < 2) {
		help_front();
		return EXIT_USAGE;
	}
	const char *word = argv[1];
	if (strcmp(word, "--version") == 0)
		return printf("rondo %s\n", rondo_version()) < 0;
	if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0)
		word = "help";
	const struct cli_command *command = cli_find(word, err);
	if (!command)
		return -1;
	return main_carry_out(command, (const char *const *)argv + 2, (size_t)argc - 2, err);
}

int main(int argc, char **argv)
{
	struct rondo_error err;
	main_leave_no_core();
	main_give_memory_back();
	main_open_streams();
	int status = main_run(argc, argv, &err);
	if (status < 0) {
		screen_error(&err);
		status = run_error_exit_code(&err, NULL);
	}
	return main_check_output(status);
}
