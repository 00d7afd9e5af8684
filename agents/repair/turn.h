/* A turn of the repair agent, and its steps. Private to the files repair_*.c. */
#pragma once
#include "agents/repair/agenda.h"
#include "agents/repair/last_words.h"
#include "agents/repair/memory.h"

struct repair_state {
	int64_t seed;
	int64_t take;      /* which choice, from 1 */
	const char *since; /* a revision; NULL: all that changed may be taken back */
	struct repair_memory memory;
	struct agenda agenda;
	size_t batch; /* how many are tried at once */
};

/* One turn of it. */
struct repair_turn {
	struct agent *agent;
	struct repair_memory *memory;
	struct agenda *agenda;
	struct agenda_item *item; /* the current group */
	struct search *search;    /* for it */
	struct arena *arena;      /* of the response */
	struct response *response;
	const struct context *ctx;
	struct search_figures figures, all; /* of this group's search in this turn, and of all */
	int64_t deadline_ms;                /* for this group, */
	int64_t reverts_ms;                 /* and for what takes back changes, where nothing passes */
	size_t n_choices; /* that passed, where a later one was asked for; 0: there were enough */
	size_t most;      /* candidates that may be taken when its time is over */
};

/* --- repair_saying.c: what it says --- */

/* Propose an edit. `among`: the candidates that it was chosen from; NULL: it was the only one. */
int repair_propose(const struct repair_turn *turn, const struct candidate *candidate,
	const struct passing *among, struct rondo_error *err);

/* Take back what was proposed last. */
void repair_undo(const struct repair_turn *turn);

void repair_give_up(const struct repair_turn *turn);

/* --- repair_finding.c: its search --- */

/* Search until a candidate passes that was not proposed before. If there is none, `passing` of the
 * search is empty. */
int repair_find(struct repair_turn *turn, struct rondo_error *err);

/* Whether a candidate was proposed in this group. */
bool repair_has_proposed(const struct repair_turn *turn, const struct candidate *candidate);

/* Record what the turn's search came to, for people. */
int repair_record_search(const struct repair_turn *turn, struct rondo_error *err);

/* --- repair_groups.c: which group of failing tests it searches for --- */

/* How many candidates were taken, and how many may be, in all; of this group's search. */
size_t repair_taken(const struct repair_turn *turn);
size_t repair_limit(const struct repair_turn *turn);
size_t repair_may_take(const struct repair_turn *turn);

bool repair_is_open(const struct repair_turn *turn, size_t i);

/* How many groups are open beside the current one. */
size_t repair_count_others(const struct repair_turn *turn);

/* The commit of the option `since`; "": there is none. */
int repair_find_since(
	const struct agent *agent, struct object *ret_commit, struct rondo_error *err);

/* Make the i-th group the current one, with its share of what is left. */
int repair_enter_group(struct repair_turn *turn, size_t i, struct rondo_error *err);

/* The search of the current group came to nothing: go on with the next one that is open, which may
 * be this one again. False: there is no time, or nothing more to try. */
int repair_next_group(struct repair_turn *turn, bool *ret_found, struct rondo_error *err);
