/*
 * Runs inside a container or a sandbox, for rondo outside of it (executors/inside/inside.h). An engine can
 * start a process in a container, but not end it, and a process that rondo no longer listens to
 * goes on. So this one stands above each line that is run: it adopts what the line leaves and kills
 * all of it when the line ends, time is over, or standard input ends, which it does when rondo
 * dies.
 *
 * Nobody inside a container may steer it: its file cannot be read, so that the kernel lets no
 * process of the same user trace it or open its descriptors, from its first instruction on.
 */
#include "executors/inside/inside.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "executors/inside/apply.h"
#include "executors/inside/changes.h"
#include "executors/inside/keep.h"
#include "executors/inside/out.h"
#include "executors/inside/tree.h"

/* Where records go: none of the line's descriptors. */
enum { RECORDS = 3 };

/* Both outputs of the line are the first of ours; the other is for records. */
static void part_outputs(void)
{
	dup3(2, RECORDS, O_CLOEXEC);
	dup2(1, 2);
	out_to(RECORDS);
}

static int report(enum inside_end end, int value)
{
	out_report(&(struct inside_report){.end = end, .value = value});
	return 0;
}

static int64_t number(const char *text)
{
	int64_t value = 0;
	for (; *text >= '0' && *text <= '9'; text++)
		value = value * 10 + (*text - '0');
	return value;
}

/* The first process: what nobody waits for is gone at once, since nobody asks for it. */
static int hold(char **args, char **env)
{
	char bytes[64];
	(void)args, (void)env;
	signal(SIGCHLD, SIG_IGN);
	while (read(0, bytes, sizeof bytes) > 0)
		;
	return 0;
}

static int stay(char **args, char **env)
{
	(void)args, (void)env;
	signal(SIGCHLD, SIG_IGN);
	while (poll(NULL, 0, -1) <= 0)
		;
	return 0;
}

static size_t count(char **args)
{
	size_t n = 0;
	while (args[n])
		n++;
	return n;
}

/* MS LINE [TREE CACHE KEPT...] */
static int run(char **args, char **env)
{
	struct line line = {.timeout_ms = number(args[0]), .text = args[1], .env = env, .output = -1};
	uint64_t printed;
	int roots[RECORD_ROOTS];
	bool has_tree = count(args) >= 4;
	part_outputs();
	if (has_tree) {
		for (int i = 0; i < RECORD_ROOTS; i++)
			roots[i] = tree_open(args[2 + i]);
		int fault = apply_records(0, roots, RECORD_ROOTS);
		if (fault)
			return report(INSIDE_NO_FILES, fault);
		changes_look(roots, args + 4, count(args + 4));
	}
	struct inside_report end = line_run(&line, &printed);
	out_report(&end);
	if (has_tree)
		changes_tell();
	return !out_flush();
}

static int speak(char **args, char **env)
{
	struct line line = {.timeout_ms = number(args[0]), .text = args[1], .env = env, .speaks = true,
		.output = -1};
	uint64_t printed;
	part_outputs();
	struct inside_report end = line_run(&line, &printed);
	out_report(&end);
	return 0;
}

static int see(char **paths, char **env)
{
	bool all = true;
	(void)env;
	part_outputs();
	for (; *paths; paths++) {
		int fd = open(*paths, O_RDWR | O_NOFOLLOW | O_CLOEXEC);
		all = all && fd >= 0;
		if (fd >= 0)
			close(fd);
	}
	return report(INSIDE_ENDED, all ? 0 : 1 << 8);
}

/* What an engine makes is root's, who needs no rights to share it. */
static int share(char **dirs, char **env)
{
	bool all = true;
	(void)env;
	part_outputs();
	for (; *dirs; dirs++)
		all = fchmodat(AT_FDCWD, *dirs, 0777, 0) == 0 && all;
	return report(INSIDE_ENDED, all ? 0 : 1 << 8);
}

static int fill(char **args, char **env)
{
	(void)env;
	part_outputs();
	int root = tree_open(args[0]), fault = root < 0 ? errno : apply_records(0, &root, 1);
	report(fault ? INSIDE_NO_FILES : INSIDE_ENDED, fault);
	return fault != 0;
}

/* PLACE NAME PREVIOUS REQUEST MOST MS LINE TREE CACHE KEPT... */
static int keep(char **args, char **env)
{
	struct keep keep = {.place = args[0], .name = args[1], .previous = args[2], .request = args[3],
		.roots = args + 7,
		.kept = args + 9, .n_kept = count(args + 9)};
	struct line line = {.most_output = (uint64_t)number(args[4]), .timeout_ms = number(args[5]),
		.text = args[6], .env = env};
	return keep_run(&keep, &line);
}

static int await(char **args, char **env)
{
	(void)env;
	return keep_await(args[0], false);
}

static int end(char **args, char **env)
{
	(void)env;
	return keep_await(args[0], true);
}

static const struct {
	const char *word;
	size_t least; /* words behind it */
	int (*run)(char **args, char **env);
} words[] = {{INSIDE_HOLD, 0, hold}, {INSIDE_STAY, 0, stay}, {INSIDE_RUN, 2, run}, {INSIDE_SPEAK, 2,
	speak}, {INSIDE_SEE, 0, see},
	{INSIDE_OPEN, 0, share}, {INSIDE_FILL, 1, fill}, {INSIDE_KEEP, 9, keep}, {INSIDE_AWAIT, 1,
	await}, {INSIDE_END, 1, end}};

int main(int argc, char **argv, char **env)
{
	prctl(PR_SET_DUMPABLE, 0);
	umask(022);
	for (size_t i = 0; argc >= 2 && i < sizeof words / sizeof *words; i++)
		if (strcmp(argv[1], words[i].word) == 0 && count(argv + 2) >= words[i].least)
			return words[i].run(argv + 2, env);
	return 2;
}
