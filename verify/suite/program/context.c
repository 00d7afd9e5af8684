/* What stands around a part of a program: an assertion that comes to stand under a condition, or in
 * a function that nobody calls, has not changed its own text. */
#include <string.h>

#include "base/strbuf.h"
#include "verify/suite/program/parts.h"

enum { DEEPEST = 64 };

static void context_add_token(const struct program_text *program, uint32_t i, struct strbuf *sb)
{
	const struct token *token = &program->list.tokens[i];
	strbuf_addf(sb, " %.*s", (int)token->length, program->text + token->start);
}

/* The first word of a head, and of a definition its name. */
static void context_add_head(const struct program_text *program, uint32_t i, struct strbuf *sb)
{
	i += program_is(program, i, "async");
	context_add_token(program, i, sb);
	if (program_in(program, i, " def class ") && i + 1 < program->list.n)
		context_add_token(program, i + 1, sb);
}

static uint32_t context_line_start(const struct program_text *program, uint32_t i)
{
	while (i && !program_begins_line(program, i))
		i--;
	return i;
}

/* By indentation; "if x: assert y" stands within its own line's head. */
static void context_of_python(
	const struct program_text *program, uint32_t i, struct strbuf *sb, uint32_t *ret_block)
{
	uint32_t start = context_line_start(program, i);
	*ret_block = NO_TOKEN;
	if (start != i && program_is(program, i - 1, ":")) {
		context_add_head(program, start, sb);
		*ret_block = start;
	}
	for (size_t column = program_column(program, start), depth = 0;
		 start && column && depth < DEEPEST;) {
		start = context_line_start(program, start - 1);
		size_t other = program_column(program, start);
		if (other >= column)
			continue;
		context_add_head(program, start, sb);
		column = other;
		depth++;
		*ret_block = *ret_block == NO_TOKEN ? start : *ret_block;
	}
}

/* By brackets: the word before each, or before the arguments that stand before it. */
static void context_of_script(
	const struct program_text *program, uint32_t i, struct strbuf *sb, uint32_t *ret_block)
{
	const struct token *tokens = program->list.tokens;
	*ret_block = tokens[i].around;
	int depth = 0;
	for (i = tokens[i].around; i != NO_TOKEN && depth < DEEPEST; i = tokens[i].around, depth++) {
		uint32_t before = i ? i - 1 : i;
		if (program_is(program, before, ")") && tokens[before].match != NO_TOKEN &&
			tokens[before].match)
			before = tokens[before].match - 1;
		context_add_token(program, before, sb);
	}
}

const char *program_context(const struct program_text *program, uint32_t i, uint32_t *ret_block)
{
	AUTO_STRBUF sb = STRBUF_INIT(STRBUF_LINE);
	if (program->language == PROGRAM_PYTHON)
		context_of_python(program, i, &sb, ret_block);
	else
		context_of_script(program, i, &sb, ret_block);
	return arena_strndup(program->arena, sb.text, sb.length);
}
