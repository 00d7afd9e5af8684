/* The tasks of a batch: from what people write to lines of tasks.jsonl. Inside run/batch/ only. */
#pragma once
#include "base/json/json.h"
#include "base/map.h"
#include "run/batch/batch.h"
#include "run/scenario/batch_task.h"
#include "run/scenario/problem.h"

/* Lines that are being made. */
struct task_lines {
	struct strbuf text; /* a JSON object a line */
	struct map names;   /* of tasks, each to where it stands */
	size_t n;
	const char *scenario;         /* absolute; NULL: the tasks are for rondo fix */
	struct option_strings places; /* where relative repositories may lie */
	struct arena *arena;
};

/* Add one. What is wrong with it becomes a problem. */
void task_line_add(struct task_lines *lines, struct batch_task *task,
	const struct option_place *place, struct problems *problems);

/* Add a setting to an array of them, as settings_of_json reads it; nothing where the value is
 * NULL. */
void task_setting_add(
	struct json *settings, const char *option, const char *key, const char *value);

/* Add one that cannot be run, whose only result is this. */
void task_line_add_broken(struct task_lines *lines, const char *name, const char *why);

/* What a list says: its tasks, and what it says of all of them together. */
struct task_list {
	struct task_lines lines;
	struct batch_budget budget;
	int64_t jobs;
};

/* Read what `options->tasks` names, which is no batch's directory. Broken lines of a file are tasks
 * that fail; what is wrong with a scenario is an error. */
int task_list_read(struct task_list *list, const struct batch_options *options, struct arena *arena,
	struct rondo_error *err);
void task_list_release(struct task_list *list);
