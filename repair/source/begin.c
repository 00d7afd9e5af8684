/* Which tokens begin a statement, and which signs stand before their only operand. */
#include <ctype.h>
#include <string.h>

#include "repair/source/source.h"

#define BLOCK_WORDS " if elif else for while try except finally with def class "

static bool statement_joins_lines(const struct token *token)
{
	return token->op &&
		(token->op->precedence || token->op->family == FAMILY_ASSIGN ||
			token->op->family == FAMILY_ACCESS || token->op->text[0] == ',');
}

/* Whether a line's first token begins a statement, in languages where lines end them. */
static bool line_begins_statement(const struct source *source, uint32_t i)
{
	const struct token *token = &source->tokens[i], *before = &source->tokens[i - 1];
	bool in_brackets = token->around != NO_TOKEN &&
		(is_python(source) || first_byte(source, token->around) != '{');
	if (in_brackets || token->continues)
		return false;
	return is_python(source) || (!statement_joins_lines(before) && !is_access(source, i));
}

/* --- where braces hold keys, literals or parts of a text, too: LANGUAGE_VARIABLES --- */

static bool statement_is_in_text(const struct source *source, uint32_t open)
{
	uint32_t around = source->tokens[open].around;
	return around != NO_TOKEN && source->tokens[around].kind == TOKEN_OPEN &&
		strchr("\"`<", first_byte(source, around));
}

static bool brace_holds_statements(const struct source *source, uint32_t open)
{
	if (!token_is(source, open, "{") || statement_is_in_text(source, open) ||
		is_subscript(source, open))
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

/* "map { ... } @list": the function's arguments continue after its block. */
static bool statement_is_argument(const struct source *source, uint32_t open)
{
	return has_trait(source, LANGUAGE_BRACED_KEYS) && open > 1 && is_name(source, open - 1) &&
		!token_in(source, open - 2, " sub package ");
}

/* Whether a statement ends with a closing brace. */
static bool brace_ends_statement(const struct source *source, uint32_t close)
{
	uint32_t open = source->tokens[close].match;
	return open == NO_TOKEN ||
		(brace_holds_statements(source, open) && !statement_is_argument(source, open));
}

/* After the brace of an anonymous function its statement continues with an operator that is no
 * prefix. */
static bool statement_goes_on(const struct source *source, uint32_t i)
{
	const struct token *token = &source->tokens[i];
	return token->kind == TOKEN_OPERATOR && !token_in(source, i, " ++ -- @ $ ! \\ & * ");
}

/* Nothing but a new line ends what Rust says of the whole file, or of what follows. */
static bool statement_follows_attribute(const struct source *source, uint32_t i)
{
	uint32_t open = token_is(source, i - 1, "]") ? source->tokens[i - 1].match : NO_TOKEN;
	return open != NO_TOKEN && open &&
		(attribute_open(source, open - 1) == open ||
			(open > 1 && attribute_open(source, open - 2) == open));
}

bool is_only_body(const struct source *source, uint32_t i)
{
	bool may = i && (token_is(source, i - 1, ")") || token_in(source, i - 1, " else do "));
	if (!may || token_in(source, i, " { ; ") ||
		!language_in(source->language, " c c++ java javascript typescript "))
		return false;
	uint32_t open = token_is(source, i - 1, ")") ? source->tokens[i - 1].match : NO_TOKEN;
	if (open == NO_TOKEN || !open)
		return token_in(source, i - 1, " else do ") && !token_is(source, i, "if");
	bool is_head = token_in(source, open - 1, " if for while ");
	bool is_end = token_is(source, open - 1, "while") && open > 1 && /* "do { } while (x)" */
		token_is(source, open - 2, "}");
	return is_head && !is_end && !(open > 1 && token_is(source, open - 2, "#"));
}

static bool begins_statement(const struct source *source, uint32_t i, bool in_header)
{
	const struct token *token = &source->tokens[i], *before = &source->tokens[i - 1];
	bool new_line = token->line != before->line;
	if (token->kind == TOKEN_CLOSE)
		return false;
	if (token_is(source, i - 1, ";") || statement_follows_attribute(source, i) ||
		is_only_body(source, i))
		return true;
	if (in_header && before->around == NO_TOKEN && token_is(source, i - 1, ":"))
		return true;
	if (has_trait(source, LANGUAGE_NEWLINES) && new_line && line_begins_statement(source, i))
		return true;
	bool open = token_is(source, i - 1, "{"), close = token_is(source, i - 1, "}"),
		 brace = open || close;
	if (is_python(source))
		return false;
	if (has_trait(source, LANGUAGE_VARIABLES))
		return (open && brace_holds_statements(source, i - 1)) || token_is(source, i - 1, "?>") ||
			(close && brace_ends_statement(source, i - 1) && !statement_goes_on(source, i));
	bool annotates = token_is(source, i, "@");
	if (brace && (annotates || token->kind != TOKEN_OPERATOR) && token->kind != TOKEN_STRING)
		return true;
	/* JavaScript without semicolons: what cannot continue a statement begins one. */
	return has_trait(source, LANGUAGE_REGEX) && new_line && token_ends_operand(source, i - 1) &&
		token->kind != TOKEN_OPERATOR && token->kind != TOKEN_OPEN;
}

/* C's "char *p" and Rust's "&x": space before it and none after it. */
static bool statement_is_prefix_by_spacing(const struct source *source, uint32_t i)
{
	const struct token *token = &source->tokens[i];
	const char *text = source->file->text;
	size_t end = token->start + token->length;
	if (token->length != 1 || !strchr("*&", text[token->start]) ||
		has_trait(source, LANGUAGE_INDENTED))
		return false;
	bool space_before = token->start && isspace((unsigned char)text[token->start - 1]);
	bool space_behind = end < source->file->n && isspace((unsigned char)text[end]);
	return space_before ? !space_behind : space_behind;
}

static bool statement_is_unary(const struct source *source, uint32_t i)
{
	const struct token *token = &source->tokens[i];
	if (!token->op || !token->op->precedence)
		return false;
	unsigned family = token->op->family;
	if (family != FAMILY_ADD && family != FAMILY_BITS && family != FAMILY_MULTIPLY &&
		family != FAMILY_POWER)
		return false;
	return i == 0 || token->first || !token_ends_operand(source, i - 1) ||
		statement_is_prefix_by_spacing(source, i);
}

void source_find_statements(struct source *source)
{
	bool header = false;    /* within "if ...:" and the like, whose colon begins a statement */
	bool directive = false; /* within "#define ...", which ends with its line */
	struct ended ended = {.n = 0};
	for (uint32_t i = 0; i < source->n; i++) {
		struct token *token = &source->tokens[i];
		token->first = has_trait(source, LANGUAGE_ENDED)
			? ended_begins(&ended, source, i)
			: i == 0 || begins_statement(source, i, header);
		if (has_trait(source, LANGUAGE_PREPROCESSED) &&
			(i == 0 || token->line != source->tokens[i - 1].line)) {
			bool begins = token_is(source, i, "#");
			token->first |= begins || (directive && !token->continues);
			directive = begins || (directive && token->continues);
		}
		if (token->first)
			header = has_trait(source, LANGUAGE_INDENTED) && token_in(source, i, BLOCK_WORDS);
		token->unary = statement_is_unary(source, i);
	}
}
