#include "repair/history/undo.h"

#include <ctype.h>

#include "base/strbuf.h"
#include "base/utf8.h"

enum {
	TOKENS_MOST = 400, /* of a side that is compared */
	RUN_MOST = 4,      /* tokens side by side that are taken back one by one */
	UNDOS_MOST = 12,   /* of a hunk; one with more is one */
};

/* Lines of a version, as tokens. */
struct side {
	const char *text;
	size_t n;
	struct token_list list;
};

/* Tokens that both sides have, and what stands between them. */
struct alignment {
	struct side now, old;
	size_t now_at[TOKENS_MOST + 1], old_at[TOKENS_MOST + 1]; /* of the tokens in common */
	size_t n;
};

static const char *side_token(const struct side *side, size_t i, size_t *ret_n)
{
	const struct token *token = &side->list.tokens[i];
	*ret_n = token->length;
	return side->text + token->start;
}

static bool sides_agree(const struct alignment *a, size_t i, size_t k)
{
	size_t n, other_n;
	const char *text = side_token(&a->now, i, &n), *other = side_token(&a->old, k, &other_n);
	return n == other_n && memcmp(text, other, n) == 0;
}

/* The longest common subsequence; of several the one that begins first. */
static void alignment_find(struct alignment *a, struct arena *arena)
{
	size_t n = a->now.list.n, m = a->old.list.n, width = m + 1, i = 0, k = 0;
	uint16_t *longest = arena_alloc(arena, (n + 1) * width * sizeof *longest);
	for (i = n; i-- > 0;)
		for (k = m; k-- > 0;) {
			uint16_t down = longest[(i + 1) * width + k], right = longest[i * width + k + 1];
			uint16_t both = (uint16_t)(longest[(i + 1) * width + k + 1] + 1);
			longest[i * width + k] = sides_agree(a, i, k) ? both : down > right ? down : right;
		}
	for (i = k = 0; i < n && k < m;) {
		if (sides_agree(a, i, k)) {
			a->now_at[a->n] = i++;
			a->old_at[a->n++] = k++;
		} else if (longest[(i + 1) * width + k] >= longest[i * width + k + 1])
			i++;
		else
			k++;
	}
}

/* The text between two neighbouring tokens in common: the i-th gap, from 0. */
static const char *side_gap(
	const struct side *side, const size_t *at, size_t n_at, size_t i, size_t *ret_n)
{
	const struct token *tokens = side->list.tokens;
	size_t start = i ? tokens[at[i - 1]].start + tokens[at[i - 1]].length : 0;
	size_t end = i < n_at ? tokens[at[i]].start : side->n;
	*ret_n = end - start;
	return side->text + start;
}

/* The tokens of a side in the i-th gap: from `first` up to `end`. */
struct run {
	size_t first, end;
};

static struct run side_run(const struct side *side, const size_t *at, size_t n_at, size_t i)
{
	return (struct run){i ? at[i - 1] + 1 : 0, i < n_at ? at[i] : side->list.n};
}

/* Whether tokens stand in the i-th gap of one of the sides. */
static bool alignment_differs(const struct alignment *a, size_t i)
{
	struct run now = side_run(&a->now, a->now_at, a->n, i);
	struct run old = side_run(&a->old, a->old_at, a->n, i);
	return now.end > now.first || old.end > old.first;
}

/* Whether each token in the i-th gap took the place of one of its kind. */
static bool alignment_is_by_token(const struct alignment *a, size_t i)
{
	struct run now = side_run(&a->now, a->now_at, a->n, i);
	struct run old = side_run(&a->old, a->old_at, a->n, i);
	size_t n = now.end - now.first;
	bool is_so = n > 1 && n <= RUN_MOST && old.end - old.first == n;
	for (size_t k = 0; is_so && k < n; k++)
		is_so = a->now.list.tokens[now.first + k].kind == a->old.list.tokens[old.first + k].kind;
	return is_so;
}

/* Whether lines are indented otherwise though their tokens are the same. */
static bool alignment_is_moved(const struct alignment *a, const struct language *language)
{
	for (size_t i = 0; language->traits & LANGUAGE_INDENTED && i < a->n; i++) {
		size_t n, old_n;
		const char *now = side_gap(&a->now, a->now_at, a->n, i, &n);
		const char *old = side_gap(&a->old, a->old_at, a->n, i, &old_n);
		bool begins_line = !i || memchr(now, '\n', n) || memchr(old, '\n', old_n);
		if (begins_line && !alignment_differs(a, i) && (n != old_n || memcmp(now, old, n) != 0))
			return true;
	}
	return false;
}

/* How many lines a text has without the white space around it. */
static size_t text_lines(const char *text, size_t n)
{
	size_t at = 0;
	while (n && isspace((unsigned char)text[n - 1]))
		n--;
	while (at < n && isspace((unsigned char)text[at]))
		at++;
	return at < n ? text_count_lines(text + at, n - at) + 1 : 0;
}

/* Take back n bytes of a side's text from `at` on. */
static void undos_add_splice(struct undos *undos, const struct undo *where, const struct side *now,
	const char *at, size_t n, const char *old, struct arena *arena)
{
	struct undo undo = *where;
	size_t n_old = text_lines(old, strlen(old)), lead = 0;
	undo.splice.offset += (size_t)(at - now->text);
	undo.splice.length = n;
	undo.splice.text = old;
	undo.n_lines = text_lines(at, n) > n_old ? text_lines(at, n) : n_old;
	while (lead < n && isspace((unsigned char)at[lead]))
		lead++;
	undo.line += text_count_lines(now->text, (size_t)(at - now->text) + (lead < n ? lead : 0));
	ARENA_PUSH(arena, undos->items, undos->n, undo);
}

/* An undo for each token in the i-th gap. */
static void undos_add_tokens(struct undos *undos, const struct undo *where,
	const struct alignment *a, size_t i, struct arena *arena)
{
	struct run now = side_run(&a->now, a->now_at, a->n, i);
	struct run old = side_run(&a->old, a->old_at, a->n, i);
	for (size_t k = 0; k < now.end - now.first; k++) {
		size_t n, n_old;
		const char *token = side_token(&a->now, now.first + k, &n);
		const char *old_token = side_token(&a->old, old.first + k, &n_old);
		undos_add_splice(
			undos, where, &a->now, token, n, arena_strndup(arena, old_token, n_old), arena);
	}
}

/* An undo for each gap that differs, or for each token in it. */
static void undos_add_gaps(
	struct undos *undos, const struct undo *where, const struct alignment *a, struct arena *arena)
{
	for (size_t i = 0; i <= a->n; i++) {
		size_t n, old_n;
		const char *now = side_gap(&a->now, a->now_at, a->n, i, &n);
		const char *old = side_gap(&a->old, a->old_at, a->n, i, &old_n);
		if (alignment_is_by_token(a, i))
			undos_add_tokens(undos, where, a, i, arena);
		else if (alignment_differs(a, i))
			undos_add_splice(
				undos, where, &a->now, now, n, arena_strndup(arena, old, old_n), arena);
	}
}

static size_t alignment_count(const struct alignment *a)
{
	size_t n = 0;
	for (size_t i = 0; i <= a->n; i++)
		n += alignment_differs(a, i);
	return n;
}

/* An edit can hold only text, and lines cannot follow one that has no end. */
static bool hunk_is_text(const struct past_text *text, const struct past_hunk *hunk, size_t start)
{
	return utf8_valid_length(hunk->old, hunk->n_old) == hunk->n_old &&
		!memchr(hunk->old, '\0', hunk->n_old) && (!start || text->text[start - 1] == '\n');
}

void undos_add(struct undos *undos, const struct past *past, uint32_t text_place,
	uint32_t hunk_place, struct words *words, struct arena *arena)
{
	const struct past_text *text = &past->texts[text_place];
	const struct past_hunk *hunk = &text->hunks[hunk_place];
	const struct language *language = language_of(text->path);
	const char *first = text_line(text->text, text->n, hunk->first);
	size_t start = (size_t)(first - text->text);
	size_t length = (size_t)(text_line(first, text->n - start, hunk->n) - first);
	struct alignment a = {
		.now = {.text = first, .n = length}, .old = {.text = hunk->old, .n = hunk->n_old}};
	if (!hunk_is_text(text, hunk, start) || utf8_valid_length(a.now.text, length) != length)
		return;
	if (language) {
		tokens_read(language, a.now.text, length, words, arena, &a.now.list);
		tokens_read(language, hunk->old, hunk->n_old, words, arena, &a.old.list);
	}
	size_t larger = a.now.list.n > a.old.list.n ? a.now.list.n : a.old.list.n;
	if (larger && larger <= TOKENS_MOST)
		alignment_find(&a, arena);
	size_t n = alignment_count(&a);
	struct undo where = {
		.text = text_place, .hunk = hunk_place, .line = hunk->first, .splice.offset = start};
	bool is_moved = language && alignment_is_moved(&a, language);
	if (language && !is_moved && !n)
		return; /* white space and comments */
	if (!is_moved && 2 * a.n >= larger && n > 0 && n <= UNDOS_MOST)
		undos_add_gaps(undos, &where, &a, arena);
	else
		undos_add_splice(undos, &where, &a.now, a.now.text, length, hunk->old, arena);
}
