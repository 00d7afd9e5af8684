/* One operator for another of its family: comparisons, logic, arithmetic, bits, steps. */
#include <string.h>

#include "base/memory.h"
#include "repair/search.h"

struct change {
	const char *from, *to;
	double cost;
};

#define ASSIGN_ALONE 4.5 /* "=" for one that also calculates */

/* Near ones first: what a slip of the finger makes of the right one. Where a language has no such
 * operator, the row does not count there. */
/* clang-format off */
static const struct change changes[] = {
	{"<", "<=", 3}, {"<", ">", 3.6}, {"<", ">=", 4.4}, {"<", "==", 5.5}, {"<", "!=", 5.5},
	{"<=", "<", 3}, {"<=", ">=", 3.6}, {"<=", ">", 4.4}, {"<=", "==", 5.5}, {"<=", "!=", 5.5},
	{">", ">=", 3}, {">", "<", 3.6}, {">", "<=", 4.4}, {">", "==", 5.5}, {">", "!=", 5.5},
	{">=", ">", 3}, {">=", "<=", 3.6}, {">=", "<", 4.4}, {">=", "==", 5.5}, {">=", "!=", 5.5},
	{"==", "!=", 3.4}, {"==", "<=", 5}, {"==", ">=", 5}, {"==", "<", 5.5}, {"==", ">", 5.5},
	{"!=", "==", 3.4}, {"!=", "<", 5}, {"!=", ">", 5}, {"!=", "<=", 5.5}, {"!=", ">=", 5.5},
	{"===", "!==", 3.4}, {"===", "<=", 5}, {"===", ">=", 5}, {"!==", "===", 3.4},
	{"in", "not in", 3.6}, {"not in", "in", 3.4}, {"is", "is not", 3.4}, {"is not", "is", 3.4},
	{"-lt", "-le", 3}, {"-lt", "-gt", 3.6}, {"-lt", "-ge", 4.4}, {"-lt", "-ne", 5.5},
	{"-le", "-lt", 3}, {"-le", "-ge", 3.6}, {"-le", "-gt", 4.4}, {"-gt", "-ge", 3},
	{"-gt", "-lt", 3.6}, {"-gt", "-le", 4.4}, {"-gt", "-ne", 5.5}, {"-ge", "-gt", 3},
	{"-ge", "-le", 3.6}, {"-ge", "-lt", 4.4}, {"-eq", "-ne", 3.4}, {"-eq", "-le", 5},
	{"-eq", "-ge", 5}, {"-ne", "-eq", 3.4}, {"and", "or", 3.2}, {"or", "and", 3.2},
	{"&&", "||", 3.2}, {"||", "&&", 3.2}, {"??", "||", 4.5}, {"+", "-", 3.5}, {"+", "*", 3.9},
	{"+", "/", 5.5}, {"+", "%", 6}, {"-", "+", 3.5}, {"-", "*", 4.8}, {"-", "/", 5},
	{"-", "%", 5.5}, {"*", "+", 4}, {"*", "/", 3.7}, {"*", "**", 4.9}, {"*", "-", 4.8},
	{"/", "*", 3.7}, {"/", "//", 3.5}, {"/", "%", 4}, {"/", "-", 4.8}, {"/", "+", 5.5},
	{"//", "/", 3.5}, {"//", "%", 3.7}, {"//", "*", 4.5}, {"//", "-", 5}, {"%", "//", 3.8},
	{"%", "/", 3.8}, {"%", "*", 4.8}, {"%", "-", 5.5}, {"**", "*", 3.8}, {"&", "|", 3.6},
	{"&", "^", 4.5}, {"|", "&", 3.6}, {"|", "^", 4.5}, {"^", "|", 4}, {"^", "&", 4},
	{"<<", ">>", 3.6}, {">>", "<<", 3.6}, {">>", ">>>", 4.5}, {">>>", ">>", 4},
	{"++", "--", 3.6}, {"--", "++", 3.6}, {"..", "..=", 3.2}, {"..=", "..", 3.2},
	{"..", "...", 3.4}, {"...", "..", 3.4}, {"==", "~=", 3.4}, {"~=", "==", 3.4}, {"~=", "<", 5},
	{"~=", ">", 5}, {"~=", "<=", 5.5}, {"~=", ">=", 5.5}, {"<", "~=", 5.5}, {">", "~=", 5.5},
	{"eq", "ne", 3.4}, {"ne", "eq", 3.4}, {"lt", "le", 3}, {"lt", "gt", 3.6}, {"le", "lt", 3},
	{"le", "ge", 3.6}, {"gt", "ge", 3}, {"gt", "lt", 3.6}, {"ge", "gt", 3}, {"ge", "le", 3.6},
	{"x", "*", 4}, {"*", "x", 4.4}, {"x", ".", 5},
	{"+", "..", 4.6}, {"..", "+", 4.6}, {"+", ".", 4.4}, {".", "+", 4.4},
	{"??", "?" ":", 4.6}, {"?" ":", "??", 4.4},
};
/* clang-format on */

/* "not in" and "is not" are one operator of two words; gives the last. */
static uint32_t symbol_word_pair_last(const struct source *source, uint32_t i)
{
	bool pair = (token_is(source, i, "not") && token_is(source, i + 1, "in")) ||
		(token_is(source, i, "is") && token_is(source, i + 1, "not"));
	return pair ? i + 1 : i;
}

/* Whether the language has it, and it joins operands if the old one does: ".." is a range or
 * puts texts together. */
static bool symbol_is_known(
	const struct language *language, const struct operator_row *old, const char *text)
{
	const struct operator_row *new = language_operator(language, text);
	if (language == &language_rust && strcmp(text, "...") == 0)
		return false; /* what it once was */
	return strchr(text, ' ') || (new && (new->precedence > 0) == (old->precedence > 0));
}

/* The "in" of "for x in" compares nothing. */
static bool symbol_is_loop(const struct source *source, uint32_t i)
{
	if (!token_is(source, i, "in"))
		return false;
	uint32_t at = i - (i > 0);
	while (at && !source->tokens[at].first && !token_in(source, at, " for if in "))
		at--;
	return token_is(source, at, "for");
}

/* Beside text '+' joins, and nothing else does. */
static bool symbol_is_beside_text(const struct source *source, uint32_t i)
{
	unsigned family = source->tokens[i].op->family;
	bool beside = (i && span_is_text(source, i - 1, i - 1)) ||
		(i + 1 < source->n && span_is_text(source, i + 1, i + 1));
	return (family == FAMILY_ADD || family == FAMILY_AUGMENT) &&
		(beside || adds_to_text(source, i));
}

/* What an operator beside text costs more: whoever wrote another one meant to join. */
static double symbol_doubt(
	const struct source *source, uint32_t i, const char *from, const char *to)
{
	if (!symbol_is_beside_text(source, i) || words_hold(" . .. .= ", to, strlen(to)))
		return 0;
	return to[0] == '+' ? -0.5 : from[0] == '+' ? 3 : 1;
}

/* Text is equal or not, seldom less. */
static bool symbol_is_order_of_text(const struct source *source, uint32_t i, const char *to)
{
	bool text = i + 1 < source->n && source->tokens[i + 1].kind == TOKEN_STRING;
	return text && (to[0] == '<' || to[0] == '>');
}

/* The head of a counting loop is written without thought: what stands there is not like what
 * stands elsewhere. */
static bool symbol_is_in_header(const struct source *source, uint32_t i)
{
	uint32_t around = source->tokens[i].around;
	return around != NO_TOKEN && around > 0 && token_is(source, around - 1, "for");
}

/* What becomes of the boundary, if that is all: "<" to "<=" as ">" to ">=". */
static const char *symbol_boundary(const char *from, const char *to)
{
	size_t n = strlen(from), n_to = strlen(to);
	bool is_order = *from == *to && (*from == '<' || *from == '>');
	if (is_order && n == 1 && strcmp(to + 1, "=") == 0)
		return "take the boundary in";
	return is_order && n_to == 1 && strcmp(from + 1, "=") == 0 ? "leave the boundary out" : NULL;
}

static void symbol_put(struct site *site, struct span span, const char *to, double cost)
{
	const struct source *source = site->source;
	if (!symbol_is_known(source->language, source->tokens[site->at].op, to) ||
		symbol_is_order_of_text(source, site->at, to))
		return;
	cost += symbol_doubt(source, site->at, span_text(site, span), to);
	struct proposal *proposal = propose_text(site, cost, span, to);
	if (symbol_is_in_header(source, site->at))
		proposal->key = arena_printf(site->arena, "%s in a loop", proposal->key);
	else
		proposal->loose = symbol_boundary(span_text(site, span), to);
}

static bool symbol_is_asked(const struct source *source, uint32_t i)
{
	const struct token *token = &source->tokens[i];
	if (token->kind != TOKEN_OPERATOR || !token->op || token->unary || symbol_is_loop(source, i))
		return false;
	if (token->op->precedence && !binary_precedence(source, i))
		return false;
	return !token_is(source, i, "in") || !i || !token_is(source, i - 1, "not");
}

/* An operator that also assigns, "+=", is mistaken like the one before its '='. */
static void symbol_propose(struct site *site)
{
	const struct source *source = site->source;
	if (!symbol_is_asked(source, site->at))
		return;
	const struct token *token = &source->tokens[site->at];
	struct span span = {site->at, symbol_word_pair_last(source, site->at)};
	const char *end = token->op->family == FAMILY_AUGMENT ? "=" : "", *old = span_text(site, span);
	const char *bare = arena_strndup(site->arena, old, strlen(old) - strlen(end));
	for (size_t c = 0; c < ARRAY_SIZE(changes); c++)
		if (strcmp(changes[c].from, bare) == 0)
			symbol_put(
				site, span, arena_printf(site->arena, "%s%s", changes[c].to, end), changes[c].cost);
	if (*end)
		symbol_put(site, span, "=", ASSIGN_ALONE);
}

MUTATION(symbol, .least = 3, .simple = true);
