/* What an operator or a function of a library does, and what was meant: equality of objects,
 * remainders, orders, keys that are missing, pairs, lengths, units, defaults. */
#include <ctype.h>
#include <string.h>

#include "base/memory.h"
#include "repair/search.h"
#include "repair/source/declared.h"

/* A number or truth by itself, no object that holds one: Java's "int", "boolean". */
static bool library_is_primitive(const struct source *source, struct span span)
{
	if (span.first != span.last || !is_name(source, span.first))
		return kind_of(source, span) & (KIND_NUMBER | KIND_TRUTH);
	struct declared declared = declared_of_name(source, span.first);
	return declared.kind & (KIND_NUMBER | KIND_TRUTH) && declared.type != NO_TOKEN &&
		islower((unsigned char)first_byte(source, declared.type));
}

/* "a == b" of objects to "a.equals(b)". */
static void library_equals(struct site *site)
{
	const struct source *source = site->source;
	if (source->language != &language_java || !token_in(source, site->at, " == != ") ||
		!binary_precedence(source, site->at))
		return;
	struct span span = {operand_left(source, site->at, true), operand_right(source, site->at)};
	if (span.first == NO_TOKEN || span.last == NO_TOKEN ||
		token_in(source, span.last, " null true false ") ||
		source->tokens[span.last].kind == TOKEN_NUMBER ||
		library_is_primitive(source, span_of(span.first, site->at - 1)))
		return;
	propose_textf(site, 3.3, span, "%s%s.equals(%s)", token_is(source, site->at, "!=") ? "!" : "",
		site_text(site, span.first, site->at - 1), site_text(site, site->at + 1, span.last));
}

/* "x % n" of what may be negative to "((x % n) + n) % n". */
static void library_remainder(struct site *site)
{
	const struct source *source = site->source;
	if (!token_is(source, site->at, "%") || !binary_precedence(source, site->at) ||
		!language_in(source->language, " c c++ java go javascript typescript "))
		return;
	struct span left = {operand_left(source, site->at, false), site->at - 1},
				right = {site->at + 1, operand_right(source, site->at)};
	if (left.first == NO_TOKEN || right.last == NO_TOKEN)
		return;
	const char *divisor = span_text(site, right), *whole = site_text(site, left.first, right.last);
	propose_textf(
		site, 4.8, span_of(left.first, right.last), "((%s) + %s) %% %s", whole, divisor, divisor);
}

/* "xs.sort()" of a script compares texts. */
static void library_sort(struct site *site)
{
	const struct source *source = site->source;
	bool sorts = language_is_script(source->language) && token_is(source, site->at, "sort") &&
		source->tokens[site->at].role == ROLE_METHOD &&
		source->tokens[site->at + 1].match == site->at + 2;
	static const char *const orders[] = {"(a, b) => a - b", "(a, b) => b - a"};
	for (size_t i = 0; sorts && i < ARRAY_SIZE(orders); i++)
		proposal_insert(site, proposef(site, 4 + 0.8 * (double)i, "sort by %s", orders[i]),
			token_end(source, site->at + 1), orders[i]);
}

/* "d[k]" of Python to "d.get(k)", where a key is missing. */
static void library_get(struct site *site)
{
	const struct source *source = site->source;
	uint32_t close = source->tokens[site->at].match;
	bool reads = is_python(source) && token_is(source, site->at, "[") && close != NO_TOKEN &&
		site->at && token_ends_operand(source, site->at - 1) && !source->tokens[site->at].first &&
		!token_in(source, close + 1, " = += -= [ ") &&
		source->traced[source->tokens[site->at].line];
	if (!reads)
		return;
	const char *key = site_text(site, site->at + 1, close - 1);
	static const char *const others[] = {"", ", 0", ", []", ", ''"};
	for (size_t i = 0; i < ARRAY_SIZE(others); i++)
		propose_textf(
			site, 4 + 0.4 * (double)i, span_of(site->at, close), ".get(%s%s)", key, others[i]);
}

/* Python's "for a, b in xs" to "in enumerate(xs)", and to "in xs.items()". */
static void library_pairs(struct site *site)
{
	const struct source *source = site->source;
	uint32_t in = site->at, last = NO_TOKEN;
	if (!is_python(source) || in < 4 || in + 1 >= source->n || !token_is(source, in, "in") ||
		!token_is(source, in - 2, ",") || !token_is(source, in - 4, "for"))
		return;
	last = expression_last(source, in + 1, 1);
	if (last == NO_TOKEN || token_in(source, in + 1, " enumerate zip ") ||
		token_in(source, last - 2, " items "))
		return;
	struct span span = {in + 1, last};
	const char *text = span_text(site, span);
	propose_textf(site, 4.4, span, "enumerate(%s)", text);
	propose_textf(site, 4.8, span, "%s.items()", text);
}

/* "(a + b) / 2" in whole numbers to a fraction: the left side made a double. */
static void library_fraction(struct site *site)
{
	const struct source *source = site->source;
	bool whole = language_in(source->language, " c c++ java ");
	if (!whole || !token_is(source, site->at, "/") || !binary_precedence(source, site->at))
		return;
	uint32_t first = expression_first(source, site->at - 1, ONE_OPERAND);
	if (first != NO_TOKEN)
		proposal_insert(site, propose(site, 4.2, "divide as fractions"),
			source->tokens[first].start, "(double)");
}

/* The length of a text in bytes to that in characters, in Rust and Go. */
static void library_characters(struct site *site)
{
	const struct source *source = site->source;
	uint32_t open = site->at + 1;
	if (!token_is(source, site->at, "len") || !token_is(source, open, "("))
		return;
	uint32_t close = source->tokens[open].match;
	if (source->language == &language_rust && close == open + 1)
		propose_text(site, 4.4, span_of(site->at, close), "chars().count()");
	else if (is_go(source) && close != NO_TOKEN && close > open + 1 &&
		kind_of(source, span_of(open + 1, close - 1)) == KIND_TEXT)
		propose_textf(site, 4.8, span_of(site->at, close), "len([]rune(%s))",
			site_text(site, open + 1, close - 1));
}

/* Go's "time.Duration(n)", which is in nanoseconds, to a unit. */
static void library_unit(struct site *site)
{
	static const char *const units[] = {"Millisecond", "Second", "Minute", "Hour", "Microsecond"};
	const struct source *source = site->source;
	uint32_t open = site->at + 1;
	bool makes = is_go(source) && site->at > 1 && token_is(source, site->at, "Duration") &&
		token_is(source, site->at - 2, "time") && token_is(source, open, "(") &&
		source->tokens[open].match != NO_TOKEN;
	if (!makes || token_is(source, site->at - 3, "*") ||
		token_in(source, source->tokens[open].match + 1, " * { "))
		return;
	for (size_t i = 0; i < ARRAY_SIZE(units); i++)
		proposal_insertf(site, proposef(site, 4.2 + 0.3 * (double)i, "count in time.%s", units[i]),
			token_end(source, source->tokens[open].match), " * time.%s", units[i]);
}

/* "a or true", which is true whatever a is, to what is true where a is missing. */
static void library_default(struct site *site)
{
	const struct source *source = site->source;
	bool lua = source->language == &language_lua;
	if (!is_of_family(source, site->at, FAMILY_OR) || (!lua && !is_python(source)) ||
		!token_in(source, site->at + 1, " true True "))
		return;
	uint32_t first = operand_left(source, site->at, true);
	if (first == NO_TOKEN)
		return;
	const char *value = site_text(site, first, site->at - 1);
	propose_textf(site, 3.6, span_of(first, site->at + 1),
		lua ? "%s ~= false" : "True if %s is None else %s", value, value);
}

/* Ruby's "Hash.new([])", where all keys share one list, to a list for each. */
static void library_shared(struct site *site)
{
	const struct source *source = site->source;
	uint32_t open = site->at + 1, close;
	if (source->language != &language_ruby || !token_is(source, site->at, "new") || site->at < 2 ||
		!token_is(source, site->at - 2, "Hash") || !token_is(source, open, "("))
		return;
	close = source->tokens[open].match;
	if (close == open + 3 && token_in(source, open + 1, " [ { "))
		propose_textf(site, 3.6, span_of(open, close), " { |hash, key| hash[key] = %s }",
			site_text(site, open + 1, close - 1));
}

static void library_propose(struct site *site)
{
	library_unit(site);
	library_default(site);
	library_shared(site);
	library_characters(site);
	library_fraction(site);
	library_equals(site);
	library_remainder(site);
	library_sort(site);
	library_get(site);
	library_pairs(site);
}

MUTATION(library, .least = 3.3, .rank = CANDIDATE_OPERATOR);
