#include "verify/counter/python_text.h"

#include <string.h>

size_t python_line_start(const struct counter_file *file, uint32_t i)
{
	size_t at = file->tokens.tokens[i].start;
	while (at && file->text[at - 1] != '\n')
		at--;
	return at;
}

uint32_t python_column(const struct counter_file *file, uint32_t i)
{
	return (uint32_t)(file->tokens.tokens[i].start - python_line_start(file, i));
}

bool python_begins(const struct counter_file *file, uint32_t i)
{
	const struct token *token = &file->tokens.tokens[i];
	if (i >= file->tokens.n || token->around != NO_TOKEN || token->continues ||
		token->kind == TOKEN_CLOSE)
		return false;
	for (size_t at = token->start; at && file->text[at - 1] != '\n'; at--)
		if (file->text[at - 1] != ' ' && file->text[at - 1] != '\t')
			return false;
	return true;
}

uint32_t python_line_end(const struct counter_file *file, uint32_t i)
{
	do
		i++;
	while (i < file->tokens.n && !python_begins(file, i));
	return i;
}

bool python_body(
	const struct counter_file *file, uint32_t head, uint32_t *ret_first, uint32_t *ret_end)
{
	uint32_t first = python_line_end(file, head), end = first, column = python_column(file, head);
	if (first >= file->tokens.n || python_column(file, first) <= column ||
		!counter_is(file, first - 1, ":"))
		return false;
	while (end < file->tokens.n && (!python_begins(file, end) || python_column(file, end) > column))
		end++;
	*ret_first = first;
	*ret_end = end;
	return true;
}

uint32_t python_statement_end(const struct counter_file *file, uint32_t i)
{
	uint32_t first, end;
	return python_body(file, i, &first, &end) ? end : python_line_end(file, i);
}

bool python_is_def(const struct counter_file *file, uint32_t i, uint32_t *ret_def)
{
	uint32_t def = i + counter_is(file, i, "async");
	*ret_def = def;
	return python_begins(file, i) && counter_is(file, def, "def");
}

/* Up to the first of its decorators. */
static uint32_t python_first_decorator(const struct counter_file *file, uint32_t at)
{
	uint32_t column = python_column(file, at), found = at;
	for (uint32_t i = at; i-- > 0;) {
		if (!python_begins(file, i))
			continue;
		if (python_column(file, i) != column || !counter_is(file, i, "@"))
			break;
		found = i;
	}
	return found;
}

bool python_function_at(
	const struct counter_file *file, uint32_t at, struct python_function *ret_function)
{
	uint32_t def, first, end;
	if (!python_is_def(file, at, &def) || def + 1 >= file->tokens.n ||
		!python_body(file, at, &first, &end))
		return false;
	const struct token *last = &file->tokens.tokens[end - 1];
	size_t end_byte = last->start + last->length;
	while (end_byte < file->n && file->text[end_byte] != '\n')
		end_byte++;
	*ret_function = (struct python_function){.def = at,
		.name = def + 1,
		.first = first,
		.end = end,
		.column = python_column(file, at),
		.start_byte = python_line_start(file, python_first_decorator(file, at)),
		.def_byte = python_line_start(file, at),
		.end_byte = end_byte + (end_byte < file->n)};
	return true;
}

bool python_find(const struct counter_file *file, uint32_t from, uint32_t to, const char *word,
	const char *name, size_t n_name, uint32_t *ret_at)
{
	size_t found = 0;
	uint32_t column = from < to ? python_column(file, from) : 0;
	for (uint32_t i = from; i < to; i++) {
		if (!python_begins(file, i) || python_column(file, i) != column)
			continue;
		uint32_t at = i + counter_is(file, i, "async");
		bool is_word = counter_is(file, at, word), is_value = counter_is(file, i + 1, "=");
		const struct token *token = &file->tokens.tokens[is_word ? at + 1 : i];
		if ((!is_word && !is_value) || at + 1 >= to || token->length != n_name ||
			memcmp(file->text + token->start, name, n_name) != 0)
			continue;
		found += is_word ? 1 : 2;
		*ret_at = i;
	}
	return found == 1;
}

bool python_has_own(
	const struct counter_file *file, uint32_t first, uint32_t end, const char *words)
{
	uint32_t def;
	for (uint32_t i = first; i < end; i++) {
		bool is_inner = python_begins(file, i) &&
			(python_is_def(file, i, &def) || counter_is(file, i, "class"));
		if (is_inner)
			i = python_statement_end(file, i) - 1;
		else if (counter_in(file, i, words))
			return true;
	}
	return false;
}
