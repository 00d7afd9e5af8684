/* Another value returned, and a return that was left out. */
#include <math.h>
#include <string.h>

#include "repair/pool/pool.h"
#include "repair/search.h"

enum { VALUES_MOST = 6 };

static bool returned_ends_statement(const struct source *source, uint32_t i)
{
	return i >= source->n || source->tokens[i].first || token_in(source, i, " ; } ");
}

static void returned_replace(
	struct site *site, struct span span, double cost, const char *text, bool literal)
{
	if (strcmp(span_text(site, span), text) == 0)
		return;
	struct proposal *proposal = propose_text(site, cost, span, text);
	const struct token *old = &site->source->tokens[span.first];
	proposal->literal = literal ? text : NULL;
	proposal->is_whole =
		span.first < span.last || (old->kind != TOKEN_NUMBER && old->kind != TOKEN_STRING);
}

static void returned_values(struct site *site, struct span span)
{
	const struct language *language = site->source->language;
	struct ranking values = rank_values(site, span);
	for (size_t i = 0; i < values.n && i < site_most(site, VALUES_MOST); i++)
		returned_replace(site, span, 5 + rank_bits(i), values.texts[i], false);
	const char *usual[] = {language->word_true, language->word_false, "0", "1", "-1",
		language->word_null, language->traits & LANGUAGE_ENDED ? "{}" : "[]", "\"\"",
		language_is_script(language) ? "undefined" : NULL};
	for (size_t i = 0; i < sizeof usual / sizeof *usual; i++)
		if (usual[i])
			returned_replace(site, span, 6 + 0.3 * (double)i, usual[i], true);
}

/* What an operator of a Python class gives for operands that it does not know. */
static void returned_unknown_operand(struct site *site, struct span span)
{
	static const char operators[] =
		" __eq__ __ne__ __lt__ __le__ __gt__ __ge__ __add__ __radd__ __sub__ __rsub__ __mul__ "
		"__rmul__ __truediv__ __floordiv__ __mod__ __and__ __or__ __xor__ ";
	const struct source *source = site->source;
	uint32_t owner = source->owner[site->at];
	const struct word *name = owner == NO_TOKEN ? NULL : source->definitions->items[owner].name;
	if (is_python(source) && name && words_hold(operators, name->text, name->n))
		returned_replace(site, span, 5, "NotImplemented", false);
}

static void returned_propose(struct site *site)
{
	const struct source *source = site->source;
	struct statement statement;
	struct span tail;
	if (tail_at(source, site->at, &tail))
		returned_values(site, tail);
	if (!source->tokens[site->at].first || !token_is(source, site->at, "return") ||
		!statement_at(source, site->at, &statement))
		return;
	struct span span = {site->at + 1, expression_last(source, site->at + 1, 1)};
	if (site->at + 1 < source->n && !returned_ends_statement(source, site->at + 1) &&
		span.last != NO_TOKEN && returned_ends_statement(source, span.last + 1)) {
		returned_values(site, span);
		returned_unknown_operand(site, span);
	}
}

MUTATION(returned, .least = 5, .rank = CANDIDATE_STRUCTURE);

/* Whether a function gives a value back anywhere. */
static bool returned_gives_back(const struct source *source, const struct definition *function)
{
	for (uint32_t i = function->first; i < function->last; i++)
		if (token_is(source, i, "return") && !returned_ends_statement(source, i + 1))
			return true;
	return false;
}

/* Whether nothing follows in the block of a statement. */
static bool returned_ends_block(const struct source *source, uint32_t after)
{
	if (after >= source->n || source->tokens[after].kind == TOKEN_CLOSE)
		return true;
	uint32_t last = after - 1;
	while (last && !source->tokens[last].first)
		last--;
	return source->tokens[after].line != source->tokens[last].line &&
		token_column(source, after) < token_column(source, last);
}

/* A call or an expression whose value goes nowhere, and what it costs to give it back; 0: it is
 * none. */
static double returned_lost_cost(const struct site *site, const struct statement *statement)
{
	const struct source *source = site->source;
	struct span span = statement->span;
	uint32_t last = expression_last(source, span.first, 1);
	uint32_t owner = source->owner[span.first];
	if (last == NO_TOKEN || !returned_ends_statement(source, last + 1) || last < span.first + 1)
		return 0;
	const struct definition *function = &site->source->definitions->items[owner];
	bool own = source->tokens[span.first].word == function->name ||
		(last > span.first + 2 && source->tokens[span.first + 2].word == function->name);
	bool call = token_is(source, last, ")");
	if (own)
		return 3.6;
	if (call && changes_its_object(source, last))
		return 0;
	struct statement next;
	bool final =
		!statement_at(source, span.last + 1, &next) || source->owner[span.last + 1] != owner;
	/* The other ways through the function give something back. */
	if (returned_ends_block(source, span.last + 1) && returned_gives_back(source, function))
		return call ? 3.6 : 3;
	return final ? (call ? 5.5 : 4.4) : call ? 7 : 5;
}

static void lost_propose(struct site *site)
{
	const struct source *source = site->source;
	struct statement statement;
	bool names = is_name(source, site->at) || token_in(source, site->at, " self this $this ( [ ");
	if (!source->tokens[site->at].first || !names || !statement_at(source, site->at, &statement) ||
		!statement.simple)
		return;
	double cost = returned_lost_cost(site, &statement);
	if (!cost)
		return;
	struct proposal *proposal = propose(site, cost, "return the value");
	if (cost > 6)
		proposal->key = "return the value, not the last";
	proposal_insert(site, proposal, source->tokens[site->at].start, "return ");
}

MUTATION(lost, .least = 3, .rank = CANDIDATE_STRUCTURE);
