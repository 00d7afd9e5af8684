/* A run's places on disk. Inside run/ only. */
#pragma once
#include <stdbool.h>

#include "base/arena.h"
#include "base/error.h"
#include "run/journal/journal.h"

struct run_paths {
	const char *id;      /* YYYYMMDD-HHMMSS-xxxx */
	const char *dir;     /* kept: journal, report, patch */
	const char *attempt; /* in it: journal and logs */
	const char *logs;
	/* in it: what it takes to go on after a crash; gone when the run has ended */
	const char *packs;
	const char *work; /* checkouts and the private repository: gone with the run */
	int lock;
};

/* Make them for a new run, and be the writer of its journal; strings in the arena. Where it
 * `has_attempts`, several, that journal is the run's, and each attempt gets one of its own. */
int run_paths_make(struct arena *arena, bool has_attempts, struct run_paths *paths,
	struct journal *journal, struct rondo_error *err);

/* For a dry run, which keeps nothing: no more than an id and the work directory. */
int run_paths_make_work(struct arena *arena, struct run_paths *paths, struct rondo_error *err);

/* Those of a run that broke off, whose journal is locked; strings in the arena. `dir`: its own. */
int run_paths_take(
	struct arena *arena, const char *dir, struct run_paths *paths, struct rondo_error *err);

/* Those of one of several attempts, within the run's, which must stay; strings in the arena. */
void run_paths_within(
	struct arena *arena, const struct run_paths *run, int attempt, struct run_paths *paths);

/* The directory where a run's journal lies: its one attempt's, or the run's own where it has
 * several; in the arena. */
const char *run_journal_dir(const char *dir, struct arena *arena);

/* Whether it has several; and the directory of one of them, from 1; in the arena. */
bool run_has_attempts(const char *dir);
const char *run_attempt_dir(const char *dir, int attempt, struct arena *arena);

/* Force to disk that they are there, and the journal and the scenario in them. */
int run_paths_sync(const struct run_paths *paths, struct rondo_error *err);

/* Whether somebody holds the lock of its work directory. */
bool run_goes_on(const char *id, struct arena *arena);

/* Inside journal/. The lock of a run that died, which nobody else holds; -1: it lives, or is just
 * being made. `flags` may be O_CREAT. */
int run_take_dead(const char *dir, int flags);

/* Remove a directory whose lock is held, under another name first. */
int run_discard(const char *dir, struct rondo_error *err);

/* Whether a directory's name is a run's, and not of one that is just being made or removed. */
bool run_is_name(const char *name);

/* Remove what is not kept. A zeroed struct is fine. */
void run_paths_release(struct run_paths *paths);
