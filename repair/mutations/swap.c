/* Two things in the wrong order: arguments and items, operands, branches, pieces of a string. */
#include <string.h>

#include "repair/search.h"

/* Functions of two arguments whose order does not matter. */
#define SYMMETRIC " min max Min Max fmin fmax MIN MAX gcd hypot lcm isclose "

static const struct token *swap_token_at(const struct site *site)
{
	return &site->source->tokens[site->at];
}

/* The parameter names of the one definition that a call can mean. NO_TOKEN: not known. */
static uint32_t swap_parameters_of(
	const struct site *site, const struct term *callee, const struct source **ret_source)
{
	if (!callee || callee->n_definitions != 1)
		return NO_TOKEN;
	const struct definition *definition = &site->source->definitions->items[callee->definitions[0]];
	*ret_source = definition->source;
	return definition->kind == DEFINITION_FUNCTION ? definition->open : NO_TOKEN;
}

static const struct word *swap_parameter_name(const struct source *source, struct span span)
{
	for (uint32_t i = span.first; i <= span.last; i++)
		if (is_name(source, i) && source->tokens[i].role == ROLE_DECLARED)
			return source->tokens[i].word;
	return NULL;
}

/* An argument's name, or that of its last attribute: "order.price". */
static const struct word *swap_argument_name(const struct source *source, struct span span)
{
	const struct token *last = &source->tokens[span.last];
	return last->kind == TOKEN_NAME ? last->word : NULL;
}

/* What the parameters' names say about exchanging arguments a and b: 2 both are each other's, 1 one
 * is, 0 nothing. */
static int swap_exchange_hint(const struct site *site, const struct span *items, size_t a, size_t b)
{
	const struct source *source = site->source, *other = NULL;
	const struct token *callee = &source->tokens[site->at - 1];
	uint32_t open = swap_parameters_of(site, term_of(callee->word), &other);
	struct span parameters[SPAN_MOST];
	size_t n = open == NO_TOKEN ? 0 : bracket_items(other, open, parameters);
	/* A method's own object is no argument. */
	size_t own =
		n && callee->role == ROLE_METHOD && token_in(other, parameters[0].first, " self cls ");
	if (b + own >= n)
		return 0;
	const struct word *parameter_a = swap_parameter_name(other, parameters[a + own]);
	const struct word *parameter_b = swap_parameter_name(other, parameters[b + own]);
	const struct word *argument_a = swap_argument_name(source, items[a]);
	const struct word *argument_b = swap_argument_name(source, items[b]);
	if ((argument_a && argument_a == parameter_a) || (argument_b && argument_b == parameter_b))
		return 0;
	return (argument_a && argument_a == parameter_b) + (argument_b && argument_b == parameter_a);
}

/* What stands where it must: a function, a named argument, a default, an unpacked list, a
 * comprehension. */
static bool swap_is_bound(const struct source *source, struct span span)
{
	uint32_t around = source->tokens[span.first].around;
	if (source->tokens[span.first].op && token_in(source, span.first, " * ** ... "))
		return true;
	for (uint32_t i = span.first; i <= span.last; i++) {
		bool own = source->tokens[i].around == around;
		/* the parameter, or a part of a type */
		if (is_self(source, i) && source->tokens[i].role == ROLE_TYPE)
			return true;
		if (token_in(source, i, " < > ") && source->tokens[i].role == ROLE_TYPE)
			return true;
		if (token_in(source, i, " => lambda function ") || (own && token_in(source, i, " = for ")))
			return true;
	}
	return false;
}

/* The project's own function of such a name may be what is wrong. */
static bool swap_is_symmetric(const struct source *source, uint32_t callee)
{
	const struct term *term = term_of(source->tokens[callee].word);
	return token_in(source, callee, SYMMETRIC) && !(term && term->n_definitions);
}

static void swap_items(struct site *site, bool call)
{
	const struct source *source = site->source;
	struct span items[SPAN_MOST];
	size_t n = bracket_items(source, site->at, items);
	if (call && n == 2 && swap_is_symmetric(source, site->at - 1))
		return;
	const char *name = call ? site_text(site, site->at - 1, site->at - 1) : NULL;
	for (size_t a = 0; a + 1 < n; a++)
		for (size_t b = a + 1; b < n && (n <= 4 || b == a + 1); b++) {
			static const double by_hint[] = {0, -0.5, -0.7};
			double cost = 3.3 + (call ? 0 : 1.2) + (n > 2) + (b > a + 1 ? 0.7 : 0);
			const char *text_a = span_text(site, items[a]);
			const char *text_b = span_text(site, items[b]);
			const char *what = call && n == 2
				? arena_printf(site->arena, "swap the arguments of %s", name)
				: arena_printf(site->arena, "swap '%s' and '%s'", text_a, text_b);
			if (swap_is_bound(source, items[a]) || swap_is_bound(source, items[b]))
				continue;
			if (call)
				cost += by_hint[swap_exchange_hint(site, items, a, b)];
			propose_exchange(site, cost, items[a], items[b], what);
		}
}

/* "return b, a": around a comma outside of brackets. */
static void swap_bare_items(struct site *site)
{
	const struct source *source = site->source;
	uint32_t around = swap_token_at(site)->around;
	bool tuples = has_trait(source, LANGUAGE_NEWLINES);
	if (!tuples || (around != NO_TOKEN && !token_is(source, around, "{")))
		return;
	struct span a = {expression_first(source, site->at - 1, 1), site->at - 1};
	struct span b = {site->at + 1, expression_last(source, site->at + 1, 1)};
	if (a.first == NO_TOKEN || b.last == NO_TOKEN)
		return;
	const char *what =
		arena_printf(site->arena, "swap '%s' and '%s'", span_text(site, a), span_text(site, b));
	propose_exchange(site, 4.5, a, b, what);
}

/* "grid[x][y]", seen at the first bracket. */
static void swap_indices(struct site *site)
{
	const struct source *source = site->source;
	uint32_t close = swap_token_at(site)->match;
	bool index =
		site->at && !swap_token_at(site)->first && token_ends_operand(source, site->at - 1);
	if (!index || close == NO_TOKEN || close == site->at + 1 || !token_is(source, close + 1, "["))
		return;
	uint32_t end = source->tokens[close + 1].match;
	if (end == NO_TOKEN || end == close + 2)
		return;
	propose_exchange(
		site, 4, span_of(site->at + 1, close - 1), span_of(close + 2, end - 1), "swap the indices");
}

static void arguments_propose(struct site *site)
{
	const struct source *source = site->source;
	if (site->at && token_is(source, site->at, ",")) {
		swap_bare_items(site);
		return;
	}
	bool index = token_is(source, site->at, "[");
	if (!index && !token_is(source, site->at, "("))
		return;
	if (index)
		swap_indices(site);
	unsigned before = site->at ? source->tokens[site->at - 1].role : ROLE_DEAD;
	swap_items(site, !index && (before == ROLE_CALLEE || before == ROLE_METHOD));
}

MUTATION(arguments, .least = 2.6);

/* "b - (a)": an operand of the operator's own precedence needs brackets on the other side. */
static const char *swap_bracketed(struct site *site, struct span span, int precedence)
{
	const char *text = span_text(site, span);
	bool wide = expression_last(site->source, span.first, precedence + 1) != span.last;
	return wide ? arena_printf(site->arena, "(%s)", text) : text;
}

static void swap_exchange_operands(struct site *site, double cost, struct span a, struct span b)
{
	const struct source *source = site->source;
	int precedence = binary_precedence(source, site->at);
	const char *text_a = swap_bracketed(site, a, precedence),
			   *text_b = swap_bracketed(site, b, precedence);
	if (strcmp(text_a, text_b) == 0)
		return;
	struct proposal *proposal =
		proposef(site, cost, "swap the operands '%s' and '%s'", text_a, text_b);
	proposal->loose =
		arena_printf(site->arena, "swap the operands of '%s'", site_text(site, site->at, site->at));
	proposal_replace(site, proposal, a, text_b);
	proposal_replace(site, proposal, b, text_a);
}

static void operands_propose(struct site *site)
{
	const struct source *source = site->source;
	const struct token *token = swap_token_at(site);
	if (!binary_precedence(source, site->at) || token->op->family == FAMILY_COMPARE ||
		token->op->family == FAMILY_NOT || token_in(source, site->at, " * & | ^ "))
		return;
	struct span near = {operand_left(source, site->at, true), site->at - 1};
	struct span right = {site->at + 1, operand_right(source, site->at)};
	uint32_t whole = operand_left(source, site->at, false);
	if (near.first == NO_TOKEN || right.last == NO_TOKEN)
		return;
	double cost = token->op->family == FAMILY_OR || token->op->family == FAMILY_AND ? 5 : 3.5;
	if (source->tokens[near.last].kind == TOKEN_NUMBER ||
		source->tokens[right.first].kind == TOKEN_NUMBER)
		cost = 5.2;
	if (token_is(source, site->at, "+")) {
		bool text = span_is_text(source, near.first, near.last) ||
			span_is_text(source, right.first, right.last) || adds_to_text(source, site->at);
		bool number = source->tokens[near.first].kind == TOKEN_NUMBER ||
			source->tokens[right.first].kind == TOKEN_NUMBER;
		cost = text ? 3.3 : number ? 6 : 4.6;
	}
	swap_exchange_operands(site, cost, near, right);
	if (whole != near.first && whole != NO_TOKEN)
		swap_exchange_operands(site, cost + 1, span_of(whole, near.last), right);
}

MUTATION(operands, .least = 3.3, .simple = true);

/* "a if c else b", seen at the else; "c ? a : b", seen at the question mark. */
static void branches_propose(struct site *site)
{
	const struct source *source = site->source;
	struct span a, b;
	if (token_is(source, site->at, "else") && !swap_token_at(site)->first) {
		uint32_t at = site->at;
		while (at && !source->tokens[at].first &&
			!(token_is(source, at, "if") &&
				source->tokens[at].around == swap_token_at(site)->around))
			at--;
		if (!token_is(source, at, "if") || source->tokens[at].first)
			return;
		a = span_of(expression_first(source, at - 1, 1), at - 1);
		b = span_of(site->at + 1, expression_last(source, site->at + 1, 1));
	} else if (token_is(source, site->at, "?")) {
		a = span_of(site->at + 1, expression_last(source, site->at + 1, 1));
		if (a.last == NO_TOKEN || !token_is(source, a.last + 1, ":"))
			return;
		b = span_of(a.last + 2, expression_last(source, a.last + 2, 1));
	} else {
		return;
	}
	if (a.first != NO_TOKEN && b.last != NO_TOKEN)
		propose_exchange(site, 3.5, a, b, "swap the branches of the conditional");
}

MUTATION(branches, .least = 3.5);

/* f"{a}{b}", `${a}${b}`: neighbours in a string, seen at the first. */
static void pieces_propose(struct site *site)
{
	const struct source *source = site->source;
	const struct token *token = swap_token_at(site);
	bool in_string = token->kind == TOKEN_OPEN && token->match != NO_TOKEN &&
		token->around != NO_TOKEN && !strchr("([{", first_byte(source, token->around));
	if (!in_string || token->match <= site->at + 1)
		return;
	uint32_t next = token->match + 1;
	if (next < source->n && source->tokens[next].kind == TOKEN_STRING)
		next++;
	if (next >= source->n || source->tokens[next].kind != TOKEN_OPEN ||
		source->tokens[next].around != token->around || source->tokens[next].match == NO_TOKEN ||
		source->tokens[next].match <= next + 1)
		return;
	struct span a = {site->at + 1, token->match - 1};
	struct span b = {next + 1, source->tokens[next].match - 1};
	const char *what = arena_printf(
		site->arena, "swap '%s' and '%s' in the string", span_text(site, a), span_text(site, b));
	propose_exchange(site, 3.7, a, b, what)->loose = "swap neighbours in the string";
}

MUTATION(pieces, .least = 3.7);

enum { CROWDED = 48 }; /* tokens of a line in which exchanging any two would be guessing */

/* How often a line says a name. */
static size_t swap_count_name(const struct source *source, uint32_t line, const struct word *word)
{
	size_t n = 0;
	for (uint32_t i = source->line_first[line]; i < source->line_first[line + 1]; i++)
		n += source->tokens[i].word == word && is_name(source, i);
	return n;
}

/* Two names of a line, each said once, in each other's place; seen at the first. */
static void places_propose(struct site *site)
{
	const struct source *source = site->source;
	const struct token *token = swap_token_at(site);
	uint32_t first = source->line_first[token->line], end = source->line_first[token->line + 1];
	if (token->kind != TOKEN_NAME || token->role != ROLE_VALUE || end - first > CROWDED ||
		swap_count_name(source, token->line, token->word) > 1)
		return;
	for (uint32_t i = site->at + 1; i < end; i++) {
		const struct token *other = &source->tokens[i];
		if (other->kind != TOKEN_NAME || other->role != ROLE_VALUE || other->word == token->word ||
			term_of(other->word)->is_indexed != term_of(token->word)->is_indexed ||
			swap_count_name(source, other->line, other->word) > 1)
			continue;
		const char *what =
			arena_printf(site->arena, "swap '%s' and '%s'", token->word->text, other->word->text);
		propose_exchange(site, 4.9, span_of(site->at, site->at), span_of(i, i), what);
	}
}

MUTATION(places, .least = 4.9);
