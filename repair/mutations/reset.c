/* What other methods of a class set its attributes back to, and this one does not: "self.total =
 * None". */
#include <string.h>

#include "repair/pool/gap.h"
#include "repair/pool/phrase.h"

enum { RESETS_MOST = 4, CLASS_TOKENS_MOST = 20000 };

/* Whether a run is a constant: a literal, an empty collection, nothing at all. */
static bool reset_is_constant(const struct source *source, uint32_t first, uint32_t last)
{
	unsigned kind = source->tokens[first].kind;
	if (first == last)
		return kind == TOKEN_NUMBER || kind == TOKEN_STRING ||
			token_in(source, first, " None null nil undefined true false True False ");
	return kind == TOKEN_OPEN && source->tokens[first].match == last && last == first + 1;
}

/* A statement that gives an attribute of the object itself a constant. */
static bool reset_at(const struct source *source, uint32_t i, struct span *ret_span)
{
	struct statement statement;
	bool own = source->tokens[i].first && (is_self(source, i) || is_own_name(source, i));
	if (!own || !statement_at(source, i, &statement) || !statement.simple)
		return false;
	uint32_t sign = statement_assigns(source, &statement);
	struct span span = span_without_semicolon(source, statement.span);
	*ret_span = span;
	return sign != NO_TOKEN && sign > i && sign < span.last &&
		span_is_value(source, span_of(i, sign - 1)) &&
		reset_is_constant(source, sign + 1, span.last);
}

/* Those of a class that stand in a function of it, and in others: what is said more often first. */
static void reset_find(struct site *site, const struct definition *class, uint32_t function,
	struct ranking *ret_own, struct ranking *ret_others)
{
	const struct source *source = site->source;
	struct span span;
	for (uint32_t i = class->first; i < class->last && i < class->first + CLASS_TOKENS_MOST; i++) {
		if (!reset_at(source, i, &span))
			continue;
		struct ranking *resets = outermost_function(source, i) == function ? ret_own : ret_others;
		ranking_count(resets, span_text(site, span), 1);
	}
}

static void reset_propose(struct site *site)
{
	const struct source *source = site->source;
	uint32_t function = outermost_function(source, site->at);
	struct ranking own = {.n = 0}, others = {.n = 0};
	struct gap gap;
	if (function == NO_TOKEN || !gap_find(site, &gap))
		return;
	const struct definition *method = &source->definitions->items[function];
	const struct definition *class =
		method->parent == NO_TOKEN ? NULL : &source->definitions->items[method->parent];
	if (!class || class->kind != DEFINITION_CLASS)
		return;
	reset_find(site, class, function, &own, &others);
	for (size_t i = 0, tried = 0; i < others.n && tried < site_most(site, RESETS_MOST); i++) {
		if (ranking_has(&own, others.texts[i]))
			continue;
		double cost = 5.6 + rank_bits(tried++) + (gap.in_loop ? 1 : 0);
		const char *text = phrase_statement(source, site->arena, others.texts[i]);
		gap_put(site, &gap, cost, text);
		if (gap.is_last)
			gap_put_after(site, &gap, cost - 0.2, text);
	}
}

MUTATION(reset, .least = 5.4, .rank = CANDIDATE_STRUCTURE, .once = true);
