/*
 * Several attempts at one task: independent conversations, each in a thread, with a scenario, a
 * team, checkouts, a journal and a token of its own. They share the run's site, its baseline, its
 * time and its budget, which is asked before each call. Inside run/ only.
 */
#pragma once
#include <pthread.h>

#include "run/stages.h"

enum attempt_state {
	ATTEMPT_WAITS, /* for a thread */
	ATTEMPT_RUNS,
	ATTEMPT_ENDED,     /* here; its row says how */
	ATTEMPT_HAD_ENDED, /* before this run was continued; all but its row is gone */
};

struct attempts;

struct attempt {
	int number; /* from 1 */
	struct attempts *all;
	enum attempt_state state;
	struct arena arena;       /* lives as long as the run's */
	struct scenario scenario; /* the run's, varied */
	double temperature;       /* of models that name none; below 0: the provider's own */
	struct history history;   /* of its own journal, where there is one */
	bool has_history;
	struct repository *repository; /* NULL: the run's */
	struct site site;              /* of all but the first one */
	struct cancel stop;            /* fired where another one is taken; child of the caller's */
	struct context outer;
	struct run run; /* the stages of its own */
	struct run_report report;
	struct run_attempt row;
	int status; /* with err, where it failed */
	struct rondo_error err;
};

struct attempts {
	struct run *run;
	struct attempt *items;
	size_t n, parallel;
	const char *select;
	struct budget budget;
	pthread_mutex_t lock; /* of all that follows, and of the run's journal */
	pthread_cond_t changed;
	size_t next;    /* that is to be begun, from 0 */
	size_t waiting; /* a bit each: they wait for the gate */
	bool is_gate_taken;
	/* the first one searches without a model, and the others wait: what it fixes costs nothing */
	atomic_bool waits_for_repair;
	const struct attempt *winner; /* the others are stopped; NULL: there is none yet */
	pthread_mutex_t asking;       /* one asks a human at a time */
	struct run_attempt *rows;     /* as they are reported */
	int status;                   /* with err, where the run's own journal failed */
	struct rondo_error err;
};

/* Make them of the run's scenario, with their teams; those of a run that is continued know what was
 * said. The run has its directory. */
int attempts_make(struct run *run, struct rondo_error *err);

/* Let them work, choose, and publish what is chosen. The run has its baseline. */
int attempts_run(struct attempts *attempts, struct rondo_error *err);

/* What all of them spent and came to by now, for the report. */
void attempts_compose(struct attempts *attempts, struct run_report *report);

/* NULL is fine. */
void attempts_release(struct attempts *attempts);

/* --- Inside this folder --- */

/* attempts.c: let all work that have to, side by side; -1 only where the run's own journal failed.
 */
int attempts_work_all(struct attempts *attempts, struct rondo_error *err);

/* attempts_vary.c: make the scenario of an attempt differ from the first one's. Gives whether what
 * searches without a model was left out. */
bool attempt_vary(struct attempt *attempt);

/* The temperature of its first model that has one, as a text in the arena; NULL: the provider's. */
const char *attempt_temperature(const struct attempt *attempt, struct arena *arena);

/* attempt.c: one attempt from its checkouts to its row, in any thread; then give back all that it
 * holds but for its results. */
void attempt_run(struct attempt *attempt);
void attempt_leave(struct attempt *attempt);

/* attempts_turns.c: who may go on, and who is told. Wait until the first one's search without a
 * model is over; wait for the gate, which serves one at a time, the lowest number first, and give
 * it back. False: it was cancelled meanwhile. */
bool attempts_await_repair(struct attempt *attempt);
bool attempts_enter_gate(struct attempt *attempt);
void attempts_leave_gate(struct attempt *attempt);

/* Record how it ended; a verified one may stop the others. */
void attempts_settle(struct attempt *attempt);

/* Events of an attempt, with its number; and questions, one at a time. The owner is the attempt. */
void attempts_emit(void *owner, const struct rondo_event *event);
const char *attempts_ask(void *owner, const char *question, int64_t deadline_ms,
	struct arena *arena, struct rondo_error *err);

/* attempts_finish.c: where each verified one gets a branch, whether these can be made. */
int attempts_check_branches(const struct attempts *attempts, struct rondo_error *err);

/* attempts_choose.c: the place of the row to be taken, by the word for how; n: there is none. */
size_t attempts_choose(const struct run_attempt *rows, size_t n, const char *select);

/* Whether a row is that of a fix, wholly or in part. */
bool attempt_is_verified(const struct run_attempt *row);

/* attempts_agree.c: put into n_alike how many verified fixes do the same as each. */
int attempts_compare(struct attempts *attempts, struct rondo_error *err);

/* What a tally of its models comes to; cost below 0: not wholly known. */
void attempts_add_up(const struct tally *tally, int64_t *ret_tokens, double *ret_cost);
