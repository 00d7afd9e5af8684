/* A call around a value, or after it, that stands elsewhere around values of this name, or around
 * what the same function is given. */
#include <string.h>

#include "repair/pool/pool.h"
#include "repair/search.h"

enum {
	LOOKED_MOST = 60000, /* tokens of all files */
	CALLS_MOST = 4,
	ARGUMENTS_MOST = 6, /* tokens of further arguments */
};

struct call {
	const char *before, *after;
	size_t n;
};

struct calls {
	struct call items[CALLS_MOST];
	size_t n;
};

static void calls_add(struct calls *calls, const char *before, const char *after)
{
	for (size_t i = 0; i < calls->n; i++)
		if (strcmp(calls->items[i].before, before) == 0 &&
			strcmp(calls->items[i].after, after) == 0) {
			calls->items[i].n++;
			return;
		}
	if (calls->n < CALLS_MOST)
		calls->items[calls->n++] = (struct call){before, after, 1};
}

/* The bracket that ends a call whose arguments from a token on are plain literals; NO_TOKEN: there
 * is another argument. */
static uint32_t rewrap_close(const struct source *source, uint32_t i)
{
	for (uint32_t first = i; i < source->n && i < first + ARGUMENTS_MOST; i++) {
		if (token_is(source, i, ")"))
			return i;
		unsigned kind = source->tokens[i].kind;
		if (kind != TOKEN_NUMBER && kind != TOKEN_STRING && !token_in(source, i, " , - "))
			return NO_TOKEN;
	}
	return NO_TOKEN;
}

/* What is called with a value that ends at a token, or on it. */
static void rewrap_look(
	struct site *site, const struct source *source, uint32_t i, struct calls *calls)
{
	uint32_t close = rewrap_close(source, i + 1);
	uint32_t open = close == NO_TOKEN ? NO_TOKEN : source->tokens[close].match;
	if (open != NO_TOKEN && open > 1 && open < i && is_name(source, open - 1) &&
		source->tokens[open - 1].role == ROLE_CALLEE && !source->tokens[open - 1].first &&
		expression_last(source, open + 1, ONE_OPERAND) == i)
		calls_add(calls, arena_printf(site->arena, "%s(", source->tokens[open - 1].word->text),
			tokens_text(source, site->arena, i + 1, close));
	bool method = i + 4 < source->n && is_access(source, i + 1) &&
		source->tokens[i + 2].role == ROLE_METHOD && token_is(source, i + 3, "(");
	close = method ? rewrap_close(source, i + 4) : NO_TOKEN;
	if (close != NO_TOKEN)
		calls_add(calls, "", tokens_text(source, site->arena, i + 1, close));
}

/* What the argument of a call begins with, where that is a call around it; seen at the name of what
 * is called. */
static void rewrap_look_argument(
	struct site *site, const struct source *source, uint32_t name, size_t k, struct calls *calls)
{
	struct span items[SPAN_MOST];
	if (!token_is(source, name + 1, "(") || k >= bracket_items(source, name + 1, items))
		return;
	uint32_t i = items[k].first;
	if (source->tokens[i].role == ROLE_CALLEE && token_is(source, i + 1, "(") &&
		source->tokens[i + 1].match == items[k].last && items[k].last > i + 2)
		calls_add(calls, arena_printf(site->arena, "%s(", source->tokens[i].word->text), ")");
}

/* `argument`: of the calls of this name; NO_TOKEN: values of this name. */
static void rewrap_find(
	struct site *site, const struct word *word, uint32_t argument, struct calls *calls)
{
	struct source_walk walk = {.left = LOOKED_MOST};
	for (const struct source *source; (source = source_walk_next(site, &walk));)
		for (uint32_t i = 0; i < source->n; i++) {
			if (source->tokens[i].word != word || source->tokens[i].kind != TOKEN_NAME)
				continue;
			if (argument == NO_TOKEN)
				rewrap_look(site, source, i, calls);
			else
				rewrap_look_argument(site, source, i, argument, calls);
		}
}

static void rewrap_put(struct site *site, struct span span, const struct calls *calls)
{
	const char *text = span_text(site, span);
	for (size_t i = 0; i < calls->n; i++) {
		size_t before = 0;
		if (*calls->items[i].before && text_starts_with(text, calls->items[i].before))
			continue;
		for (size_t k = 0; k < calls->n; k++)
			before += calls->items[k].n > calls->items[i].n ||
				(calls->items[k].n == calls->items[i].n && k < i);
		propose_textf(site, 4.8 + 0.7 * rank_bits(before), span, "%s%s%s", calls->items[i].before,
			text, calls->items[i].after);
	}
}

/* "f(x)" to "f(g(x))", where another call is "f(g(y))". */
static void rewrap_argument(struct site *site)
{
	const struct source *source = site->source;
	uint32_t open = source->tokens[site->at].around;
	struct span items[SPAN_MOST];
	struct calls calls = {.n = 0};
	if (open == NO_TOKEN || !open || !token_is(source, open, "(") || !is_name(source, open - 1) ||
		source->tokens[open - 1].role == ROLE_DECLARED || !begins_operand(source, site->at))
		return;
	size_t n = bracket_items(source, open, items), k = 0;
	while (k < n && items[k].first != site->at)
		k++;
	if (k == n)
		return;
	rewrap_find(site, source->tokens[open - 1].word, (uint32_t)k, &calls);
	rewrap_put(site, items[k], &calls);
}

static void rewrap_value(struct site *site)
{
	const struct source *source = site->source;
	const struct token *token = &source->tokens[site->at];
	struct calls calls = {.n = 0};
	if (token->kind != TOKEN_NAME || !begins_operand(source, site->at) ||
		token->role != ROLE_VALUE || token->first)
		return;
	uint32_t last = expression_last(source, site->at, ONE_OPERAND);
	bool can = last != NO_TOKEN && is_name(source, last) &&
		(source->tokens[last].role == ROLE_VALUE || source->tokens[last].role == ROLE_ATTRIBUTE) &&
		can_be_wrapped(source, span_of(site->at, last));
	if (!can)
		return;
	rewrap_find(site, source->tokens[last].word, NO_TOKEN, &calls);
	rewrap_put(site, span_of(site->at, last), &calls);
}

static void rewrap_propose(struct site *site)
{
	rewrap_argument(site);
	rewrap_value(site);
}

MUTATION(rewrap, .least = 4.8, .rank = CANDIDATE_STRUCTURE, .once = true);
