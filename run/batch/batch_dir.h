/* The directory of a batch, and what is known of its tasks. Inside run/batch/ only. */
#pragma once
#include "run/batch/tasks.h"

enum task_state {
	TASK_WAITS,
	TASK_ENDED,
	TASK_ELSEWHERE, /* of another part of the batch */
};

struct batch_entry {
	const char *name;
	int64_t offset; /* of its line */
	uint32_t n;     /* bytes of that */
	uint8_t state;
};

struct batch_dir {
	const char *path;         /* absolute */
	int lock, lines, results; /* descriptors; -1: none */
	struct batch_entry *entries;
	size_t n;
	const char *results_path;
};

/* What holds for all tasks, as batch.json keeps it. */
struct batch_common {
	struct fix_options fix;
	const char *scenario; /* NULL: the tasks are for rondo fix */
	int64_t jobs;
	struct batch_budget budget;
};

/* Whether a directory is a batch's. */
bool batch_dir_is(const char *path, struct arena *arena);

/* Make a batch's directory, or take one that has these tasks, or the first of them. */
int batch_dir_make(const char *path, const struct task_list *list,
	const struct batch_common *common, struct arena *arena, struct rondo_error *err);

/* What it holds of options, from its arrays; appended. */
void settings_of_json(
	const struct json *list, struct option_settings *settings, struct arena *arena);
void strings_of_json(const struct json *list, struct option_strings *strings, struct arena *arena);

int batch_common_write(const char *dir, const struct batch_common *common, struct arena *arena,
	struct rondo_error *err);
int batch_common_read(
	const char *dir, struct arena *arena, struct batch_common *ret_common, struct rondo_error *err);

/* Part i of n, from 1. Open it to work on that part: nobody else may meanwhile. */
int batch_dir_open(struct batch_dir *batch, const char *path, size_t i, size_t n,
	struct arena *arena, struct rondo_error *err);

/* Wait, for some minutes, until nobody works on that part. */
int batch_dir_await(
	const char *path, size_t i, size_t n, const struct cancel *cancel, struct rondo_error *err);

/* Open it to read what there is. */
int batch_dir_look(
	struct batch_dir *batch, const char *path, struct arena *arena, struct rondo_error *err);

/* Be the only one with that lock in it, until it is closed. */
int batch_dir_lock(struct batch_dir *batch, const char *name, struct rondo_error *err);
void batch_dir_close(struct batch_dir *batch);

/* batch.c: make the directory of a new batch, or find the one that goes on. */
int batch_prepare(const struct batch_options *options, const char **ret_dir,
	struct batch_common *common, struct arena *arena, struct rondo_error *err);

/* A task's line, without its newline; appended. */
int batch_dir_line(const struct batch_dir *batch, const struct batch_entry *entry,
	struct strbuf *line, struct rondo_error *err);

/* --- results.c --- */

/* Where a task lies; in the arena. */
const char *task_dir(const struct batch_dir *batch, const char *name, struct arena *arena);

/* What came of a task, from its directory; NULL: it has not ended. The caller's to free. */
struct json *task_result_read(const char *dir);

/* Put it there; but the first last word stays, and nothing takes its place that is none. */
int task_result_write(const char *dir, const struct json *result, struct rondo_error *err);

/* Whether a result is the last word: a fault that may pass, or a kill, is not. */
bool task_result_is_final(const struct json *result);

/* As a struct, which borrows from it. */
struct batch_result task_result_of(const struct json *result);

/* A result without a run: of what could not be begun, or died. */
struct json *task_result_failed(const char *name, int exit_code, const char *reason);

void progress_add(struct batch_progress *progress, const struct batch_result *result);

/* Take up what has ended before, and complete the file of results; cut off what was torn. */
int results_open(struct batch_dir *batch, struct batch_progress *progress, struct arena *arena,
	struct rondo_error *err);
int results_append(struct batch_dir *batch, const struct json *result, struct rondo_error *err);

/* predictions.c: a line for each task with a fix, in SWE-bench's form. */
int predictions_write(const struct batch_dir *batch, const char *path, struct rondo_error *err);
