/* What the benches share: medians, since the machine is never quiet. */
#pragma once
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/process/process.h"

extern char **environ;

static inline int bench_compare(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
	return (x > y) - (x < y);
}

/* Sorts. */
static inline int64_t bench_median(int64_t *times, size_t n)
{
	qsort(times, n, sizeof *times, bench_compare);
	return times[n / 2];
}

/* Ends the program where a call failed. */
static inline void bench_must(int result, const struct rondo_error *err)
{
	if (result == 0)
		return;
	fprintf(stderr, "bench: %s\n", err->message);
	exit(1);
}

/* A command in a directory; ends the program where it fails. */
static inline void bench_shell(const char *dir, const char *command)
{
	struct rondo_error err;
	struct process_result result;
	const char *argv[] = {"/bin/sh", "-ec", command, NULL};
	struct process_options options = {
		.argv = argv, .env = (const char *const *)environ, .cwd = dir};
	bench_must(process_run(&options, &result, &err), &err);
	if (result.exit_code == 0)
		return;
	fprintf(stderr, "bench: %s: exit code %d\n", command, result.exit_code);
	exit(1);
}

/* A new directory, in memory where there is such a place, so that the disk has no part in it; in
 * the arena. */
static inline const char *bench_directory(struct arena *arena)
{
	const char *chosen = getenv("BENCH_DIR"),
			   *parent = file_is_dir("/dev/shm") ? "/dev/shm" : "/tmp";
	parent = chosen ? chosen : parent;
	char *dir = arena_printf(arena, "%s/rondo-bench-XXXXXX", parent);
	if (mkdtemp(dir))
		return dir;
	perror(dir);
	exit(1);
}
