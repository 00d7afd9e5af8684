/* A list that is empty at first, and that nothing is ever added to: "xs.append(x)". */
#include <string.h>

#include "repair/pool/gap.h"
#include "repair/pool/phrase.h"

enum { ADDED_MOST = 4 }; /* values that may be what is added */

#define ADDING " append push add insert extend unshift prepend push_back splice update "

/* The method that the file adds to its lists with, or the usual one. NULL: there is none. */
static const char *fill_method(const struct source *source)
{
	for (uint32_t i = 0; i < source->n; i++)
		if (source->tokens[i].role == ROLE_METHOD && token_in(source, i, " append push add "))
			return source->tokens[i].word->text;
	return is_python(source) ? "append" : language_is_script(source->language) ? "push" : NULL;
}

/* Whether a name is given to something that may change it, is changed or assigned at a token. */
static bool fill_changes(const struct source *source, uint32_t i)
{
	if (is_access(source, i + 1))
		return token_in(source, i + 2, ADDING);
	if (token_in(source, i + 1, " = += := << "))
		return true;
	uint32_t close = token_is(source, i + 1, "[") ? source->tokens[i + 1].match : NO_TOKEN;
	return close != NO_TOKEN && token_in(source, close + 1, " = += ");
}

static bool fill_is_empty(const struct source *source, const struct piece *value)
{
	uint32_t first = value->span.first;
	const struct word *word = source->tokens[first].word;
	if (first != value->span.last || first + 3 >= source->n || !token_is(source, first + 1, "=") ||
		!token_is(source, first + 2, "[") || source->tokens[first + 2].match != first + 3)
		return false;
	uint32_t function = outermost_function(source, first);
	uint32_t last = function == NO_TOKEN ? first : source->definitions->items[function].last;
	for (uint32_t i = first + 1; i + 2 < source->n && i < last; i++)
		if (source->tokens[i].word == word && fill_changes(source, i))
			return false;
	return last > first;
}

static void fill_put(struct site *site, const struct gap *gap, const char *list, const char *method)
{
	struct ranking values = rank_values(site, gap->statement.span);
	double outside = gap->in_loop ? 0 : 2;
	for (size_t v = 0, tried = 0; v < values.n && tried < ADDED_MOST; v++) {
		if (strcmp(values.texts[v], list) == 0)
			continue;
		double cost = 3.6 + outside + rank_bits(tried++);
		const char *text = phrase_statement(site->source, site->arena,
			arena_printf(site->arena, "%s.%s(%s)", list, method, values.texts[v]));
		gap_put(site, gap, cost, text);
		if (gap->is_last)
			gap_put_after(site, gap, cost, text);
	}
}

static void fill_propose(struct site *site)
{
	const struct source *source = site->source;
	struct gap gap;
	if (!gap_find(site, &gap))
		return;
	const struct pieces *values = &pool_of(site->repair, source, site->at)->values;
	const char *method = fill_method(source);
	for (size_t i = 0; method && i < values->n; i++)
		if (values->items[i].span.first < site->at && fill_is_empty(source, &values->items[i]))
			fill_put(site, &gap, values->items[i].text, method);
}

MUTATION(fill, .least = 3.6, .rank = CANDIDATE_STRUCTURE, .once = true);
