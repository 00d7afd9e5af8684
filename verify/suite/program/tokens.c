/* A program's tokens, its lines and blocks. */
#include <ctype.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "verify/suite/program/parts.h"

enum program_language program_language_of(const char *path)
{
	static const char *const script[] = {"js", "mjs", "cjs", "ts", "mts", "cts"};
	const char *suffix = file_suffix(path);
	if (strcmp(suffix, "py") == 0)
		return PROGRAM_PYTHON;
	for (size_t i = 0; i < ARRAY_SIZE(script); i++)
		if (strcmp(suffix, script[i]) == 0)
			return PROGRAM_SCRIPT;
	return PROGRAM_OTHER;
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
	return i < program->list.n && words_hold(list, program->text + program->list.tokens[i].start,
									  program->list.tokens[i].length);
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

bool program_names_test(const char *name, size_t n)
{
	static const char words[] =
		" test tests testing selftest selftests doctest doctests unittest unittests ";
	for (size_t at = 0, end; at < n; at = end) {
		char word[16] = "";
		end = at + 1;
		while (end < n && isalnum((unsigned char)name[end]) && !isupper((unsigned char)name[end]))
			end++;
		for (size_t i = at; i < end && i - at < sizeof word - 1; i++)
			word[i - at] = (char)tolower((unsigned char)name[i]);
		const char *bare = word + strspn(word, "_");
		if (words_hold(words, bare, strcspn(bare, "0123456789")))
			return true;
	}
	return false;
}
