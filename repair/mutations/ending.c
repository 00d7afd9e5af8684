/* "return x" at the end of a function that gives a value back only on the other ways through it. */
#include <string.h>

#include "repair/pool/gap.h"
#include "repair/pool/phrase.h"

enum { LIKE_MOST = 6 };

/* Whether a function has such a statement itself, in no function within it. */
static bool ending_gives_back(
	const struct source *source, const struct pieces *statements, uint32_t owner)
{
	for (size_t i = 0; i < statements->n; i++)
		if (text_starts_with(statements->items[i].text, "return ") &&
			source->owner[statements->items[i].span.first] == owner)
			return true;
	return false;
}

/* Whether a statement is the last of a function, and of no block within it. */
static bool ending_is_last(const struct source *source, struct span span)
{
	uint32_t owner = source->owner[span.first];
	if (owner == NO_TOKEN)
		return false;
	const struct definition *function = &source->definitions->items[owner];
	if (function->kind != DEFINITION_FUNCTION || function->open == NO_TOKEN ||
		(span.last != function->last && span.last + 1 != function->last))
		return false;
	uint32_t body = source->tokens[function->open].match;
	while (body < span.first && (!source->tokens[body].first || source->owner[body] != owner))
		body++;
	return token_column(source, body) == token_column(source, span.first);
}

static bool ending_is_wanted(const struct site *site, const char *word)
{
	const struct term *term =
		word ? term_of(words_find(&site->repair->words, word, strlen(word))) : NULL;
	return term && term->failing;
}

/* Values of every day: first those that failing tests say. */
static void ending_add_usual(struct site *site, struct ranking *values)
{
	const struct language *language = site->source->language;
	const char *const usual[] = {language->word_false, language->word_true, "0", "1", "-1",
		is_python(site->source) ? "[]" : NULL, "\"\""};
	for (int wanted = 1; wanted >= 0; wanted--)
		for (size_t i = 0; i < sizeof usual / sizeof *usual; i++)
			if (usual[i] && (int)ending_is_wanted(site, usual[i]) == wanted)
				ranking_append(values, RANKING_MOST, usual[i]);
}

static void ending_add_like(
	struct site *site, const struct pieces *pieces, struct span near, struct ranking *values)
{
	const struct piece *nearest[LIKE_MOST];
	size_t n = pieces_nearest(site->source, pieces, near, nearest, LIKE_MOST);
	for (size_t i = 0; i < n; i++)
		ranking_append(values, RANKING_MOST, nearest[i]->text);
}

/* A last expression of Rust is given back already. */
static bool ending_is_value(const struct site *site, struct span span)
{
	return site->source->language == &language_rust && !token_in(site->source, span.last, " ; } ");
}

static void ending_propose(struct site *site)
{
	struct gap gap;
	const struct pool *pool = pool_of(site->repair, site->source, site->at);
	if (!gap_find(site, &gap) || !gap.is_last || ending_is_value(site, gap.statement.span) ||
		!ending_gives_back(site->source, &pool->statements, site->source->owner[site->at]) ||
		!ending_is_last(site->source, gap.statement.span))
		return;
	struct span span = gap.statement.span;
	struct ranking usual = {.n = 0}, names = rank_values(site, span), like = {.n = 0};
	ending_add_usual(site, &usual);
	ending_add_like(site, &pool->operands, span, &like);
	ending_add_like(site, &pool->compounds, span, &like);
	ending_add_like(site, &pool->conditions, span, &like);
	const struct ranking *const all[] = {&usual, &names, &like};
	for (size_t k = 0; k < sizeof all / sizeof *all; k++)
		for (size_t i = 0; i < all[k]->n; i++)
			gap_put_after(site, &gap, 4.2 + 0.3 * (double)k + 0.9 * rank_bits(i),
				phrase_statement(site->source, site->arena,
					arena_printf(site->arena, "return %s", all[k]->texts[i])));
}

MUTATION(ending, .least = 4.2, .rank = CANDIDATE_STRUCTURE, .once = true);
