/* A field that a comparison of two objects forgets: "a.x == b.x" to "a.x == b.x && a.y == b.y",
 * an order's "a.x < b.x" to one that looks at a.y where these are equal, a key "a.x" to
 * "(a.x, a.y)". */
#include <string.h>

#include "repair/pool/gap.h"
#include "repair/pool/phrase.h"

enum { FIELDS_MOST = 5 };

/* "a.x == b.x": two objects, and their field. */
struct compared {
	struct span a, b;
	const struct word *field;
	uint32_t first, last;
	const char *sign;
};

/* The last token before ".x" of an operand that is such an attribute; NO_TOKEN: it is none. */
static uint32_t field_object_last(const struct source *source, uint32_t first, uint32_t last)
{
	bool is_attribute = last != NO_TOKEN && last >= first + 2 && is_name(source, last) &&
		is_access(source, last - 1) && (is_name(source, last - 2) || is_self(source, last - 2));
	return is_attribute ? last - 2 : NO_TOKEN;
}

static bool field_find_compared(struct site *site, struct compared *ret_compared)
{
	const struct source *source = site->source;
	uint32_t sign = site->at;
	bool compares = is_of_family(source, sign, FAMILY_COMPARE) ||
		(token_is(source, sign, "-") && language_is_script(source->language));
	if (!compares || !binary_precedence(source, sign) || !sign || sign + 1 >= source->n)
		return false;
	uint32_t first = expression_first(source, sign - 1, ONE_OPERAND),
			 last = expression_last(source, sign + 1, ONE_OPERAND);
	if (first == NO_TOKEN)
		return false;
	struct compared compared = {.first = first,
		.last = last,
		.a = {first, field_object_last(source, first, sign - 1)},
		.b = {sign + 1, field_object_last(source, sign + 1, last)}};
	if (compared.a.last == NO_TOKEN || compared.b.last == NO_TOKEN ||
		source->tokens[sign - 1].word != source->tokens[last].word ||
		source->tokens[compared.a.last].word == source->tokens[compared.b.last].word)
		return false;
	compared.field = source->tokens[last].word;
	compared.sign = site_text(site, sign, sign);
	*ret_compared = compared;
	return true;
}

/* Whether the function around a place compares this field, too. */
static bool field_is_said(const struct site *site, const char *field)
{
	const struct source *source = site->source;
	uint32_t function = outermost_function(source, site->at);
	if (function == NO_TOKEN)
		return false;
	const struct definition *definition = &source->definitions->items[function];
	for (uint32_t i = definition->first + 1; i <= definition->last; i++)
		if (token_is(source, i, field) && is_access(source, i - 1))
			return true;
	return false;
}

/* "a.x == b.x" with more behind it is a part of "a.x == b.x && a.y == b.y": the last is extended.
 */
static void field_extend(struct site *site, const struct compared *compared, const char *field,
	const char *access, double cost)
{
	const struct source *source = site->source;
	bool differs = *compared->sign == '!' || *compared->sign == '~';
	const char *join = token_is(source, site->at, "-") ? "||"
		: differs                                      ? word_or(source->language)
													   : word_and(source->language);
	if (is_of_family(source, compared->last + 1, FAMILY_AND) ||
		is_of_family(source, compared->last + 1, FAMILY_OR))
		return;
	proposal_insertf(site, proposef(site, cost, "compare %s, too", field),
		token_end(source, compared->last), " %s %s%s%s %s %s%s%s", join,
		span_text(site, compared->a), access, field, compared->sign, span_text(site, compared->b),
		access, field);
}

/* "return a.x < b.x", seen at the sign. */
static void field_order(struct site *site, const struct compared *compared, const char *field,
	const char *access, double cost)
{
	const struct source *source = site->source;
	struct site begin = *site;
	struct gap gap;
	begin.at = compared->first - 1;
	if (!compared->first || !token_is(source, begin.at, "return") || !gap_find(&begin, &gap))
		return;
	const char *a = span_text(site, compared->a), *b = span_text(site, compared->b);
	const char *old = compared->field->text;
	const char *differ = arena_printf(site->arena, "%s%s%s %s %s%s%s", a, access, old,
		word_unequal(source->language), b, access, old);
	const char *first = gap_if(site, &gap, differ, gap_text(site, &gap));
	const char *second = phrase_statement(source, site->arena,
		arena_printf(site->arena, "return %s%s%s %s %s%s%s", a, access, field, compared->sign, b,
			access, field));
	proposal_replace(site, proposef(site, cost, "compare %s where %s is equal", field, old),
		gap.statement.span,
		arena_printf(site->arena, "%s%s%s%s", first, source->line_end, gap.indent, second));
}

/* Python's "key=lambda a: a.x", seen at the colon; also "-a.x". */
static void field_key(struct site *site)
{
	const struct source *source = site->source;
	uint32_t first = site->at + 1 + token_is(source, site->at + 1, "-");
	bool key = is_python(source) && site->at > 3 && token_is(source, site->at, ":") &&
		token_is(source, site->at - 2, "lambda") && token_is(source, site->at - 4, "key");
	uint32_t last = key ? expression_last(source, first, ONE_OPERAND) : NO_TOKEN;
	if (last == NO_TOKEN || source->tokens[first].word != source->tokens[site->at - 1].word ||
		field_object_last(source, first, last) == NO_TOKEN || !token_in(source, last + 1, " , ) "))
		return;
	const char *object = source->tokens[first].word->text;
	struct ranking fields = rank_attributes(site, source->tokens[first].word, true);
	for (size_t i = 0, tried = 0; i < fields.n && tried < site_most(site, FIELDS_MOST); i++)
		if (!token_is(source, last, fields.texts[i]))
			propose_textf(site, 5.2 + rank_bits(tried++), span_of(site->at + 1, last),
				"(%s, %s.%s)", site_text(site, site->at + 1, last), object, fields.texts[i]);
}

static void field_propose(struct site *site)
{
	const struct source *source = site->source;
	struct compared compared;
	field_key(site);
	if (!field_find_compared(site, &compared))
		return;
	const char *access = site_text(site, compared.last - 1, compared.last - 1);
	struct ranking fields = rank_attributes(site, source->tokens[compared.a.last].word, true);
	for (size_t i = 0, tried = 0; i < fields.n && tried < site_most(site, FIELDS_MOST); i++) {
		if (field_is_said(site, fields.texts[i]))
			continue;
		double cost = 5 + rank_bits(tried++);
		if (token_in(source, site->at, " < > <= >= "))
			field_order(site, &compared, fields.texts[i], access, cost);
		else
			field_extend(site, &compared, fields.texts[i], access, cost);
	}
}

MUTATION(field, .least = 5, .rank = CANDIDATE_CONDITION, .once = true);
