/*
 * What repair searches, as far as it has come. It follows from the report that it began with and the
 * text of then, so little of it is state: the rest is made again when it is next needed; then the
 * desk holds that text. Between search.c and repair.c.
 */
#pragma once
#include "agents/sources.h"
#include "chat/candidates.h"

struct search {
	struct arena arena;
	struct repair *repair;    /* NULL: it has to be made again */
	struct candidates posted; /* the last batch */
	struct edit best;         /* the partial fix that got furthest */

	/* what these follow from */
	const struct rondo_message *report; /* where it lies; NULL: there is no search */
	size_t taken, n_posted; /* of the candidates; of these, in the last batch */
	int64_t best_id;        /* 0: none */

	size_t n_tried; /* in all */
	size_t best_fixed;
	bool exhausted;
};

/* Begin anew, from the text as it is and the report that says what fails, which must stay where it lies. */
int search_begin(struct search *search, const struct agent_kit *kit, const struct rondo_message *report,
	struct rondo_error *err);

/* Make again what is not there. */
int search_need(struct search *search, const struct agent_kit *kit, struct rondo_error *err);

/* Keep only what the rest follows from. */
void search_drop(struct search *search);

/* Take the next candidates, so many at most, as the batch that is posted. */
void search_post(struct search *search, size_t most);

/* The edit of a candidate of the last batch, or NULL. */
const struct edit *search_edit(const struct search *search, int64_t id);

/* What it follows from as a JSON object; NULL where there is no search. */
struct json *search_save(const struct search *search);
int search_load(struct search *search, const struct json *from, const struct message_thread *thread, struct rondo_error *err);

/* There is no search. */
void search_release(struct search *search);
