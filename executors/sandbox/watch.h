/*
 * Limits of a box that its keeper checks from outside: memory, processes and disk, which namespaces
 * do not limit. No cgroup is needed, which few users may create. Only sandbox.c, box.h and tests
 * include it.
 */
#pragma once
#include <stdint.h>
#include <sys/types.h>
#include <time.h>

#include "base/process/process.h"

struct watch_limits {
	int64_t memory;    /* bytes of all its processes, shared ones once; 0: half of the machine's */
	int64_t processes; /* threads, too; 0: 256, and 128 for each processor */
	int64_t disk;      /* bytes that a command adds to tree, cache and private mounts */
	int64_t files;     /* that a command adds there */
};

/* What a file system has left. */
struct watch_space {
	uint64_t bytes, files;
};

struct watch {
	struct watch_limits limits;
	const char *dirs[2]; /* the tree and the cache */
	const char *layer;   /* where all that is written lies, as layer.c has it; NULL: in these two */
	struct watch_space spaces[2];
	int64_t available;   /* of the machine's memory, in bytes */
	struct timespec start;
	int proc, tmp;       /* the box's own, in the keeper; -1: not yet */
	int64_t walk_ms;     /* when the directories may be walked again */
	int64_t patrol_ms;   /* and when they are, even if the file system lost little */
};

/* Record the state before the command. Paths are borrowed; `layer` may be NULL. */
void watch_plan(struct watch *watch, const struct watch_limits *limits, const char *tree,
	const char *cache, const char *layer);

/* Which limit the box of the bwrap process `pid` exceeds; PROCESS_EXITED: none. Only system
 * calls. */
enum process_end watch_inspect(struct watch *watch, pid_t pid);
