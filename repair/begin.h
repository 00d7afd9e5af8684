/* Where statements begin: the first step of source_find_structure. Private to repair/. */
#pragma once
#include "repair/source.h"

/* Set `first` and `unary` of a source's tokens. */
void source_find_statements(struct source *source);

/* --- where braces hold more than statements: LANGUAGE_VARIABLES --- */

/* Whether what follows an opening brace is a statement, and whether one ends with a closing
 * brace. */
bool brace_holds_statements(const struct source *source, uint32_t open);
bool brace_ends_statement(const struct source *source, uint32_t close);

/* --- where words open blocks and "end" closes them: LANGUAGE_ENDED --- */

enum { ENDED_MOST = 256 }; /* blocks around a token that are known; what is deeper has no partner */

struct ended {
	uint32_t opens[ENDED_MOST];
	size_t n;
};

/* Whether a token begins a statement. Asked of all tokens in order: it pairs the words that open
 * and close blocks, by their `match`, as brackets are. */
bool ended_begins(struct ended *ended, const struct source *source, uint32_t i);
