/* Slices, and what a value begins as: other bounds, another kind of collection, filled or not. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "repair/pool/pool.h"
#include "repair/search.h"

enum { VALUES_MOST = 4, BEGINNINGS_MOST = 2 * VALUES_MOST, MEMBERS_MOST = 6 };

static bool literal_is_index(const struct source *source, uint32_t open)
{
	return open != NO_TOKEN && open > 0 && token_is(source, open, "[") &&
		token_ends_operand(source, open - 1) && !source->tokens[open].first &&
		source->tokens[open].match != NO_TOKEN;
}

/* "x[a:b]", seen at the colon. */
static void literal_bounds(struct site *site)
{
	const struct source *source = site->source;
	uint32_t open = source->tokens[site->at].around;
	if (!token_is(source, site->at, ":") || !literal_is_index(source, open))
		return;
	uint32_t close = source->tokens[open].match;
	bool before = site->at > open + 1, after = site->at + 1 < close;
	const char *a = before ? site_text(site, open + 1, site->at - 1) : "";
	const char *b = after ? site_text(site, site->at + 1, close - 1) : "";
	struct span all = {open, close};
	if (strchr(b, ':'))
		return;
	propose_textf(site, 4.5, all, "[%s:%s]", b, a);
	propose_textf(site, 4.8, all, before ? "[:%s]" : "[1:%s]", b);
	bool negative = has_trait(source, LANGUAGE_INDENTED);
	if (after)
		propose_textf(site, 4.8, all, "[%s:]", a);
	else if (negative)
		propose_textf(site, 4.8, all, "[%s:-1]", a);
	if (negative && before != after)
		propose_textf(site, 5, all, before ? "[-%s:]" : "[:-%s]", before ? a : b);
}

/* "xs[i]" to what is asked of all of it, seen at the bracket. */
static void literal_whole(struct site *site)
{
	static const char *const calls[] = {"sum", "max", "min", "len"};
	const struct source *source = site->source;
	if (!is_python(source) || !literal_is_index(source, site->at))
		return;
	uint32_t last = source->tokens[site->at].match;
	uint32_t first = expression_first(source, last, ONE_OPERAND);
	bool read = first != NO_TOKEN && first < site->at && !token_in(source, last + 1, " = += -= ");
	for (size_t i = 0; read && i < ARRAY_SIZE(calls); i++)
		propose_textf(site, 6 + 0.5 * (double)i, span_of(first, last), "%s(%s)", calls[i],
			site_text(site, first, site->at - 1));
}

/* "x" to "x[k:]" and "x[:k]". */
static void literal_part_of(struct site *site)
{
	bool script = language_is_script(site->source->language);
	const char *text = site->source->tokens[site->at].word->text;
	struct ranking values = rank_values(site, site_span(site));
	for (size_t i = 0, n = 0; i < values.n && n < VALUES_MOST; i++) {
		const struct term *term =
			term_of(words_find(&site->repair->words, values.texts[i], strlen(values.texts[i])));
		if (!term || term->is_indexed || term->is_many || strcmp(values.texts[i], text) == 0)
			continue;
		double cost = (values.badness[i] < 0 ? 5 : 7.5) + rank_bits(n++); /* sooner if unused */
		propose_textf(site, cost, site_span(site), script ? "%s.slice(%s)" : "%s[%s:]", text,
			values.texts[i]);
		propose_textf(site, cost + 0.5, site_span(site), script ? "%s.slice(0, %s)" : "%s[:%s]",
			text, values.texts[i]);
	}
}

/* "x" to "x[1:]", where a collection is read. */
static void literal_part(struct site *site)
{
	const struct source *source = site->source;
	const struct token *token = &source->tokens[site->at];
	const struct term *term = term_of(token->word);
	bool reads = token->kind == TOKEN_NAME && token->role == ROLE_VALUE &&
		(term->is_indexed || term->is_many) && site->at && !token->first &&
		!token_in(source, site->at + 1, " [ . -> = ( ");
	bool slices = language_in(source->language, " python go ");
	bool script = language_is_script(source->language);
	if (!reads || (!slices && !script))
		return;
	static const char *const parts[] = {"[1:]", "[:-1]", "[::-1]", "[:]", "[0]", "[-1]"};
	static const char *const calls[] = {
		".slice(1)", ".slice(0, -1)", ".reverse()", ".slice()", "[0]", ".at(-1)"};
	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
		propose_textf(site, 6.5 + 0.3 * (double)i, site_span(site), "%s%s", token->word->text,
			script ? calls[i] : parts[i]);
	literal_part_of(site);
}

static void slice_propose(struct site *site)
{
	literal_bounds(site);
	literal_whole(site);
	literal_part(site);
}

MUTATION(slice, .least = 4.5, .rank = CANDIDATE_STRUCTURE);

/* "[]" to "{}", "set()", "[[]]", "[x]". */
static void literal_collection(struct site *site)
{
	const struct source *source = site->source;
	struct span span = {site->at, source->tokens[site->at].match};
	bool python = is_python(source);
	bool list = token_is(source, site->at, "[");
	propose_text(site, 5.5, span, list ? "{}" : "[]");
	propose_text(site, 6, span, python ? "set()" : "new Set()");
	if (!list)
		return;
	propose_text(site, 5.5, span, "[[]]");
	propose_text(site, 5.8, span, "[0]");
	propose_text(site, 6, span, "[\"\"]");
	struct ranking values = rank_values(site, span);
	for (size_t i = 0; i < values.n && i < VALUES_MOST; i++) {
		double cost = 6 + rank_bits(i);
		propose_textf(site, cost, span, "[%s]", values.texts[i]);
		if (python) {
			propose_textf(site, cost + 0.5, span, "list(%s)", values.texts[i]);
			propose_textf(site, cost + 1, span, "[0] * %s", values.texts[i]);
		}
	}
}

/* "best = 0" to "best = xs[0]", or as low as can be: what is the largest of negative ones? */
static void literal_beginning(struct site *site)
{
	const struct source *source = site->source;
	struct span span = {site->at, site->at};
	struct ranking values = rank_values(site, span);
	double cost = 5.8;
	int first = has_trait(source, LANGUAGE_ENDED) ? 1 : 0; /* Lua counts from one */
	for (size_t i = 0; i < values.n && i < BEGINNINGS_MOST; i++) {
		const struct term *term =
			term_of(words_find(&site->repair->words, values.texts[i], strlen(values.texts[i])));
		if (!term || (!term->is_indexed && !term->is_many))
			continue;
		propose_textf(site, cost, span, "%s[%d]", values.texts[i], first);
		cost += 0.8;
	}
	static const struct {
		const char *languages, *low, *high;
	} limits[] = {{" python ", "float(\"-inf\")", "float(\"inf\")"},
		{" javascript typescript ", "-Infinity", "Infinity"}, {" c c++ ", "INT_MIN", "INT_MAX"},
		{" java ", "Integer.MIN_VALUE", "Integer.MAX_VALUE"},
		{" go ", "math.MinInt", "math.MaxInt"}, {" php ", "PHP_INT_MIN", "PHP_INT_MAX"},
		{" lua ", "-math.huge", "math.huge"}};
	for (size_t i = 0; i < sizeof limits / sizeof *limits; i++)
		if (language_in(source->language, limits[i].languages)) {
			propose_text(site, 6, span, limits[i].low);
			propose_text(site, 6.2, span, limits[i].high);
		}
}

/* A list of literals with one too many. */
static void literal_less(struct site *site, const struct span *items, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		size_t start = site->source->tokens[items[i].first].start;
		size_t end = token_end(site->source, items[i].last);
		if (i)
			start = token_end(site->source, items[i - 1].last);
		else
			end = site->source->tokens[items[1].first].start;
		proposal_splice(site,
			proposef(site, 5.2 + 0.1 * (double)i, "without %s", span_text(site, items[i])), start,
			end - start, "");
	}
}

/* A list of literals that lacks one: the number between or beside two, or a text that failing
 * tests say. */
static void literal_member(struct site *site)
{
	const struct source *source = site->source;
	struct span items[SPAN_MOST];
	bool call =
		site->at && token_ends_operand(source, site->at - 1) && !source->tokens[site->at].first;
	size_t n = call ? 0 : bracket_items(source, site->at, items);
	unsigned kind = n ? source->tokens[items[0].first].kind : TOKEN_NAME;
	for (size_t i = 0; i < n; i++)
		if (items[i].first != items[i].last || source->tokens[items[i].first].kind != kind)
			return;
	if (n < 2 || (kind != TOKEN_STRING && kind != TOKEN_NUMBER))
		return;
	literal_less(site, items, n);
	const struct token *last = &source->tokens[items[n - 1].last];
	size_t end = last->start + last->length, tried = 0;
	for (size_t i = 0; kind == TOKEN_NUMBER && i < n; i++) {
		long number = strtol(source->tokens[items[i].first].word->text, NULL, 10);
		proposal_insertf(site, proposef(site, 6.5 + 0.2 * (double)tried++, "%ld, too", number + 1),
			end, ", %ld", number + 1);
	}
	char quote = source->file->text[last->start];
	for (size_t i = 0; kind == TOKEN_STRING && quote && strchr("\"'`", quote) &&
		 i < site->repair->n_quoted && tried < MEMBERS_MOST;
		 i++) {
		const char *text = site->repair->quoted[i]->text;
		if (*text && !strpbrk(text, "\"'`\\\n"))
			proposal_insertf(site, proposef(site, 6.5 + log2((double)(++tried)), "'%s', too", text),
				end, ", %c%s%c", quote, text, quote);
	}
}

static void literal_propose(struct site *site)
{
	const struct source *source = site->source;
	const struct token *token = &source->tokens[site->at];
	bool given = site->at && token_in(source, site->at - 1, " = := return , ( : || ?? or ");
	bool empty = token_in(source, site->at, " [ { ") && token->match == site->at + 1 && given;
	if (empty && (has_trait(source, LANGUAGE_TRIPLE) || has_trait(source, LANGUAGE_REGEX)))
		literal_collection(site);
	if (token->kind == TOKEN_NUMBER && site->at && token_in(source, site->at - 1, " = := ") &&
		source->owner[site->at] != NO_TOKEN)
		literal_beginning(site);
	if (token_in(source, site->at, " [ ( { "))
		literal_member(site);
}

MUTATION(literal, .least = 5.2, .rank = CANDIDATE_STRUCTURE, .once = true);
