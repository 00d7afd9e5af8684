/*
 * The site of a run: what is worked on, and where. site_open finds it, which is cheap; site_furnish
 * makes checkouts and what programs in them see. Inside run/ only.
 */
#pragma once
#include "agents/agent.h"
#include "executors/world.h"
#include "run/env.h"
#include "run/order.h"
#include "run/setup/setup.h"
#include "verify/suite/python_place.h"

struct site {
	struct site_facts facts;
	/* what is worked on, absolute: the order's, or a workspace that was made */
	const char *path;
	struct repository *repository;
	struct base base;
	struct object proposed;      /* the tree of the order's proposal */
	struct option_strings paths; /* of the base's tree */
	struct suite suite;
	struct python_place python; /* where the suite runs, if it is Python's */
	struct protection protection;
	const char *branch; /* that a fix gets; NULL: there is no repository */

	/* site_furnish */
	struct option_strings dependencies;
	struct option_strings leave_out; /* paths in a checkout that are not the tree's */
	struct world world;
	struct setup setup;       /* what installs what the tests need, and what it left */
	struct world built;       /* the same, with what the user has built in the checkout */
	struct world moved;       /* the same as world, with the checkout at another path */
	struct checkout main;     /* where edits are applied and code runs */
	struct checkout *workers; /* where suites run, one a core */
	size_t n_workers;
	/* what the first worker's first run builds (executor_layer); NULL: not where this executor
	 * runs */
	const char *layer;
};

/* Find repository, base and suite, and record them. On failure close it, too. */
int site_open(struct site *site, const struct run_env *env, struct rondo_error *err);

/* Make the world and the checkouts. */
int site_furnish(struct site *site, const struct run_env *env, struct rondo_error *err);

/* The same site for one more attempt, which has a repository of its own: a main checkout and one
 * worker, which find what the first worker has built. The work directory of the environment is its
 * own, and there. Close it by site_leave_beside. */
int site_furnish_beside(struct site *site, const struct site *other, struct repository *repository,
	const struct run_env *env, struct rondo_error *err);
void site_leave_beside(struct site *site);

/* A checkout of `tree` below the run's work directory, with an executor in one of the site's
 * worlds. */
int site_checkout(const struct site *site, const struct run_env *env, const struct world *world,
	const char *name, const struct object *tree, struct checkout *ret_checkout,
	struct rondo_error *err);
void site_leave(struct checkout *checkout);

/* The first worker has run the base: what it built is the layer now, which each later run finds, in
 * the workers and in checkouts of the site's built world. */
int site_share_layer(const struct site *site, const struct run_env *env, struct rondo_error *err);

/* Whether programs that are installed in the checkout know its path. */
bool site_is_bound(const struct site *site);

/* From now on no run finds what the user has built. */
void site_leave_builds_out(struct site *site, const struct run_env *env);

/* What the main checkout holds. `refused`: paths that cannot be part of a fix. */
int site_tree(const struct site *site, struct arena *arena, struct object *ret_tree,
	struct option_strings *refused, struct rondo_error *err);

/* The facts of a team that only talks. */
int site_without(struct site *site, const struct run_env *env, struct rondo_error *err);

/* Close what is open. A zeroed struct is fine. */
void site_close(struct site *site);

/* Inside the stage. site_proposal.c: the base of the order's proposal, and its tree. */
int site_find_proposal(struct site *site, const struct run_env *env, struct rondo_error *err);

/* site_suite.c: the directory of the tree that the user named or is in, relative
 * to the root; "": the root, or one that the base does not have. Find the suite that is run where
 * nobody named one; `dir` is where the base lies. */
const char *site_named_dir(const struct site *site);
int site_detect_suite(
	struct site *site, const struct run_env *env, const char *dir, struct rondo_error *err);

/* site_workspace.c: make the files of a run without a repository; ret_path: what
 * is worked on. */
int site_make_workspace(const struct run_env *env, const struct scenario *scenario,
	const char **ret_path, struct rondo_error *err);

/* site_space.c: an error where the disk has no room for the checkouts of a large base; say how much
 * of it they take. */
int site_check_space(const struct site *site, const struct run_env *env, struct rondo_error *err);
int site_tell_space(const struct site *site, const struct run_env *env, struct rondo_error *err);

/* site_packages.c: have the packages that the executor's settings name, and show them in the
 * world. */
int site_provide_packages(struct site *site, const struct run_env *env, struct rondo_error *err);

/* Remove packages that nobody used for three months, and what dead runs left half made; adds up the
 * bytes. */
void site_collect_packages(const char *cache, uint64_t *bytes);
