/* A list of all statements with their neighbours, how alike they are, and one in another's
 * place. */
#include "repair/pool/stated.h"

#include <string.h>

#include "base/strbuf.h"

enum {
	STATED_MOST = 6000,
	NAMED_MOST = 60, /* tokens that are compared, and of one that is copied */
};

static struct span stated_head(const struct source *source, const struct statement *statement)
{
	struct span head = statement->span;
	if (statement->simple)
		return span_without_semicolon(source, head);
	for (uint32_t i = head.first; i <= head.last; i++) {
		bool opens = is_block(source, i) || (i > head.first && source->tokens[i].first) ||
			token_in(source, i, " then do ");
		if (opens && i > head.first)
			return span_of(head.first, i - 1);
	}
	return head;
}

static void stated_add(struct repair *repair, const struct source *source, uint32_t i)
{
	struct stated new = {.source = source->index, .before = NO_TOKEN, .after = NO_TOKEN};
	if (!statement_at(source, i, &new.statement))
		return;
	new.head = stated_head(source, &new.statement);
	uint32_t place = (uint32_t)repair->n_stated;
	for (uint32_t k = place; k-- > 0 && repair->stated[k].source == source->index;) {
		struct stated *old = &repair->stated[k];
		bool is_before = old->statement.span.last + 1 == i &&
			source->tokens[old->statement.span.first].around == source->tokens[i].around &&
			token_column(source, old->statement.span.first) == token_column(source, i);
		if (is_before) {
			new.before = k;
			old->after = place;
		}
		if (is_before || i - old->statement.span.first > 4000)
			break;
	}
	ARENA_PUSH(repair->arena, repair->stated, repair->n_stated, new);
}

const struct stated *stated_all(struct repair *repair, size_t *ret_n)
{
	for (size_t s = 0; s < repair->n && !repair->is_stated; s++) {
		const struct source *source = &repair->sources[s];
		for (uint32_t i = 0;
			 source->file->editable && i < source->n && repair->n_stated < STATED_MOST; i++)
			if (source->tokens[i].first)
				stated_add(repair, source, i);
	}
	repair->is_stated = true;
	*ret_n = repair->n_stated;
	return repair->stated;
}

const struct stated *stated_at(struct repair *repair, const struct source *source, uint32_t first)
{
	size_t low = 0, high;
	const struct stated *all = stated_all(repair, &high);
	size_t n = high;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const struct stated *it = &all[middle];
		bool is_less = it->source < source->index ||
			(it->source == source->index && it->statement.span.first < first);
		if (is_less)
			low = middle + 1;
		else
			high = middle;
	}
	bool found =
		low < n && all[low].source == source->index && all[low].statement.span.first == first;
	return found ? &all[low] : NULL;
}

static const struct word *renaming_of(const struct renaming *renaming, const struct word *word)
{
	for (size_t i = 0; i < renaming->n; i++)
		if (renaming->from[i] == word)
			return renaming->to[i];
	return NULL;
}

/* How alike two tokens are; names of the same role are noted. */
static double tokens_alike(const struct source *a_source, uint32_t a, const struct source *b_source,
	uint32_t b, struct renaming *renaming)
{
	const struct token *x = &a_source->tokens[a], *y = &b_source->tokens[b];
	if (x->length == y->length &&
		memcmp(a_source->file->text + x->start, b_source->file->text + y->start, x->length) == 0)
		return 1;
	if (x->kind != y->kind ||
		(x->kind != TOKEN_NAME && x->kind != TOKEN_STRING && x->kind != TOKEN_NUMBER))
		return 0;
	if (x->kind != TOKEN_NAME)
		return 0.5;
	if (x->role != y->role && x->role != ROLE_TARGET && y->role != ROLE_TARGET)
		return 0;
	if (renaming->n < RENAMED_MOST && !renaming_of(renaming, y->word)) {
		renaming->from[renaming->n] = y->word;
		renaming->to[renaming->n++] = x->word;
	}
	return 0.6;
}

double spans_alike(const struct source *a_source, struct span a, const struct source *b_source,
	struct span b, struct renaming *renaming)
{
	uint32_t a_n = a.last - a.first + 1, b_n = b.last - b.first + 1;
	uint32_t least = a_n < b_n ? a_n : b_n, most = a_n < b_n ? b_n : a_n;
	if (most > NAMED_MOST || most > 3 * least)
		return 0;
	double same = 0;
	uint32_t i = 0, k = 0;
	for (double own; i < least &&
		 (own = tokens_alike(a_source, a.first + i, b_source, b.first + i, renaming)) > 0;
		 i++)
		same += own;
	for (double own; k < least - i &&
		 (own = tokens_alike(a_source, a.last - k, b_source, b.last - k, renaming)) > 0;
		 k++)
		same += own;
	return same / most;
}

/* What a name of a copied statement becomes: itself where it is known, else what stands for it; of
 * attributes, what stands for them where that was seen. */
static const char *stated_name(struct site *site, const struct pool *pool,
	const struct token *token, const struct renaming *renaming)
{
	const struct word *to = renaming_of(renaming, token->word);
	bool is_own = token->role == ROLE_ATTRIBUTE || token->role == ROLE_METHOD;
	if (to && (is_own || is_known_here(site, pool, to)))
		return to->text;
	if (!names_value(token) || is_known_here(site, pool, token->word))
		return token->word->text;
	return NULL;
}

static void stated_add_lines(
	struct strbuf *sb, const char *text, size_t n, const char *old, const char *new)
{
	for (const char *at = text, *end = text + n; at < end;) {
		const char *newline = memchr(at, '\n', (size_t)(end - at));
		if (!newline) {
			strbuf_add(sb, at, (size_t)(end - at));
			return;
		}
		strbuf_add(sb, at, (size_t)(newline + 1 - at));
		at = newline + 1;
		size_t old_n = strlen(old);
		bool own = (size_t)(end - at) >= old_n && memcmp(at, old, old_n) == 0;
		strbuf_adds(sb, own ? new : "");
		at += own ? old_n : 0;
	}
}

const char *stated_renamed(struct site *site, const struct stated *stated,
	const struct renaming *renaming, const char *indent)
{
	AUTO_STRBUF sb = STRBUF_INIT(STRBUF_TEXT);
	const struct source *source = &site->repair->sources[stated->source];
	const struct pool *pool = pool_of(site->repair, site->source, site->at);
	struct span span = stated->statement.span;
	const char *old = line_indent(source, site->arena, span.first);
	size_t at = source->tokens[span.first].start;
	for (uint32_t i = span.first; i <= span.last; i++) {
		const struct token *token = &source->tokens[i];
		const char *name = token->kind == TOKEN_NAME && token->word
			? stated_name(site, pool, token, renaming)
			: "";
		if (!name)
			return NULL;
		stated_add_lines(&sb, source->file->text + at, token->start - at, old, indent);
		if (*name)
			strbuf_adds(&sb, name);
		else
			strbuf_add(&sb, source->file->text + token->start, token->length);
		at = token_end(source, i);
	}
	return arena_strndup(site->arena, sb.text, sb.length);
}
