/* Which braces hold statements, where others hold keys, literals or the parts of a text:
 * LANGUAGE_VARIABLES. */
#include "repair/begin.h"

static bool is_in_text(const struct source *source, uint32_t open)
{
	uint32_t around = source->tokens[open].around;
	return around != NO_TOKEN && source->tokens[around].kind == TOKEN_OPEN &&
		   strchr("\"`<", first_byte(source, around));
}

bool brace_holds_statements(const struct source *source, uint32_t open)
{
	if (!token_is(source, open, "{") || is_in_text(source, open) || is_subscript(source, open))
		return false;
	if (open == 0)
		return true;
	const struct token *before = &source->tokens[open - 1];
	switch ((enum token_kind)before->kind) {
	case TOKEN_OPERATOR:
		return token_in(source, open - 1, " ; : ?> ");
	case TOKEN_KEYWORD:
		return !token_in(source, open - 1, " return and or not xor print echo ");
	case TOKEN_OPEN:
		return token_is(source, open - 1, "{");
	case TOKEN_CLOSE:
		return !token_is(source, open - 1, "]");
	case TOKEN_NAME:
		return true;
	case TOKEN_NUMBER:
	case TOKEN_STRING:
		return false;
	}
	return false;
}

/* "map { ... } @list": the function goes on behind its block. */
static bool is_argument(const struct source *source, uint32_t open)
{
	return has_trait(source, LANGUAGE_BRACED_KEYS) && open > 1 && is_name(source, open - 1) &&
		   !token_in(source, open - 2, " sub package ");
}

bool brace_ends_statement(const struct source *source, uint32_t close)
{
	uint32_t open = source->tokens[close].match;
	return open == NO_TOKEN || (brace_holds_statements(source, open) && !is_argument(source, open));
}
