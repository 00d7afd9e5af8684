/* What a function contains, for edits that combine existing code. Private to repair/ and its
 * tests. */
#pragma once
#include "repair/mutation.h"

/* An expression, or a statement without its semicolon. */
struct piece {
	const char *text;
	struct span span;
	uint32_t said, assigned; /* of values: how often */
};

struct pieces {
	struct piece *items;
	size_t n;
};

/* The pieces most like a run of tokens, and nearest to it; at most so many. Gives how many. */
size_t pieces_nearest(const struct source *source, const struct pieces *pieces, struct span near,
	const struct piece **found, size_t most);

struct pool {
	struct map known;
	struct pieces values;     /* names, and attributes of the object itself */
	struct pieces operands;   /* calls, indices, attributes, literals */
	struct pieces compounds;  /* operands joined by operators */
	struct pieces conditions; /* comparisons, and what was asked whole by an "if" or "while" */
	struct pieces statements; /* simple ones */
	struct pieces lists;      /* values that something is appended to */
};

/* Whether a bracket holds a type that what follows is made into: "(unsigned char)c". */
bool is_cast(const struct source *source, uint32_t i);

/* Whether an operand begins with a token, and is read there. */
bool begins_operand(const struct source *source, uint32_t i);

/* Whether a run is a name, or an attribute of the object itself. */
bool span_is_value(const struct source *source, struct span span);

/* The condition after "if" or "while". False where there is none. */
bool condition_at(const struct source *source, uint32_t keyword, struct span *ret_condition);

/* What Rust gives back at the end of a block, seen at its first token. */
bool tail_at(const struct source *source, uint32_t i, struct span *ret_span);

/* The condition at a token: that after "if" or "while", of a loop or a choice, or a truth that is
 * returned or kept. */
bool question_at(const struct source *source, uint32_t i, struct span *ret_span);

/* The pool of the function around a token; of the file's top level where there is none. */
const struct pool *pool_of(struct repair *repair, const struct source *source, uint32_t i);

/* The piece, and the value of a pool, that is spelt so, or NULL. */
const struct piece *pieces_find(const struct pieces *pieces, const char *text);
const struct piece *pool_value(const struct pool *pool, const char *text);

/* The best few texts, each once, the best first. */
enum { RANKING_MOST = 24 };
struct ranking {
	const char *texts[RANKING_MOST];
	double badness[RANKING_MOST];
	size_t n;
};

void ranking_add(struct ranking *ranking, const char *text, double badness);

/* Add a text, or make it better by a weight each time: what comes more often comes first. */
void ranking_count(struct ranking *ranking, const char *text, double weight);

bool ranking_has(const struct ranking *ranking, const char *text);

/* Put a text last, where there are fewer than `most` and it is not among them. */
void ranking_append(struct ranking *ranking, size_t most, const char *text);

/* Conditions that may belong at a token, likeliest first: those of its function, and simple ones
 * on values in sight. */
struct ranking rank_predicates(struct site *site, struct span near);

/* The values in sight, the nearest first. */
struct ranking rank_values(struct site *site, struct span near);

/* Whether a run of tokens says a word. */
bool span_says(const struct source *source, struct span span, const struct word *word);

/* How unlike two runs of tokens are, by the words in them and how far apart they are: 0 to about
 * 4. */
double span_unlikeness(const struct source *source, struct span a, struct span b);

/* A walk over the files in a site's language that may be changed, in their order; one with more
 * tokens than are left is passed over. */
struct source_walk {
	size_t next;
	size_t left; /* tokens of all that may be looked at */
};

/* NULL: there are no more. */
const struct source *source_walk_next(const struct site *site, struct source_walk *walk);

/* Names of attributes that an object of a name is asked for, or (`others`) any is, what is said
 * more often first. */
struct ranking rank_attributes(struct site *site, const struct word *object, bool others);

/* Whether a token is the name of a value or function, and no part of another. */
bool names_value(const struct token *token);

/* Whether a word is known at a site: the function there says it, of which this is the pool, or its
 * file calls, defines or imports it. */
bool is_known_here(const struct site *site, const struct pool *pool, const struct word *word);

/* Conditions for a place where one is missing: those of rank_predicates, and those that the rest of
 * the project asks of names which are known there. Gives how many; they lie in the arena. */
size_t predicates_find(struct site *site, struct span near, const char ***ret_texts);
