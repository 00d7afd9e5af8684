/* Conditions of the whole project that can be asked at a place, since all that they name is known
 * there. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "repair/pool/phrase.h"
#include "repair/probe.h"

enum {
	ASKED_MOST = 60,        /* of other places */
	COMPARED_MOST = 4,      /* operands that values are compared with, */
	VALUES_MOST = 3,        /* and these */
	PREDICATE_TOKENS = 24,  /* of a condition */
	SOURCE_TOKENS = 200000, /* of all files that are looked at */
};

struct asked {
	const char *text;
	double badness;
	size_t order;
};

struct elsewhere {
	struct site *site;
	struct span near;
	const struct pool *pool;
	struct map known;
	struct asked *items;
	size_t n;
};

static int asked_compare(const void *a, const void *b)
{
	const struct asked *x = a, *y = b;
	if (x->badness != y->badness)
		return x->badness < y->badness ? -1 : 1;
	return x->order < y->order ? -1 : x->order > y->order;
}

bool names_value(const struct token *token)
{
	return token->kind == TOKEN_NAME && token->role != ROLE_ATTRIBUTE &&
		token->role != ROLE_METHOD && token->role != ROLE_KEY && token->role != ROLE_TYPE &&
		token->role != ROLE_DECLARED;
}

bool is_known_here(const struct site *site, const struct pool *pool, const struct word *word)
{
	const struct source *source = site->source;
	if (pool_value(pool, word->text))
		return true;
	for (uint32_t i = 0; i < source->n; i++) {
		const struct token *token = &source->tokens[i];
		if (token->word != word || token->kind != TOKEN_NAME)
			continue;
		uint32_t owner = source->owner[i];
		bool defines = token->role == ROLE_DECLARED && owner != NO_TOKEN &&
			source->definitions->items[owner].first + 1 == i;
		if (owner == NO_TOKEN || token->role == ROLE_CALLEE || token->role == ROLE_DEAD || defines)
			return true;
	}
	return false;
}

/* How many of a run's names are values of the function here, of how many; false: one is not known
 * here at all. */
static bool elsewhere_count(const struct elsewhere *elsewhere, const struct source *source,
	struct span span, size_t *ret_own, size_t *ret_all)
{
	*ret_own = *ret_all = 0;
	for (uint32_t i = span.first; i <= span.last; i++) {
		const struct token *token = &source->tokens[i];
		if (!names_value(token))
			continue;
		bool own = token->role != ROLE_CALLEE && pool_value(elsewhere->pool, token->word->text);
		++*ret_all;
		*ret_own += own;
		if (!own && !is_known_here(elsewhere->site, elsewhere->pool, token->word))
			return false;
	}
	return *ret_own;
}

static void elsewhere_add(
	struct elsewhere *elsewhere, const struct source *source, struct span span)
{
	struct arena *arena = elsewhere->site->arena;
	size_t own, all;
	if (span.last == NO_TOKEN || span.first == NO_TOKEN || span.last < span.first ||
		span.last > span.first + PREDICATE_TOKENS ||
		!elsewhere_count(elsewhere, source, span, &own, &all))
		return;
	const char *text = tokens_text(source, arena, span.first, span.last);
	if (strchr(text, '\n') || map_get(&elsewhere->known, text))
		return;
	map_put(&elsewhere->known, arena, text, elsewhere);
	bool is_here = source == elsewhere->site->source;
	double lines = fabs((double)source->tokens[span.first].line -
		(double)source->tokens[elsewhere->near.first].line);
	double badness = 1.5 * (1 - (double)own / (double)all) + (is_here ? 0.15 * log2(1 + lines) : 2);
	ARENA_PUSH(arena, elsewhere->items, elsewhere->n, (struct asked){text, badness, elsewhere->n});
}

/* A condition, and each of the parts that "and" and "or" join in it. */
static void elsewhere_take(
	struct elsewhere *elsewhere, const struct source *source, struct span span)
{
	uint32_t first = span.first, around = source->tokens[span.first].around;
	elsewhere_add(elsewhere, source, span);
	for (uint32_t i = span.first; i <= span.last; i++) {
		bool joins = source->tokens[i].around == around &&
			(is_of_family(source, i, FAMILY_AND) || is_of_family(source, i, FAMILY_OR));
		if (joins && i > first)
			elsewhere_add(elsewhere, source, span_of(first, i - 1));
		first = joins ? i + 1 : first;
	}
	if (first > span.first)
		elsewhere_add(elsewhere, source, span_of(first, span.last));
}

static void elsewhere_look(struct elsewhere *elsewhere)
{
	struct source_walk walk = {.left = SOURCE_TOKENS};
	for (const struct source *source; (source = source_walk_next(elsewhere->site, &walk));)
		for (uint32_t i = 0; i < source->n; i++) {
			struct span span;
			if (source->tokens[i].kind == TOKEN_KEYWORD && question_at(source, i, &span))
				elsewhere_take(elsewhere, source, span);
		}
	if (elsewhere->n)
		qsort(elsewhere->items, elsewhere->n, sizeof *elsewhere->items, asked_compare);
}

/* A value compared with what the function asks of another: "amount > self.holds[number]". */
static void elsewhere_compare(struct elsewhere *elsewhere, struct ranking *found)
{
	struct site *site = elsewhere->site;
	const struct source *source = site->source;
	static const char *const signs[] = {">", "<", "==", "!=", ">=", "<="};
	struct ranking values = rank_values(site, elsewhere->near);
	const struct piece *operands[COMPARED_MOST];
	size_t n = pieces_nearest(
		source, &elsewhere->pool->operands, elsewhere->near, operands, COMPARED_MOST);
	for (size_t s = 0; s < ARRAY_SIZE(signs); s++)
		for (size_t o = 0; o < n; o++)
			for (size_t v = 0; v < values.n && v < VALUES_MOST; v++)
				if (source->tokens[operands[o]->span.first].kind == TOKEN_NAME ||
					is_self(source, operands[o]->span.first))
					ranking_add(found,
						arena_printf(site->arena, "%s %s %s", values.texts[v],
							s == 3 ? word_unequal(source->language) : signs[s], operands[o]->text),
						(double)(s + o + v));
}

size_t predicates_find(struct site *site, struct span near, const char ***ret_texts)
{
	struct elsewhere elsewhere = {
		.site = site, .near = near, .pool = pool_of(site->repair, site->source, near.first)};
	struct ranking own = rank_predicates(site, near), compared = {.n = 0};
	size_t n = 0;
	*ret_texts = NULL;
	for (size_t i = 0; i < own.n; i++)
		map_put(&elsewhere.known, site->arena, own.texts[i], &elsewhere);
	elsewhere_look(&elsewhere);
	elsewhere_compare(&elsewhere, &compared);
	size_t most = elsewhere.n < ASKED_MOST ? elsewhere.n : ASKED_MOST;
	for (size_t i = 0; i < own.n || i < most || i < compared.n; i++) {
		if (i < own.n)
			ARENA_PUSH(site->arena, *ret_texts, n, own.texts[i]);
		if (i < most)
			ARENA_PUSH(site->arena, *ret_texts, n, elsewhere.items[i].text);
		if (i < compared.n)
			ARENA_PUSH(site->arena, *ret_texts, n, compared.texts[i]);
	}
	return n;
}
