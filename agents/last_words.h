/* What a search says of itself: what it tried, and at its end why it gives up. Beside repair.c. */
#pragma once
#include "agents/search.h"

/* What was tried in one turn of repair. */
struct search_figures {
	size_t n_tried, n_passed, most_fixed;
	size_t n_lines;      /* that the failing tests run, where that was looked at */
	size_t n_inputs;     /* tests with other values, which those that passed were given; 0: none */
	bool inputs_say_nothing;
	int64_t ms, passed_ms; /* in all; until one passed */
	bool warm;             /* fast: by tests that were kept loaded, or several in one build */
};

/* Count what a batch showed. */
void search_count(struct search_figures *figures, const struct candidate_results *results);

/* "tried 316 candidates in 4.2 s, 3 fix both tests; likeliest first: calc.py:2"; in the arena. */
const char *search_describe(const struct search *search, const struct search_figures *figures,
	size_t goal, struct arena *arena);

/* The members "tried", "ms", "warm" and "fixed", and "lines" and "passed_ms" where there are any, of a
 * JSON object. */
void search_add_figures(const struct search_figures *figures, struct json *to);

enum search_end {
	END_EXHAUSTED,
	END_OUT_OF_TIME,
	END_SPENT, /* it tried as many as it may */
};

struct last_words {
	const struct search *search;
	const struct partials *partials;
	size_t n_tried; /* by this search, and those before it */
	size_t goal;    /* how many tests there were to fix */
	enum search_end why;
};

/* For people, in a line; in the arena. */
const char *last_words_text(const struct last_words *words, struct arena *arena);

/* For whoever goes on: why, where it looked and what got furthest, as members of an object. */
void last_words_describe(const struct last_words *words, struct json *to);
