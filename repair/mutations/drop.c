/* Something less: an operand, a sign, the condition of a comprehension, brackets; and brackets
 * more. */
#include "repair/search.h"

static double drop_cost(const struct token *token)
{
	switch (token->op->family) {
	case FAMILY_OR:
	case FAMILY_AND:
		return 4.2;
	case FAMILY_ADD:
	case FAMILY_MULTIPLY:
	case FAMILY_BITS:
	case FAMILY_POWER:
		return 4.9;
	case FAMILY_SHIFT:
		return 5.2;
	default:
		return 0;
	}
}

static void drop_operand(struct site *site)
{
	const struct source *source = site->source;
	if (!binary_precedence(source, site->at))
		return;
	double cost = drop_cost(&source->tokens[site->at]);
	uint32_t far = operand_left(source, site->at, false),
			 near = operand_left(source, site->at, true);
	uint32_t last = operand_right(source, site->at);
	if (!cost || far == NO_TOKEN || near == NO_TOKEN || last == NO_TOKEN)
		return;
	propose_text(site, cost, span_of(far, last), site_text(site, far, site->at - 1));
	propose_text(site, cost + 0.3, span_of(near, last), site_text(site, site->at + 1, last));
}

/* "a * b * c" to "a": all from the operator on that binds as closely. */
static void drop_rest(struct site *site)
{
	const struct source *source = site->source;
	int precedence = binary_precedence(source, site->at);
	double cost = precedence ? drop_cost(&source->tokens[site->at]) : 0;
	uint32_t last = cost > 0 ? expression_last(source, site->at + 1, precedence) : NO_TOKEN;
	uint32_t first = cost > 0 ? operand_left(source, site->at, false) : NO_TOKEN;
	if (first != NO_TOKEN && last != NO_TOKEN && last != operand_right(source, site->at))
		propose_text(site, cost + 1, span_of(first, last), site_text(site, first, site->at - 1));
}

/* Leave out a condition from its word on, and the space before it. */
static void drop_condition(struct site *site, uint32_t last, const char *what)
{
	size_t start = token_end(site->source, site->at - 1);
	proposal_splice(
		site, propose(site, 4.6, what), start, token_end(site->source, last) - start, "");
}

/* "[x for x in xs if x > 0]", seen at the "if". */
static void drop_filter(struct site *site)
{
	const struct source *source = site->source;
	uint32_t around = source->tokens[site->at].around, first = site->at;
	if (around == NO_TOKEN || source->tokens[around].match == NO_TOKEN ||
		source->tokens[site->at].first)
		return;
	while (first > around &&
		!(token_is(source, first, "for") && source->tokens[first].around == around))
		first--;
	uint32_t last = expression_last(source, site->at + 1, 1);
	if (first == around || last == NO_TOKEN || token_is(source, last + 1, "else"))
		return;
	drop_condition(site, last, "leave out the filter");
}

/* The condition of an arm of Rust's match: "'\\' if !quoted =>". */
static void drop_arm_condition(struct site *site)
{
	const struct source *source = site->source;
	uint32_t last = expression_last(source, site->at + 1, 1);
	if (source->language != &language_rust || !site->at || last == NO_TOKEN ||
		!token_is(source, last + 1, "=>"))
		return;
	drop_condition(site, last, "leave out the condition");
}

static void drop_propose(struct site *site)
{
	const struct source *source = site->source;
	const struct token *token = &source->tokens[site->at];
	if (token->kind == TOKEN_OPERATOR && token->op) {
		drop_operand(site);
		drop_rest(site);
	}
	if (token->unary && token_is(source, site->at, "-") && site->at + 1 < source->n &&
		source->tokens[site->at + 1].start > token->start)
		propose_text(site, 4.5, span_of(site->at, site->at + 1),
			site_text(site, site->at + 1, site->at + 1));
	if (token_is(source, site->at, "if")) {
		drop_filter(site);
		drop_arm_condition(site);
	}
}

MUTATION(drop, .least = 4.2, .rank = CANDIDATE_OPERATOR, .simple = true);

static bool drop_asks(const struct source *source, uint32_t i)
{
	return is_of_family(source, i, FAMILY_AND) || is_of_family(source, i, FAMILY_OR);
}

/* Brackets around what an operator joins with a part of another one's operand. What asks is no
 * number: "a > (-1 && b) < 9" was never meant. */
static void drop_bracket(
	struct site *site, double cost, uint32_t first, uint32_t last, uint32_t other)
{
	const struct source *source = site->source;
	if (first == NO_TOKEN || last == NO_TOKEN ||
		(drop_asks(source, site->at) && is_of_family(source, other, FAMILY_COMPARE)))
		return;
	const char *text = site_text(site, first, last);
	propose_textf(site, cost, span_of(first, last), "(%s)", text);
}

/* "a + b * c" to "(a + b) * c", and back. */
static void brackets_propose(struct site *site)
{
	const struct source *source = site->source;
	const struct token *token = &source->tokens[site->at];
	if (binary_precedence(source, site->at) && drop_cost(token) > 0) {
		int within = drop_asks(source, site->at) ? COMPARISON : ONE_OPERAND;
		uint32_t first = expression_first(source, site->at - 1, within);
		uint32_t last = expression_last(source, site->at + 1, within);
		uint32_t far = operand_left(source, site->at, false),
				 right = operand_right(source, site->at);
		if (last != right)
			drop_bracket(site, 4.3, far, last, last + 1);
		if (first != operand_left(source, site->at, true))
			drop_bracket(site, 4.3, first, right, first - 1);
		return;
	}
	bool group = token_is(source, site->at, "(") && token->match != NO_TOKEN &&
		token->match > site->at + 2 && site->at && !token_ends_operand(source, site->at - 1) &&
		token->match + 1 < source->n;
	bool joined = group &&
		(binary_precedence(source, site->at - 1) || binary_precedence(source, token->match + 1));
	if (!joined || expression_last(source, site->at + 1, 1) != token->match - 1)
		return;
	struct proposal *proposal = propose(site, 5, "without the brackets");
	proposal_splice(site, proposal, token->start, 1, "");
	proposal_splice(site, proposal, source->tokens[token->match].start, 1, "");
}

MUTATION(brackets, .least = 4.3, .rank = CANDIDATE_OPERATOR);
