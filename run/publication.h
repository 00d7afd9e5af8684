/* The publication of a run: a fix leaves it as a branch, a patch, files, in the checkout; each as
 * asked for. Inside run/ only. */
#pragma once
#include "run/site/site.h"

/* Publish a verified tree. `report` is the run's so far, from which commit and pull request are
 * told. */
int publication_make(struct publication *publication, const struct run_env *env,
	const struct site *site, const struct object *tree, const struct run_report *report,
	struct rondo_error *err);

/* The same with a branch alone, the site's. */
int publication_add_branch(const struct run_env *env, const struct site *site,
	const struct object *tree, const struct run_report *report, struct object *ret_commit,
	struct rondo_error *err);

/* Keep the files that differ from the base, as `tree` has them. */
int publication_keep_files(struct publication *publication, const struct run_env *env,
	const struct site *site, const struct object *tree, struct rondo_error *err);

/* Write the change to the file that the scenario names for it, if it names one. */
int publication_copy_patch(struct publication *publication, const struct run_env *env,
	const struct run_change *change, struct rondo_error *err);

/* Write the text of a pull request, or the verdict on somebody's, to the file that the scenario
 * names for it, if it names one. */
int publication_write_pull_request(struct publication *publication, const struct run_env *env,
	const struct run_report *report, struct rondo_error *err);

/* Keep what a run of the suite said as junit-<stage>.xml: "before", "after". */
int publication_junit(const struct run_env *env, const char *name, const char *stage,
	const struct test_report *report, struct rondo_error *err);

/* Whether this run made its branch before it broke off. */
bool publication_was_made(const struct run_env *env, struct repository *repository,
	const char *branch, struct object *ret_commit);
