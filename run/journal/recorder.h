/*
 * The recorder of a run: every event of it goes through here to the journal, and then to who looks
 * on. It also keeps what follows from events: what was spent, the states of the tree that testers
 * judged, and what the main checkout held after each execution. Inside run/ only.
 */
#pragma once
#include "run/journal/history.h"
#include "run/journal/journal.h"
#include "run/journal/states.h"
#include "run/report/tally.h"
#include "run/site/site.h"

struct recorder {
	struct journal journal;
	const struct secrets *secrets;
	const struct history *history; /* of the run that this one continues; NULL: it begins */
	struct context_emit emit;      /* who looks on */
	const char *packs;             /* the directory of kept objects */
	const struct site *site;       /* whose main checkout is kept; NULL: there is none yet */
	struct tally tally;
	struct states states;
	struct object kept; /* the tree of the main checkout that was kept last */
	bool is_touched;    /* since then */
	bool is_rebuilding; /* nothing is recorded: the journal has it already */
};

/* The functions of a context; the owner is the recorder. */
int recorder_record(void *owner, const struct rondo_event *event, struct rondo_error *err);
void recorder_emit(void *owner, const struct rondo_event *event);

/* From now on keep the site's main checkout, which holds the base. */
void recorder_watch(struct recorder *recorder, const struct site *site);

/* Put back what the main checkout held when the run broke off. */
int recorder_restore(struct recorder *recorder, const struct site *site, struct rondo_error *err);

/* Write to the journal of the run that is continued, and record that it is. `text`: of the
 * event. */
int recorder_continue(
	struct recorder *recorder, const struct run_paths *paths, struct rondo_error *err);
