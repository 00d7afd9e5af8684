/* An expression replaced by another of its function. */
#include <math.h>
#include <string.h>

#include "repair/pool/pool.h"
#include "repair/search.h"

enum { TRIED_MOST = 10, LONGEST = 40 };

/* How loosely the operators on both sides of a run bind it, and those within: the higher, the
 * closer. */
static int substitute_bound(const struct source *source, struct span span)
{
	if (span.first && source->tokens[span.first - 1].unary)
		return ONE_OPERAND;
	int before = source->tokens[span.first].first ? 0 : binary_precedence(source, span.first - 1);
	int after = binary_precedence(source, span.last + 1);
	return before > after ? before : after;
}

static int substitute_loosest(const struct source *source, struct span span)
{
	int loosest = ONE_OPERAND;
	for (uint32_t i = span.first; i <= span.last; i++) {
		int own = binary_precedence(source, i);
		if (own && own < loosest && source->tokens[i].around == source->tokens[span.first].around)
			loosest = own;
	}
	return loosest;
}

/* What is joined more loosely than what stands around it needs brackets; a question has no place
 * there. */
static const char *substitute_text(
	const struct site *site, const struct piece *piece, struct span instead)
{
	const struct source *source = site->source;
	int loosest = substitute_loosest(source, piece->span);
	if (loosest == ONE_OPERAND || loosest > substitute_bound(source, instead))
		return piece->text;
	return span_asks(source, piece->span) ? NULL : arena_printf(site->arena, "(%s)", piece->text);
}

/* What may stand for a number: a name of which nothing says that it holds more. */
static bool substitute_is_plain(const struct source *source, struct span span)
{
	const struct term *term = term_of(source->tokens[span.last].word);
	return term && is_name(source, span.last) && !term->is_many && !term->is_indexed &&
		!term->is_text && !term->is_called;
}

static void substitute_consider(struct site *site, struct ranking *ranking,
	const struct pieces *pieces, struct span span, double doubt)
{
	unsigned kind = site->source->tokens[span.first].kind;
	for (size_t i = 0; i < pieces->n; i++) {
		struct span other = pieces->items[i].span;
		bool like = site->source->tokens[other.first].kind == kind ||
			(kind == TOKEN_NUMBER && substitute_is_plain(site->source, other));
		const char *text = substitute_text(site, &pieces->items[i], span);
		if (text)
			ranking_add(ranking, text,
				span_unlikeness(site->source, span, other) + doubt + (like ? 0 : 0.6));
	}
}

static void substitute_replace(struct site *site, struct span span, double cost)
{
	struct ranking ranking = {.n = 0};
	const struct pool *pool = pool_of(site->repair, site->source, span.first);
	const char *old = span_text(site, span);
	/* A name for a name is another mutation's. */
	if (!span_is_value(site->source, span))
		substitute_consider(site, &ranking, &pool->values, span, 0.3);
	substitute_consider(site, &ranking, &pool->operands, span, 0);
	substitute_consider(site, &ranking, &pool->compounds, span, 0.5);
	for (size_t i = 0, tried = 0; i < ranking.n && tried < site_most(site, TRIED_MOST); i++) {
		if (strcmp(ranking.texts[i], old) == 0)
			continue;
		tried++;
		propose_text(
			site, cost + log2((double)tried) + 0.3 * ranking.badness[i], span, ranking.texts[i]);
	}
}

static void substitute_propose(struct site *site)
{
	const struct source *source = site->source;
	const struct token *token = &source->tokens[site->at];
	if (!begins_operand(source, site->at) || token->first || token->role == ROLE_TARGET ||
		token->role == ROLE_DECLARED ||
		token_in(source, site->at - 1, " for let const var import from as "))
		return;
	struct span one = {site->at, expression_last(source, site->at, ONE_OPERAND)};
	if (one.last == NO_TOKEN || one.last - one.first > LONGEST ||
		token_in(source, one.last + 1, " = => := "))
		return;
	substitute_replace(site, one, 5.5);
	struct span all = {site->at, expression_last(source, site->at, 1)};
	bool whole = !binary_precedence(source, site->at - 1);
	if (whole && all.last != NO_TOKEN && all.last != one.last && all.last - all.first <= LONGEST)
		substitute_replace(site, all, 6);
}

MUTATION(substitute, .least = 5.5, .rank = CANDIDATE_STRUCTURE, .once = true);
