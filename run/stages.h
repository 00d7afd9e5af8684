/*
 * A run, as its stages build it up: order -> site -> baseline -> talk -> verdict -> publication.
 * Each stage takes those before it and gives a value of its own; one that was not reached is NULL.
 * Inside run/ only.
 */
#pragma once
#include "run/baseline/baseline.h"
#include "run/components.h"
#include "run/journal/recorder.h"
#include "run/publication.h"
#include "run/talk/talk.h"
#include "run/verdict/verdict.h"

/* What the scenario asserts of its end. */
struct run_asserts {
	size_t n;
	const char *failed; /* a line each; NULL: all hold, or the run came not so far */
};

struct run {
	struct order order;
	struct site *site;
	struct baseline_stage *baseline;
	struct talk *talk;
	struct verdict_stage *verdict;
	struct publication *publication;
	/* kept without a verdict: there is no suite, or the run was stopped; NULL: none */
	struct run_change *unjudged;

	struct run_asserts asserts;

	struct run_env env;
	struct recorder recorder;
	struct components components;
	struct agent_services services; /* an agent may use it from agent_start on */
	struct trials *trials;          /* of the services; NULL: there is no baseline yet */
	struct verdict_server verdicts; /* of the services; answers what external agents ask */
	const struct context *outer;    /* the caller's */
	struct cancel cancel;           /* child of the caller's, with the run's time limit */
	int64_t started_at_ms;
	int number;       /* of several attempts, from 1; 0: it is none of them */
	bool is_recorded; /* there is a journal */
	/* somebody spoke: what is on disk is worth keeping, whatever follows */
	bool has_begun;
	bool has_talked;           /* so, in this process */
	struct attempts *attempts; /* that speak in its place; NULL: it speaks itself */
	struct run_report *report; /* the caller's */
};

/* Carry out an order, with the secrets of its files, whatever comes of it; as run_fix. */
int run_carry_out(struct order *order, const struct context *ctx, struct arena *arena,
	struct run_report *report, struct rondo_error *err);

/* Whether its journal is only what several attempts have in common. */
static inline bool run_is_many(const struct run *run)
{
	return run->order.n_attempts > 1;
}

/* --- The same in parts, for a program that talks more than once in a run --- */

/* Make the run's directory and journal. On failure run_end it, too. The order's journal becomes the
 * run's. */
int run_begin(struct run *run, const struct order *order, const struct context *outer,
	struct arena *arena, struct run_report *report, struct rondo_error *err);

/* Make the team, with its models and their keys, which fail here and not after a long baseline.
 * run_open does it, too. */
int run_make_team(struct run *run, struct rondo_error *err);

/* Reach the site and the baseline. ret_done: nothing is left to be done. */
int run_open(struct run *run, bool *ret_done, struct rondo_error *err);

/* Let the team speak; judge and publish what it came to. `task`: as of talk_order. */
int run_talk(struct run *run, const char *task, struct rondo_error *err);

/* The stages of that by themselves. Let the team speak and sum up; on failure what it wrote so far
 * is kept. Judge it. Publish what was verified. */
int run_hear(struct run *run, const char *task, struct rondo_error *err);
int run_reach_verdict(struct run *run, struct rondo_error *err);
int run_publish(struct run *run, struct rondo_error *err);

/* What stands before the talk: tell what its models cost and whom it asks; start its agents. */
int run_tell_team(
	const struct run_env *env, struct components *components, struct rondo_error *err);
int run_start_agents(struct run *run, struct rondo_error *err);

/* Make ready for one more talk, the number-th (from 1), with a time limit and a branch of its
 * own. */
int run_again(struct run *run, int number, struct rondo_error *err);

/* Compose the report and write it, also of a run that failed: `status` with err. Gives the
 * status. */
int run_write_report(struct run *run, int status, struct rondo_error *err);

/* The one end of a run: report it, unless it came to nothing, and give back what it holds. Gives
 * the status. */
int run_end(struct run *run, int status, struct rondo_error *err);

/* run_asserts.c: check what the scenario asserts of its end. */
void run_check_asserts(struct run *run);

/* Give back what it holds without a report. */
void run_release(struct run *run);

/* run_services.c: what a run hands to its agents: the checkouts, and the limits that the order
 * sets; then what fails, and how long the suite may take. */
void services_add_site(
	struct agent_services *services, const struct run_env *env, struct site *site);
void services_add_baseline(struct agent_services *services, const struct run_env *env,
	const struct baseline_stage *baseline);

/* How long the suite may take, in ms, where it finds nothing built. */
int64_t services_afresh_ms(const struct agent_services *services, const struct run_env *env);

/* verdict_asked.c: judge a tree for an external agent in its turn; in that agent's context. What is
 * told lies in the arena. */
int verdict_reach_asked(const struct run *run, const struct object *tree, const struct context *ctx,
	struct arena *arena, struct run_report *report, struct rondo_error *err);

/* --- report/ --- */

/* What is known of a run by now. */
void report_compose(struct run *run, struct run_report *report);

/* report.json and report.md in the run's directory. */
int report_write(const struct run *run, const struct rondo_error *failure, struct rondo_error *err);

/* report.md; appended. */
void report_text(
	const struct run_report *report, const struct rondo_error *failure, struct strbuf *sb);

/* Call `each` with every record of a run's journal, in order, until it returns non-zero. */
int run_records(const char *dir, int (*each)(void *owner, const struct json *record), void *owner,
	struct rondo_error *err);
