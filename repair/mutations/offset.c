/* One too far or one too near: "e" to "e + 1", "e - 1", and back. */
#include <stdlib.h>
#include <string.h>

#include "repair/pool/pool.h"
#include "repair/search.h"
#include "repair/source/kinds.h"

enum {
	ADDITIVE = 10, /* below it nothing is a number that one could be added to */
	BOUND_MOST = 1000000,
};

#define LENGTHS " len length size count "
#define RANGES " range slice substring substr subarray splice xrange islice repeat "

static double offset_compared_cost(const struct source *source, uint32_t op)
{
	if (token_is(source, op, "in"))
		return 0;
	return token_in(source, op, " < > <= >= ") ? 4.5 : 5.2;
}

/* What the expression that begins here is, as the cost of moving it; 0: no place for it. */
static double offset_place_cost(const struct source *source, uint32_t i)
{
	const struct token *token = &source->tokens[i], *before = &source->tokens[i - 1];
	uint32_t around = token->around;
	bool index = around != NO_TOKEN && around > 0 && token_is(source, around, "[") &&
		token_ends_operand(source, around - 1) && !source->tokens[around].first;
	if (index && token_in(source, i - 1, " [ : "))
		return 4.2;
	if (before->op && before->op->family == FAMILY_COMPARE && binary_precedence(source, i - 1))
		return offset_compared_cost(source, i - 1);
	bool call = around != NO_TOKEN && around > 0 && token_is(source, around, "(") &&
		is_name(source, around - 1);
	if (call && token_in(source, i - 1, " ( , "))
		return token_in(source, around - 1, RANGES) ? 3.8 : 5.3;
	if (token_is(source, i - 1, "return"))
		return 5.2;
	bool assigns = before->op && before->op->family == FAMILY_ASSIGN;
	bool tuples = has_trait(source, LANGUAGE_NEWLINES);
	bool item = tuples && token_is(source, i - 1, ",") &&
		(around == NO_TOKEN || token_is(source, around, "{"));
	return assigns || item ? 5.6 : 0;
}

/* "x[1:]" is no number, nor is what has text or functions in it. */
static bool offset_is_sequence(const struct source *source, uint32_t first, uint32_t last)
{
	for (uint32_t i = first; i <= last; i++)
		if (span_is_text(source, i, i) || token_in(source, i, " => lambda function "))
			return true;
	uint32_t open = token_is(source, last, "]") ? source->tokens[last].match : NO_TOKEN;
	for (uint32_t i = open; open != NO_TOKEN && i < last; i++)
		if (token_is(source, i, ":") && source->tokens[i].around == open)
			return true;
	return false;
}

/* "len(x)", "x.length": what one is off from most. */
static bool offset_is_length(const struct source *source, uint32_t first, uint32_t last)
{
	return token_in(source, first, LENGTHS) || token_in(source, last, LENGTHS) ||
		(token_is(source, last, ")") && last > first + 2 && token_in(source, last - 2, LENGTHS));
}

static void offset_moved(struct site *site)
{
	const struct source *source = site->source;
	const struct token *token = &source->tokens[site->at];
	struct span tail;
	double cost = tail_at(source, site->at, &tail) ? 5.2
		: site->at && !token->first                ? offset_place_cost(source, site->at)
												   : 0;
	bool names =
		(token->kind == TOKEN_NAME && token->role != ROLE_TARGET && token->role != ROLE_KEY) ||
		(token->kind == TOKEN_OPEN && token_is(source, site->at, "(") &&
			!is_cast(source, site->at)) ||
		(is_self(source, site->at) && is_access(source, site->at + 1));
	if (!cost || !names)
		return;
	uint32_t last = expression_last(source, site->at, ADDITIVE);
	if (last == site->at && kind_has_parts(source, last))
		return;
	/* Part of something larger, or of more than one word: not a number's place. */
	if (last == NO_TOKEN ||
		(binary_precedence(source, last + 1) && !token_in(source, last + 1, " and or && || ")))
		return;
	if (token_in(source, last + 1, " = => ? if "))
		return;
	/* "e + 1" itself is moved by its number. */
	bool ends_in_number = source->tokens[last].kind == TOKEN_NUMBER;
	if (ends_in_number || offset_is_sequence(source, site->at, last))
		return;
	if (offset_is_length(source, site->at, last))
		cost = cost < 4 ? cost : 4;
	const char *text = site_text(site, site->at, last);
	static const char *const moves[] = {" - 1", " + 1"};
	for (size_t i = 0; i < 2; i++) {
		const char *new = arena_printf(site->arena, "%s%s", text, moves[i]);
		propose_text(site, cost, span_of(site->at, last), new);
	}
}

/* "e - 1" to "e", seen at the sign. */
static void offset_dropped(struct site *site)
{
	const struct source *source = site->source;
	bool sign = token_in(source, site->at, " + - ") && binary_precedence(source, site->at);
	if (!sign || !token_is(source, site->at + 1, "1") || !site->at)
		return;
	uint32_t first = operand_left(source, site->at, false);
	if (first == NO_TOKEN)
		return;
	const char *text = site_text(site, first, site->at - 1);
	propose_text(site, 4, span_of(first, site->at + 1), text);
}

/* Whether a token stands in the head of a loop that counts: "for (i = 0;". */
static bool offset_is_in_loop_head(const struct source *source, uint32_t i)
{
	uint32_t around = source->tokens[i].around;
	bool bracket = around != NO_TOKEN && around && token_is(source, around, "(");
	uint32_t first = source->line_first[source->tokens[i].line];
	return bracket ? token_is(source, around - 1, "for")
				   : is_go(source) && token_is(source, first, "for");
}

bool number_is_bound(const struct source *source, uint32_t i)
{
	uint32_t around = source->tokens[i].around;
	bool bracket = around != NO_TOKEN && around;
	if (!i || source->tokens[i].kind != TOKEN_NUMBER || source->tokens[i].first)
		return false;
	if (token_in(source, i - 1, " < > <= >= ") || token_in(source, i + 1, " < > <= >= "))
		return true;
	if (bracket && token_is(source, around, "["))
		return token_is(source, i - 1, ":") || token_is(source, i + 1, ":");
	if (bracket && token_is(source, around, "(") && token_in(source, around - 1, RANGES))
		return token_in(source, i - 1, " ( , ") && token_in(source, i + 1, " ) , ");
	return token_in(source, i - 1, " = := ") && offset_is_in_loop_head(source, i);
}

/* "range(1, n)" to "range(0, n)". */
static void offset_bound(struct site *site)
{
	const struct token *token = &site->source->tokens[site->at];
	char *end;
	if (!number_is_bound(site->source, site->at))
		return;
	long long number = strtoll(token->word->text, &end, 10);
	if (*end || number > BOUND_MOST)
		return;
	propose_token(site, 3.8, arena_printf(site->arena, "%lld", number + 1));
	if (number > 0)
		propose_token(site, 3.8, arena_printf(site->arena, "%lld", number - 1));
}

static void offset_propose(struct site *site)
{
	if (has_trait(site->source, LANGUAGE_SIGILS) && !binary_precedence(site->source, site->at))
		return;
	offset_moved(site);
	offset_dropped(site);
	offset_bound(site);
}

MUTATION(offset, .least = 3.8, .simple = true);
