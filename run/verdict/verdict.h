/* The verdict of a run: the gate's, on the best state that the team reached. The judging itself is
 * gate/'s. Inside run/ only. */
#pragma once
#include "run/baseline/baseline.h"
#include "run/journal/states.h"
#include "verify/gate/gate.h"

struct verdict_stage {
	struct verdict_facts facts;
	struct object tree;       /* that was judged */
	struct run_change change; /* from the base to it */
	bool is_changed;          /* there is a difference */
	struct ending ending;
};

/* Judge the best states in fresh checkouts. */
int verdict_reach(struct verdict_stage *verdict, const struct run_env *env, const struct site *site,
	const struct baseline_stage *baseline, const struct states *states,
	const struct talk_facts *talk, const struct agent_services *services, struct rondo_error *err);

/* verdict_proposal.c: judge the order's proposal as it is. */
int verdict_reach_proposal(struct verdict_stage *verdict, const struct run_env *env,
	const struct site *site, const struct baseline_stage *baseline,
	const struct agent_services *services, struct rondo_error *err);

/* verdict_advice.c: what the user can do about it, in words with the exact option or key; in the
 * arena, or NULL. */
const char *verdict_advice(const struct run_env *env, const struct site *site,
	const struct verdict *judged, const struct run_search *search,
	const struct agent_services *services);

/* Keep what the main checkout holds as the run's patch without a judgement: where there is no
 * suite, or the run was stopped. `baseline` may be NULL. */
int verdict_keep_unjudged(struct verdict_stage *verdict, const struct run_env *env,
	const struct site *site, const struct baseline_stage *baseline, struct rondo_error *err);

/* Inside the stage. What the gate asks back for, what is asked of it, and both as a gate. */
struct verdict_owner {
	const struct run_env *env;
	const struct site *site;
};
struct gate_settings verdict_settings(const struct run_env *env);
struct gate verdict_gate(struct verdict_owner *owner, const struct baseline_stage *baseline,
	const struct gate_settings *settings);

/* Keep the difference to the verdict's tree in the run's directory, whatever comes of it. */
int verdict_keep_change(struct verdict_stage *verdict, const struct run_env *env,
	const struct site *site, struct rondo_error *err);

/* The files of a change, a line each; and what came of one that is verified: "2 tests fixed,
 * nothing lost"; in the arena. */
const char *verdict_stat(const struct diff *diff, struct arena *arena);
const char *verdict_words(const struct verdict_facts *facts, struct arena *arena);

/* What the gate said, as facts and as an ending; then recorded, with the report of its run. */
void verdict_fill_facts(
	struct verdict_facts *facts, const struct verdict *judged, struct arena *arena);
void verdict_set_ending(
	struct verdict_stage *verdict, const struct verdict *judged, const char *stop_reason);
int verdict_settle(struct verdict_stage *verdict, const struct verdict *judged,
	const struct run_env *env, const struct site *site, struct rondo_error *err);
