/* What a search says at its end: why, where it looked, what got furthest. Beside repair.c. */
#pragma once
#include "agents/parts.h"
#include "agents/search.h"

enum search_end {
	END_EXHAUSTED,
	END_OUT_OF_TIME,
	END_SPENT, /* it tried as many as it may */
};

struct last_words {
	const struct search *search;
	const struct parts *parts;
	size_t goal; /* how many tests there were to fix */
	enum search_end why;
};

/* For people, in a line, and for whoever goes on, as a JSON object. Both lie in the arena. */
const char *last_words_text(const struct last_words *words, struct arena *arena);
const char *last_words_data(const struct last_words *words, struct arena *arena);

/* ", likeliest first: calc.py:2, calc.py:7", or "". */
const char *suspects_text(const struct repair *repair, struct arena *arena);
