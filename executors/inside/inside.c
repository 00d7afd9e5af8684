/*
 * Runs inside a container or a sandbox, for rondo outside of it (executors/inside/inside.h). An
 * engine can start a process in a container, but not end it, and a process that rondo no longer
 * listens to continues. So this one is the parent of each line: it adopts what the line leaves and
 * kills all of it when the line ends, time is over, or standard input ends, which it does when
 * rondo dies.
 *
 * Nobody inside a container may steer it: its file cannot be read, so that the kernel lets no
 * process of the same user trace it or open its descriptors, from its first instruction on.
 */
#include "executors/inside/inside.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "executors/inside/parts.h"

/* The arguments of a word, and where records go. */
struct call {
	char **args, **env;
	size_t n;
	FILE *records;
};

static int word_report(const struct call *call, enum inside_end end, int value)
{
	report_put(call->records, &(struct inside_report){.end = end, .value = value});
	return end != INSIDE_ENDED;
}

/* The first process. Orphans are reaped automatically. */
static int word_hold(const struct call *call)
{
	char bytes[64];
	(void)call;
	signal(SIGCHLD, SIG_IGN);
	while (read(0, bytes, sizeof bytes) > 0)
		;
	return 0;
}

static int word_stay(const struct call *call)
{
	(void)call;
	signal(SIGCHLD, SIG_IGN);
	while (poll(NULL, 0, -1) <= 0)
		;
	return 0;
}

/* MS LINE [TREE CACHE KEPT...] */
static int word_run(const struct call *call)
{
	struct line line = {
		.timeout_ms = atoll(call->args[0]), .text = call->args[1], .env = call->env, .output = -1};
	uint64_t printed;
	int roots[RECORD_ROOTS];
	bool has_tree = call->n >= 4;
	for (int i = 0; has_tree && i < RECORD_ROOTS; i++)
		roots[i] = tree_open(call->args[2 + i]);
	int fault = has_tree ? apply_records(record_open(0, "r"), roots, RECORD_ROOTS) : 0;
	if (fault)
		return word_report(call, INSIDE_NO_FILES, fault);
	if (has_tree)
		changes_look(roots, call->args + 4, call->n - 4);
	struct inside_report end = line_run(&line, &printed);
	report_put(call->records, &end);
	if (has_tree)
		changes_tell(call->records);
	return fflush(call->records);
}

static int word_speak(const struct call *call)
{
	struct line line = {.timeout_ms = atoll(call->args[0]), .text = call->args[1], .env = call->env,
		.speaks = true, .output = -1};
	uint64_t printed;
	struct inside_report end = line_run(&line, &printed);
	report_put(call->records, &end);
	return 0;
}

/* An engine creates directories as root, who may change their modes without capabilities. */
static int word_share(const struct call *call)
{
	bool all = true;
	for (size_t i = 0; i < call->n; i++)
		all = chmod(call->args[i], 0777) == 0 && all;
	return word_report(call, INSIDE_ENDED, all ? 0 : 1 << 8);
}

static int word_fill(const struct call *call)
{
	int root = tree_open(call->args[0]), fault = root < 0 ? errno
		: apply_records(record_open(0, "r"), &root, 1);
	return word_report(call, fault ? INSIDE_NO_FILES : INSIDE_ENDED, fault);
}

/* PLACE NAME PREVIOUS REQUEST MOST MS LINE TREE CACHE KEPT... */
static int word_keep(const struct call *call)
{
	char **args = call->args;
	struct keep keep = {.place = args[0], .name = args[1], .previous = args[2], .request = args[3],
		.roots = args + 7, .kept = args + 9, .n_kept = call->n - 9};
	struct line line = {.most_output = (uint64_t)atoll(args[4]), .timeout_ms = atoll(args[5]),
		.text = args[6], .env = call->env};
	if (call->records) /* a service waits until nobody holds it */
		fclose(call->records);
	return keep_run(&keep, &line);
}

static int word_await(const struct call *call)
{
	return keep_await(call->args[0], false);
}

static int word_end(const struct call *call)
{
	return keep_await(call->args[0], true);
}

static const struct {
	const char *word;
	size_t least; /* arguments */
	int (*run)(const struct call *call);
} words[] = {{INSIDE_HOLD, 0, word_hold}, {INSIDE_STAY, 0, word_stay}, {INSIDE_RUN, 2, word_run},
	{INSIDE_SPEAK, 2, word_speak}, {INSIDE_OPEN, 0, word_share}, {INSIDE_FILL, 1, word_fill},
	{INSIDE_KEEP, 9, word_keep}, {INSIDE_AWAIT, 1, word_await}, {INSIDE_END, 1, word_end}};

/* A line's outputs both go to standard output; standard error is for records. */
int main(int argc, char **argv, char **env)
{
	prctl(PR_SET_DUMPABLE, 0);
	umask(022);
	struct call call = {.args = argv + 2, .n = (size_t)argc - 2, .env = env,
		.records = record_open(fcntl(2, F_DUPFD_CLOEXEC, 3), "w")};
	dup2(1, 2);
	for (size_t i = 0; argc >= 2 && i < sizeof words / sizeof *words; i++)
		if (strcmp(argv[1], words[i].word) == 0 && call.n >= words[i].least)
			return words[i].run(&call);
	return 2;
}
