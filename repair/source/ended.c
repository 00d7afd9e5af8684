/*
 * Statements where words open blocks and "end" closes them. Lines do not end statements there: two
 * may be on one line, and one may continue on the next. A function may be within brackets, so both
 * the innermost bracket and the innermost block are known.
 */
#include "repair/source/source.h"

#define OPENING " function if do repeat "
#define CLOSING " end until "
#define OPENERS " then do else repeat "
#define ALWAYS " end else elseif until return local if for while repeat break goto "

static uint32_t ended_innermost(const struct ended *ended)
{
	return ended->n && ended->n <= ENDED_MOST ? ended->opens[ended->n - 1] : NO_TOKEN;
}

static void ended_pair(struct ended *ended, const struct source *source, uint32_t i)
{
	if (source->tokens[i].kind != TOKEN_KEYWORD)
		return;
	if (token_in(source, i, OPENING)) {
		if (ended->n < ENDED_MOST)
			ended->opens[ended->n] = i;
		ended->n++;
		return;
	}
	uint32_t open = ended_innermost(ended);
	if (!token_in(source, i, CLOSING) || !ended->n)
		return;
	bool fits =
		open != NO_TOKEN && token_is(source, open, "repeat") == token_is(source, i, "until");
	if (!fits && open != NO_TOKEN)
		return;
	ended->n--;
	if (fits) {
		source->tokens[open].match = i;
		source->tokens[i].match = open;
	}
}

static bool ended_joins(const struct token *token)
{
	return token->op &&
		(token->op->precedence || token->op->family == FAMILY_ASSIGN ||
			token->op->family == FAMILY_ACCESS || token->op->family == FAMILY_NOT ||
			token->op->text[0] == ',');
}

/* Whether the innermost bracket is within the innermost block. */
static bool ended_is_in_brackets(const struct ended *ended, const struct source *source, uint32_t i)
{
	uint32_t around = source->tokens[i].around, open = ended_innermost(ended);
	return around != NO_TOKEN && (open == NO_TOKEN || around > open);
}

static bool ended_is_first(const struct ended *ended, const struct source *source, uint32_t i)
{
	const struct token *token = &source->tokens[i], *before = &source->tokens[i - 1];
	if (token->kind == TOKEN_KEYWORD && token_in(source, i, ALWAYS))
		return true;
	if (ended_is_in_brackets(ended, source, i) || token->kind == TOKEN_CLOSE)
		return false;
	if (token_is(source, i - 1, ";") ||
		(before->kind == TOKEN_KEYWORD && token_in(source, i - 1, OPENERS)))
		return true;
	bool operand = token_ends_operand(source, i - 1) || token_in(source, i - 1, " end break ");
	bool function = token_is(source, i, "function") && !token_is(source, i - 1, "local");
	if (token->line == before->line)
		return operand && (token->kind == TOKEN_NAME || function);
	return !ended_joins(token) && !ended_joins(before) && !token_is(source, i - 1, "return");
}

bool ended_begins(struct ended *ended, const struct source *source, uint32_t i)
{
	bool first = i == 0 || ended_is_first(ended, source, i);
	ended_pair(ended, source, i);
	return first;
}
