/* The message of the commit that a verified fix becomes, made of the run's result alone. */
#pragma once
#include "run/run.h"

/* What a message has beside the result. */
struct commit_options {
	const char *subject;                     /* in place of one that is made; NULL: none */
	const struct option_strings *co_authors; /* "Name <mail>", checked */
};

/* Errors that say what is wrong: a subject is one line of text, a co-author a name and a mail
 * address. */
int commit_check_subject(const char *subject, struct rondo_error *err);
int commit_check_author(const char *author, struct rondo_error *err);

/* One line of at most 72 columns: where, and what was wrong, as far as anybody said it; in the
 * arena. */
const char *commit_subject(const struct run_report *report, struct arena *arena);

/* Subject, body and trailers, as git interpret-trailers reads them; in the arena. */
const char *commit_message(
	const struct run_report *report, const struct commit_options *options, struct arena *arena);
