/*
 * What a box may take of the machine, looked at from outside by its keeper: memory, processes and disk, which namespaces do not
 * limit. It needs no cgroup, which few users may make. Only sandbox.c, box.h and tests include it.
 */
#pragma once
#include <stdint.h>
#include <sys/types.h>
#include <time.h>

#include "base/process.h"

struct watch_limits {
	int64_t memory;    /* bytes of all its processes, what they share counted once; 0: half of the machine's */
	int64_t processes; /* threads, too; 0: 256, and 128 for each processor */
	int64_t disk;      /* bytes by which a command makes tree and cache larger */
	int64_t files;     /* by which a command makes them more */
};

/* What a file system has left. */
struct watch_room {
	uint64_t bytes, files;
};

struct watch {
	struct watch_limits limits;
	const char *dirs[2]; /* the tree and the cache */
	struct watch_room rooms[2];
	int64_t available;   /* of the machine's memory, in bytes */
	struct timespec start;
	int proc, tmp;       /* the box's own, in the keeper; -1: not there yet */
	int64_t walk_ms;     /* when the directories may be measured again */
	int64_t patrol_ms;   /* and when they are, though the file system lost little */
};

/* Take down how things stand before the command. Paths are borrowed. */
void watch_plan(struct watch *watch, const struct watch_limits *limits, const char *tree, const char *cache);

/* Whether the box that bwrap, the process `pid`, made has taken more than it may: PROCESS_EXITED, or what. Only system calls. */
enum process_end watch_inspect(struct watch *watch, pid_t pid);
