/* What the files that check a scenario share. */
#pragma once
#include "run/scenario/problem.h"
#include "run/scenario/scenario.h"

struct check {
	const struct scenario *scenario;
	const struct yaml_node *root; /* NULL: there is no file */
	struct problems *problems;
};

/* Where a key of a section stands in the file; else the whole file. */
struct option_place check_place(const struct check *check, const char *section, const char *key);

/* Whether there is such a model, or a provider by whose name one can be made. */
void check_model(const struct check *check, const struct option_ref *ref);

/* section_check.c: workspace, test, verify, output, task. */
void check_sections(const struct check *check);

/* executor_check.c: the executor, and what an agent lets it do. */
void check_executor(const struct check *check);
void check_execution(const struct check *check, const struct option_spec *agent);
