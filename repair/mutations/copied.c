/* What was copied and then not changed everywhere: where "a.x < b.right" became "a.y < b.bottom",
 * another "right" of the copy becomes "bottom". */
#include <ctype.h>
#include <string.h>

#include "repair/pool/pool.h"
#include "repair/search.h"

enum {
	FAR = 120, /* tokens from a copy to what it was copied from, at most */
	LEAST = 8, /* tokens that a copy has at least */
	MOST = 40, /* that are compared on each side */
	TRIED_MOST = 2,
};

#define COPIED 2.4
#define LITERAL 1.0 /* what a number or a string costs more */
#define STAYED 1.2  /* what it costs that the same name stays elsewhere in the copy */

/* A token, its like in the text beside, and how many tokens on each side are alike, too. */
struct copied {
	uint32_t at, like;
	uint32_t before, after;
};

/* Part of a name: "start" of "start_time". */
struct name_part {
	const char *text;
	size_t n;
};

static bool copied_is_alike(const struct source *source, uint32_t a, uint32_t b)
{
	const struct token *x = &source->tokens[a], *y = &source->tokens[b];
	bool may_differ = x->kind == TOKEN_NAME || x->kind == TOKEN_NUMBER || x->kind == TOKEN_STRING;
	bool same_use = x->kind == y->kind && x->role == y->role && x->first == y->first;
	return same_use && (may_differ || tokens_are_alike(source, a, b, 1));
}

/* Look how far two texts are alike. They may not overlap. */
static struct copied copied_compare(const struct source *source, uint32_t at, uint32_t like)
{
	struct copied copied = {.at = at, .like = like};
	uint32_t low = at < like ? at : like, high = at < like ? like : at, apart = high - low;
	while (copied.before < MOST && copied.before < low && copied.before + 1 < apart &&
		copied_is_alike(source, low - copied.before - 1, high - copied.before - 1))
		copied.before++;
	while (copied.after < MOST && high + copied.after + 1 < source->n &&
		copied.before + copied.after + 1 < apart &&
		copied_is_alike(source, low + copied.after + 1, high + copied.after + 1))
		copied.after++;
	return copied;
}

/* Whether a name has a part that ends, or the next one begins, before a byte. */
static bool name_is_cut(const char *text, size_t n, size_t i)
{
	return i == 0 || i == n || text[i - 1] == '_' || text[i] == '_' || !name_length(text + i, 1) ||
		!name_length(text + i - 1, 1) ||
		(islower((unsigned char)text[i - 1]) && isupper((unsigned char)text[i]));
}

/* The parts in which two spellings differ. */
static void copied_difference(const char *a, size_t n, const char *b, size_t other_n,
	struct name_part *ret_a, struct name_part *ret_b)
{
	struct likeness same = spelling_likeness(a, n, b, other_n);
	while (!name_is_cut(a, n, same.begins) || !name_is_cut(b, other_n, same.begins))
		same.begins--;
	while (!name_is_cut(a, n, n - same.ends) || !name_is_cut(b, other_n, other_n - same.ends))
		same.ends--;
	*ret_a = (struct name_part){a + same.begins, n - same.begins - same.ends};
	*ret_b = (struct name_part){b + same.begins, other_n - same.begins - same.ends};
}

/* The token's text with one part instead of another; NULL where it does not have that one. */
static const char *copied_renamed(
	const struct site *site, const struct name_part *old, const struct name_part *new)
{
	const struct token *token = &site->source->tokens[site->at];
	const char *text = site->source->file->text + token->start;
	if (!old->n || !new->n)
		return NULL;
	for (size_t i = 0; i + old->n <= token->length; i++)
		if (memcmp(text + i, old->text, old->n) == 0 && name_is_cut(text, token->length, i) &&
			name_is_cut(text, token->length, i + old->n))
			return arena_printf(site->arena, "%.*s%.*s%.*s", (int)i, text, (int)new->n, new->text,
				(int)(token->length - i - old->n), text + i + old->n);
	return NULL;
}

/* Whether a text may stand for the token: a name that is known, any number or string. */
static bool copied_is_known(const struct site *site, const char *text)
{
	return site->source->tokens[site->at].kind != TOKEN_NAME ||
		words_find(&site->repair->words, text, strlen(text));
}

/* How often the token stands elsewhere in both texts. */
static size_t copied_count_stayed(const struct source *source, const struct copied *copied)
{
	size_t stayed = 0;
	uint32_t own = copied->at - copied->before, other = copied->like - copied->before;
	for (uint32_t i = 0; i <= copied->before + copied->after; i++)
		stayed += i != copied->before && tokens_are_alike(source, own + i, copied->at, 1) &&
			tokens_are_alike(source, other + i, copied->at, 1);
	return stayed;
}

/* Rank what the difference of two tokens makes of this one. */
static void copied_rank(const struct site *site, struct ranking *ranking, const struct token *a,
	const struct token *b, double badness)
{
	const struct source *source = site->source;
	struct name_part old, new;
	copied_difference(source->file->text + a->start, a->length, source->file->text + b->start,
		b->length, &old, &new);
	const char *text = copied_renamed(site, &old, &new);
	if (text && copied_is_known(site, text))
		ranking_add(ranking, text, badness);
}

static void copied_compare_with(struct site *site, struct ranking *ranking, uint32_t like)
{
	const struct source *source = site->source;
	if (like >= source->n || !tokens_are_alike(source, site->at, like, 1) ||
		!copied_is_alike(source, site->at, like))
		return;
	struct copied copied = copied_compare(source, site->at, like);
	uint32_t n = copied.before + 1 + copied.after;
	if (n < LEAST)
		return;
	uint32_t own = copied.at - copied.before, other = copied.like - copied.before;
	double badness = STAYED * (double)copied_count_stayed(source, &copied);
	for (uint32_t k = 0; k < n; k++)
		if (!tokens_are_alike(source, own + k, other + k, 1))
			copied_rank(
				site, ranking, &source->tokens[other + k], &source->tokens[own + k], badness);
}

static void copied_propose(struct site *site)
{
	struct ranking ranking = {.n = 0};
	unsigned kind = site->source->tokens[site->at].kind;
	if (kind != TOKEN_NAME && kind != TOKEN_NUMBER && kind != TOKEN_STRING)
		return;
	for (uint32_t apart = LEAST; apart <= FAR; apart++) {
		if (apart <= site->at)
			copied_compare_with(site, &ranking, site->at - apart);
		copied_compare_with(site, &ranking, site->at + apart);
	}
	double cost = kind == TOKEN_NAME ? COPIED : COPIED + LITERAL;
	for (size_t i = 0; i < ranking.n && i < TRIED_MOST; i++)
		propose_token(site, cost + ranking.badness[i] + rank_bits(i), ranking.texts[i]);
}

MUTATION(copied, .least = COPIED);
