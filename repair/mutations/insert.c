/* A statement more: one that stands elsewhere, perhaps on another name, or a usual one. */
#include <math.h>
#include <string.h>

#include "repair/pool/gap.h"
#include "repair/pool/phrase.h"
#include "repair/source/kinds.h"

enum { COPIES_MOST = 8, NAMES_MOST = 3, VALUES_MOST = 4, LISTS_MOST = 2, OPERANDS_MOST = 4 };

#define NOT_TWICE " break continue else case default let const var "

static void insert_put_plain(
	struct site *site, const struct gap *gap, double cost, const char *text)
{
	text = phrase_statement(site->source, site->arena, text);
	gap_put(site, gap, cost, text);
	if (gap->is_last)
		gap_put_after(site, gap, cost, text);
}

/* A statement with one of its names replaced. */
static void insert_put_renamed(struct site *site, const struct gap *gap, double cost,
	const struct piece *piece, const struct ranking *values)
{
	const struct source *source = site->source;
	size_t start = source->tokens[piece->span.first].start;
	for (uint32_t i = piece->span.first; i <= piece->span.last; i++) {
		const struct token *token = &source->tokens[i];
		if (token->kind != TOKEN_NAME || (token->role != ROLE_VALUE && token->role != ROLE_TARGET))
			continue;
		size_t before = token->start - start;
		for (size_t v = 0; v < values->n && v < site_most(site, NAMES_MOST); v++)
			if (strcmp(values->texts[v], token->word->text) != 0)
				insert_put_plain(site, gap, cost + rank_bits(v),
					arena_printf(site->arena, "%.*s%s%s", (int)before, piece->text,
						values->texts[v], piece->text + before + token->length));
	}
}

static void insert_put_copies(
	struct site *site, const struct gap *gap, const struct ranking *values)
{
	const struct source *source = site->source;
	const struct piece *nearest[COPIES_MOST];
	size_t n = pieces_nearest(source, &pool_of(site->repair, source, site->at)->statements,
		gap->statement.span, nearest, COPIES_MOST);
	for (size_t i = 0; i < n; i++) {
		struct span span = nearest[i]->span;
		if (span.first == site->at || token_in(source, span.first, NOT_TWICE))
			continue;
		double cost = 7 + rank_bits(i);
		insert_put_plain(site, gap, cost, nearest[i]->text);
		if (i < COPIES_MOST / 2)
			insert_put_renamed(site, gap, cost + 0.8, nearest[i], values);
	}
}

/* Assigned once and read later: a loop that should move it on perhaps does not. */
static bool insert_is_never_renewed(const struct pool *pool, const char *value)
{
	const struct piece *piece = pool_value(pool, value);
	return piece && piece->assigned == 1 && piece->said == 2;
}

static bool insert_may_hold(
	const struct source *source, const struct piece *target, const struct piece *value)
{
	return !target || !value ||
		!kinds_differ(
			source->language, kind_of(source, target->span), kind_of(source, value->span));
}

/* "a = b" and "a += 1" for a value that is in sight. */
static void insert_put_assignments(
	struct site *site, const struct gap *gap, double cost, const struct ranking *values, size_t to)
{
	const char *target = values->texts[to];
	const struct pool *pool = pool_of(site->repair, site->source, site->at);
	const struct piece *piece = pool_value(pool, target);
	bool renews = gap->in_loop && insert_is_never_renewed(pool, target);
	if (!piece || kind_counts(site->source, piece->span)) {
		insert_put_plain(
			site, gap, cost + 0.3, phrase_augmented(site->source, site->arena, target, '+', "1"));
		insert_put_plain(
			site, gap, cost + 0.6, phrase_augmented(site->source, site->arena, target, '-', "1"));
	}
	cost += renews ? -1.2 : 0.8;
	for (size_t i = 0; i < values->n && i < site_most(site, VALUES_MOST); i++)
		if (i != to && insert_may_hold(site->source, piece, pool_value(pool, values->texts[i])))
			insert_put_plain(site, gap, cost + 0.5 * (double)i,
				arena_printf(site->arena, "%s = %s", target, values->texts[i]));
}

/* "xs.append(x)", by the method that the function calls elsewhere. */
static void insert_put_append(
	struct site *site, const struct gap *gap, double cost, const char *value)
{
	const struct pieces *lists = &pool_of(site->repair, site->source, site->at)->lists;
	for (size_t i = 0; i < lists->n && i < LISTS_MOST; i++) {
		uint32_t last = lists->items[i].span.last;
		const char *method = site_text(site, last + 1, last + 2);
		insert_put_plain(site, gap, cost,
			arena_printf(site->arena, "%s%s(%s)", lists->items[i].text, method, value));
	}
}

/* How something is put into a collection, by what it begins as: "s = set()"; or NULL. */
static const char *insert_method_of(const struct source *source, const struct word *word)
{
	for (uint32_t i = 0; i + 2 < source->n; i++) {
		if (source->tokens[i].word != word || !token_is(source, i + 1, "="))
			continue;
		if (token_is(source, i + 2, "set"))
			return "add";
		return token_is(source, i + 2, "[") ? "append" : NULL;
	}
	return NULL;
}

/* "seen.add(x)" where the function asks "x in seen", and puts nothing into it. */
static void insert_put_asked(
	struct site *site, const struct gap *gap, const struct piece *condition)
{
	const struct source *source = site->source;
	const struct pieces *lists = &pool_of(site->repair, source, site->at)->lists;
	uint32_t in = condition->span.first + 1, last = condition->span.last;
	while (in < last && !token_is(source, in, "in"))
		in++;
	if (in >= last || !span_is_value(source, span_of(in + 1, last)))
		return;
	const char *name = site_text(site, in + 1, last);
	const char *method = insert_method_of(source, source->tokens[last].word);
	for (size_t i = 0; i < lists->n; i++)
		if (strcmp(lists->items[i].text, name) == 0)
			return;
	uint32_t end = in - 1 - token_is(source, in - 1, "not");
	if (method)
		insert_put_plain(site, gap, 6,
			arena_printf(site->arena, "%s.%s(%s)", name, method,
				site_text(site, condition->span.first, end)));
}

/* "xs[a] = xs[b]": of what can be assigned, and is no plain value. */
static void insert_put_exchanges(struct site *site, const struct gap *gap)
{
	const struct source *source = site->source;
	const struct piece *nearest[OPERANDS_MOST];
	size_t n = pieces_nearest(source, &pool_of(site->repair, source, site->at)->operands,
		gap->statement.span, nearest, OPERANDS_MOST);
	for (size_t i = 0, tried = 0; i < n; i++) {
		uint32_t last = nearest[i]->span.last;
		bool assignable =
			token_is(source, last, "]") && source->tokens[last].match > nearest[i]->span.first;
		for (size_t k = 0; assignable && k < n; k++)
			if (k != i && !token_is(source, nearest[k]->span.last, ")"))
				insert_put_plain(site, gap, 7 + 0.5 * log2((double)(++tried)),
					arena_printf(site->arena, "%s = %s", nearest[i]->text, nearest[k]->text));
	}
}

static void insert_put_usual(struct site *site, const struct gap *gap, const struct ranking *values)
{
	if (gap->in_loop) {
		const struct language *language = site->source->language;
		insert_put_plain(site, gap, 7.2, word_break(language));
		if (word_continue(language))
			insert_put_plain(site, gap, 7.2, word_continue(language));
	}
	for (size_t i = 0; i < values->n && i < site_most(site, VALUES_MOST); i++) {
		double cost = 7.2 + rank_bits(i);
		insert_put_plain(site, gap, cost, arena_printf(site->arena, "return %s", values->texts[i]));
		insert_put_assignments(site, gap, cost, values, i);
		insert_put_append(site, gap, cost, values->texts[i]);
	}
}

static void insert_propose(struct site *site)
{
	struct gap gap;
	if (!gap_find(site, &gap))
		return;
	struct ranking values = rank_values(site, gap.statement.span);
	insert_put_copies(site, &gap, &values);
	insert_put_usual(site, &gap, &values);
	insert_put_exchanges(site, &gap);
	const struct pieces *conditions = &pool_of(site->repair, site->source, site->at)->conditions;
	for (size_t i = 0; i < conditions->n && is_python(site->source); i++)
		insert_put_asked(site, &gap, &conditions->items[i]);
}

MUTATION(insert, .least = 6, .rank = CANDIDATE_STRUCTURE, .once = true);
