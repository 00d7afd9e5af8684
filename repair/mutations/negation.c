/* A condition turned round. */
#include <string.h>

#include "repair/pool/pool.h"
#include "repair/search.h"

static const char *negated(struct site *site, struct span span)
{
	const struct source *source = site->source;
	const char *text = span_text(site, span);
	const char *word_not = source->language->word_not;
	bool whole = expression_last(source, span.first, 14) == span.last; /* one operand */
	return arena_printf(site->arena, whole ? "%s%s" : "%s(%s)", word_not, text);
}

static bool is_negated(const struct source *source, uint32_t i)
{
	bool suffix =
		i && !source->tokens[i].first && token_ends_operand(source, i - 1); /* TypeScript's "x!" */
	return is_of_family(source, i, FAMILY_NOT) && !suffix && !token_is(source, i, "~");
}

/* One comparison and nothing else: to turn that round is another operator. */
static bool negation_is_comparison(const struct source *source, struct span span)
{
	uint32_t last = expression_last(source, span.first, 10); /* up to the comparison */
	if (last == NO_TOKEN || last >= span.last)
		return false;
	const struct operator_row *op = source->tokens[last + 1].op;
	return op && op->family == FAMILY_COMPARE && operand_right(source, last + 1) == span.last;
}

/* A literal, whose truth is known. */
static bool negation_is_literal(const struct source *source, struct span span)
{
	unsigned kind = source->tokens[span.first].kind;
	return span.first == span.last && (kind == TOKEN_STRING || kind == TOKEN_NUMBER);
}

/* What stands for itself, or for nothing: the other side of "x || []" is no question. */
static bool negation_is_default(const struct source *source, struct span span)
{
	return negation_is_literal(source, span) ||
		token_in(source, span.first, " [ { null None undefined nil ") ||
		source->tokens[span.first].kind == TOKEN_STRING;
}

/* "a and b" to "not a and b", "a and not b". */
static void negate_operands(struct site *site)
{
	const struct source *source = site->source;
	struct span left = {operand_left(source, site->at, true), site->at - 1};
	struct span right = {site->at + 1, operand_right(source, site->at)};
	if (left.first == NO_TOKEN || right.last == NO_TOKEN || negation_is_default(source, right))
		return;
	const struct span sides[] = {left, right};
	for (size_t i = 0; i < 2; i++)
		if (!is_negated(source, sides[i].first) && !negation_is_comparison(source, sides[i]))
			propose_text(site, 4, sides[i], negated(site, sides[i]));
}

static void negate_tail(struct site *site)
{
	const struct source *source = site->source;
	struct span span;
	if (tail_at(source, site->at, &span) && !is_negated(source, span.first) &&
		!negation_is_literal(source, span) && !negation_is_comparison(source, span))
		propose_text(site, 4.2, span, negated(site, span));
}

static void negation_propose(struct site *site)
{
	const struct source *source = site->source;
	struct span span;
	const struct operator_row *op = source->tokens[site->at].op;
	if (op && (op->family == FAMILY_AND || op->family == FAMILY_OR) &&
		binary_precedence(source, site->at)) {
		negate_operands(site);
		return;
	}
	if (is_negated(source, site->at) && site->at + 1 < source->n &&
		!token_is(source, site->at + 1, "in")) {
		const struct token *next = &source->tokens[site->at + 1];
		const char *text = site_text(site, site->at + 1, site->at + 1);
		bool pair = site->at && token_is(source, site->at - 1, "is");
		/* A bracket's text alone would leave its partner. */
		if (!pair && next->start > source->tokens[site->at].start)
			propose_text(site, 3.5, span_of(site->at, site->at + 1), text);
		return;
	}
	bool condition = token_in(source, site->at, " if elif elseif elsif while unless until ") &&
		source->tokens[site->at].kind == TOKEN_KEYWORD;
	if (condition && condition_at(source, site->at, &span)) {
		if (!is_negated(source, span.first) && !negation_is_comparison(source, span))
			propose_text(site, 4.2, span, negated(site, span));
		return;
	}
	negate_tail(site);
	if (!token_is(source, site->at, "return") || site->at + 1 >= source->n ||
		source->tokens[site->at + 1].first)
		return;
	span = span_of(site->at + 1, expression_last(source, site->at + 1, 1));
	if (span.last == NO_TOKEN || is_negated(source, span.first) ||
		negation_is_literal(source, span) || negation_is_comparison(source, span))
		return;
	/* What is compared or joined is a truth for certain. */
	bool truth = expression_last(source, span.first, 10) != span.last;
	const struct token *next = span.last + 1 < source->n ? &source->tokens[span.last + 1] : NULL;
	if (!next || next->first || token_in(source, span.last + 1, " ; } "))
		propose_text(site, truth ? 4.2 : 5.5, span, negated(site, span));
}

MUTATION(negation, .least = 3.5);
