/* A member more: in a row of numbers the one that is missing, in a row of texts one that a failing
 * test says. */
#include <stdlib.h>
#include <string.h>

#include "repair/search.h"

enum { DIGITS_MOST = 9, TEXTS_MOST = 4 };

/* The items of a row of two or more literals of one kind; 0: it is none. */
static size_t member_row(const struct source *source, uint32_t open, struct span items[SPAN_MOST])
{
	bool opens = token_in(source, open, " ( [ { ") && source->tokens[open].match != NO_TOKEN &&
		!is_block(source, open);
	size_t n = opens ? bracket_items(source, open, items) : 0;
	for (size_t i = 0; i < n; i++) {
		const struct token *token = &source->tokens[items[i].first];
		if (items[i].first != items[i].last || token->kind != source->tokens[items[0].first].kind ||
			(token->kind != TOKEN_NUMBER && token->kind != TOKEN_STRING))
			return 0;
	}
	return n > 1 ? n : 0;
}

static void member_put(struct site *site, struct span after, double cost, const char *text)
{
	struct proposal *proposal = proposef(site, cost, "%s is a member, too", text);
	proposal->literal = text;
	proposal_insertf(site, proposal, token_end(site->source, after.last), ", %s", text);
}

static bool member_number(const struct site *site, struct span item, long *ret_number)
{
	const char *text = span_text(site, item);
	size_t n = strspn(text, "0123456789");
	*ret_number = n && n < DIGITS_MOST && !text[n] ? strtol(text, NULL, 10) : 0;
	return n && n < DIGITS_MOST && !text[n];
}

/* 11, 13 to 11, 12, 13; 1, 2 to 1, 2, 3. */
static void member_count(struct site *site, const struct span *items, size_t n)
{
	long before, number, step = 1;
	for (size_t i = 1; i < n; i++) {
		if (!member_number(site, items[i - 1], &before) || !member_number(site, items[i], &number))
			return;
		step = number - before;
		if (step > 1 && step % 2 == 0)
			member_put(site, items[i - 1], 4.6 + (step > 2 ? 0.5 : 0),
				arena_printf(site->arena, "%ld", before + step / 2));
	}
	if (n > 1)
		member_put(
			site, items[n - 1], 5.2, arena_printf(site->arena, "%ld", number + (step ? step : 1)));
}

static void member_say(struct site *site, const struct span *items, size_t n)
{
	const struct source *source = site->source;
	const struct repair *repair = site->repair;
	char quote = first_byte(source, items[0].first);
	for (size_t q = 0, tried = 0; q < repair->n_quoted && tried < TEXTS_MOST; q++) {
		bool known = false, plain = strchr("'\"", quote);
		for (size_t i = 0; i < n; i++)
			known |= source->tokens[items[i].first].word == repair->quoted[q];
		if (known || !plain || strpbrk(repair->quoted[q]->text, "'\"\\\n"))
			continue;
		tried++;
		member_put(site, items[n - 1], 5.6 + rank_bits(tried),
			arena_printf(site->arena, "%c%s%c", quote, repair->quoted[q]->text, quote));
	}
}

static void member_propose(struct site *site)
{
	struct span items[SPAN_MOST];
	size_t n = member_row(site->source, site->at, items);
	bool called = site->at && token_is(site->source, site->at, "(") &&
		token_ends_operand(site->source, site->at - 1);
	if (!n || called || n == SPAN_MOST)
		return;
	if (site->source->tokens[items[0].first].kind == TOKEN_NUMBER)
		member_count(site, items, n);
	else
		member_say(site, items, n);
}

MUTATION(member, .least = 4.6, .rank = CANDIDATE_STRUCTURE, .once = true);
