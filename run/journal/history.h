/*
 * What a journal says of a run that broke off: enough to continue it. It is read in two parts: the
 * stages before the chat, of which the team is made, and then what was said. Inside run/ only.
 */
#pragma once
#include "base/json/json.h"
#include "chat/test_report.h"
#include "run/components.h"
#include "run/journal/states.h"
#include "run/report/tally.h"
#include "run/run.h"
#include "worktree/worktree.h"

struct history {
	const char *dir; /* of the attempt */
	/* of the journal; all else is borrowed from here or lies in the arena */
	struct strbuf text;
	struct arena arena;
	size_t length;    /* of its whole records */
	const char *chat; /* where what was said begins; NULL: nothing was said */
	int chat_line;
	struct json *start;          /* where the run was begun, as order_origin told it */
	bool has_site, has_baseline; /* the stages that were reached */
	struct site_facts site;
	struct baseline_facts baseline;
	struct run_attempt *attempts; /* of several, those that have ended */
	size_t n_attempts;
	const char *outcome; /* a word, where the run has ended; NULL: it broke off */
	int64_t seq, elapsed_ms;
	char tree[OBJECT_SIZE]; /* what the main checkout held last; "": the base */
	int n_messages, n_turns;
	struct recorded_replies replies; /* of the turn that was open */
};

/* Read the journal in an attempt's directory as far as the chat. Refused: one of another version,
 * one with a fault in it, one without a beginning. Release it also on failure. */
int history_read(struct history *history, const char *dir, struct rondo_error *err);

/* The same of the text that is there. */
int history_parse(struct history *history, struct rondo_error *err);

void history_release(struct history *history);

/* The base that was worked on; strings in the arena of the history. */
int history_base(
	const struct history *history, struct arena *arena, struct base *base, struct rondo_error *err);

/* What was said: the team, the models, the budget, what was spent and what was judged become as
 * they were. */
int history_recall(struct history *history, struct components *components, struct tally *tally,
	struct states *states, struct rondo_error *err);
