/* What each stage of a run works with: what was ordered, where it records and asks, where it
 * writes, who owns what it finds. Inside run/ only. */
#pragma once
#include "chat/context.h"
#include "run/journal/paths.h"
#include "run/order.h"

struct run_env {
	const struct order *order;
	/* records into the journal; its token has the run's time limit */
	struct context ctx;
	struct run_paths paths;
	struct arena *arena;            /* the caller's: what stages find lives as long as the report */
	struct option_strings *notices; /* of the report */
};

/* What ends a run before its last stage. */
struct ending {
	bool is_set;
	enum run_outcome outcome;
	const char *reason, *help;
};

/* Tell the user something, and report it. */
int env_notice(const struct run_env *env, struct rondo_error *err, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* Whether options stand in a scenario's file, and not on the command line; and how a limit is set
 * there: "limits: {repair: 5m}", or "--limit repair=5m". In the arena. */
bool env_is_of_file(const struct run_env *env);
const char *env_limit(const struct run_env *env, const char *name, const char *value);

/* Write a text without keys as a file of the run's directory. */
int env_keep(
	const struct run_env *env, const char *name, const char *text, struct rondo_error *err);

/* scenario.json: what is run, with every default written out. */
int run_keep_scenario(const struct run_env *env, struct rondo_error *err);

/* A text without keys; in the arena. */
const char *env_redact(const struct run_env *env, const char *text);

/* Record and emit what a stage found, as the table tells it. */
struct field;
int env_event(const struct run_env *env, enum rondo_event_type type, const char *text,
	const struct field *table, void *facts, struct rondo_error *err);
