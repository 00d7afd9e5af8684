/* The branch that an "if" lacks: what its own one does, done to a like value, or the other way
 * round: "else: odd += 1" beside "even += 1". */
#include <string.h>

#include "repair/pool/phrase.h"
#include "repair/pool/pool.h"
#include "repair/search.h"

enum { TARGETS_MOST = 4, COPIES_MOST = 3 };

/* The one simple statement that an "if" at the site's token holds. False where there are more, or
 * an "else" follows. */
static bool otherwise_find_body(
	const struct site *site, struct statement *ret_whole, struct span *ret_body)
{
	const struct source *source = site->source;
	struct statement body;
	bool braces = has_trait(source, LANGUAGE_SHAPED) || language_is_script(source->language) ||
		has_trait(source, LANGUAGE_BARE);
	if ((!braces && !is_python(source)) || !token_in(source, site->at, " if elif ") ||
		!statement_at(source, site->at, ret_whole))
		return false;
	uint32_t last = ret_whole->span.last, first = site->at + 1;
	while (first <= last && !source->tokens[first].first)
		first++;
	bool closed = is_python(source) || token_is(source, last, "}");
	if (first > last || !closed || token_in(source, last + 1, " else elif ") ||
		!statement_at(source, first, &body) || !body.simple || !body.alone ||
		body.span.last + !is_python(source) != last)
		return false;
	*ret_body = span_without_semicolon(source, body.span);
	return true;
}

static void otherwise_put(
	struct site *site, double cost, const struct statement *whole, const char *statement)
{
	const struct source *source = site->source;
	const char *indent = line_indent(source, site->arena, site->at);
	proposal_insert(site, proposef(site, cost, "else '%s'", statement),
		token_end(source, whole->span.last), phrase_else(source, site->arena, indent, statement));
}

/* How many tokens of a statement name what it changes: "x += 1", "x.append(y)". */
static uint32_t otherwise_target(const struct source *source, struct span body)
{
	bool own = is_self(source, body.first) && is_access(source, body.first + 1);
	uint32_t last = own ? body.first + 2 : body.first;
	bool changes = token_in(source, last + 1, " = += -= *= |= ++ -- ") ||
		(is_access(source, last + 1) && token_is(source, body.last, ")"));
	return is_name(source, last) && changes && last < body.last ? last - body.first + 1 : 0;
}

/* The same done to other values: rather to one that is never changed. */
static void otherwise_put_twins(
	struct site *site, const struct statement *whole, struct span body, uint32_t n)
{
	const struct pool *pool = pool_of(site->repair, site->source, site->at);
	const char *target = site_text(site, body.first, body.first + n - 1),
			   *rest = site_text(site, body.first, body.last) + strlen(target);
	struct ranking values = rank_values(site, body);
	for (size_t i = 0, tried = 0; i < values.n && tried < TARGETS_MOST; i++) {
		const struct piece *value = pool_value(pool, values.texts[i]);
		if (strcmp(values.texts[i], target) == 0 || !value || !value->assigned)
			continue;
		bool unchanged = value->assigned == 1 && value->said <= 2;
		otherwise_put(site, (unchanged ? 4.5 : 6.5) + rank_bits(tried++), whole,
			arena_printf(site->arena, "%s%s", values.texts[i], rest));
	}
}

/* "x += 1" to "x -= 1", and back. */
static void otherwise_put_opposite(
	struct site *site, const struct statement *whole, struct span body, uint32_t sign)
{
	bool adds = token_in(site->source, sign, " += ++ ");
	if (!adds && !token_in(site->source, sign, " -= -- "))
		return;
	const char *before = site_text(site, body.first, sign - 1),
			   *after = site_text(site, body.first, body.last) + strlen(before);
	const char *rest = strpbrk(after, "+-") + 2, *space = *after == ' ' ? " " : "";
	bool counts = token_in(site->source, sign, " ++ -- ");
	const char *new = counts ? (adds ? "--" : "++") : adds ? "-=" : "+=";
	otherwise_put(
		site, 6.5, whole, arena_printf(site->arena, "%s%s%s%s", before, space, new, rest));
}

static void otherwise_propose(struct site *site)
{
	const struct source *source = site->source;
	struct statement whole;
	struct span body;
	if (!otherwise_find_body(site, &whole, &body))
		return;
	uint32_t n = otherwise_target(source, body);
	if (n) {
		otherwise_put_twins(site, &whole, body, n);
		otherwise_put_opposite(site, &whole, body, body.first + n);
	}
	const struct piece *nearest[COPIES_MOST];
	size_t found = pieces_nearest(
		source, &pool_of(site->repair, source, site->at)->statements, body, nearest, COPIES_MOST);
	for (size_t i = 0; i < found; i++)
		if (nearest[i]->span.first != body.first)
			otherwise_put(site, 7.5 + rank_bits(i), &whole, nearest[i]->text);
}

MUTATION(otherwise, .least = 4.5, .rank = CANDIDATE_STRUCTURE, .once = true);
