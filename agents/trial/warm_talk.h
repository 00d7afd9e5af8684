/*
 * A warm program (warm/) of a worker, and what is said to it and heard from it. Between
 * trial_warm.c and warm_talk.c.
 */
#pragma once
#include "agents/trial/trial_engine.h"

enum { WARM_GRACE_MS = 10000 }; /* beyond a limit, to start again after a kill */

struct warm {
	const struct agent_services *services;
	const struct checkout *checkout;
	struct arena arena;
	struct coprocess *coprocess; /* NULL: a candidate has killed it */
	const char *program;         /* on the host */
	int starts;
	int64_t asked;
	/* limits: of the goal's tests, of each other one, and what all others may take on top */
	int64_t goal_ms, other_ms, others_ms;
	bool knows_times; /* of tests at the base */
	bool is_one_run; /* all tests are one run of a program: nobody knows what each takes */
	struct strbuf line;
	struct strbuf base_at; /* where and how the goal's tests fail at the base */
};

/* The first that it is told: which tests, and how they are run. */
char *warm_first_words(const struct agent_services *services, const struct warm_plan *plan);

/* The edit without the suite's directory in its paths; false: it changes other files, too. */
bool warm_enter(
	const char *dir, const struct edit *edit, struct arena *arena, struct edit *ret_edit);

/* The next JSON object; NULL in *ret_json: none came. */
int warm_hear(
	struct warm *warm, int64_t timeout_ms, struct json **ret_json, struct rondo_error *err);

/* Ask, and hear the answer; NULL in *ret_json: the program is gone, or of no use any more. */
int warm_ask(struct warm *warm, const char *text, int64_t timeout_ms, struct json **ret_json,
	struct rondo_error *err);

/* Ask for a candidate. NULL in *ret_answer: it has killed the program. */
int warm_ask_for(struct warm *warm, const struct edit *edit, int patience, struct json **ret_answer,
	struct rondo_error *err);

/* How an answer says that it ended. */
enum trial_end warm_end_of(const struct json *answer);

/* Add where and how the first test of the goal failed; nothing where that is not known. */
void warm_add_failure(const struct json *answer, struct strbuf *sb);

/* Whether that is known, and is not as at the base. */
bool warm_fails_otherwise(const struct warm *warm, const struct json *answer);
