/* Words that stand for each other's opposite, or near enough to be taken for each other. */
#include <ctype.h>
#include <string.h>

#include "base/memory.h"
#include "repair/search.h"

/* Words of people, not of libraries: only where the other one is said in the project. */
/* clang-format off */
static const char *const said_rows[] = {
	" minimum maximum ", " first last ", " First Last ", " keys values ", " prefix suffix ",
	" start end stop ", " begin end ", " left right ", " Left Right ", " top bottom ",
	" low high ", " lo hi ", " lower higher ", " lower upper ", " head tail ", " front back ",
	" prev next ", " previous next ", " before after ", " older newer ", " add remove sub ",
	" add subtract ", " plus minus ", " insert delete remove ", " increment decrement ",
	" inc dec ", " credit debit ", " credits debits ", " deposit withdraw ", " source target ",
	" src dst ", " from to ", " width height ", " row col ", " rows cols ", " rows columns ",
	" row column ", " x y z ", " key value ", " key val ", " open close ", " enter leave ",
	" encode decode ", " load save ", " read write ", " success failure ", " pass fail ",
	" multiply divide ", " quotient remainder ", " minute hour second ", " day month year ",
	" numerator denominator ", " net gross ", " total count ", " total subtotal ", " min max ",
	" MIN MAX ", " Min Max ", " inner outer ", " old new ", " vertical horizontal ", " even odd ",
	" append appendleft ", " pop popleft ", " price quantity ", " index count ", " parent child ",
	" sender receiver ", " get pop ", " concat push ",
};
/* clang-format on */

/* Whether this file says a word other than in quotes. */
static bool is_said(const struct site *site, const char *text, size_t n)
{
	const struct word *word = words_find(&site->repair->words, text, n);
	return word && !word->keyword_in;
}

static void propose_word(struct site *site, double cost, const char *old, const char *text)
{
	const char *what = arena_printf(site->arena, "%s to %s", old, text);
	proposal_replace(site, propose(site, cost, what), span_of(site->at, site->at), text);
}

/* Every other word of a row, put in the place of old[from, from + n). */
static void propose_row(
	struct site *site, double cost, const char *row, size_t from, size_t n, bool said)
{
	const struct word *old = site->source->tokens[site->at].word;
	for (const char *at = row + 1; *at; at += strcspn(at, " ") + 1) {
		size_t other_n = strcspn(at, " ");
		if (other_n == n && memcmp(at, old->text + from, n) == 0)
			continue;
		const char *text = arena_printf(site->arena, "%.*s%.*s%s", (int)from, old->text,
			(int)other_n, at, old->text + from + n);
		if (said && !is_said(site, text, strlen(text)))
			continue;
		propose_word(site, cost, old->text, text);
		cost += 0.8;
	}
}

/* A part of a word, get_FIRST, INT_MAX, or the whole. */
static void propose_part(struct site *site, double cost, size_t from, size_t n)
{
	const struct word *old = site->source->tokens[site->at].word;
	for (size_t i = 0; i < ARRAY_SIZE(said_rows); i++)
		if (words_hold(said_rows[i], old->text + from, n))
			propose_row(site, cost, said_rows[i], from, n, true);
}

/* A library has its words whether the project says them or not. */
static void propose_library(struct site *site)
{
	const struct word *old = site->source->tokens[site->at].word;
	for (const char *const *row = site->source->language->opposites; *row; row++)
		if (words_hold(*row, old->text, old->n))
			propose_row(site, 3.4, *row, 0, old->n, false);
}

static void opposite_propose(struct site *site)
{
	const struct token *token = &site->source->tokens[site->at];
	if (token->kind != TOKEN_NAME || token->role == ROLE_KEY || token->role == ROLE_TARGET)
		return;
	const struct word *word = token->word;
	bool named = token->role == ROLE_CALLEE || token->role == ROLE_METHOD;
	bool attribute = token->role == ROLE_ATTRIBUTE && word->n > 3;
	if (named || attribute)
		propose_library(site);
	propose_part(site, named ? 3.8 : 4.2, 0, word->n);
	for (size_t from = 0, n; from < word->n; from += n ? n : 1) {
		n = 0;
		while (from + n < word->n && word->text[from + n] != '_' &&
			   (n == 0 || !isupper((unsigned char)word->text[from + n]) ||
				   isupper((unsigned char)word->text[from + n - 1])))
			n++;
		if (n > 1 && n < word->n)
			propose_part(site, named ? 4.2 : 4.6, from, n);
	}
}

MUTATION(opposite, .least = 3.4);
