/* Two arms of a choice in the other order, since the first that fits is taken. */
#include "repair/search.h"

typedef bool arm_reader(const struct source *source, uint32_t word, struct span *ret_arm);

/* "x > 0: f()" of an "if" or "elif" of Python, seen at its word. */
static bool arm_by_indentation(const struct source *source, uint32_t word, struct span *ret_arm)
{
	struct statement statement;
	if (!token_in(source, word, " if elif ") || !statement_at(source, word, &statement) ||
		statement.span.last <= word)
		return false;
	*ret_arm = span_of(word + 1, statement.span.last);
	return true;
}

/* "(x > 0) { f(); }" of an "if" with braces, seen at its word. */
static bool arm_by_braces(const struct source *source, uint32_t word, struct span *ret_arm)
{
	uint32_t around = source->tokens[word].around;
	for (uint32_t i = word + 1; i < source->n && token_is(source, word, "if"); i++) {
		if (is_block(source, i) && source->tokens[i].match != NO_TOKEN) {
			*ret_arm = span_of(word + 1, source->tokens[i].match);
			return true;
		}
		if (source->tokens[i].first || source->tokens[i].around != around)
			return false;
		if (source->tokens[i].kind == TOKEN_OPEN && source->tokens[i].match != NO_TOKEN)
			i = source->tokens[i].match;
	}
	return false;
}

/* The word of the arm that ends before a token; NO_TOKEN: there is none. */
static uint32_t arm_word_before(const struct source *source, uint32_t after, arm_reader *arm_at)
{
	struct span arm;
	for (uint32_t i = after; i-- > 0 && source->owner[i] == source->owner[after];)
		if (token_in(source, i, " if elif ") && arm_at(source, i, &arm) && arm.last + 1 == after)
			return i;
	return NO_TOKEN;
}

static void arms_propose(struct site *site)
{
	const struct source *source = site->source;
	bool by_braces =
		token_is(source, site->at, "if") && site->at && token_is(source, site->at - 1, "else");
	struct span first, second;
	if (!by_braces && !(is_python(source) && token_is(source, site->at, "elif")))
		return;
	arm_reader *arm_at = by_braces ? arm_by_braces : arm_by_indentation;
	uint32_t word = arm_word_before(source, site->at - by_braces, arm_at);
	if (word != NO_TOKEN && arm_at(source, word, &first) && arm_at(source, site->at, &second))
		propose_exchange(site, 4.8, first, second, "swap the arm and the one before");
}

MUTATION(arms, .least = 4.8, .rank = CANDIDATE_STRUCTURE);
