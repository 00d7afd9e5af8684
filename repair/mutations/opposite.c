/* Words that stand for each other's opposite, or near enough to be taken for each other. */
#include <ctype.h>
#include <string.h>

#include "repair/search.h"

/* Words of people, not of libraries: only where the other one is said in the project. */
static const char said_rows[] =
	" minimum maximum \0 first last \0 First Last \0 keys values \0 prefix suffix \0"
	" start end stop \0 begin end \0 left right \0 Left Right \0 top bottom \0 low high \0"
	" lo hi \0 lower higher \0 lower upper \0 head tail \0 front back \0 prev next \0"
	" previous next \0 before after \0 older newer \0 add remove sub \0 add subtract \0"
	" plus minus \0 insert delete remove \0 increment decrement \0 inc dec \0 credit debit \0"
	" credits debits \0 deposit withdraw \0 source target \0 src dst \0 from to \0"
	" width height \0 row col \0 rows cols \0 rows columns \0 row column \0 x y z \0"
	" key value \0 key val \0 open close \0 enter leave \0 encode decode \0 load save \0"
	" read write \0 success failure \0 pass fail \0 multiply divide \0 quotient remainder \0"
	" minute hour second \0 day month year \0 numerator denominator \0 net gross \0"
	" total count \0 total subtotal \0 min max \0 MIN MAX \0 Min Max \0 inner outer \0"
	" old new \0 vertical horizontal \0 even odd \0 append appendleft \0 pop popleft \0"
	" price quantity \0 index count \0 parent child \0 sender receiver \0 get pop \0"
	" concat push \0";

/* Whether this file says a word other than in quotes. */
static bool opposite_is_said(const struct site *site, const char *text)
{
	const struct word *word = words_find(&site->repair->words, text, strlen(text));
	return word && !word->keyword_in;
}

/* Every other word of a row, put in the place of old[from, from + n). */
static void opposite_row(
	struct site *site, double cost, const char *row, size_t from, size_t n, bool said)
{
	const char *old = site->source->tokens[site->at].word->text;
	for (const char *at = row + 1; *at; at += strcspn(at, " ") + 1) {
		size_t other_n = strcspn(at, " ");
		if (other_n == n && memcmp(at, old + from, n) == 0)
			continue;
		const char *text = arena_printf(
			site->arena, "%.*s%.*s%s", (int)from, old, (int)other_n, at, old + from + n);
		if (said && !opposite_is_said(site, text))
			continue;
		proposal_replace(site, proposef(site, cost, "%s to %s", old, text), site_span(site), text);
		cost += 0.8;
	}
}

/* By the rows that hold a part of the word, get_FIRST, INT_MAX, or the whole. */
static void opposite_rows(
	struct site *site, double cost, const char *rows, size_t from, size_t n, bool said)
{
	const char *part = site->source->tokens[site->at].word->text + from;
	for (const char *row = rows; *row; row += strlen(row) + 1)
		if (words_hold(row, part, n))
			opposite_row(site, cost, row, from, n, said);
}

static void opposite_propose(struct site *site)
{
	const struct token *token = &site->source->tokens[site->at];
	if (token->kind != TOKEN_NAME || token->role == ROLE_KEY || token->role == ROLE_TARGET)
		return;
	const struct word *word = token->word;
	bool named = token->role == ROLE_CALLEE || token->role == ROLE_METHOD;
	bool attribute = token->role == ROLE_ATTRIBUTE && word->n > 3;
	/* A library has its words whether the project says them or not. */
	if ((named || attribute) && site->source->language->opposites)
		opposite_rows(site, 3.4, site->source->language->opposites, 0, word->n, false);
	opposite_rows(site, named ? 3.8 : 4.2, said_rows, 0, word->n, true);
	for (size_t from = 0, n; from < word->n; from += n ? n : 1) {
		n = 0;
		while (from + n < word->n && word->text[from + n] != '_' &&
			(n == 0 || !isupper((unsigned char)word->text[from + n]) ||
				isupper((unsigned char)word->text[from + n - 1])))
			n++;
		if (n > 1 && n < word->n)
			opposite_rows(site, named ? 4.2 : 4.6, said_rows, from, n, true);
	}
}

MUTATION(opposite, .least = 3.4);
