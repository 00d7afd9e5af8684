/* A run's places on disk. Inside run/ only. */
#pragma once
#include "base/arena.h"
#include "base/error.h"

struct run_paths {
	const char *id;   /* YYYYMMDD-HHMMSS-xxxx */
	const char *dir;  /* kept: journal, report, patch */
	const char *logs;
	const char *work; /* checkouts and the private repository: gone with the run */
	int lock;
};

/* Make them for a new run; strings in the arena. */
int run_paths_make(struct arena *arena, struct run_paths *paths, struct rondo_error *err);

/* Remove what is not kept. A zeroed struct is fine. */
void run_paths_release(struct run_paths *paths);
