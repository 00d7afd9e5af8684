/*
 * What a journal says of a run that broke off: enough to go on with it. Read in two parts, since the
 * team that takes up what was said is made of what the first one tells. Inside run/ only.
 */
#pragma once
#include "base/json.h"
#include "chat/test_report.h"
#include "run/cast.h"
#include "run/journal/states.h"
#include "run/report/tally.h"
#include "worktree/worktree.h"

struct past {
	const char *dir;        /* of the attempt */
	struct strbuf text;     /* of the journal; all else is borrowed from here or lies in the arena */
	struct arena arena;
	size_t length;          /* of its whole records */
	const char *chat;       /* where what was said begins; NULL: nothing was said */
	int chat_line;
	struct json *start, *base, *baseline; /* data of these records; NULL: not there */
	const char *outcome;    /* a word, where the run has ended; NULL: it broke off */
	int64_t seq, elapsed_ms;
	char tree[OBJECT_SIZE]; /* what the desk held last; "": the base's */
	int n_messages, n_turns;
	struct recorded_replies replies; /* of the turn that was open */
};

/* Read the journal in an attempt's directory as far as the chat. Refused: one of another version, one with a fault in it,
 * one without a beginning. Release it also on failure. */
int past_read(struct past *past, const char *dir, struct rondo_error *err);

/* The same of the text that is there. */
int past_parse(struct past *past, struct rondo_error *err);

void past_release(struct past *past);

/* The base that was worked on; strings in the arena of the past. */
int past_base(const struct past *past, struct arena *arena, struct base *base, struct rondo_error *err);

/* What was said: the team, the models, the budget, what was spent and what was judged become as they were. */
int past_recall(struct past *past, struct cast *cast, struct tally *tally, struct states *states, struct rondo_error *err);
