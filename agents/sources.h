/* The files of the main checkout, as repair/ reads them. */
#pragma once
#include "agents/agent.h"
#include "repair/repair.h"

/* A text file of the main checkout, in the arena; NULL where there is none, or, with why it cannot
 * be used in ret_why. What is not UTF-8 is read as Latin-1. */
const char *source_text(const struct agent_services *services, const char *path,
	struct arena *arena, const char **ret_why);

/* A file's bytes as such a text; in the arena, or the bytes themselves. */
const char *source_decode(const char *bytes, size_t n, struct arena *arena);

/* Make an edit of such texts one of the files. What cannot be written, in the arena; NULL: nothing.
 */
const char *source_encode(
	const struct agent_services *services, struct edit *edit, struct arena *arena);

/* The paths of the base's files, but for those that are not UTF-8, which no edit can name; in the
 * arena. None where there is no repository. */
int sources_paths(const struct agent_services *services, struct arena *arena,
	const char ***ret_paths, size_t *ret_n, struct rondo_error *err);

/* What files of the main checkout were before, but for protected ones: see repository_past. In the
 * arena; empty where there is no repository. */
struct past *sources_past(const struct agent_services *services, const struct object *since,
	size_t most, struct arena *arena);

/* All files whose language repair knows, or the one program that is its own test; in the arena. */
int sources_load(const struct agent_services *services, struct arena *arena,
	struct repair_file **ret_files, size_t *ret_n, struct rondo_error *err);

/* A file as repair reads it. Not loaded: there is none, or it is too large. A disk that fails is an
 * error: what it holds may be what is to be mended. */
int source_load(const struct agent_services *services, const char *path, struct arena *arena,
	struct repair_file *file, bool *ret_loaded, struct rondo_error *err);

/* The tree as it is seen from failing tests. */
struct nearby {
	const char **paths; /* all: those whose language repair knows, nearest first; then the others */
	size_t n;
	struct repair_file *files; /* the nearest of them, in the same order */
	size_t n_files;
};

/* Find what is near: files that the report or `places` ("path:line") name, files whose names these
 * say, and so on; then neighbours. It reads no more than a small part of a large tree. In the
 * arena. */
int nearby_find(const struct agent_services *services, const struct test_report *report,
	const char *const *places, size_t n_places, struct arena *arena, struct nearby *ret_nearby,
	struct rondo_error *err);
