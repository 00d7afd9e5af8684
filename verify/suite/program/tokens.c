/* A program's tokens, its lines and blocks, and what is around them. */
#include <ctype.h>
#include <string.h>

#include "base/file.h"
#include "base/strbuf.h"
#include "verify/suite/lines.h"
#include "verify/suite/program/parts.h"

enum program_language program_language_of(const char *path)
{
	static const char *const script[] = {"js", "mjs", "cjs", "ts", "mts", "cts", NULL};
	const char *suffix = file_suffix(path);
	if (strcmp(suffix, "py") == 0)
		return PROGRAM_PYTHON;
	return line_matches_any(suffix, script) ? PROGRAM_SCRIPT : PROGRAM_OTHER;
}

bool program_is(const struct program_text *program, uint32_t i, const char *text)
{
	if (i >= program->list.n)
		return false;
	const struct token *token = &program->list.tokens[i];
	return strlen(text) == token->length &&
		memcmp(program->text + token->start, text, token->length) == 0;
}

bool program_in(const struct program_text *program, uint32_t i, const char *list)
{
	return i < program->list.n &&
		words_hold(
			list, program->text + program->list.tokens[i].start, program->list.tokens[i].length);
}

uint32_t program_token_at(const struct program_text *program, size_t offset)
{
	uint32_t low = 0, high = (uint32_t)program->list.n;
	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		if (program->list.tokens[middle].start < offset)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

bool program_begins_line(const struct program_text *program, uint32_t i)
{
	const struct token *token = &program->list.tokens[i];
	if (i == 0)
		return true;
	const struct token *before = token - 1;
	size_t end = (size_t)before->start + before->length;
	return token->around == NO_TOKEN && !token->continues &&
		memchr(program->text + end, '\n', token->start - end);
}

uint32_t program_line_end(const struct program_text *program, uint32_t i)
{
	for (i++; i < program->list.n && !program_begins_line(program, i); i++)
		;
	return i;
}

size_t program_column(const struct program_text *program, uint32_t i)
{
	const char *token = program->text + program->list.tokens[i].start, *at = token;
	while (at > program->text && at[-1] != '\n')
		at--;
	return (size_t)(token - at);
}

uint32_t program_block_end(const struct program_text *program, uint32_t i)
{
	size_t column = program_column(program, i);
	uint32_t end = program_line_end(program, i);
	while (end < program->list.n && program_column(program, end) > column)
		end = program_line_end(program, end);
	return end;
}

/* The end of the word of a name that begins there: `testTwoWords`, `TEST_two_words`. */
static size_t program_word_end(const char *name, size_t n, size_t at)
{
	for (at++; at < n && isalnum((unsigned char)name[at]) && !isupper((unsigned char)name[at]);)
		at++;
	return at;
}

bool program_names_test(const char *name, size_t n)
{
	static const char words[] =
		" test tests testing selftest selftests doctest doctests unittest unittests ";
	for (size_t at = 0, end; at < n; at = end) {
		char word[16] = "";
		end = program_word_end(name, n, at);
		for (size_t i = at; i < end && i - at < sizeof word - 1; i++)
			word[i - at] = (char)tolower((unsigned char)name[i]);
		const char *bare = word + strspn(word, "_");
		if (words_hold(words, bare, strcspn(bare, "0123456789")))
			return true;
	}
	return false;
}

/* --- Context: an assertion that is moved below a condition, or into a function that nobody calls,
 * keeps its own text. --- */

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

/* By indentation; in "if x: assert y" the context is on the same line. */
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

/* By brackets: the word before each, or before the arguments that precede it. */
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
