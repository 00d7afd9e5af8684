/* What a search reports: what it tried, and why it gives up. Private to this folder. */
#pragma once
#include "agents/repair/search.h"

/* What was tried in one turn of repair. */
struct search_figures {
	size_t n_tried, n_passed, most_fixed;
	size_t n_lines;  /* that failing tests run; 0: unknown */
	size_t n_inputs; /* tests with other values that compared those that passed; 0: none */
	bool inputs_say_nothing;
	int64_t ms, passed_ms; /* in all; until the first passed */
	bool warm;             /* tests were kept loaded, or several candidates built together */
};

/* Add the results of a batch. */
void search_count(struct search_figures *figures, const struct candidate_results *results);

/* "tried 316 candidates in 4.2 s, 3 fix both tests; likeliest first: calc.py:2", after what the
 * failures have in common, where `cause` is not NULL; in the arena. */
const char *search_describe(const struct search *search, const struct search_figures *figures,
	const char *cause, struct arena *arena);

/* The members "tried", "ms", "warm" and "fixed", and "lines" and "passed_ms" where there are any,
 * of a JSON object. */
void search_add_figures(const struct search_figures *figures, struct json *to);

enum search_end {
	END_EXHAUSTED,
	END_OUT_OF_TIME,
	END_SPENT,    /* it tried as many as allowed */
	END_HOPELESS, /* hardly any edit may help, and none of the first did */
	END_FEWER,    /* fewer choices passed than the number of the one that was asked for */
};

struct last_words {
	const struct search *search;
	const struct partials *partials;
	size_t n_choices; /* that passed, with END_FEWER */
	size_t n_tried; /* by this search, and those before it */
	enum search_end why;
};

/* For people, in a line; in the arena. */
const char *last_words_text(const struct last_words *words, struct arena *arena);

/* For the next coder: why, where it looked and what got furthest, as members of a JSON object. */
void last_words_describe(const struct last_words *words, struct json *to);
