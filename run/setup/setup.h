/*
 * What is done once before the tests can run: commands with network whose result is kept. setup.c
 * runs them, setup_key.c names the result, setup_store.h keeps it. Inside run/ only.
 */
#pragma once
#include "executors/world.h"
#include "run/env.h"
#include "run/setup/setup_store.h"

struct site;

#define SETUP_STEP ".setup-step" /* in the cache: which command runs */

/* Programs that may install something: their versions are part of the key. */
extern const char *const setup_tools[16];

/* What a setup is made of. */
struct setup_parts {
	const struct option_strings *commands;
	const struct world *world;
	const char *work; /* the run's own directory, which is another one each time */
	const char *dir;  /* the base's files */
	const char *const *paths;
	size_t n_paths;
	const char *const *environments; /* of the user's that the setup may add to, absolute */
	size_t n_environments;
};

/* Its name, in the arena. */
int setup_key(const struct setup_parts *parts, struct arena *arena, const char **ret_key,
	struct rondo_error *err);

/* That of a site's setup, or of any world of the site's, in the arena. */
int setup_world_key(const struct site *site, const struct run_env *env, const struct world *world,
	const char **ret_key, struct rondo_error *err);

/* Whether such commands may read more of the tree than manifests and lock files. */
bool setup_reads_tree(const struct option_strings *commands);

/* A command that would install what the tests need, and the file at the root that says so. */
struct setup_proposal {
	const char *ecosystem, *tool, *command, *file;
};

/* All of them, by the files at a root; and the command of one ecosystem, or NULL. In the arena. */
size_t setup_propose(const char *root, struct arena *arena, struct setup_proposal **ret_proposals);
const char *setup_propose_for(const char *root, const char *ecosystem, struct arena *arena);

/* The setup of a site. */
struct setup {
	struct world world; /* in which it runs, with network */
	struct executor_plan plan;
	bool is_in_each; /* nothing can be kept here: it runs in each checkout */
	struct setup_layer layer;
};

/* Programs to show beside `tools` where there is a setup; NULL-terminated, in the arena. */
const char *const *setup_show_tools(
	const struct run_env *env, const char *const *tools, struct arena *arena);

/* Find what the setup left or run it, and show it in the site's world. `options`: those of that
 * world. */
int setup_provide(struct site *site, const struct run_env *env, const struct world_options *options,
	struct rondo_error *err);

/* The commands in a line, in the arena. */
const char *setup_describe(const struct option_strings *commands, struct arena *arena);

/* Run the commands; an error shows the last lines of the one that failed. */
int setup_run(const struct run_env *env, struct executor *executor,
	const struct option_strings *commands, struct rondo_error *err);

/* Where nothing can be kept: run it in the checkout of this executor. */
int setup_run_in(const struct site *site, const struct run_env *env, struct executor *executor,
	struct rondo_error *err);

/* "npm ci", or "proposed by rondo.yaml: npm ci" where it needs consent; in the arena. NULL: there
 * is none. */
const char *setup_plan_text(const struct run_env *env);
