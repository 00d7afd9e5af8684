/* A member more: in a row of numbers the one that is missing, in a row of texts one that a failing
 * test says, in a row of an object's names another one of these. */
#include <stdlib.h>
#include <string.h>

#include "repair/pool/pool.h"
#include "repair/search.h"

enum { DIGITS_MOST = 9, TEXTS_MOST = 4, NAMES_MOST = 10 };

/* Whether all items of a row are literals of one kind. */
static bool member_row_is_literal(const struct source *source, const struct span *items, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const struct token *token = &source->tokens[items[i].first];
		if (items[i].first != items[i].last || token->kind != source->tokens[items[0].first].kind ||
			(token->kind != TOKEN_NUMBER && token->kind != TOKEN_STRING))
			return false;
	}
	return true;
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

/* --- Names of one object --- */

/* The last token of "T.Comment.Single"; NO_TOKEN: it is none, or more than that. */
static uint32_t member_name_last(const struct source *source, uint32_t first)
{
	uint32_t last = first;
	while (is_access(source, last + 1) && is_name(source, last + 2) &&
		source->tokens[last + 2].role == ROLE_ATTRIBUTE)
		last += 2;
	bool goes_on = token_in(source, last + 1, " ( [ . = ");
	bool begins = is_name(source, first) || is_self(source, first);
	return begins && last > first && !goes_on ? last : NO_TOKEN;
}

/* Whether all items of a row are names of one object. */
static bool member_row_is_named(const struct source *source, const struct span *items, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (source->tokens[items[i].first].word != source->tokens[items[0].first].word ||
			member_name_last(source, items[i].first) != items[i].last)
			return false;
	return n > 1;
}

static void member_name(struct site *site, const struct span *items, size_t n)
{
	const struct source *source = site->source;
	uint32_t first = items[0].first;
	struct ranking names = rank_attributes(site, source->tokens[first].word, false);
	for (size_t k = 0, tried = 0; k < names.n && tried < site_most(site, NAMES_MOST); k++) {
		const char *text =
			arena_printf(site->arena, "%s%s", site_text(site, first, first + 1), names.texts[k]);
		bool known = false;
		for (size_t i = 0; i < n; i++)
			known |= strcmp(span_text(site, items[i]), text) == 0;
		if (!known)
			member_put(site, items[n - 1], 5.2 + rank_bits(tried++), text);
	}
}

static void member_propose(struct site *site)
{
	struct span items[SPAN_MOST];
	const struct source *source = site->source;
	bool opens = token_in(source, site->at, " ( [ { ") && !is_block(source, site->at) &&
		source->tokens[site->at].match != NO_TOKEN;
	size_t n = opens ? bracket_items(source, site->at, items) : 0;
	bool called =
		site->at && token_is(source, site->at, "(") && token_ends_operand(source, site->at - 1);
	if (n < 2 || called || n == SPAN_MOST)
		return;
	if (member_row_is_named(source, items, n))
		member_name(site, items, n);
	else if (!member_row_is_literal(source, items, n))
		return;
	else if (source->tokens[items[0].first].kind == TOKEN_NUMBER)
		member_count(site, items, n);
	else
		member_say(site, items, n);
}

MUTATION(member, .least = 4.6, .rank = CANDIDATE_STRUCTURE, .once = true);
