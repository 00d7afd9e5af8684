/* Another text: one that stands nearby or that failing tests say, or the same spelt differently. */
#include <ctype.h>
#include <math.h>
#include <string.h>

#include "base/strbuf.h"
#include "repair/pool/pool.h"
#include "repair/search.h"

enum { OTHERS_MOST = 6, LONGER_MOST = 3, SIGNS_MOST = 6, WINDOW = 500, LENGTH_MOST = 60 };

/* The parts of a literal around its text. */
struct literal {
	const char *prefix, *quote, *text;
};

static bool text_read_literal(struct site *site, struct literal *ret_literal)
{
	const struct token *token = &site->source->tokens[site->at];
	const char *raw = site->source->file->text + token->start;
	size_t prefix = 0;
	if (token->kind != TOKEN_STRING || token->first || token->length > LENGTH_MOST)
		return false;
	while (prefix < token->length && isalpha((unsigned char)raw[prefix]))
		prefix++;
	bool empty = token->length == prefix + 2;
	if (prefix > 2 || token->length < prefix + 2 || !strchr("\"'", raw[prefix]) ||
		raw[token->length - 1] != raw[prefix] || (!token->word && !empty))
		return false;
	*ret_literal = (struct literal){arena_strndup(site->arena, raw, prefix),
		arena_strndup(site->arena, raw + prefix, 1), empty ? "" : token->word->text};
	return true;
}

static void text_put(
	struct site *site, const struct literal *literal, double cost, const char *text)
{
	if (strcmp(text, literal->text) == 0 || strpbrk(text, "\"'\\\n"))
		return;
	const char *new = arena_printf(
		site->arena, "%s%s%s%s", literal->prefix, literal->quote, text, literal->quote);
	propose_token(site, cost, new)->literal = new;
}

static const char *text_recased(struct site *site, const char *text, int (*change)(int), size_t n)
{
	char *copy = arena_strdup(site->arena, text);
	for (size_t i = 0; copy[i] && i < n; i++)
		if ((unsigned char)copy[i] < 0x80)
			copy[i] = (char)change((unsigned char)copy[i]);
	return copy;
}

static const char *text_stripped(struct site *site, const char *text)
{
	size_t n = strlen(text);
	while (n && isspace((unsigned char)text[n - 1]))
		n--;
	size_t start = strspn(text, " \t");
	return start < n ? arena_strndup(site->arena, text + start, n - start) : "";
}

static void text_spellings(struct site *site, const struct literal *literal)
{
	const char *text = literal->text;
	size_t n = strlen(text);
	text_put(site, literal, 5.5, text_recased(site, text, tolower, n));
	text_put(site, literal, 5.5, text_recased(site, text, toupper, n));
	text_put(site, literal, 5.7,
		text_recased(site, text, isupper((unsigned char)text[0]) ? tolower : toupper, 1));
	text_put(site, literal, 5.7, text_stripped(site, text));
	text_put(site, literal, n == 1 ? 5.5 : 6.5, "");
	text_put(site, literal, n == 0 ? 5.5 : 6.5, " ");
	if (n == 0 || !isspace((unsigned char)text[n - 1]))
		text_put(site, literal, 6, arena_printf(site->arena, "%s ", text));
	if (n == 1 && ispunct((unsigned char)text[0]))
		text_put(site, literal, 5.8, arena_printf(site->arena, "%s ", text));
	if (n > 1 && (unsigned char)text[n - 1] < 0x80 && (unsigned char)text[0] < 0x80) {
		text_put(site, literal, 6, arena_strndup(site->arena, text, n - 1));
		text_put(site, literal, 6.2, text + 1);
	}
}

/* Words of the failing tests that are like this one are probably how it is spelt. */
static void text_quoted(struct site *site, const struct literal *literal)
{
	struct ranking ranking = {.n = 0};
	size_t n = strlen(literal->text);
	for (size_t i = 0; i < site->repair->n_quoted; i++) {
		const struct word *word = site->repair->quoted[i];
		struct likeness found = spelling_likeness(word->text, word->n, literal->text, n);
		size_t same = found.begins + found.ends;
		if (2 * same >= found.most && found.most > 1)
			ranking_add(&ranking, word->text, 1 - (double)same / (double)found.most);
	}
	for (size_t i = 0; i < ranking.n && i < OTHERS_MOST / 2; i++)
		text_put(site, literal, 5 + rank_bits(i) + ranking.badness[i], ranking.texts[i]);
}

/* The words of the file, in code and in texts, that this one is the beginning of. */
static void text_longer(struct site *site, const struct literal *literal)
{
	const struct source *source = site->source;
	size_t n = strlen(literal->text);
	struct ranking found = {.n = 0};
	for (uint32_t i = 0; n >= 3 && i < source->n && found.n < LONGER_MOST; i++) {
		const struct word *word = source->tokens[i].word;
		if (word && word->n > n && word->n <= n + 2 && memcmp(word->text, literal->text, n) == 0 &&
			source->tokens[i].kind != TOKEN_NUMBER)
			ranking_append(&found, LONGER_MOST, word->text);
	}
	for (size_t i = 0; i < found.n; i++)
		text_put(site, literal, 5 + rank_bits(i), found.texts[i]);
}

static void text_others(struct site *site, const struct literal *literal)
{
	const struct source *source = site->source;
	struct ranking found = {.n = 0};
	struct outward outward = {.at = site->at, .within = WINDOW};
	for (uint32_t i; found.n < OTHERS_MOST && outward_next(source, &outward, &i);)
		if (source->tokens[i].kind == TOKEN_STRING && source->tokens[i].word)
			ranking_append(&found, OTHERS_MOST, source->tokens[i].word->text);
	for (size_t i = 0; i < found.n; i++)
		text_put(site, literal, 5.5 + rank_bits(i), found.texts[i]);
}

/* The signs that failing tests have in their texts. */
static const char *text_find_signs(const struct site *site)
{
	char *signs = arena_alloc(site->arena, SIGNS_MOST + 1);
	size_t n = 0;
	for (size_t i = 0; i < site->repair->n_quoted; i++)
		for (const char *at = site->repair->quoted[i]->text; *at && n < SIGNS_MOST; at++)
			if ((ispunct((unsigned char)*at) || *at == ' ') && !strchr("\"'\\", *at) &&
				!memchr(signs, *at, n))
				signs[n++] = *at;
	signs[n] = '\0';
	return signs;
}

/* One sign for another one. */
static void text_signs(struct site *site, const struct literal *literal)
{
	if (!ispunct((unsigned char)literal->text[0]) || literal->text[1])
		return;
	const char *signs = text_find_signs(site);
	for (size_t i = 0; signs[i]; i++)
		text_put(site, literal, 5.6 + rank_bits(i), arena_strndup(site->arena, signs + i, 1));
}

/* A text with all of a part replaced by another one; NULL: it has none. In the arena. */
static const char *text_replaced(
	struct site *site, const char *text, const char *part, const char *by)
{
	AUTO_STRBUF sb = STRBUF_INIT(STRBUF_LINE);
	const char *at = text, *found;
	for (; *part && (found = strstr(at, part)); at = found + strlen(part)) {
		strbuf_add(&sb, at, (size_t)(found - at));
		strbuf_adds(&sb, by);
	}
	strbuf_adds(&sb, at);
	return at == text ? NULL : arena_strndup(site->arena, sb.text, sb.length);
}

/* By what got and wanted differ in failing tests: one part for the other, or put in. */
static void text_differing(struct site *site, const struct literal *literal)
{
	for (size_t i = 0; i < site->repair->n_differences; i++) {
		const char *a = site->repair->differences[i].a, *b = site->repair->differences[i].b;
		const char *one = text_replaced(site, literal->text, a, b),
				   *other = text_replaced(site, literal->text, b, a);
		if (one)
			text_put(site, literal, 5 + rank_bits(i), one);
		if (other)
			text_put(site, literal, 5 + rank_bits(i), other);
		if (*a)
			continue;
		text_put(
			site, literal, 5.4 + rank_bits(i), arena_printf(site->arena, "%s%s", literal->text, b));
		text_put(
			site, literal, 5.4 + rank_bits(i), arena_printf(site->arena, "%s%s", b, literal->text));
	}
}

static void text_put_between(struct site *site, double cost, const char *text)
{
	const char *operator= site_text(site, site->at, site->at);
	const char *literal = arena_printf(site->arena, "\"%s\"", text);
	if (!strpbrk(text, "\"'\\\n"))
		propose_textf(site, cost, site_span(site), "%s %s %s", operator, literal, operator)
			->literal = literal;
}

/* "a + b" to "a + '-' + b": what is missing in what failing tests got, else a sign that they have
 * in their texts. */
static void text_between(struct site *site)
{
	const struct source *source = site->source;
	if (!token_in(source, site->at, " + .. ") || !binary_precedence(source, site->at) ||
		source->tokens[site->at + 1].kind == TOKEN_NUMBER ||
		source->tokens[site->at - 1].kind == TOKEN_NUMBER)
		return;
	for (size_t i = 0; i < site->repair->n_differences; i++)
		if (!*site->repair->differences[i].a)
			text_put_between(site, 5 + rank_bits(i), site->repair->differences[i].b);
	const char *signs = text_find_signs(site);
	for (size_t i = 0; signs[i]; i++)
		text_put_between(site, 6.8 + rank_bits(i), arena_strndup(site->arena, signs + i, 1));
}

static void text_propose(struct site *site)
{
	struct literal literal;
	text_between(site);
	if (!text_read_literal(site, &literal))
		return;
	text_differing(site, &literal);
	text_signs(site, &literal);
	text_quoted(site, &literal);
	text_longer(site, &literal);
	text_spellings(site, &literal);
	text_others(site, &literal);
}

MUTATION(text, .least = 5, .rank = CANDIDATE_LITERAL);
