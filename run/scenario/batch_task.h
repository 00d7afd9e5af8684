/*
 * One task among many: what is other than in the rest of its batch. Read from a line of a file of
 * tasks, or from batch.tasks of a scenario. Inside run/ only.
 */
#pragma once
#include "base/option.h"

struct batch_task {
	const char *name, *repository, *commit, *test_patch, *test, *task, *model, *coder, *branch;
	struct option_strings goal, keep, setup;
	struct option_texts limits, parameters, set;
};

extern const struct option batch_task_options[];
extern const struct option_family batch_task_family; /* one type, without a name */
