/*
 * Reads the output of a suite whose harness runs a program for each test and compares what it
 * prints. A line that says how a test came out is said of the programs that ended since the last
 * one: their notes "run-PID" in $RONDO_COVER (note.c) get its verdict and the name "PID.run". Of
 * many programs, which are of several tests, their exit status counts.
 */
#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <unistd.h>

#include "verify/suite/blocks/verdict.h"

enum {
	RUNS_MOST = 100, /* that are kept of each verdict */
	OF_A_TEST = 4,   /* at most */
};

/* With the verdict, or its own: NOT_TOLD. */
static void collect(const char *name, enum verdict verdict)
{
	static unsigned n_runs[FAILED + 1];
	const char *word = verdict_words[verdict];
	char kept[NAME_MAX + 8];
	if (n_runs[verdict]++ >= RUNS_MOST) {
		unlink(name);
		return;
	}
	int fd = open(name, O_WRONLY | O_CLOEXEC);
	snprintf(kept, sizeof kept, "%s.run", name + strlen("run-"));
	if (fd >= 0 && pwrite(fd, word, strlen(word), 0) == (ssize_t)strlen(word))
		rename(name, kept);
	if (fd >= 0)
		close(fd);
}

static int is_run(const struct dirent *entry)
{
	return strncmp(entry->d_name, "run-", strlen("run-")) == 0;
}

static void collect_all(enum verdict verdict)
{
	const struct dirent *entry;
	unsigned n = 0;
	DIR *dir = opendir(".");
	if (!dir)
		return;
	while ((entry = readdir(dir)))
		n += (unsigned)is_run(entry);
	rewinddir(dir);
	while ((entry = readdir(dir)))
		if (is_run(entry))
			collect(entry->d_name, n > OF_A_TEST ? NOT_TOLD : verdict);
	closedir(dir);
}

static void take(const char *text, ssize_t n)
{
	static struct line line;
	for (ssize_t i = 0; i < n; i++) {
		enum verdict verdict = line_take(&line, text[i], 0);
		if (verdict != NOT_TOLD)
			collect_all(verdict);
	}
}

/* A program that is noted waits for the lock (note.c). */
int main(void)
{
	struct pollfd output = {.events = POLLIN};
	char text[4096];
	ssize_t n = 1;
	const char *notes = getenv("RONDO_COVER");
	if (!notes || chdir(notes) < 0)
		return 1;
	while (n > 0 && poll(&output, 1, -1) > 0) {
		flock(0, LOCK_EX);
		n = read(0, text, sizeof text);
		take(text, n);
		flock(0, LOCK_UN);
	}
	return 0;
}
