/*
 * What setups left, kept in the cache: a directory each, under a name that says what it was made
 * of. Nobody changes it once it has that name; whoever uses it holds a lock that others share.
 * Inside run/ only.
 */
#pragma once
#include "executors/world.h"

struct setup_layer {
	const char *dir;
	const struct world_piece *pieces;
	size_t n;
	uint64_t bytes;
	int64_t made_ms; /* since 1970 */
	int lock;
};

/* Where a run keeps them; in the arena. */
const char *setup_store(const char *cache, struct arena *arena);

/* The layer of that name, locked; false: there is none. */
bool setup_store_find(
	const char *store, const char *name, struct arena *arena, struct setup_layer *ret_layer);

/* Give a directory with what a setup left, on the same file system, its name in the store. `pieces`
 * have their sources in it. If somebody else was faster, theirs stays. */
int setup_store_keep(const char *store, const char *name, const char *dir,
	const struct world_piece *pieces, size_t n, struct rondo_error *err);

/* Remove those that nobody uses until they take `most` bytes together, the one first that was not
 * used for the longest time; `but` stays. */
void setup_store_trim(const char *store, int64_t most, const char *but);

/* Remove those that nobody uses and that were not used for `age_ms`; adds up how many and their
 * bytes. */
void setup_store_collect(const char *cache, int64_t age_ms, size_t *n, uint64_t *bytes);

/* Let go of it. */
void setup_layer_release(struct setup_layer *layer);
